#include "wall-control/health/wall_summary.h"

#include "wall-control/models/figure_text.h"
#include "wall-control/plots/columns.h"
#include "wall-control/ui/counts.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr int summary_margin = 12;
constexpr double title_height = 24, state_height = 21, bar_height = 12, histogram_height = 70, skew_scale_height = 16;
constexpr int skew_bin_width = 7;

struct StateLine {
  State state;
  int count;
  QString word;
};

std::array<StateLine, 4> lines_of(const StateCounts& counts, bool playing) {
  return {{{State::ok, counts.ok, playing ? WallSummary::tr("In step") : WallSummary::tr("Ready")},
           {State::crit, counts.crit, WallSummary::tr("Picture faults")},
           {State::warn, counts.warn, WallSummary::tr("Degraded, picture intact")},
           {State::off, counts.off, WallSummary::tr("No picture")}}};
}

}  // namespace

WallSummary::WallSummary(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Wall by state"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize WallSummary::sizeHint() const {
  return {type::scaled(300), type::scaled(2 * title_height + bar_height + 10 + 4 * state_height + 10 +
                                          histogram_height + skew_scale_height) +
                                 20};
}

void WallSummary::show_content(Content content) {
  content_ = std::move(content);
  QStringList words;
  for (const auto& line : lines_of(content_.counts, content_.playing))
    words << QString("%1: %2").arg(line.word).arg(line.count);
  const auto all = words.join("; ");
  if (accessibleDescription() != all) setAccessibleDescription(all);
  update();
}

void WallSummary::paint_title(QPainter& painter, int top, const QString& title, const QString& note) const {
  const QRect place(summary_margin, top, width() - 2 * summary_margin, type::scaled(title_height));
  painter.setFont(type::sized(13, true));
  painter.setPen(colors::text);
  painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, title);
  painter.setFont(type::sized(11));
  painter.setPen(colors::text3);
  painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, note);
}

// The bar gives even one tile a few pixels. Returns where it ends.
int WallSummary::paint_states(QPainter& painter, int top) const {
  const auto lines = lines_of(content_.counts, content_.playing);
  const int total = std::max(1, content_.counts.ok + content_.counts.crit + content_.counts.warn + content_.counts.off);
  const int wide = width() - 2 * summary_margin;
  constexpr int least = 6, gap = 2;
  int left = summary_margin;
  for (const auto* line : {&lines[1], &lines[2], &lines[3]}) {
    if (line->count == 0) continue;
    const int part = std::max(least, wide * line->count / total);
    left += part + gap;
  }
  int others = left - summary_margin;
  int x = summary_margin;
  const int high = type::scaled(bar_height);
  if (content_.counts.ok > 0) {
    painter.fillRect(x, top, std::max(least, wide - others), high, colors::ok);
    x += std::max(least, wide - others) + gap;
  }
  for (const auto* line : {&lines[2], &lines[1], &lines[3]}) {
    if (line->count == 0) continue;
    const int part = std::max(least, wide * line->count / total);
    painter.fillRect(x, top, std::min(part, width() - summary_margin - x), high, color_of(line->state));
    x += part + gap;
  }
  top += high + 10;
  const int row = type::scaled(state_height);
  const int side = type::scaled(12);
  for (const auto& line : lines) {
    const QRect place(summary_margin, top, wide, row);
    paint_state(painter, line.state, QRectF(place.left(), place.center().y() - side / 2.0, side, side));
    painter.setFont(type::sized(12));
    painter.setPen(colors::text2);
    painter.drawText(place.adjusted(side + 10, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, line.word);
    painter.setFont(type::sized(12, true));
    painter.setPen(colors::text);
    type::paint_figure(painter, place, Qt::AlignRight | Qt::AlignVCenter, QString::number(line.count));
    top += row;
  }
  return top;
}

void WallSummary::paint_skews(QPainter& painter, int top) const {
  const QRect place(summary_margin, top, width() - 2 * summary_margin, type::scaled(histogram_height));
  painter.setFont(type::sized(11));
  if (content_.skews_us.empty()) {
    painter.setPen(colors::text3);
    painter.drawText(place, Qt::AlignLeft | Qt::AlignTop, tr("not measured"));
    return;
  }
  const double most = *std::ranges::max_element(content_.skews_us);
  const double end = nice_above(std::max(most, content_.limit_us.value_or(0) * 1.2));
  std::vector<int> bins(static_cast<std::size_t>(std::max(1, place.width() / skew_bin_width)));
  for (const auto skew : content_.skews_us) {
    const auto bin = static_cast<std::size_t>(std::max(0.0, skew / end * static_cast<double>(bins.size())));
    ++bins[std::min(bin, bins.size() - 1)];
  }
  const int highest = *std::ranges::max_element(bins);
  const auto x_of = [&](double us) { return place.left() + static_cast<int>(std::lround(us / end * place.width())); };
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (bins[i] == 0) continue;
    const int high = std::max(2, bins[i] * (place.height() - 14) / highest);
    const double from = end * static_cast<double>(i) / static_cast<double>(bins.size());
    const bool beyond = content_.limit_us && from >= *content_.limit_us;
    painter.fillRect(place.left() + static_cast<int>(i) * skew_bin_width, place.bottom() - high, skew_bin_width - 1,
                     high, beyond ? colors::warn : colors::series[0]);
  }
  painter.fillRect(place.left(), place.bottom(), place.width(), 1, colors::line);
  const QFontMetrics metrics(painter.font());
  if (content_.limit_us) {
    QPen dashed(colors::warn, 1, Qt::CustomDashLine);
    dashed.setDashPattern({3, 3});
    painter.setPen(dashed);
    const int x = x_of(*content_.limit_us);
    painter.drawLine(x, place.top(), x, place.bottom());
    painter.drawText(x + 4, place.top() + metrics.ascent(),
                     tr("limit %1").arg(figure_text::time(*content_.limit_us).joined()));
  }
  painter.setPen(colors::axis);
  const int base = place.bottom() + 3 + metrics.ascent();
  painter.drawText(place.left(), base, "0");
  const auto text = figure_text::time(end).joined();
  painter.drawText(place.right() - metrics.horizontalAdvance(text), base, text);
  if (content_.furthest.isEmpty()) return;
  const int wide = metrics.horizontalAdvance(content_.furthest);
  painter.setPen(colors::text);
  painter.drawText(std::min(x_of(most) - wide / 2, place.right() - wide), place.bottom() - 6, content_.furthest);
}

void WallSummary::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const int total = content_.counts.ok + content_.counts.warn + content_.counts.crit + content_.counts.off;
  int top = 8;
  paint_title(painter, top, tr("Wall by state"), counts::tiles(total));
  top = paint_states(painter, top + type::scaled(title_height) + 2) + 8;
  paint_title(painter, top, tr("Skew over the wall"), tr("newest frame"));
  paint_skews(painter, top + type::scaled(title_height));
}

}  // namespace lw
