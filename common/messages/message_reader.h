// Reads messages (common/messages/rules.h) from the JSON of any library, given a Document with:
//
//   Value, Object, List         handles, cheap to copy
//   object(Value), list(Value)  std::optional
//   find(Object, key)           std::optional<Value>
//   size(List), at(List, i)
//   is_null(Value)
//   truth(Value), number(Value), whole(Value), text(Value)   std::optional of bool, double, Integer, std::string
//   unknown(Object, keys)       std::optional<std::string>: a member that is not one of these
//   each(Object, visit)         calls visit(key, value) by alphabet while it returns true; value() is the Value
//   compare(key, text)          for a key of each(): less than, equal to or greater than 0
//
// Reports the first error, which names the member: "entries, number 3: seconds must be a number from ...".
#pragma once

#include "common/base/short_text.h"
#include "common/messages/rules.h"
#include "common/metrics/figures.h"
#include "common/wall/wall_file.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lw {

// A whole number in JSON: negative, or up to 2^64 - 1.
struct Integer {
  bool negative = false;
  std::uint64_t bits = 0;  // two's complement

  [[nodiscard]] bool is_within(const Whole& bounds) const {
    if (negative) return static_cast<std::int64_t>(bits) >= bounds.min;
    return bits <= static_cast<std::uint64_t>(bounds.max) &&
           (bounds.min <= 0 || bits >= static_cast<std::uint64_t>(bounds.min));
  }
};

template <class Document>
class MessageReader {
  using Value = typename Document::Value;
  using Object = typename Document::Object;

public:
  // `may_close`: false within an open message.
  MessageReader(Object object, std::optional<std::string>& problem, bool may_close = true)
      : object_(std::move(object)), problem_(problem), closed_(may_close) {}

  template <class Message>
  void take_all(Message& message) {
    closed_ = closed_ && Message::closed;
    Message::members(message, *this);
    if (closed_) close();
    if constexpr (requires { message.problem(); })
      if (!problem_) problem_ = message.problem();
  }

  // Called by a message for each of its members.
  template <class Member, class... Rules>
  void operator()(const char* key, Member& member, const Rules&... rules) {
    constexpr bool tolerated = (std::is_same_v<Rules, Tolerated> || ...);
    constexpr bool may_be_absent =
        tolerated || ((std::is_same_v<Rules, MayBeAbsent> || std::is_same_v<Rules, AbsentIfEmpty>) || ...);
    if (closed_) known_.push_back(key);
    const auto value = Document::find(object_, key);
    if constexpr (is_optional<Member>) {
      member.reset();
      if (!value) return;
      typename Member::value_type read{};
      if (take<tolerated>(key, *value, read, rules...)) member = std::move(read);
    } else {
      if (value) {
        Member read{};
        if (take<tolerated>(key, *value, read, rules...)) member = std::move(read);
      } else if (!may_be_absent) {
        fail(fmt::format("{} is missing", key));
      }
    }
  }

  // Takes the figures that are numbers. A newer program may send figures that are unknown here.
  template <class Stats>
  void figures(Figures<Stats>& figures) {
    const auto& rows = sorted_rows<Stats>;
    std::size_t next = 0;
    Document::each(object_, [&](const auto& key, const auto& value) {
      while (next < rows.size() && Document::compare(key, figures.metrics()[rows[next]].key) > 0) ++next;
      if (next < rows.size() && Document::compare(key, figures.metrics()[rows[next]].key) == 0)
        figures.values()[rows[next++]] = figure(value());
      return next < rows.size();
    });
  }

  void fail(std::string what) {
    if (!problem_) problem_ = std::move(what);
  }

private:
  static constexpr std::size_t name_shown_max = 80;

  template <class Rule, class... Rules>
  static constexpr Rule rule_or(Rule usual, const Rules&... rules) {
    [[maybe_unused]] const auto take = [&](const auto& rule) {
      if constexpr (std::is_same_v<std::decay_t<decltype(rule)>, Rule>) usual = rule;
    };
    (take(rules), ...);
    return usual;
  }

