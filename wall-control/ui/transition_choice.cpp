#include "wall-control/ui/transition_choice.h"

namespace lw {

TransitionChoice::TransitionChoice(QWidget* parent) : QComboBox(parent) {
  setAccessibleName(tr("Transition"));
  setToolTip(
      tr("How it follows what is on the wall: by a cut, or through black, half the time darker and half brighter"));
  addItem(tr("Cut"));
  for (const int ms : {500, 1000, 2000, 4000, 10'000}) addItem(tr("Fade, %1 s").arg(ms / 1000.0), ms);
}

TransitionMessage TransitionChoice::message() const {
  const auto ms = fade_ms();
  return ms ? TransitionMessage{TransitionKind::fade, *ms} : TransitionMessage();
}

std::optional<int> TransitionChoice::fade_ms() const {
  return currentData().isValid() ? std::optional(currentData().toInt()) : std::nullopt;
}

// A length that is not offered (from a file, or another operator) is added to the choices.
void TransitionChoice::set_fade_ms(std::optional<int> fade_ms) {
  int index = fade_ms ? findData(*fade_ms) : 0;
  if (index < 0) {
    index = count();
    addItem(tr("Fade, %1 s").arg(*fade_ms / 1000.0), *fade_ms);
  }
  setCurrentIndex(index);
}

}  // namespace lw
