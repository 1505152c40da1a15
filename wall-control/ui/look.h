// How the program looks: its theme and the size of its text, saved between runs. GUI thread.
#pragma once

#include "wall-control/ui/palette.h"

#include <QObject>

namespace lw {

class Look : public QObject {
  Q_OBJECT

public:
  static constexpr int text_min = 7, text_max = 32;  // points

  // Restores the saved look.
  explicit Look(QObject* parent = nullptr);

  [[nodiscard]] Theme theme() const { return theme_; }
  // Dark, light, high contrast, and dark again.
  void next_theme();
  void change_text(int points);
  void reset_text();

private:
  void apply();

  const int usual_text_;
  Theme theme_ = Theme::dark;
  int text_;
};

}  // namespace lw
