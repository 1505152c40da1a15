#include "wall-control/plots/heat_map.h"

#include "wall-control/plots/time_ticks.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/tile_names.h"
#include "wall-control/ui/type.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lw {
namespace {

constexpr int node_gap = 4, bar_width = 130, bar_height = 8, hatch_width = 24;
constexpr int absent = 255, zero = 254, colors_max = 253;

// Cividis (Nunez, Anderton, Renslow 2018): reads the same with and without colour blindness, and in grey.
QRgb cividis(double share) {
  static constexpr std::array<std::array<double, 3>, 6> stops{
      {{0, 34, 78}, {53, 69, 108}, {102, 105, 112}, {148, 142, 119}, {200, 184, 102}, {254, 232, 56}}};
  const double at = std::clamp(share, 0.0, 1.0) * (stops.size() - 1);
  const auto first = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const double rest = at - static_cast<double>(first);
  const auto mix = [&](std::size_t i) {
    return static_cast<int>(std::lround(stops[first][i] * (1 - rest) + stops[first + 1][i] * rest));
  };
  return qRgb(mix(0), mix(1), mix(2));
}

// The last two: zero of a count, and not measured.
QList<QRgb> color_table() {
  QList<QRgb> table;
  for (int i = 0; i <= colors_max; ++i) table << cividis(static_cast<double>(i) / colors_max);
  return table << colors::panel.rgb() << qRgba(0, 0, 0, 0);
}

void hatch(QPainter& painter, const QRectF& place) {
  painter.fillRect(place, colors::well);
  painter.fillRect(place, QBrush(colors::edge, Qt::BDiagPattern));
}

}  // namespace

HeatMap::HeatMap(const PlotSource& source, QWidget* parent) : TimePlot(source, parent) { set_quantity(Quantity::loss); }

void HeatMap::set_quantity(Quantity quantity) {
  quantity_ = quantity;
  columns_.forget();
  setAccessibleName(tr("Heat map: %1").arg(title_of(info(quantity))));
  refresh();
}

void HeatMap::set_rows(Rows rows) {
  rows_ = rows;
  columns_.forget();
  refresh();
}

void HeatMap::set_scale_above(bool above) {
  scale_above_ = above;
  columns_.forget();
  refresh();
}

QRect HeatMap::area() const {
  const int line = QFontMetrics(font_of(11)).height();
  const int top = scale_above_ ? line + 12 : 6;
  return QRect(type::scaled(TimePlot::gutter), top, std::max(1, width() - type::scaled(TimePlot::gutter) - 16),
               std::max(1, height() - top - line - 9));
}

void HeatMap::make_rows() {
  shown_.clear();
  const auto scope = info(quantity_).scope;
  for (std::size_t line = 0; line < columns_.size(); ++line) {
    const auto& series = columns_.line(line);
    const auto* tile = source_.history.tile_of(scope, series.index);
    Row row;
    row.name = series.name;
    row.lines.push_back(line);
    if (tile != nullptr) {
      row.node = tile->node;
      row.tile = with_tile(tr("tile %1,%2"), tile->column, tile->row);
      row.part = {tile->column, tile->row, {}};
      if (scope == Scope::flow) row.part.flow = series.index;
    }
    if (rows_ == Rows::tiles && tile != nullptr) {
      row.name = row.tile;
      row.part.flow.reset();
    } else if (rows_ == Rows::nodes && tile != nullptr) {
      row.name = row.node;
      row.tile.clear();
      row.part = {{}, {}, {}, row.node};
    }
    const auto known = std::ranges::find_if(shown_, [&](const Row& other) { return other.part == row.part; });
    if (known != shown_.end() && rows_ != Rows::worst_first && tile != nullptr)
      known->lines.push_back(line);
    else
      shown_.push_back(std::move(row));
  }
  // The flows of a tile lie together, and the tiles of a node.
  const auto nodes = source_.history.nodes();
  std::ranges::stable_sort(shown_, {}, [&](const Row& row) {
    return std::tuple(nodes.indexOf(row.node), row.part.column.value_or(-1), row.part.row.value_or(-1));
  });
}

