#include "wall-control/app/keys_dialog.h"

#include "wall-control/ui/type.h"

#include <QAction>
#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QScreen>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QTableView>

namespace lw {

KeysDialog::KeysDialog(const QList<QAction*>& keyed, QWidget* parent) : QDialog(parent) {
  setWindowTitle(tr("Keyboard shortcuts"));
  auto* rows = new QStandardItemModel(0, 2, this);
  rows->setHorizontalHeaderLabels({tr("Keys"), tr("Action")});
  for (const auto* action : keyed) {
    QStringList keys;
    for (const auto& key : action->shortcuts()) keys << key.toString(QKeySequence::NativeText);
    rows->appendRow(
        {new QStandardItem(keys.join(tr(" or "))), new QStandardItem(action->property("description").toString())});
  }
  auto* found = new QSortFilterProxyModel(this);
  found->setSourceModel(rows);
  found->setFilterKeyColumn(-1);
  found->setFilterCaseSensitivity(Qt::CaseInsensitive);
  auto* search = new QLineEdit;
  search->setPlaceholderText(tr("Search keys and actions"));
  search->setAccessibleName(tr("Search keys and actions"));
  connect(search, &QLineEdit::textChanged, found, &QSortFilterProxyModel::setFilterFixedString);
  auto* table = new QTableView;
  table->setAccessibleName(tr("Keyboard shortcuts"));
  table->setModel(found);
  table->setTabKeyNavigation(false);  // Tab leaves it
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setShowGrid(false);
  table->verticalHeader()->hide();
  table->horizontalHeader()->setStretchLastSection(true);
  table->resizeColumnsToContents();
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(search);
  layout->addWidget(table, 1);
  layout->addWidget(buttons);
  const auto screen = this->screen()->availableGeometry().size();
  resize(std::min(type::scaled(560), screen.width() - 80), std::min(type::scaled(620), screen.height() - 120));
}

}  // namespace lw
