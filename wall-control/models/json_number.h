// A number of a report, where there is one.
#pragma once

#include <QJsonValue>

#include <optional>

namespace lw {

inline std::optional<double> number(const QJsonValue& value) {
  return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

inline std::optional<int> whole_number(const QJsonValue& value) {
  return value.isDouble() ? std::optional(value.toInt()) : std::nullopt;
}

}  // namespace lw