void HeatMap::place_rows() {
  if (rows_ == Rows::worst_first) {
    const bool low = info(quantity_).low_is_bad;
    for (auto& row : shown_) {
      Cell all;
      for (qint64 column = columns_.first_column(); column <= columns_.last_column(); ++column) {
        const auto cell = cell_of(row, column);
        if (cell.any()) all.add(cell.min, cell.max);
      }
      row.worst = !all.any() ? std::numeric_limits<double>::max() : static_cast<double>(low ? all.min : -all.max);
    }
    std::ranges::stable_sort(shown_, {}, &Row::worst);
  }
  int groups = 1;
  const bool grouped = rows_ == Rows::flows || rows_ == Rows::tiles;
  for (std::size_t i = 1; i < shown_.size(); ++i) groups += grouped && shown_[i].node != shown_[i - 1].node ? 1 : 0;
  const bool gaps = grouped && groups * 3 * node_gap < area().height();
  const double room = area().height() - (gaps ? (groups - 1) * node_gap : 0);
  const double height = room / static_cast<double>(std::max<std::size_t>(1, shown_.size()));
  double top = 0;
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    if (gaps && i > 0 && shown_[i].node != shown_[i - 1].node) top += node_gap;
    shown_[i].top = top;
    shown_[i].height = height;
    top += height;
  }
}

Cell HeatMap::cell_of(const Row& row, qint64 column) const {
  Cell all;
  for (const auto line : row.lines) {
    const auto& cell = columns_.cell(line, column);
    if (cell.any()) all.add(cell.min, cell.max);
  }
  return all;
}

double HeatMap::greatest() const {
  float greatest = 0;
  for (std::size_t line = 0; line < columns_.size(); ++line)
    for (qint64 column = columns_.first_column(); column <= columns_.last_column(); ++column)
      if (const auto& cell = columns_.cell(line, column); cell.any()) greatest = std::max(greatest, cell.max);
  return static_cast<double>(greatest);
}

void HeatMap::collect() {
  const auto newest = columns_.update(source_.history, quantity_, source_.focus.part(), grid(), last_sample());
  const double top = nice_above(greatest());
  const bool rescaled = std::exchange(top_, top) != top;
  if (newest.everything) make_rows();
  const QSize size(grid().width, std::max(1, static_cast<int>(shown_.size())));
  // The worst first: their order changes with each sample.
  if (newest.everything || rescaled || image_.size() != size || rows_ == Rows::worst_first)
    color_all();
  else
    for (qint64 column = newest.first; column <= columns_.last_column(); ++column) color_column(column);
  if (newest.everything || rescaled) emit scale_changed();
  describe();
  update();
}

void HeatMap::color_all() {
  place_rows();
  image_ = QImage(grid().width, std::max(1, static_cast<int>(shown_.size())), QImage::Format_Indexed8);
  image_.setColorTable(color_table());
  image_.fill(absent);
  if (columns_.size() == 0) return;
  for (qint64 column = columns_.first_column(); column <= columns_.last_column(); ++column) color_column(column);
}

void HeatMap::color_column(qint64 column) {
  const auto x = columns_.place_of(column);
  const auto& quantity = info(quantity_);
  for (std::size_t row = 0; row < shown_.size(); ++row) {
    const auto cell = cell_of(shown_[row], column);
    const float value = quantity.low_is_bad ? cell.min : cell.max;
    int color = absent;
    if (cell.any())
      color = quantity.per_second && value == 0.0F
                  ? zero
                  : static_cast<int>(std::lround(std::clamp(static_cast<double>(value) / top_, 0.0, 1.0) * colors_max));
    image_.scanLine(static_cast<int>(row))[x] = static_cast<uchar>(color);
  }
}

void HeatMap::describe() {
  const Row* worst = nullptr;
  float value = 0;
  const bool low = info(quantity_).low_is_bad;
  const auto& marked = source_.window.marked();
  const auto columns = grid();
  const qint64 first =
      marked ? std::max(columns.column_of(marked->first), columns_.first_column()) : columns_.first_column();
  const qint64 last =
      marked ? std::min(columns.last_column_of(marked->last), columns_.last_column()) : columns_.last_column();
  for (const auto& row : shown_)
    for (qint64 column = first; column <= last; ++column) {
      const auto cell = cell_of(row, column);
      if (!cell.any()) continue;
      const float here = low ? cell.min : cell.max;
      if (worst != nullptr && (low ? here >= value : here <= value)) continue;
      worst = &row;
      value = here;
    }
  if (worst == nullptr) return setAccessibleDescription(tr("not measured"));
  const auto seconds = static_cast<double>(source_.window.chosen().count()) / TimeSeries::samples_per_second;
  const auto words = low ? tr("worst: %1, down to %2 in %3") : tr("worst: %1, up to %2 in %3");
  setAccessibleDescription(
      words.arg(worst->name, with_unit(info(quantity_), static_cast<double>(value)), span_words(seconds)));
}

QStringList HeatMap::row_names() const {
  QStringList names;
  for (const auto& row : shown_) names << row.name;
  return names;
}

