#include "wall-control/ui/figure_table.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/sparkline.h"
#include "wall-control/ui/type.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPainter>
#include <QResizeEvent>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cstdlib>

namespace lw {
namespace {

constexpr int cell_indent = 6, pen_width = 16, spark_margin = 4;

class FigureDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    if (option.state & QStyle::State_Selected)
      painter->fillRect(option.rect, colors::select);
    else if (option.state & QStyle::State_MouseOver)
      painter->fillRect(option.rect, colors::hover);
    painter->setPen(colors::line);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    auto place = option.rect.adjusted(cell_indent, 0, -cell_indent, -1);
    if (const auto spark = index.data(FigureTable::spark_role); spark.isValid()) {
      const auto values = spark.value<QList<float>>();
      return paint_sparkline(*painter, place.adjusted(0, spark_margin, 0, -spark_margin), values, colors::series[0]);
    }
    if (const auto pen = index.data(FigureTable::pen_role); pen.isValid()) {
      painter->setPen(pen.value<QPen>());
      painter->drawLine(place.left(), place.center().y(), place.left() + pen_width, place.center().y());
      painter->drawLine(place.left(), place.center().y() + 1, place.left() + pen_width, place.center().y() + 1);
      place.setLeft(place.left() + pen_width + cell_indent);
    }
    painter->setFont(type::sized(12, index.data(FigureTable::strong_role).toBool()));
    const auto brush = index.data(Qt::ForegroundRole);
    painter->setPen(brush.isValid() ? brush.value<QBrush>().color() : colors::text);
    const auto alignment = index.data(Qt::TextAlignmentRole).toInt();
    const auto text = index.data().toString();
    const auto shown = QFontMetrics(painter->font()).elidedText(text, Qt::ElideRight, place.width() + 4);
    type::paint_figure(*painter, place, alignment, shown);
  }
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
    return {40, type::scaled(24)};
  }
};

}  // namespace

FigureTable::FigureTable(QWidget* parent) : QTableView(parent) {
  setItemDelegate(new FigureDelegate(this));
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::ExtendedSelection);
  setShowGrid(false);
  setMouseTracking(true);
  setTabKeyNavigation(false);
  setWordWrap(false);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setMinimumSectionSize(24);
  horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  auto* copy = new QAction(tr("Copy rows"), this);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  connect(copy, &QAction::triggered, this, [this] { QGuiApplication::clipboard()->setText(selected_as_text()); });
  addAction(copy);
  setContextMenuPolicy(Qt::ActionsContextMenu);
}

QString FigureTable::selected_as_text() const {
  if (model() == nullptr || selectionModel() == nullptr) return {};
  auto rows = selectionModel()->selectedRows();
  std::ranges::sort(rows, {}, &QModelIndex::row);
  std::vector<int> columns;
  QStringList headings;
  for (int column = 0; column < model()->columnCount(); ++column) {
    if (model()->index(0, column).data(spark_role).isValid()) continue;  // not text
    columns.push_back(column);
    headings << model()->headerData(column, Qt::Horizontal).toString();
  }
  QString text = headings.join('\t') + '\n';
  for (const auto& row : rows) {
    QStringList cells;
    for (const int column : columns) cells << row.siblingAtColumn(column).data().toString();
    text += cells.join('\t') + '\n';
  }
  return text;
}

void FigureTable::set_widths(const std::vector<int>& widths) {
  widths_ = widths;
  fit();
}

void FigureTable::set_spare(const std::vector<int>& columns) {
  spare_ = columns;
  fit();
}

void FigureTable::fit() {
  verticalHeader()->setDefaultSectionSize(type::scaled(24));
  if (widths_.empty() || model() == nullptr) return;
  const auto least = [this](int column) {
    const int width = widths_[static_cast<std::size_t>(column)];
    return type::scaled(std::abs(width));
  };
  const int count = std::min(static_cast<int>(widths_.size()), model()->columnCount());
  int used = 0;
  for (int column = 0; column < count; ++column) {
    setColumnHidden(column, false);
    used += least(column);
  }
  for (const int column : spare_) {
    if (used <= viewport()->width()) break;
    setColumnHidden(column, true);
    used -= least(column);
  }
  int flexible = 0;
  for (int column = 0; column < count; ++column)
    flexible += widths_[static_cast<std::size_t>(column)] < 0 && !isColumnHidden(column) ? 1 : 0;
  const int rest = std::max(0, viewport()->width() - used) / std::max(1, flexible);
  for (int column = 0; column < count; ++column)
    setColumnWidth(column, least(column) + (widths_[static_cast<std::size_t>(column)] < 0 ? rest : 0));
}

void FigureTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  if (event->size().width() != event->oldSize().width()) fit();
}

void FigureTable::changeEvent(QEvent* event) {
  QTableView::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fit();
}

}  // namespace lw
