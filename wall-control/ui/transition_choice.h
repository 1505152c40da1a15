// The choice of how one visualization follows another on the wall: a cut, or a fade of some length.
#pragma once

#include "common/messages/play_requests.h"

#include <QComboBox>

#include <optional>

namespace lw {

class TransitionChoice : public QComboBox {
  Q_OBJECT

public:
  explicit TransitionChoice(QWidget* parent = nullptr);

  [[nodiscard]] TransitionMessage message() const;
  void set_fade_ms(std::optional<int> fade_ms);  // empty: a cut
  [[nodiscard]] std::optional<int> fade_ms() const;
};

}  // namespace lw