bool HeatMap::is_selected(const Row& row) const {
  const auto& part = source_.focus.part();
  if (part == Part{}) return false;
  if (!part.node.isEmpty()) return row.node == part.node;
  return row.part.column && part.has_tile(*row.part.column, *row.part.row) &&
         (!part.flow || row.part.flow == part.flow);
}

void HeatMap::draw_rows(QPainter& painter) const {
  const auto place = area();
  hatch(painter, place);
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  // The image begins where the ring does: it is drawn in two parts.
  const int split = static_cast<int>(columns_.place_of(columns_.first_column()));
  std::size_t row = 0;
  while (row < shown_.size()) {
    std::size_t end = row + 1;
    while (end < shown_.size() && shown_[end].top - shown_[end - 1].top - shown_[end - 1].height < 0.5) ++end;
    const double top = place.top() + shown_[row].top;
    const double height = shown_[end - 1].top + shown_[end - 1].height - shown_[row].top;
    const auto part = [&](double x, int from, int width) {
      if (width > 0)
        painter.drawImage(QRectF(x, top, width, height), image_,
                          QRectF(from, static_cast<double>(row), width, static_cast<double>(end - row)));
    };
    part(place.left(), split, image_.width() - split);
    part(place.left() + image_.width() - split, 0, split);
    if (end < shown_.size()) {
      const double bottom = top + height;
      painter.fillRect(QRectF(place.left(), bottom, place.width(), place.top() + shown_[end].top - bottom),
                       colors::panel);
    }
    row = end;
  }
}

void HeatMap::draw_labels(QPainter& painter) const {
  const auto place = area();
  const int line = QFontMetrics(font_of(11)).height();
  double tile_free = 0, node_free = 0;  // up to where labels have been drawn
  for (std::size_t row = 0; row < shown_.size();) {
    const auto& first = shown_[row];
    const bool single = rows_ == Rows::worst_first || rows_ == Rows::nodes;
    std::size_t end = row + 1;
    while (!single && end < shown_.size() && shown_[end].tile == first.tile && shown_[end].node == first.node) ++end;
    const double top = first.top, bottom = shown_[end - 1].top + shown_[end - 1].height;
    const double label_top = (top + bottom - line) / 2;
    if (label_top >= tile_free - 2) {
      const bool strong = is_selected(first);
      painter.setFont(font_of(11, strong));
      painter.setPen(strong ? colors::text : colors::text3);
      const int left = single ? 8 : type::scaled(70);
      painter.drawText(QRectF(left, place.top() + label_top, place.left() - left - 8, line),
                       Qt::AlignRight | Qt::AlignVCenter,
                       QFontMetrics(painter.font())
                           .elidedText(single ? first.name : first.tile, Qt::ElideRight, place.left() - left - 8));
      tile_free = label_top + line;
    }
    const bool new_node = row == 0 || shown_[row - 1].node != first.node;
    if (!single && new_node && !first.node.isEmpty()) {
      std::size_t last = row;
      std::size_t lines = 0;
      while (last < shown_.size() && shown_[last].node == first.node) lines += shown_[last++].lines.size();
      const double group = shown_[last - 1].top + shown_[last - 1].height - top;
      const bool both = group >= 2 * line;
      const double node_top = top + (group - (both ? 2 : 1) * line) / 2;
      if (node_top >= node_free - 2) {
        const auto& part = source_.focus.part();
        const bool chosen = part.node == first.node;
        painter.setFont(font_of(11, true));
        painter.setPen(chosen ? colors::text : colors::text2);
        painter.drawText(QRectF(8, place.top() + node_top, type::scaled(66), line), Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(painter.font()).elidedText(first.node, Qt::ElideRight, type::scaled(66)));
        painter.setFont(font_of(11));
        painter.setPen(colors::text3);
        const auto count = lines == 1                             ? QString()
                           : info(quantity_).scope == Scope::flow ? tr("%1 flows").arg(lines)
                                                                  : tr("%1 tiles").arg(lines);
        if (both)
          painter.drawText(QRectF(8, place.top() + node_top + line, type::scaled(66), line),
                           Qt::AlignLeft | Qt::AlignVCenter, count);
        node_free = node_top + (both ? 2 : 1) * line;
        if (chosen) painter.fillRect(QRectF(0, place.top() + top, 3, group), colors::accent);
      }
    }
    row = end;
  }
}

