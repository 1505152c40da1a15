// The name of a part of the window.
#pragma once

#include <QLabel>

namespace lw {

inline QLabel* heading(const QString& text) {
  auto* label = new QLabel(text);
  QFont font = label->font();
  font.setBold(true);
  label->setFont(font);
  return label;
}

}  // namespace lw
