// A frame rate as the server writes it, "30" or "30000/1001".
#pragma once

#include "common/base/frame_rate.h"

#include <QString>

namespace lw {

// In frames per second; 0 if invalid.
inline double rate_number(const QString& text) {
  const auto rate = parse_frame_rate(text.toStdString());
  return rate ? rate->hertz() : 0;
}

}  // namespace lw
