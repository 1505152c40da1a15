#include "wall-control/health/flow_rows.h"

#include "wall-control/models/figure_text.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/sparkline.h"
#include "wall-control/ui/type.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lw {
namespace {

constexpr double flow_text_size = 12, flow_heading_size = 11;
constexpr double flow_row_height = 22;
constexpr int shown_samples = 1200, mean_samples = 100;
enum FlowColumn : unsigned char { flow_number, flow_rate, flow_lost, flow_resent, flow_jitter, flow_history };

std::optional<double> mean_of(const TimeSeries& series) {
  double sum = 0;
  int samples = 0;
  for (int age = 0; age < std::min(mean_samples, series.size()); ++age) {
    const auto value = series.back(age);
    if (!value) continue;
    sum += *value;
    ++samples;
  }
  return samples > 0 ? std::optional(sum / samples) : std::nullopt;
}

std::vector<float> samples_of_loss(const FlowRow& flow) {
  const auto& series = flow.series.of(Quantity::loss);
  std::vector<float> samples(shown_samples, std::numeric_limits<float>::quiet_NaN());
  for (int age = 0; age < std::min(shown_samples, series.size()); ++age)
    if (const auto value = series.back(age))
      samples[static_cast<std::size_t>(shown_samples - 1 - age)] = static_cast<float>(*value);
  return samples;
}

QString cell_text(const std::optional<double>& value, double unit = 1) {
  return value ? figure_text::number(*value / unit) : QString(QChar(0x2013));
}

}  // namespace

FlowRows::FlowRows(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Flows"));
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize FlowRows::sizeHint() const {
  const auto lines = 1 + rows_.size() + (others_ > 0 ? 1 : 0);
  return {type::scaled(300), type::scaled(flow_row_height) * static_cast<int>(lines)};
}

void FlowRows::show_flows(const std::vector<const FlowRow*>& flows, std::optional<int> selected) {
  const auto before = rows_.size() + (others_ > 0 ? 1 : 0);
  rows_.clear();
  selected_ = selected;
  for (const auto* flow : flows) {
    Row row;
    row.flow = flow->flow;
    row.gbit_per_s = flow->in_newest ? flow->gbit_per_s : std::nullopt;
    row.lost_per_s = mean_of(flow->series.of(Quantity::loss));
    row.resent_per_s = mean_of(flow->series.of(Quantity::repaired));
    row.jitter_us = flow->receiving ? flow->jitter_us : std::nullopt;
    rows_.push_back(std::move(row));
  }
  // The flows of a tile stay in their order; of more, the worst are listed.
  if (rows_.size() > rows_max)
    std::ranges::stable_sort(rows_, [](const Row& a, const Row& b) {
      return std::pair(a.lost_per_s.value_or(0), a.jitter_us.value_or(0)) >
             std::pair(b.lost_per_s.value_or(0), b.jitter_us.value_or(0));
    });
  others_ = std::max(0, static_cast<int>(rows_.size()) - rows_max);
  if (others_ > 0) rows_.resize(rows_max);
  QStringList words;
  for (auto& row : rows_) {
    const auto found = std::ranges::find(flows, row.flow, &FlowRow::flow);
    row.loss = samples_of_loss(**found);
    words << tr("flow %1: %2 Gbit/s, loss %3 per second, jitter %4 µs")
                 .arg(row.flow)
                 .arg(cell_text(row.gbit_per_s), cell_text(row.lost_per_s), cell_text(row.jitter_us));
  }
  const auto all = words.join("; ");
  if (accessibleDescription() != all) setAccessibleDescription(all);
  if (rows_.size() + (others_ > 0 ? 1 : 0) != before) updateGeometry();
  update();
}

// The right end of each column.
std::array<int, 6> FlowRows::rights() const {
  const int line = std::min(type::scaled(56), width() / 5);
  const int texts = width() - line - 12;
  return {texts * 12 / 100, texts * 32 / 100, texts * 51 / 100, texts * 74 / 100, texts, width()};
}

void FlowRows::paint_row(QPainter& painter, const Row& row, int top) const {
  const int high = type::scaled(flow_row_height);
  const auto ends = rights();
  if (row.flow == selected_) painter.fillRect(0, top, width(), high, colors::select);
  const bool lossy = row.lost_per_s > 0;
  const auto put = [&](FlowColumn column, const QString& text, const QColor& color, bool strong = false) {
    painter.setFont(type::sized(flow_text_size, strong));
    painter.setPen(color);
    const int left = column == flow_number ? 4 : ends[column - 1U];
    type::paint_figure(painter, QRect(left, top, ends[column] - left, high),
                       (column == flow_number ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, text);
  };
  put(flow_number, QString::number(row.flow), colors::text);
  put(flow_rate, cell_text(row.gbit_per_s), colors::text);
  put(flow_lost, cell_text(row.lost_per_s), lossy ? colors::warn : colors::text, lossy);
  put(flow_resent, cell_text(row.resent_per_s), colors::text);
  put(flow_jitter, cell_text(row.jitter_us), colors::text);
  paint_sparkline(painter, {ends[flow_jitter] + 10, top + 4, ends[flow_history] - ends[flow_jitter] - 14, high - 8},
                  row.loss, lossy ? colors::warn : colors::envelope);
  painter.fillRect(0, top + high - 1, width(), 1, colors::line);
}

void FlowRows::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const int high = type::scaled(flow_row_height);
  const auto ends = rights();
  const std::array headings{tr("Flow"), tr("Gbit/s"), tr("Lost/s"), tr("Resent/s"), tr("Jitter, µs"), tr("2 min")};
  painter.setFont(type::sized(flow_heading_size));
  painter.setPen(colors::text3);
  for (std::size_t i = 0; i < headings.size(); ++i) {
    const int left = i == 0 ? 4 : ends[i - 1];
    painter.drawText(QRect(left, 0, ends[i] - left, high),
                     static_cast<int>((i == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter), headings[i]);
  }
  int top = high;
  for (const auto& row : rows_) {
    paint_row(painter, row, top);
    top += high;
  }
  painter.setFont(type::sized(flow_heading_size));
  painter.setPen(colors::text3);
  if (others_ > 0)
    painter.drawText(QRect(4, top, width() - 4, high), Qt::AlignLeft | Qt::AlignVCenter,
                     others_ == 1 ? tr("1 more flow") : tr("%1 more flows").arg(others_));
  if (!hasFocus()) return;
  painter.setPen(QPen(colors::accent, 2));
  painter.drawRect(rect().adjusted(1, 1, -2, -2));
}

void FlowRows::move_to(int row) {
  if (row < 0 || row >= static_cast<int>(rows_.size())) return;
  emit chosen(rows_[static_cast<std::size_t>(row)].flow);
}

void FlowRows::mousePressEvent(QMouseEvent* event) {
  move_to(static_cast<int>(event->position().y()) / type::scaled(flow_row_height) - 1);
}

void FlowRows::keyPressEvent(QKeyEvent* event) {
  const auto found = std::ranges::find_if(rows_, [&](const Row& row) { return row.flow == selected_; });
  const int now = found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
  if (event->key() == Qt::Key_Down) return move_to(now + 1);
  if (event->key() == Qt::Key_Up) return move_to(now < 0 ? 0 : now - 1);
  QWidget::keyPressEvent(event);
}

}  // namespace lw
