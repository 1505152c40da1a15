#include "wall-control/health/waterfall.h"

#include "wall-control/models/figure_text.h"
#include "wall-control/ui/icons.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr std::array waterfall_rows_shown{Stage::read,     Stage::queue,  Stage::send, Stage::flight,
                                          Stage::assemble, Stage::upload, Stage::swap};
constexpr double waterfall_text_px = 12, waterfall_axis_px = 11;
constexpr double waterfall_row_px = 20, waterfall_axis_height_px = 18, waterfall_legend_px = 20;

Icon icon_of(Stage stage) {
  switch (stage) {
    case Stage::read:
      return Icon::disk;
    case Stage::queue:
    case Stage::wait:
      return Icon::wait;
    case Stage::send:
      return Icon::send;
    case Stage::flight:
      return Icon::network;
    case Stage::assemble:
      return Icon::assemble;
    case Stage::upload:
      return Icon::upload;
    case Stage::swap:
      break;
  }
  return Icon::swap;
}

Quantity quantity_of(Stage stage) {
  switch (stage) {
    case Stage::read:
      return Quantity::read;
    case Stage::queue:
      return Quantity::queue;
    case Stage::send:
      return Quantity::send;
    case Stage::flight:
      return Quantity::flight;
    case Stage::assemble:
      return Quantity::assemble;
    case Stage::wait:
      return Quantity::wait;
    case Stage::upload:
      return Quantity::upload;
    case Stage::swap:
      break;
  }
  return Quantity::swap;
}

const StageTime& time_of(const StageRow& row, Stage stage) { return row[static_cast<std::size_t>(stage)]; }

}  // namespace

struct Waterfall::Axis {
  double from_us = 0, to_us = 1;
  int left = 0, right = 1;
  [[nodiscard]] int x(double us) const {
    const double share = std::clamp((us - from_us) / (to_us - from_us), 0.0, 1.0);
    return left + static_cast<int>(std::lround(share * (right - left)));
  }
};

Waterfall::Waterfall(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Where the time goes"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize Waterfall::sizeHint() const {
  return {type::scaled(300), type::scaled(waterfall_axis_height_px + waterfall_row_px * waterfall_rows_shown.size() +
                                          waterfall_legend_px)};
}

bool Waterfall::is_empty() const {
  return std::ranges::none_of(content_.here, [](const StageTime& time) { return time.p50.has_value(); });
}

void Waterfall::show_content(const Content& content) {
  content_ = content;
  QStringList words;
  for (const auto stage : waterfall_rows_shown) {
    const auto& here = time_of(content.here, stage);
    const auto& wall = time_of(content.wall, stage);
    auto text =
        QString("%1: %2").arg(name_of(stage), here.p50 ? figure_text::time(*here.p50).joined() : tr("not measured"));
    if (here.p50 && wall.p50) text += tr(", wall median %1").arg(figure_text::time(*wall.p50).joined());
    words << text;
  }
  const auto all = words.join("; ");
  if (accessibleDescription() != all) setAccessibleDescription(all);
  update();
}

// Zero is the media time, at which the first packet is due.
double Waterfall::begin_of(Stage stage) const {
  const auto p50 = [&](Stage of) { return time_of(content_.here, of).p50.value_or(0); };
  switch (stage) {
    case Stage::read:
      return -p50(Stage::queue) - p50(Stage::read);
    case Stage::queue:
      return -p50(Stage::queue);
    case Stage::send:
    case Stage::flight:
      return 0;
    case Stage::assemble:
      return p50(Stage::flight);
    case Stage::wait:
      return begin_of(Stage::assemble) + p50(Stage::assemble);
    case Stage::upload:
      return begin_of(Stage::wait) + p50(Stage::wait);
    case Stage::swap:
      break;
  }
  return begin_of(Stage::upload) + p50(Stage::upload);
}

Waterfall::Axis Waterfall::axis() const {
  Axis axis;
  axis.from_us = std::min(0.0, begin_of(Stage::read));
  axis.to_us = std::max(1000.0, content_.on_screen_us.value_or(0) * 1.15);
  for (const auto stage : waterfall_rows_shown) {
    const auto& here = time_of(content_.here, stage);
    axis.to_us = std::max(axis.to_us, begin_of(stage) + std::max(here.p50.value_or(0), here.p99.value_or(0)));
  }
  axis.left = type::scaled(112);
  axis.right = std::max(axis.left + 20, width() - type::scaled(68));
  return axis;
}

void Waterfall::paint_axis(QPainter& painter, const Axis& axis) const {
  painter.setFont(type::sized(waterfall_axis_px));
  const int high = type::scaled(waterfall_axis_height_px);
  const int bottom = high + type::scaled(waterfall_row_px * waterfall_rows_shown.size());
  const int zero = axis.x(0);
  painter.fillRect(axis.left, high, 1, bottom - high, colors::grid);
  painter.fillRect(zero, high, 1, bottom - high, colors::grid);
  painter.setPen(colors::axis);
  const QFontMetrics metrics(painter.font());
  const auto begin = figure_text::time(axis.from_us).joined();
  const int begin_end = axis.left + metrics.horizontalAdvance(begin) / 2;
  if (axis.from_us < 0 && begin_end < zero - 8)
    painter.drawText(axis.left - metrics.horizontalAdvance(begin) / 2, metrics.ascent(), begin);
  painter.drawText(zero - metrics.horizontalAdvance("0") / 2, metrics.ascent(), "0");
  if (!content_.on_screen_us) return;
  const int due = axis.x(*content_.on_screen_us);
  QPen dashed(colors::text2, 1, Qt::CustomDashLine);
  dashed.setDashPattern({3, 3});
  painter.setPen(dashed);
  painter.drawLine(due, high, due, bottom);
  painter.setPen(colors::text2);
  const auto text = tr("%1: on screen").arg(figure_text::time(*content_.on_screen_us).joined());
  const int wide = metrics.horizontalAdvance(text);
  painter.drawText(std::clamp(due - wide / 2, zero + 10, width() - wide), metrics.ascent(), text);
}

