// The rules for members of messages. A message is a struct that lists its members once, each with its bounds:
//
//   struct Seek {
//     std::uint32_t frame = 0;
//     static constexpr bool closed = true;  // unknown members are errors (unless it is part of an open message)
//     static void members(auto& message, auto& visit) { visit("frame", message.frame, Whole{0, INT32_MAX}); }
//   };
//
// MessageReader and MessageWriter visit it. A std::optional may be absent; an enumeration has names. A message checks
// rules about several members, such as two that exclude each other, in std::optional<std::string> problem().
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
// A number from min to max. Without this rule, any number.
struct Within {
  double min = 0;
  double max = 0;
};
// A text of at most this many bytes. The default is text_bytes_usual, since names go into events and answers.
struct Text {
  std::size_t bytes_max = 0;
};
inline constexpr std::size_t text_bytes_usual = 1024;
// A list with at most this many entries. Without this rule, any number of entries.
struct AtMost {
  std::size_t entries = 0;
};
// The names of an enumeration, in order.
template <std::size_t Size>
struct Names {
  std::array<std::string_view, Size> names;
};
template <class... Name>
Names(Name...) -> Names<sizeof...(Name)>;
// The member may be absent, and then keeps its value.
struct MayBeAbsent {};
// An empty list is written as an absent member.
struct AbsentIfEmpty {};
// Skips invalid objects in a list.
struct ValidOnly {};
// Like MayBeAbsent, and invalid values count as absent: programs accept as much as they understand of what other
// programs report about themselves.
struct Tolerated {};

}  // namespace lw
