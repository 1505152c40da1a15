#include "wall-control/plots/quantity_choice.h"

#include <QCoreApplication>

namespace lw {

QComboBox* make_quantity_choice(QWidget* plot) {
  auto* choice = new QComboBox(plot);
  for (const auto& quantity : quantities()) {
    choice->addItem(title_of(quantity), static_cast<int>(quantity.quantity));
    choice->setItemData(choice->count() - 1, definition_of(quantity), Qt::ToolTipRole);
  }
  choice->setAccessibleName(QCoreApplication::translate("Quantity", "What this plot shows"));
  choice->move(4, 2);
  return choice;
}

}  // namespace lw
