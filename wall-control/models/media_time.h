// Times within a visualization, as people read them. A position never shows more than has passed, and a length is
// written in the same way, so that both agree.
#pragma once

#include <QString>

#include <algorithm>
#include <cmath>

namespace lw {

// "0:04.1"
inline QString media_time(double seconds) {
  const auto tenths = static_cast<qint64>(std::floor(std::clamp(seconds, 0.0, 1e9) * 10 + 1e-6));
  return QString("%1:%2.%3").arg(tenths / 600).arg(tenths / 10 % 60, 2, 10, QChar('0')).arg(tenths % 10);
}

// "2:40"; tenths only where they matter: "0:02.6"
inline QString media_length(double seconds) {
  const auto text = media_time(seconds);
  constexpr double short_s = 60;
  return seconds >= short_s || text.endsWith(".0") ? text.chopped(2) : text;
}

}  // namespace lw
