#include "wall-control/alarms/alarm_rule.h"

#include "wall-control/plots/columns.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

QString say(const char* text) { return QCoreApplication::translate("Alarm", text); }

Error wrong(int number, const QString& what, const QString& mend) {
  return {say(QT_TRANSLATE_NOOP("Alarm", "alarm %1: %2")).arg(number).arg(what).toStdString(), mend.toStdString()};
}

const QuantityInfo* find_quantity(const QString& key) {
  const auto name = key.toStdString();
  const auto all = quantities();
  const auto found = std::ranges::find_if(all, [&](const QuantityInfo& one) { return one.has_key(name); });
  return found == all.end() ? nullptr : &*found;
}

QStringList known_keys() {
  QStringList keys;
  for (const auto& quantity : quantities()) keys << quantity.key;
  return keys;
}

QJsonObject to_object(const AlarmRule& rule) {
  return {{"quantity", info(rule.quantity).key},
          {rule.below ? "below" : "above", rule.threshold},
          {"hysteresis", rule.hysteresis},
          {"hold_s", rule.hold_s},
          {"severity", rule.error ? "error" : "warning"}};
}

// A number of an object, within bounds.
bool read(const QJsonObject& json, const QString& key, double least, double greatest, double& value) {
  if (!json.contains(key)) return true;
  value = json[key].toDouble(std::nan(""));
  return value >= least && value <= greatest;
}

Result<AlarmRule> rule_from(const QJsonObject& json, int number) {
  static const QStringList members{"quantity", "above", "below", "hysteresis", "hold_s", "severity"};
  for (const auto& key : json.keys())
    if (!members.contains(key))
      return wrong(number, say(QT_TRANSLATE_NOOP("Alarm", "unknown member '%1'")).arg(key),
                   say(QT_TRANSLATE_NOOP("Alarm", "use %1")).arg(members.join(", ")));
  const auto* quantity = find_quantity(json["quantity"].toString());
  if (quantity == nullptr)
    return wrong(number, say(QT_TRANSLATE_NOOP("Alarm", "\"quantity\" is none that is known")),
                 say(QT_TRANSLATE_NOOP("Alarm", "use one of %1")).arg(known_keys().join(", ")));
  if (json.contains("above") == json.contains("below"))
    return wrong(number, say(QT_TRANSLATE_NOOP("Alarm", "it needs a threshold")),
                 say(QT_TRANSLATE_NOOP("Alarm", "write either \"above\" or \"below\"")));
  const auto in_unit = say(QT_TRANSLATE_NOOP("Alarm", "write a number in the quantity's unit"));
  AlarmRule rule;
  rule.quantity = quantity->quantity;
  rule.below = json.contains("below");
  if (!read(json, rule.below ? "below" : "above", -1e12, 1e12, rule.threshold))
    return wrong(number, say(QT_TRANSLATE_NOOP("Alarm", "the threshold is no number")), in_unit);
  if (!read(json, "hysteresis", 0, 1e12, rule.hysteresis))
    return wrong(number, say(QT_TRANSLATE_NOOP("Alarm", "\"hysteresis\" is no number from 0 on")), in_unit);
  if (!read(json, "hold_s", 0, alarm_hold_max_s, rule.hold_s))
    return wrong(number, say(QT_TRANSLATE_NOOP("Alarm", "\"hold_s\" is out of range")),
                 say(QT_TRANSLATE_NOOP("Alarm", "write seconds from 0 to %1")).arg(alarm_hold_max_s));
  const auto severity = json["severity"].toString("warning");
  if (severity != "warning" && severity != "error")
    return wrong(number, say(QT_TRANSLATE_NOOP("Alarm", "\"severity\" is not known")),
                 say(QT_TRANSLATE_NOOP("Alarm", "write \"warning\" or \"error\"")));
  rule.error = severity == "error";
  return rule;
}

}  // namespace

QString text_of(const AlarmRule& rule) {
  const auto& quantity = info(rule.quantity);
  const auto unit = axis_unit(quantity, std::abs(rule.threshold));
  const auto words = rule.below ? say(QT_TRANSLATE_NOOP("Alarm", "%1 below %2 %3"))
                                : say(QT_TRANSLATE_NOOP("Alarm", "%1 above %2 %3"));
  return words.arg(title_of(quantity), short_number(rule.threshold / unit.size), unit.name);
}

QByteArray to_json(const std::vector<AlarmRule>& rules) {
  QJsonArray array;
  for (const auto& rule : rules) array << to_object(rule);
  return QJsonDocument(QJsonObject{{"alarms", array}}).toJson();
}

Result<std::vector<AlarmRule>> alarm_rules_from(const QByteArray& json) {
  QJsonParseError problem{};
  const auto document = QJsonDocument::fromJson(json, &problem);
  if (!document.isObject() || !document["alarms"].isArray())
    return Error{(problem.error == QJsonParseError::NoError ? say(QT_TRANSLATE_NOOP("Alarm", "no alarms in it"))
                                                            : problem.errorString())
                     .toStdString(),
                 say(QT_TRANSLATE_NOOP("Alarm", "write {\"alarms\": [...]}, as Export does")).toStdString()};
  const auto array = document["alarms"].toArray();
  if (array.size() > static_cast<qsizetype>(alarm_rules_max))
    return Error{say(QT_TRANSLATE_NOOP("Alarm", "too many alarms")).toStdString(),
                 say(QT_TRANSLATE_NOOP("Alarm", "at most %1")).arg(alarm_rules_max).toStdString()};
  std::vector<AlarmRule> rules;
  for (const auto& entry : array) {
    const auto rule = rule_from(entry.toObject(), static_cast<int>(rules.size()) + 1);
    if (!rule) return rule.error();
    rules.push_back(*rule);
  }
  return rules;
}

std::vector<AlarmRule> lan_alarms() {
  return {{Quantity::loss, false, 0, 0, 0, false},        {Quantity::kernel_drops, false, 0, 0, 0, true},
          {Quantity::jitter, false, 1000, 200, 2, false}, {Quantity::lateness, false, 10'000, 2000, 2, false},
          {Quantity::skew, false, 5000, 1000, 2, false},  {Quantity::playout_level, true, 1, 0, 2, false}};
}

std::vector<AlarmRule> wan_alarms() {
  return {{Quantity::loss, false, 1000, 200, 3, false},        {Quantity::kernel_drops, false, 0, 0, 0, true},
          {Quantity::late_packets, false, 0, 0, 1, true},      {Quantity::jitter, false, 5000, 1000, 5, false},
          {Quantity::lateness, false, 20'000, 5000, 3, false}, {Quantity::skew, false, 10'000, 2000, 3, false}};
}

}  // namespace lw