  void close() {
    if (problem_) return;
    if (const auto unknown = Document::unknown(object_, known_))
      fail(fmt::format("unknown member '{}'; {}", short_text(*unknown, name_shown_max), takes()));
  }
  [[nodiscard]] std::string takes() const {
    std::string names;
    for (const auto* name : known_) names += (names.empty() ? "" : ", ") + std::string(name);
    return known_.empty() ? "this method takes none" : "this method takes " + names;
  }

  static Figure figure(const Value& value) {
    if (const auto whole = Document::whole(value); whole && !whole->negative) return whole->bits;
    const auto number = Document::number(value);
    return number && std::isfinite(*number) ? Figure(*number) : Figure();
  }

  // Whether it is valid. Reports errors unless they are tolerated.
  template <bool tolerated, class Member, class... Rules>
  bool take(const char* key, const Value& value, Member& member, const Rules&... rules) {
    std::optional<std::string> wrong;
    std::string must_be;
    if (read(value, member, wrong, must_be, rules...)) return true;
    if (!tolerated) fail(wrong ? fmt::format("{}{}", key, *wrong) : fmt::format("{} must be {}", key, must_be));
    return false;
  }

  // `wrong`: an error within the value, to append to the key; `must_be`: what the value itself must be.
  template <class Member, class... Rules>
  bool read(const Value& value, Member& member, std::optional<std::string>& wrong, std::string& must_be,
            const Rules&... rules) {
    if constexpr (is_optional<Member>)
      return read_unless_null(value, member, wrong, must_be, rules...);
    else if constexpr (std::is_same_v<Member, bool>)
      return read_truth(value, member, must_be);
    else if constexpr (std::is_same_v<Member, std::string>)
      return read_text(value, member, must_be, rule_or(Text{text_bytes_usual}, rules...));
    else if constexpr (std::is_integral_v<Member>)
      return read_whole(value, member, must_be, rule_or(whole_of<Member>(), rules...));
    else if constexpr (std::is_floating_point_v<Member>)
      return read_number(value, member, must_be, rule_or(Within{}, rules...));
    else if constexpr (std::is_enum_v<Member>)
      return read_name(value, member, must_be, rules...);
    else if constexpr (std::is_same_v<Member, GridCell>)
      return read_tile(value, member, must_be);
    else if constexpr (is_list<Member>)
      return read_list(value, member, wrong, must_be, rules...);
    else if constexpr (IsPair<Member>)
      return read_pair(value, member, must_be);
    else
      return read_message(value, member, wrong, must_be);
  }

