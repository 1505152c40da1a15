#include "wall-control/wallview/wall_access.h"

#include "wall-control/ui/tile_names.h"
#include "wall-control/wallview/tile_words.h"
#include "wall-control/wallview/wall_view.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPointer>

#include <map>

namespace lw {
namespace {

// The wall can change while a reader holds a cell: a cell asks the canvas each time.
class TileCell : public QAccessibleInterface, public QAccessibleTableCellInterface, public QAccessibleActionInterface {
public:
  TileCell(WallView* view, int column, int row) : view_(view), column_(column), row_(row) {}

  [[nodiscard]] bool isValid() const override { return tile() != nullptr; }
  [[nodiscard]] QObject* object() const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* parent() const override {
    return view_ == nullptr ? nullptr : QAccessible::queryAccessibleInterface(view_);
  }
  [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  [[nodiscard]] int childCount() const override { return 0; }
  [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  [[nodiscard]] QString text(QAccessible::Text kind) const override {
    const auto* shown = tile();
    if (shown == nullptr) return {};
    switch (kind) {
      case QAccessible::Name:
        return with_tile(WallView::tr("Tile %1,%2"), column_, row_);
      case QAccessible::Value:
        return word_of(view_->health_of(*shown).state);
      case QAccessible::Description:
        return view_->words_of(column_, row_);
      default:
        return {};
    }
  }
  void setText(QAccessible::Text, const QString&) override {}
  [[nodiscard]] QRect rect() const override {
    const auto place = view_->geometry().tile_pixels(column_, row_);
    return {view_->mapToGlobal(place.topLeft()), place.size()};
  }
  [[nodiscard]] QAccessible::Role role() const override { return QAccessible::Cell; }
  [[nodiscard]] QAccessible::State state() const override {
    QAccessible::State made;
    made.selectable = true;
    made.selected = isSelected();
    return made;
  }
  void* interface_cast(QAccessible::InterfaceType type) override {
    if (type == QAccessible::TableCellInterface) return static_cast<QAccessibleTableCellInterface*>(this);
    if (type == QAccessible::ActionInterface) return static_cast<QAccessibleActionInterface*>(this);
    return nullptr;
  }

  [[nodiscard]] int columnExtent() const override { return 1; }
  [[nodiscard]] int rowExtent() const override { return 1; }
  [[nodiscard]] int columnIndex() const override { return column_; }
  [[nodiscard]] int rowIndex() const override { return row_; }
  [[nodiscard]] QList<QAccessibleInterface*> columnHeaderCells() const override { return {}; }
  [[nodiscard]] QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
  [[nodiscard]] bool isSelected() const override { return tile() != nullptr && view_->is_selected(column_, row_); }
  [[nodiscard]] QAccessibleInterface* table() const override { return parent(); }

  [[nodiscard]] QStringList actionNames() const override { return {pressAction()}; }
  void doAction(const QString& name) override {
    if (name == pressAction() && tile() != nullptr) view_->select(column_, row_);
  }
  [[nodiscard]] QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
  [[nodiscard]] const TileRow* tile() const {
    if (view_ == nullptr) return nullptr;
    for (const auto& row : view_->tiles())
      if (row.column == column_ && row.row == row_) return &row;
    return nullptr;
  }

  QPointer<WallView> view_;
  int column_, row_;
};

class WallGrid : public QAccessibleWidget, public QAccessibleTableInterface {
public:
  explicit WallGrid(WallView* view) : QAccessibleWidget(view, QAccessible::Table), view_(view) {}
  ~WallGrid() override {
    for (const auto& [index, id] : cells_) QAccessible::deleteAccessibleInterface(id);
  }
  void* interface_cast(QAccessible::InterfaceType type) override {
    if (type == QAccessible::TableInterface) return static_cast<QAccessibleTableInterface*>(this);
    return QAccessibleWidget::interface_cast(type);
  }

  [[nodiscard]] int childCount() const override { return rowCount() * columnCount(); }
  [[nodiscard]] QAccessibleInterface* child(int index) const override {
    if (index < 0 || index >= childCount()) return nullptr;
    return cellAt(index / columnCount(), index % columnCount());
  }
  [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override {
    const auto tile = view_->geometry().tile_at(view_->mapFromGlobal(QPoint(x, y)));
    return tile ? cellAt(tile->second, tile->first) : nullptr;
  }
  [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override {
    for (const auto& [place, id] : cells_)
      if (QAccessible::accessibleInterface(id) == child) return place.second * columnCount() + place.first;
    return -1;
  }

  [[nodiscard]] QAccessibleInterface* cellAt(int row, int column) const override {
    if (row < 0 || column < 0 || row >= rowCount() || column >= columnCount()) return nullptr;
    const auto found = cells_.find({column, row});
    if (found != cells_.end()) return QAccessible::accessibleInterface(found->second);
    auto* made = new TileCell(view_, column, row);
    cells_[{column, row}] = QAccessible::registerAccessibleInterface(made);
    return made;
  }
  [[nodiscard]] int selectedCellCount() const override { return static_cast<int>(view_->selection().size()); }
  [[nodiscard]] QList<QAccessibleInterface*> selectedCells() const override {
    QList<QAccessibleInterface*> cells;
    for (const auto& [column, row] : view_->selection()) cells << cellAt(row, column);
    return cells;
  }
  [[nodiscard]] QAccessibleInterface* caption() const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* summary() const override { return nullptr; }
  [[nodiscard]] QString columnDescription(int column) const override { return WallView::tr("Column %1").arg(column); }
  [[nodiscard]] QString rowDescription(int row) const override { return WallView::tr("Row %1").arg(row); }
  [[nodiscard]] int columnCount() const override { return view_->geometry().columns(); }
  [[nodiscard]] int rowCount() const override { return view_->geometry().rows(); }
  [[nodiscard]] int selectedColumnCount() const override { return 0; }
  [[nodiscard]] int selectedRowCount() const override { return 0; }
  [[nodiscard]] QList<int> selectedColumns() const override { return {}; }
  [[nodiscard]] QList<int> selectedRows() const override { return {}; }
  [[nodiscard]] bool isColumnSelected(int) const override { return false; }
  [[nodiscard]] bool isRowSelected(int) const override { return false; }
  bool selectRow(int) override { return false; }
  bool selectColumn(int) override { return false; }
  bool unselectRow(int) override { return false; }
  bool unselectColumn(int) override { return false; }
  void modelChange(QAccessibleTableModelChangeEvent*) override {}

private:
  WallView* view_;
  mutable std::map<std::pair<int, int>, QAccessible::Id> cells_;  // made when asked for
};

QAccessibleInterface* make_grid(const QString&, QObject* object) {
  auto* view = qobject_cast<WallView*>(object);
  return view == nullptr ? nullptr : new WallGrid(view);
}

}  // namespace

void make_canvas_accessible() { QAccessible::installFactory(make_grid); }  // which it ignores if it is installed

}  // namespace lw
