// The box above a plot in which the operator chooses what it shows.
#pragma once

#include "wall-control/models/quantity.h"

#include <QComboBox>

#include <initializer_list>

namespace lw {

class QuantityChoice : public QComboBox {
  Q_OBJECT

public:
  // Lists the quantities of these scopes by title. Placed at the top left of `plot`.
  QuantityChoice(QWidget* plot, std::initializer_list<Scope> scopes, Quantity first);

  void choose(Quantity quantity);
  [[nodiscard]] const QuantityInfo& chosen() const;

protected:
  void changeEvent(QEvent* event) override;
};

}  // namespace lw
