// Converts messages (common/messages/rules.h) from and to nlohmann's JSON.
#pragma once

#include "common/base/result.h"
#include "common/messages/message_reader.h"
#include "common/messages/message_writer.h"

#include <algorithm>
#include <string_view>

namespace lw {

// See message_reader.h.
struct JsonDocument {
  using Value = const Json*;
  using Object = const Json*;
  using List = const Json*;

  static std::optional<Object> object(Value value) { return value->is_object() ? std::optional(value) : std::nullopt; }
  static std::optional<List> list(Value value) { return value->is_array() ? std::optional(value) : std::nullopt; }
  static std::optional<Value> find(Object object, std::string_view key) {
    const auto found = object->find(key);
    return found != object->end() ? std::optional<Value>(&*found) : std::nullopt;
  }
  static void each(Object object, auto&& visit) {
    for (auto member = object->begin(); member != object->end(); ++member)
      if (!visit(member.key(), [&] { return &*member; })) return;
  }
  static int compare(std::string_view key, std::string_view text) { return key.compare(text); }
  static std::size_t size(List list) { return list->size(); }
  static Value at(List list, std::size_t index) { return &(*list)[index]; }
  static bool is_null(Value value) { return value->is_null(); }
  static std::optional<bool> truth(Value value) {
    return value->is_boolean() ? std::optional(value->get<bool>()) : std::nullopt;
  }
  static std::optional<double> number(Value value) {
    return value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
  }
  static std::optional<Integer> whole(Value value) {
    if (!value->is_number_integer()) return std::nullopt;
    if (value->is_number_unsigned()) return Integer{false, value->get<std::uint64_t>()};
    const auto number = value->get<std::int64_t>();
    return Integer{number < 0, static_cast<std::uint64_t>(number)};
  }
  static std::optional<std::string> text(Value value) {
    return value->is_string() ? std::optional(value->get<std::string>()) : std::nullopt;
  }
  static std::optional<std::string> unknown(Object object, const std::vector<const char*>& known) {
    for (const auto& [key, value] : object->items())
      if (std::ranges::find(known, key) == known.end()) return key;
    return std::nullopt;
  }
};

// Returns the first error if the message is invalid.
template <IsMessage Message>
Result<Message> read_message(const Json& json) {
  Message message;
  std::optional<std::string> problem =
      json.is_object() ? std::nullopt : std::optional<std::string>("it must be an object");
  if (!problem) MessageReader<JsonDocument>(&json, problem).take_all(message);
  if (problem) return Error{std::move(*problem), ""};
  return Result<Message>(std::move(message));
}

template <IsMessage Message>
Json to_json(const Message& message) {
  return MessageWriter::write(message);
}

}  // namespace lw