// The time outside the marked range is dimmed.
void HeatMap::draw_dimmed(QPainter& painter) const {
  const auto& marked = source_.window.marked();
  if (!marked) return;
  const auto place = area();
  auto dim = colors::panel;
  dim.setAlphaF(0.55F);
  const double left = std::clamp<double>(x_of(marked->first), place.left(), place.right() + 1);
  const double right = std::clamp<double>(x_of(marked->last + 1), place.left(), place.right() + 1);
  painter.fillRect(QRectF(place.left(), place.top(), left - place.left(), place.height()), dim);
  painter.fillRect(QRectF(right, place.top(), place.right() + 1 - right, place.height()), dim);
  painter.setPen(QPen(colors::text, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(QRectF(left, place.top() - 1, right - left, place.height() + 1));
}

int HeatMap::scale_width() const {
  const QFontMetrics metrics(font_of(11));
  return bar_width + hatch_width + 40 + metrics.horizontalAdvance(tr("not measured")) +
         metrics.horizontalAdvance("0 " + with_unit(info(quantity_), top_)) + 24;
}

void HeatMap::draw_scale(QPainter& painter, const QRect& place) const {
  painter.setFont(font_of(11));
  painter.setPen(colors::text3);
  const QFontMetrics metrics(painter.font());
  double x = place.right() + 1;
  const auto write = [&](const QString& text) {
    const double width = metrics.horizontalAdvance(text);
    x -= width;
    painter.drawText(QRectF(x, place.top(), width + 1, place.height()), Qt::AlignLeft | Qt::AlignVCenter, text);
    x -= 6;
  };
  write(tr("not measured"));
  x -= hatch_width;
  hatch(painter, QRectF(x, place.center().y() - bar_height / 2.0, hatch_width, bar_height));
  x -= 16;
  painter.setPen(colors::text3);
  write(with_unit(info(quantity_), top_));
  x -= bar_width;
  QImage image(bar_width, 1, QImage::Format_RGB32);
  for (int i = 0; i < image.width(); ++i) image.setPixel(i, 0, cividis(static_cast<double>(i) / (bar_width - 1)));
  painter.drawImage(QRectF(x, place.center().y() - bar_height / 2.0, bar_width, bar_height), image);
  x -= 6;
  painter.setPen(colors::text3);
  write("0");
}

void HeatMap::draw(QPainter& painter) const {
  painter.fillRect(rect(), colors::panel);
  if (scale_above_) {
    painter.setFont(font_of(11, true));
    painter.setPen(colors::text);
    const QRect head(8, 3, width() - 24, QFontMetrics(painter.font()).height() + 2);
    painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, title_of(info(quantity_)));
    draw_scale(painter, head);
  }
  if (shown_.empty()) return draw_nothing(painter);
  draw_rows(painter);
  draw_labels(painter);
  draw_dimmed(painter);
  draw_axis(painter);
}

void HeatMap::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  draw(painter);
  draw_marks(painter);
  draw_focus(painter);
}

void HeatMap::draw_anew() {
  columns_.forget();
  refresh();
}

const HeatMap::Row* HeatMap::row_at(QPointF place) const {
  const double y = place.y() - area().top();
  for (const auto& row : shown_)
    if (y >= row.top && y < row.top + row.height) return &row;
  return nullptr;
}

HoverText HeatMap::hover_at(QPointF place) const {
  const auto* row = row_at(place);
  if (row == nullptr || !area().contains(place.toPoint())) return {};
  HoverText text;
  QStringList whose{row->name};
  if (!row->tile.isEmpty() && row->tile != row->name) whose << row->tile;
  if (!row->node.isEmpty() && row->node != row->name) whose << row->node;
  text.title = whose.join(QString::fromUtf8(" \u00b7 "));
  text.context = time_at(place.x());
  const auto cell = cell_of(*row, first_column() + static_cast<qint64>(place.x()) - area().left());
  const auto value = static_cast<double>(info(quantity_).low_is_bad ? cell.min : cell.max);
  text.rows.emplace_back(name_of(info(quantity_)), cell.any() ? with_unit(info(quantity_), value) : tr("not measured"));
  return text;
}

void HeatMap::mouseReleaseEvent(QMouseEvent* event) {
  const auto* row = row_at(event->position());
  // A click on a label selects what it names.
  if (row != nullptr && event->position().x() < area().left()) {
    const bool node = event->position().x() < type::scaled(70) && !row->node.isEmpty() && rows_ != Rows::worst_first;
    source_.focus.show(node ? Part{{}, {}, {}, row->node} : Part{row->part.column, row->part.row, {}});
    return;
  }
  TimePlot::mouseReleaseEvent(event);
}

void HeatMap::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const auto* row = row_at(event->position())) source_.focus.show(row->part);
}

}  // namespace lw