void Waterfall::paint_bar(QPainter& painter, const Axis& axis, Stage stage, const QRect& row) const {
  const auto& here = time_of(content_.here, stage);
  if (!here.p50) return;
  const bool slow = content_.slow == stage;
  const auto color = slow ? color_of(content_.state) : colors::series[0];
  const double begin = begin_of(stage);
  const int middle = row.center().y();
  const int half = type::scaled(5);
  const auto box = [&](double from, double to) {
    return QRect(axis.x(from), middle - half, std::max(2, axis.x(to) - axis.x(from)), 2 * half);
  };
  painter.setBrush(Qt::NoBrush);
  painter.setPen(colors::edge);
  if (stage == Stage::upload && time_of(content_.here, Stage::wait).p50)
    painter.drawRect(box(begin_of(Stage::wait), begin).adjusted(0, 0, -1, -1));
  if (waits_by_design(stage) && !slow)
    painter.drawRect(box(begin, begin + *here.p50).adjusted(0, 0, -1, -1));
  else
    painter.fillRect(box(begin, begin + *here.p50), color);
  if (here.p99 && *here.p99 > *here.p50 && !waits_by_design(stage)) {
    const int end = axis.x(begin + *here.p99);
    painter.fillRect(axis.x(begin + *here.p50), middle, end - axis.x(begin + *here.p50), 1, color);
    painter.fillRect(end, middle - half / 2, 1, half, color);
  }
  if (const auto wall = time_of(content_.wall, stage).p50; wall && !waits_by_design(stage))
    painter.fillRect(axis.x(begin + *wall), middle - half - 2, 2, 2 * half + 4, colors::text);
}

void Waterfall::paint_row(QPainter& painter, const Axis& axis, Stage stage, int top) const {
  const QRect row(0, top, width(), type::scaled(waterfall_row_px));
  const bool slow = content_.slow == stage;
  if (slow) painter.fillRect(row, soft_color_of(content_.state));
  const int side = type::scaled(13);
  icon(icon_of(stage), slow ? color_of(content_.state) : colors::text2)
      .paint(&painter, QRect(4, row.center().y() - side / 2, side, side));
  painter.setFont(type::sized(waterfall_text_px, slow));
  painter.setPen(slow ? colors::text : colors::text2);
  painter.drawText(row.adjusted(side + 10, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, name_of(stage));
  paint_bar(painter, axis, stage, row);
  const auto& here = time_of(content_.here, stage);
  const auto place = row.adjusted(0, 0, -4, 0);
  painter.setFont(type::sized(here.p50 ? waterfall_text_px : waterfall_axis_px, slow));
  painter.setPen(slow ? color_of(content_.state) : here.p50 ? colors::text : colors::text3);
  if (here.p50)
    type::paint_figure(painter, place, Qt::AlignRight | Qt::AlignVCenter, figure_text::time(*here.p50).joined());
  else
    painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, tr("not measured"));
}

void Waterfall::paint_legend(QPainter& painter, int top) const {
  painter.setFont(type::sized(waterfall_axis_px));
  const QFontMetrics metrics(painter.font());
  const int middle = top + type::scaled(waterfall_legend_px) / 2;
  int x = 4;
  const auto text = [&](const QString& words) {
    painter.setPen(colors::text3);
    painter.drawText(x, middle + (metrics.ascent() - metrics.descent()) / 2, words);
    x += metrics.horizontalAdvance(words) + 14;
  };
  painter.fillRect(x, middle - 5, 2, 10, colors::text);
  x += 7;
  text(tr("wall median"));
  painter.fillRect(x, middle, 12, 1, colors::series[0]);
  painter.fillRect(x + 12, middle - 3, 1, 7, colors::series[0]);
  x += 18;
  text(tr("p99"));
  painter.setPen(colors::edge);
  painter.drawRect(x, middle - 4, 13, 8);
  x += 19;
  text(tr("waiting by design"));
}

void Waterfall::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const auto axis = this->axis();
  int top = type::scaled(waterfall_axis_height_px);
  for (const auto stage : waterfall_rows_shown) {
    paint_row(painter, axis, stage, top);
    top += type::scaled(waterfall_row_px);
  }
  paint_axis(painter, axis);
  paint_legend(painter, top);
}

bool Waterfall::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int row = (help->y() - type::scaled(waterfall_axis_height_px)) / type::scaled(waterfall_row_px);
  if (row < 0 || row >= static_cast<int>(waterfall_rows_shown.size())) return QWidget::event(event);
  const auto stage = waterfall_rows_shown[static_cast<std::size_t>(row)];
  const auto& here = time_of(content_.here, stage);
  const auto& quantity = info(quantity_of(stage));
  auto text = QString("%1\n%2").arg(name_of(stage), definition_of(quantity));
  if (here.p50 && here.p99)
    text += '\n' +
            tr("median %1, p99 %2").arg(figure_text::time(*here.p50).joined(), figure_text::time(*here.p99).joined());
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

}  // namespace lw
