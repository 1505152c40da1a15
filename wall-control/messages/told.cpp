#include "wall-control/messages/told.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <limits>

namespace lw {
namespace {

// See common/messages/message_reader.h. Qt's own JSON reader takes half the time of nlohmann's, and figures arrive ten
// times a second.
struct QtDocument {
  using Value = QJsonValue;
  using Object = QJsonObject;
  using List = QJsonArray;

  static std::optional<Object> object(const Value& value) {
    return value.isObject() ? std::optional(value.toObject()) : std::nullopt;
  }
  static std::optional<List> list(const Value& value) {
    return value.isArray() ? std::optional(value.toArray()) : std::nullopt;
  }
  static std::optional<Value> find(const Object& object, std::string_view key) {
    auto value = object.value(QLatin1String(key.data(), static_cast<qsizetype>(key.size())));
    return value.isUndefined() ? std::nullopt : std::optional(std::move(value));
  }
  static void each(const Object& object, auto&& visit) {
    for (auto member = object.constBegin(); member != object.constEnd(); ++member)
      if (!visit(member.key(), [&] { return member.value(); })) return;
  }
  static int compare(const QString& key, std::string_view text) {
    return key.compare(QLatin1String(text.data(), static_cast<qsizetype>(text.size())));
  }
  static std::size_t size(const List& list) { return static_cast<std::size_t>(list.size()); }
  static Value at(const List& list, std::size_t index) { return list.at(static_cast<qsizetype>(index)); }
  static bool is_null(const Value& value) { return value.isNull(); }
  static std::optional<bool> truth(const Value& value) {
    return value.isBool() ? std::optional(value.toBool()) : std::nullopt;
  }
  static std::optional<double> number(const Value& value) {
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
  }
  static std::optional<Integer> whole(const Value& value) {
    constexpr auto none = std::numeric_limits<qint64>::min();
    const auto number = value.toInteger(none);
    if (number == none) return std::nullopt;
    return Integer{number < 0, static_cast<std::uint64_t>(number)};
  }
  static std::optional<std::string> text(const Value& value) {
    return value.isString() ? std::optional(value.toString().toStdString()) : std::nullopt;
  }
  static std::optional<std::string> unknown(const Object& object, const std::vector<const char*>& known) {
    for (const auto& key : object.keys())
      if (std::ranges::none_of(known, [&](const char* name) { return key == QLatin1String(name); }))
        return key.toStdString();
    return std::nullopt;
  }
};

template <IsMessage Message>
Result<Message> message_from(const QJsonObject& json) {
  Message message;
  std::optional<std::string> problem;
  MessageReader<QtDocument>(json, problem).take_all(message);
  if (problem) return Error{std::move(*problem), ""};
  return Result<Message>(std::move(message));
}

}  // namespace

Result<Stats> stats_from(const QJsonObject& json) { return message_from<Stats>(json); }
Result<StateMessage> state_from(const QJsonObject& json) { return message_from<StateMessage>(json); }
Result<EventMessage> event_from(const QJsonObject& json) { return message_from<EventMessage>(json); }
Result<EntryMessage> entry_from(const QJsonObject& json) { return message_from<EntryMessage>(json); }
Result<PlaylistReply> playlist_from(const QJsonObject& json) { return message_from<PlaylistReply>(json); }
Result<ProtocolReply> protocol_from(const QJsonObject& json) { return message_from<ProtocolReply>(json); }
Result<InfoReply> info_from(const QJsonObject& json) { return message_from<InfoReply>(json); }
Result<LibraryReply> library_from(const QJsonObject& json) { return message_from<LibraryReply>(json); }
Result<ImportPlaces> import_places_from(const QJsonObject& json) { return message_from<ImportPlaces>(json); }
Result<ImportSourceMessage> import_source_from(const QJsonObject& json) {
  return message_from<ImportSourceMessage>(json);
}
Result<ImageReply> image_from(const QJsonObject& json) { return message_from<ImageReply>(json); }
Result<PlanReply> plan_from(const QJsonObject& json) { return message_from<PlanReply>(json); }
Result<MachinesReply> machines_from(const QJsonObject& json) { return message_from<MachinesReply>(json); }
Result<TilePictureMessage> picture_from(const QJsonObject& json) { return message_from<TilePictureMessage>(json); }
Result<TabletTicketReply> ticket_from(const QJsonObject& json) { return message_from<TabletTicketReply>(json); }

QJsonObject to_qt(const Json& json) {
  return QJsonDocument::fromJson(QByteArray::fromStdString(json.dump(-1, ' ', false, Json::error_handler_t::replace)))
      .object();
}

}  // namespace lw
