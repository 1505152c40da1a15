// How one visualization is to follow another on the wall: by a cut, or a fade of some length.
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
  void set_fade_ms(std::optional<int> fade_ms);  // nothing: a cut
  [[nodiscard]] std::optional<int> fade_ms() const;
};

}  // namespace lw
