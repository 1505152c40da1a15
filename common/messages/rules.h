// What a member of a message may be. A message is a struct that lists its members once, each with its bounds:
//
//   struct Seek {
//     std::uint32_t frame = 0;
//     static constexpr bool closed = true;  // whether a member that it does not have is an error; not within an open
//     one static void members(auto& message, auto& visit) { visit("frame", message.frame, Whole{0, INT32_MAX}); }
//   };
//
// MessageReader and MessageWriter visit it. A std::optional may be absent; an enumeration has its names. What no single
// member can tell, such as two that exclude each other, a message says itself: std::optional<std::string> problem().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace lw {

template <class Message>
concept IsMessage = requires {
  static_cast<bool>(Message::closed);
};

// Written as a list of two: a whole number and a number.
template <class T>
concept IsPair = requires(T pair) {
  pair.to_list();
};

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;

// A whole number from min to max.
struct Whole {
  std::int64_t min = 0;
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
};
// A number from min to max. Without it, any.
struct Within {
  double min = 0;
  double max = 0;
};
// A text of so many bytes. Without it, of text_bytes_usual: names go into events and answers.
struct Text {
  std::size_t bytes_max = 0;
};
inline constexpr std::size_t text_bytes_usual = 1024;
// A list of so many entries. Without it, of any number.
struct AtMost {
  std::size_t entries = 0;
};
// The names of an enumeration, in its order.
template <std::size_t Size>
struct Names {
  std::array<std::string_view, Size> names;
};
template <class... Name>
Names(Name...) -> Names<sizeof...(Name)>;
// It may be absent, and keeps its value then.
struct MayBeAbsent {};
// A list that is absent where it is empty.
struct AbsentIfEmpty {};
// Of a list of objects: those that are not valid are skipped.
struct ValidOnly {};
// The same as MayBeAbsent, and if it is not as it must be it counts as absent: what programs tell each other of
// themselves is let in as far as it is known.
struct Tolerated {};

}  // namespace lw
