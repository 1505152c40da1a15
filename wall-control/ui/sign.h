// An icon beside a text. It is drawn in the theme in use, as a label's pixmap would not be after a change.
#pragma once

#include "wall-control/ui/icons.h"

#include <QWidget>

namespace lw {

class Sign : public QWidget {
public:
  Sign(Icon meaning, int px, QWidget* parent = nullptr);

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  Icon meaning_;
};

}  // namespace lw
