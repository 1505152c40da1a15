// Enables or disables a control. If the server, the lock or view-only mode forbids it, the tooltip gives the reason
// below its usual text.
#pragma once

#include "wall-control/link/control_link.h"

namespace lw {

// `control`: a widget or an action; `method`: what it calls; `also`: a further condition.
template <class Control>
void permit(Control* control, const ControlLink& link, const QString& method, bool also = true) {
  const char* usual_key = "usual-tip";
  const char* told_key = "told-tip";
  const auto told = control->property(told_key).toString();
  // Unless the tooltip has been replaced meanwhile.
  const auto usual =
      !told.isEmpty() && control->toolTip() == told ? control->property(usual_key).toString() : control->toolTip();
  const auto reason = link.why_not(method);
  const auto tip = reason.isEmpty() ? usual : QString("%1\n\u25b2 %2").arg(usual, reason).trimmed();
  control->setProperty(usual_key, usual);
  control->setProperty(told_key, reason.isEmpty() ? QString() : tip);
  if (control->toolTip() != tip) control->setToolTip(tip);
  control->setEnabled(link.may(method) && also);
}

}  // namespace lw
