#include "wall-control/plots/heat_map.h"

#include "wall-control/app/palette.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

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

}  // namespace

HeatMap::HeatMap(const FlowHistory& history, QWidget* parent)
    : QWidget(parent),
      history_(history),
      choice_(new QuantityChoice(this, {Scope::flow, Scope::tile}, Quantity::loss)) {  // the wall has one row
  connect(choice_, &QComboBox::currentIndexChanged, this, &HeatMap::show_choice);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  show_choice();
}

void HeatMap::set_seconds(int seconds) {
  seconds_ = seconds;
  refresh();
}

void HeatMap::show_choice() {
  choice_->setToolTip(definition_of(choice_->chosen()));
  setAccessibleName(tr("Heat map: %1").arg(title_of(choice_->chosen())));
  refresh();
}

void HeatMap::refresh() {
  if (!isVisible()) return;
  collect();
  update();
}

QRectF HeatMap::area() const {
  return QRectF(rect()).adjusted(label_width, choice_->height() + 10, -10, -scale_height - 8);
}

void HeatMap::collect() {
  rows_.clear();
  // No more columns than samples: one that holds none would look like a gap.
  const int width = std::clamp(static_cast<int>(area().width()), 1, samples_of(seconds_));
  double greatest = 0;
  for (auto& line : history_.lines(quantity())) {
    auto columns = columns_of(*line.series, seconds_, width);
    const double row_greatest = greatest_of(columns);
    greatest = std::max(greatest, row_greatest);
    rows_.push_back({std::move(line), std::move(columns), row_greatest});
  }
  std::ranges::stable_sort(rows_, std::ranges::greater{}, &Row::greatest);
  top_ = nice_above(greatest);
  const auto unit = axis_unit(choice_->chosen(), top_);
  setAccessibleDescription(rows_.empty()
                               ? tr("nothing measured yet")
                               : tr("worst: %1, up to %2 %3 in the last %4 s")
                                     .arg(rows_.front().line.name, short_number(greatest / unit.size), unit.name)
                                     .arg(seconds_));
}

void HeatMap::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), colors::panel);
  if (area().width() < 20 || area().height() < 20) return;
  if (rows_.empty()) {
    painter.setPen(colors::faint);
    painter.drawText(area(), Qt::AlignCenter, tr("nothing measured yet"));
    return;
  }
  draw_rows(painter);
  draw_scale(painter);
}

void HeatMap::draw_rows(QPainter& painter) const {
  const auto place = area();
  QImage image(static_cast<int>(rows_.front().columns.size()), static_cast<int>(rows_.size()), QImage::Format_RGB32);
  image.fill(colors::background);  // gaps
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    auto* pixels = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(row)));
    const auto& columns = rows_[row].columns;
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i].any) pixels[i] = color_of(columns[i].max / top_);
  }
  painter.drawImage(place, image);

  const QFontMetrics metrics(font());
  const double height = place.height() / static_cast<double>(rows_.size());
  const auto step = static_cast<std::size_t>(std::ceil(metrics.height() / height));
  painter.setPen(colors::faint);
  for (std::size_t row = 0; row < rows_.size(); row += step) {
    const QRectF label(4, place.top() + static_cast<double>(row) * height, label_width - 10,
                       std::max<double>(height, metrics.height()));
    painter.drawText(label, Qt::AlignRight | (height < metrics.height() ? Qt::AlignTop : Qt::AlignVCenter),
                     rows_[row].line.name);
  }
}

void HeatMap::draw_scale(QPainter& painter) const {
  const auto unit = axis_unit(choice_->chosen(), top_);
  const QRectF bar(area().left(), height() - scale_height, std::min(160.0, area().width() / 2), 10);
  QImage image(64, 1, QImage::Format_RGB32);
  for (int i = 0; i < image.width(); ++i) image.setPixel(i, 0, color_of(i / 63.0));
  painter.drawImage(bar, image);
  painter.setPen(colors::faint);
  const QFontMetrics metrics(font());
  const auto baseline = bar.center().y() + metrics.ascent() / 2.0 - 1;
  painter.drawText(QPointF(bar.left() - 14, baseline), "0");
  painter.drawText(QPointF(bar.right() + 8, baseline), QString("%1 %2").arg(short_number(top_ / unit.size), unit.name));
}

QString HeatMap::text_at(QPointF place) const {
  const auto rows = area();
  if (!rows.contains(place) || rows_.empty()) return {};
  const auto index =
      static_cast<std::size_t>((place.y() - rows.top()) / rows.height() * static_cast<double>(rows_.size()));
  const auto& row = rows_[std::min(index, rows_.size() - 1)];
  const double share = (place.x() - rows.left()) / rows.width();
  const auto column =
      std::min(static_cast<std::size_t>(share * static_cast<double>(row.columns.size())), row.columns.size() - 1);
  const auto ago = tr("%1 s ago").arg((1 - share) * seconds_, 0, 'f', 1);
  if (!row.columns[column].any) return tr("%1: nothing measured, %2").arg(row.line.name, ago);
  const auto unit = axis_unit(choice_->chosen(), row.columns[column].max);
  return tr("%1: %2 %3, %4").arg(row.line.name, short_number(row.columns[column].max / unit.size), unit.name, ago);
}

bool HeatMap::event(QEvent* event) {
  if (event->type() == QEvent::Show) collect();
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto text = text_at(help->pos());
  QToolTip::showText(help->globalPos(), text.isEmpty() ? definition_of(choice_->chosen()) : text, this);
  return true;
}

}  // namespace lw
