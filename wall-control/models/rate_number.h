// A frame rate as the server writes it, "30" or "30000/1001".
#pragma once

#include <QStringList>

namespace lw {

// In frames per second; 0 for what is no rate.
inline double rate_number(const QString& text) {
  const auto parts = text.split('/');
  return parts.size() == 2 && parts[1].toDouble() > 0 ? parts[0].toDouble() / parts[1].toDouble() : parts[0].toDouble();
}

}  // namespace lw