  template <class Number>
  static constexpr Whole whole_of() {
    constexpr Whole widest{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
    constexpr auto least = std::numeric_limits<Number>::min();
    constexpr auto most = std::numeric_limits<Number>::max();
    return {std::cmp_less(least, widest.min) ? widest.min : static_cast<std::int64_t>(least),
            std::cmp_greater(most, widest.max) ? widest.max : static_cast<std::int64_t>(most)};
  }

  // An entry of a list, possibly null.
  template <class Entry, class... Rules>
  bool read_unless_null(const Value& value, std::optional<Entry>& entry, std::optional<std::string>& wrong,
                        std::string& must_be, const Rules&... rules) {
    entry.reset();
    return Document::is_null(value) || read(value, entry.emplace(), wrong, must_be, rules...);
  }

  static bool read_truth(const Value& value, bool& member, std::string& must_be) {
    const auto truth = Document::truth(value);
    if (!truth) must_be = "true or false";
    member = truth.value_or(false);
    return truth.has_value();
  }

  static bool read_text(const Value& value, std::string& member, std::string& must_be, const Text& rule) {
    auto text = Document::text(value);
    if (!text || text->size() > rule.bytes_max) {
      must_be = fmt::format("a string of at most {} bytes", rule.bytes_max);
      return false;
    }
    member = std::move(*text);
    return true;
  }

  template <class Number>
  static bool read_whole(const Value& value, Number& member, std::string& must_be, const Whole& rule) {
    const auto whole = Document::whole(value);
    if (!whole || !whole->is_within(rule)) {
      must_be = fmt::format("a whole number from {} to {}", rule.min, rule.max);
      return false;
    }
    member = static_cast<Number>(whole->bits);
    return true;
  }

  static bool read_number(const Value& value, double& member, std::string& must_be, const Within& rule) {
    const bool bounded = rule.min != rule.max;
    const auto number = Document::number(value);
    if (!number || !std::isfinite(*number) || (bounded && !(*number >= rule.min && *number <= rule.max))) {
      must_be = bounded ? fmt::format("a number from {} to {}", rule.min, rule.max) : "a number";
      return false;
    }
    member = *number;
    return true;
  }

  template <class Name, std::size_t Size, class... Rules>
  static bool read_name(const Value& value, Name& member, std::string& must_be, const Names<Size>& rule,
                        const Rules&... /*others*/) {
    const auto text = Document::text(value);
    for (std::size_t i = 0; text && i < Size; ++i)
      if (*text == rule.names[i]) {
        member = static_cast<Name>(i);
        return true;
      }
    for (std::size_t i = 0; i < Size; ++i)
      must_be += std::string(i == 0 ? "" : i + 1 < Size ? ", " : " or ") + std::string(rule.names[i]);
    return false;
  }

  static bool read_tile(const Value& value, GridCell& member, std::string& must_be) {
    constexpr Whole index{0, 1023};
    must_be = "[column, row]";
    const auto list = Document::list(value);
    if (!list || Document::size(*list) != 2) return false;
    const auto column = Document::whole(Document::at(*list, 0));
    const auto row = Document::whole(Document::at(*list, 1));
    if (!column || !row || !column->is_within(index) || !row->is_within(index)) return false;
    member = {static_cast<unsigned>(column->bits), static_cast<unsigned>(row->bits)};
    return true;
  }

  // Two numbers, the first of them whole.
  template <class Pair>
  static bool read_pair(const Value& value, Pair& member, std::string& must_be) {
    must_be = "a whole number and a number";
    const auto list = Document::list(value);
    if (!list || Document::size(*list) != 2) return false;
    const auto first = Document::whole(Document::at(*list, 0));
    const auto second = Document::number(Document::at(*list, 1));
    if (!first || !second) return false;
    member.from_list(static_cast<std::int64_t>(first->bits), *second);
    return true;
  }

  template <class Entry, class... Rules>
  bool read_list(const Value& value, std::vector<Entry>& member, std::optional<std::string>& wrong,
                 std::string& must_be, const Rules&... rules) {
    const auto most = rule_or(AtMost{std::numeric_limits<std::size_t>::max()}, rules...);
    const auto list = Document::list(value);
    must_be = words_for<Entry>(rules...);
    if (list && Document::size(*list) > most.entries) must_be = fmt::format("an array of at most {}", most.entries);
    if (!list || Document::size(*list) > most.entries) return false;
    constexpr bool valid_only = (std::is_same_v<Rules, ValidOnly> || ...);
    member.resize(Document::size(*list));
    std::size_t taken = 0;
    for (std::size_t i = 0; i < member.size(); ++i) {
      std::optional<std::string> inside;
      std::string entry_must_be;
      if (read(Document::at(*list, i), member[taken], inside, entry_must_be, rules...)) {
        ++taken;
        continue;
      }
      if (valid_only && inside) {
        member[taken] = {};
        continue;
      }
      if (inside) wrong = fmt::format(", number {}{}", i + 1, *inside);
      return false;
    }
    member.resize(taken);
    return true;
  }

  template <class Entry, class... Rules>
  static std::string words_for(const Rules&... rules) {
    if constexpr (std::is_same_v<Entry, std::string>)
      return fmt::format("an array of strings of at most {} bytes",
                         rule_or(Text{text_bytes_usual}, rules...).bytes_max);
    else if constexpr (std::is_integral_v<Entry>)
      return "an array of whole numbers";
    else if constexpr (is_optional<Entry>)
      return words_for<typename Entry::value_type>(rules...);
    else
      return "an array of objects";
  }

  template <class Message>
  bool read_message(const Value& value, Message& member, std::optional<std::string>& wrong, std::string& must_be) {
    const auto object = Document::object(value);
    if (!object) {
      must_be = "an object";
      return false;
    }
    std::optional<std::string> inside;
    MessageReader reader(*object, inside, closed_);
    reader.take_all(member);
    if (inside) wrong = ": " + *inside;
    return !inside;
  }

  Object object_;
  std::optional<std::string>& problem_;
  bool closed_;
  std::vector<const char*> known_;  // for a closed message
};

}  // namespace lw
