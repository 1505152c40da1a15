// Writes messages (common/messages/rules.h) as JSON; absent members are omitted.
#pragma once

#include "common/base/json.h"
#include "common/messages/rules.h"
#include "common/metrics/figures.h"
#include "common/wall/wall_file.h"

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace lw {

inline Json to_json(const Figure& figure) {
  if (const auto whole = figure.whole()) return *whole;
  return figure.number().value();
}

class MessageWriter {
public:
  template <class Message>
  static Json write(const Message& message) {
    MessageWriter writer;
    Message::members(message, writer);
    return std::move(writer.json_);
  }

  // Called by a message for each of its members.
  template <class Member, class... Rules>
  void operator()(const char* key, const Member& member, const Rules&... rules) {
    constexpr bool absent_if_empty = (std::is_same_v<Rules, AbsentIfEmpty> || ...);
    if constexpr (is_optional<Member>) {
      if (member) json_[key] = value_of(*member, rules...);
    } else {
      if constexpr (absent_if_empty)
        if (member.empty()) return;
      json_[key] = value_of(member, rules...);
    }
  }

  template <class Stats>
  void figures(const Figures<Stats>& figures) {
    for (std::size_t i = 0; i < figures.values().size(); ++i)
      if (const auto& figure = figures.values()[i]; figure.measured())
        json_.emplace(figures.metrics()[i].key, to_json(figure));
  }

  // Of a member.
  template <class Member, class... Rules>
  static Json value_of(const Member& member, const Rules&... rules) {
    if constexpr (is_optional<Member>)  // an entry of a list
      return member ? value_of(*member, rules...) : Json();
    else if constexpr (std::is_enum_v<Member>)
      return name_of(member, rules...);
    else if constexpr (std::is_same_v<Member, GridCell>)
      return Json::array({member.column, member.row});
    else if constexpr (IsPair<Member>)
      return Json::array({member.to_list().first, member.to_list().second});
    else if constexpr (is_list<Member>)
      return list_of(member, rules...);
    else if constexpr (IsMessage<Member>)
      return write(member);
    else
      return member;
  }

private:
  template <class List, class... Rules>
  static Json list_of(const List& list, const Rules&... rules) {
    Json json = Json::array();
    json.get_ref<Json::array_t&>().reserve(list.size());
    for (const auto& entry : list) json.push_back(value_of(entry, rules...));
    return json;
  }

  template <class Name, std::size_t Size, class... Rules>
  static Json name_of(Name name, const Names<Size>& rule, const Rules&... /*others*/) {
    return rule.names[static_cast<std::size_t>(name)];
  }

  Json json_ = Json::object();
};

}  // namespace lw
