// The wall as a table, for those who read rather than look: a row for each tile, the worst first. Its selection is the
// one that all views share; a hidden table costs nothing. GUI thread.
#pragma once

#include "wall-control/models/focus.h"
#include "wall-control/ui/slow_refresh.h"
#include "wall-control/wallview/wall_table_model.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QLabel;

namespace lw {

class FigureTable;

class WallTable : public QWidget {
  Q_OBJECT

public:
  // All must outlive this.
  WallTable(const FlowHistory& history, const WallStatus& status, const Health& health, Focus& focus,
            QWidget* parent = nullptr);

  // The history is of another wall.
  void set_wall();
  void refresh() { refreshed_.ask(); }
  [[nodiscard]] FigureTable& rows() { return *rows_; }
  [[nodiscard]] const QSortFilterProxyModel& sorted() const { return sorted_; }
  // Of the selected rows in the order shown, or of all if none is selected.
  [[nodiscard]] QString as_csv() const;

signals:
  void opened();                          // the selection, by Enter or a double click
  void menu_wanted(const QPoint& place);  // of the selected tiles; on the screen
  void copied(const QString& text);

protected:
  void showEvent(QShowEvent* event) override;

private:
  void make_actions();
  void show_figures();
  void take_selection();
  void follow_focus();

  static constexpr int rest_ms = 1000;  // rows that move are hard to read

  const FlowHistory& history_;
  const Health& health_;
  Focus& focus_;
  WallTableModel model_;
  QSortFilterProxyModel sorted_;
  FigureTable* rows_ = nullptr;
  QLabel* summary_ = nullptr;
  bool selecting_ = false;  // what is selected here is on its way to the others, or the other way round
  SlowRefresh refreshed_{[this] { show_figures(); }, rest_ms};
};

}  // namespace lw
