#include "wall-control/plots/heat_map.h"

#include "wall-control/ui/palette.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr double label_width = 92;
constexpr double scale_height = 26;

// Cividis (Nunez, Anderton, Renslow 2018): reads the same with and without colour blindness, and in grey.
QRgb color_of(double share) {
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

// A map of a large wall has a hundred thousand cells.
QRgb quick_color_of(double share) {
  constexpr std::size_t steps = 256;
  static const auto colors = [] {
    std::array<QRgb, steps> made{};
    for (std::size_t i = 0; i < steps; ++i) made[i] = color_of(static_cast<double>(i) / (steps - 1));
    return made;
  }();
  return colors[static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * (steps - 1)))];
}

}  // namespace

HeatMap::HeatMap(const PlotSource& source, QWidget* parent)
    : TimePlot(source, {Scope::flow, Scope::tile}, Quantity::loss, parent) {  // the wall has one row
  HeatMap::show_choice();
}

void HeatMap::show_choice() {
  choice().setToolTip(definition_of(chosen()));
  setAccessibleName(tr("Heat map: %1").arg(title_of(chosen())));
  refresh();
}

QRectF HeatMap::area() const { return QRectF(rect()).adjusted(label_width, head(), -10, -scale_height - 8); }

void HeatMap::collect() {
  rows_.clear();
  const auto span = shown_span();
  // At most one column for each sample: a column without a sample would look like a gap.
  const int width = std::clamp(static_cast<int>(area().width()), 1, samples_of(span));
  double greatest = 0;
  for (auto& line : source_.history.lines(quantity(), source_.focus.part())) {
    auto columns = columns_of(*line.series, span, width);
    greatest = std::max(greatest, greatest_of(columns));
    const auto worst = worst_of(marked_of(columns), chosen().low_is_bad);
    rows_.push_back({std::move(line), std::move(columns), worst});
  }
  const bool low = chosen().low_is_bad;
  std::ranges::stable_sort(rows_, [low](const Row& a, const Row& b) {
    if (!a.worst || !b.worst) return a.worst.has_value() && !b.worst;
    return low ? *a.worst < *b.worst : *a.worst > *b.worst;
  });
  top_ = nice_above(greatest);
  describe();
}

void HeatMap::describe() {
  if (rows_.empty() || !rows_.front().worst) return setAccessibleDescription(tr("nothing measured"));
  const auto unit = axis_unit(chosen(), top_);
  const auto number = short_number(*rows_.front().worst / unit.size);
  const auto seconds = static_cast<double>(source_.window.chosen().count()) / TimeSeries::samples_per_second;
  const auto words =
      chosen().low_is_bad ? tr("worst: %1, down to %2 %3 in %4 s") : tr("worst: %1, up to %2 %3 in %4 s");
  setAccessibleDescription(words.arg(rows_.front().line.name, number, unit.name, short_number(seconds)));
}

void HeatMap::draw(QPainter& painter, bool titled) const {
  painter.fillRect(rect(), colors::panel);
  painter.setFont(font());
  if (titled) draw_title(painter);
  if (area().width() < 20 || area().height() < 20) return;
  if (rows_.empty()) {
    painter.setPen(colors::text3);
    painter.drawText(area(), Qt::AlignCenter, tr("nothing measured"));
    return;
  }
  draw_rows(painter);
  draw_scale(painter);
  draw_marks(painter);
}

void HeatMap::draw_rows(QPainter& painter) const {
  const auto place = area();
  QImage image(static_cast<int>(rows_.front().columns.size()), static_cast<int>(rows_.size()), QImage::Format_RGB32);
  image.fill(colors::window);  // gaps
  const bool low = chosen().low_is_bad;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    auto* pixels = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(row)));
    const auto& columns = rows_[row].columns;
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i].any) pixels[i] = quick_color_of((low ? columns[i].min : columns[i].max) / top_);
  }
  painter.drawImage(place, image);

  const QFontMetrics metrics(font());
  const double height = place.height() / static_cast<double>(rows_.size());
  const auto step = static_cast<std::size_t>(std::ceil(metrics.height() / height));
  painter.setPen(colors::text3);
  for (std::size_t row = 0; row < rows_.size(); row += step) {
    const QRectF label(4, place.top() + static_cast<double>(row) * height, label_width - 10,
                       std::max<double>(height, metrics.height()));
    painter.drawText(label, Qt::AlignRight | (height < metrics.height() ? Qt::AlignTop : Qt::AlignVCenter),
                     rows_[row].line.name);
  }
}

void HeatMap::draw_scale(QPainter& painter) const {
  const auto unit = axis_unit(chosen(), top_);
  const QRectF bar(area().left(), height() - scale_height, std::min(160.0, area().width() / 2), 10);
  QImage image(64, 1, QImage::Format_RGB32);
  for (int i = 0; i < image.width(); ++i) image.setPixel(i, 0, color_of(i / 63.0));
  painter.drawImage(bar, image);
  painter.setPen(colors::text3);
  const QFontMetrics metrics(font());
  const auto baseline = bar.center().y() + metrics.ascent() / 2.0 - 1;
  painter.drawText(QPointF(bar.left() - 14, baseline), "0");
  painter.drawText(QPointF(bar.right() + 8, baseline), QString("%1 %2").arg(short_number(top_ / unit.size), unit.name));
}

const HeatMap::Row* HeatMap::row_at(QPointF place) const {
  const auto rows = area();
  if (!rows.contains(QPointF(rows.center().x(), place.y())) || place.x() > rows.right() || rows_.empty())
    return nullptr;
  const auto index =
      static_cast<std::size_t>((place.y() - rows.top()) / rows.height() * static_cast<double>(rows_.size()));
  return &rows_[std::min(index, rows_.size() - 1)];
}

QString HeatMap::text_at(QPointF place) const {
  const auto* row = row_at(place);
  if (row == nullptr || !area().contains(place)) return {};
  const double share = (place.x() - area().left()) / area().width();
  const auto column =
      std::min(static_cast<std::size_t>(share * static_cast<double>(row->columns.size())), row->columns.size() - 1);
  const auto time = time_at(place.x());
  if (!row->columns[column].any) return tr("%1: nothing measured, %2").arg(row->line.name, time);
  const auto value = chosen().low_is_bad ? row->columns[column].min : row->columns[column].max;
  const auto unit = axis_unit(chosen(), value);
  return tr("%1: %2 %3, %4").arg(row->line.name, short_number(value / unit.size), unit.name, time);
}

void HeatMap::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const auto* row = row_at(event->position())) source_.focus.show_line(chosen().scope, row->line.index);
}

}  // namespace lw
