#include "wall-control/plots/quantity_choice.h"

#include <QEvent>

#include <algorithm>

namespace lw {

QuantityChoice::QuantityChoice(QWidget* plot, std::initializer_list<Scope> scopes, Quantity first) : QComboBox(plot) {
  for (const auto& quantity : quantities()) {
    if (std::ranges::find(scopes, quantity.scope) == scopes.end()) continue;
    addItem(title_of(quantity), static_cast<int>(quantity.quantity));
    setItemData(count() - 1, definition_of(quantity), Qt::ToolTipRole);
  }
  setAccessibleName(tr("What this plot shows"));
  move(4, 2);
  choose(first);
}

void QuantityChoice::choose(Quantity quantity) { setCurrentIndex(findData(static_cast<int>(quantity))); }

void QuantityChoice::changeEvent(QEvent* event) {
  QComboBox::changeEvent(event);
  // No layout manages this widget.
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) adjustSize();
}

const QuantityInfo& QuantityChoice::chosen() const { return info(static_cast<Quantity>(currentData().toInt())); }

}  // namespace lw
