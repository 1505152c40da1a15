#include "wall-control/plots/lane_chart.h"

#include "wall-control/models/line_summary.h"
#include "wall-control/plots/time_ticks.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr int values_width = 104;

}  // namespace

LaneChart::LaneChart(const PlotSource& source, std::vector<Lane> lanes, Look look, QWidget* parent)
    : TimePlot(source, parent), look_(look), lead_(lanes.empty() ? Quantity::jitter : lanes.front().quantity) {
  for (const auto& lane : lanes)
    if (lane.quantity == Quantity::jitter) lead_ = lane.quantity;
  settle_.setSingleShot(true);
  settle_.setInterval(250);
  connect(&settle_, &QTimer::timeout, this, [this] {
    if (!isVisible() || source_.window.live()) return;
    paint_all(Ink::still);
    update();
  });
  setAccessibleName(tr("Charts"));
  set_lanes(std::move(lanes));
}

QPen LaneChart::pen_of_rank(std::size_t rank) {
  constexpr std::array<std::size_t, worst_max> colors{0, 1, 3};
  constexpr std::array styles{Qt::SolidLine, Qt::DashLine, Qt::DotLine};
  return QPen(colors::series[colors[rank]], 1, styles[rank]);
}

void LaneChart::set_lanes(std::vector<Lane> lanes) {
  if (lanes == this->lanes() && !lanes_.empty()) return;
  lanes_.clear();
  for (const auto& lane : lanes) {
    lanes_.emplace_back();
    lanes_.back().lane = lane;
  }
  if (std::ranges::none_of(lanes, [this](const Lane& lane) { return lane.quantity == lead_; }) && !lanes.empty())
    lead_ = lanes.front().quantity;
  plot_ = {};
  refresh();
}

std::vector<Lane> LaneChart::lanes() const {
  std::vector<Lane> lanes;
  for (const auto& drawn : lanes_) lanes.push_back(drawn.lane);
  return lanes;
}

void LaneChart::set_lead(Quantity quantity) {
  lead_ = quantity;
  plot_ = {};
  refresh();
}

QSize LaneChart::minimumSizeHint() const {
  return {type::scaled(TimePlot::gutter) + 120, static_cast<int>(lanes_.size()) * 30 + head() + 24};
}

int LaneChart::head() const {
  return shape_size + 2 + (look_.legend_above ? QFontMetrics(font_of(11)).height() + 2 : 0);
}

QRect LaneChart::area() const {
  const int left = type::scaled(TimePlot::gutter), right = look_.values ? type::scaled(values_width) : 16;
  const int axis = QFontMetrics(font_of(11)).height() + 7;
  return QRect(left, head(), std::max(1, width() - left - right), std::max(1, height() - head() - axis));
}

// Drawn again with each sample: the plot with the shapes of incidents above it, and the axis, whose first label may
// begin left of the plot. The texts beside and above the plot are outside.
QRegion LaneChart::moving() const {
  constexpr int axis_ticks = 4;
  const auto place = area();
  return QRegion(place.adjusted(-edge, -shape_size - 1, edge, axis_ticks)) +
         QRect(0, place.bottom() + 1 + axis_ticks, width(), height() - place.bottom() - 1 - axis_ticks);
}

QRect LaneChart::lane_rect(std::size_t lane) const {
  const auto place = area();
  const int count = std::max(1, static_cast<int>(lanes_.size()));
  const int height = (place.height() - (count - 1) * lane_gap) / count;
  return QRect(place.left(), place.top() + static_cast<int>(lane) * (height + lane_gap), place.width(), height);
}

double LaneChart::y_of(std::size_t lane, double value) const {
  const auto place = lane_rect(lane);
  const double share = std::clamp(value / lanes_[lane].top, 0.0, 1.0);
  return std::round(place.bottom() - share * (place.height() - 1));
}

double LaneChart::top_of(Quantity quantity) const {
  for (const auto& drawn : lanes_)
    if (drawn.lane.quantity == quantity) return drawn.top;
  return 0;
}

void LaneChart::collect() {
  ColumnRows::Update newest{false, std::numeric_limits<qint64>::max()};
  bool everything = plot_.isNull();
  for (auto& drawn : lanes_) {
    ColumnRows::Update update;
    everything = take(drawn, update) || everything;
    newest.first = std::min(newest.first, update.first);
  }
  // Which lines are the worst is looked up once a second, or for another time.
  const qint64 last = last_sample();
  if (everything || !source_.window.live() || last - ranked_at_ >= TimeSeries::samples_per_second ||
      last < ranked_at_) {
    ranked_at_ = last;
    everything = rank_worst() || everything;
  }
  if (source_.window.live() && painted_ink_ == Ink::still) everything = true;
  if (everything)
    paint_all(Ink::live);
  else
    paint_newest(newest.first);
  if (!source_.window.live() && painted_ink_ == Ink::live) settle_.start();
  everything || !source_.window.live() ? values_.now() : values_.ask();
  if (everything || !source_.window.live())
    update();
  else
    update(moving());
}

// Whether the lane has to be drawn completely.
bool LaneChart::take(Drawn& drawn, ColumnRows::Update& update) {
  update = drawn.rows.update(source_.history, drawn.lane.quantity, source_.focus.part(), grid(), last_sample());
  drawn.bands.resize(static_cast<std::size_t>(grid().width));
  for (qint64 column = update.first; column <= drawn.rows.last_column(); ++column) make_band(drawn, column);
  const double top = nice_above(greatest_of(drawn));
  const bool rescaled = top != drawn.top;
  drawn.top = top;
  return update.everything || rescaled;
}

void LaneChart::make_band(Drawn& drawn, qint64 column) {
  Band band;
  scratch_.clear();
  for (std::size_t row = 0; row < drawn.rows.size(); ++row) {
    const auto& cell = drawn.rows.cell(row, column);
    if (!cell.any()) continue;
    band.all.add(cell.min, cell.max);
    band.sum += cell.middle();
    scratch_.push_back(cell.middle());
  }
  if (!scratch_.empty() && !drawn.lane.together) band.median = static_cast<float>(quantile_of(scratch_, 0.5));
  drawn.bands[drawn.rows.place_of(column)] = band;
}

double LaneChart::greatest_of(const Drawn& drawn) const {
  float greatest = 0;
  for (const auto& band : drawn.bands)
    if (band.all.any()) greatest = std::max(greatest, drawn.lane.together ? band.sum : band.all.max);
  const auto limit = this->limit(drawn.lane.quantity);
  // A limit far above would flatten the lines; then it is not shown.
  if (limit && !drawn.lane.together && *limit < 2 * static_cast<double>(greatest))
    greatest = std::max(greatest, static_cast<float>(*limit));
  return greatest;
}

std::vector<std::size_t> LaneChart::worst_of(const Drawn& drawn) const {
  std::vector<std::pair<float, std::size_t>> worst;
  const bool low = info(drawn.lane.quantity).low_is_bad;
  const auto& marked = source_.window.marked();
  const auto columns = grid();
  const qint64 first =
      marked ? std::max(columns.column_of(marked->first), drawn.rows.first_column()) : drawn.rows.first_column();
  const qint64 last =
      marked ? std::min(columns.last_column_of(marked->last), drawn.rows.last_column()) : drawn.rows.last_column();
  for (std::size_t row = 0; row < drawn.rows.size(); ++row) {
    Cell all;
    for (qint64 column = first; column <= last; ++column) {
      const auto& cell = drawn.rows.cell(row, column);
      if (cell.any()) all.add(cell.min, cell.max);
    }
    if (all.any()) worst.emplace_back(low ? all.min : -all.max, row);
  }
  const auto count = std::min(worst.size(), worst_max);
  std::ranges::partial_sort(worst, worst.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < count; ++i) rows.push_back(worst[i].second);
  return rows;
}

// Whether other lines than before are the worst.
bool LaneChart::rank_worst() {
  const Drawn* lead = nullptr;
  for (const auto& drawn : lanes_)
    if (drawn.lane.quantity == lead_ && !drawn.lane.together) lead = &drawn;
  bool changed = false;
  const auto of_lead = lead == nullptr ? std::vector<std::size_t>() : worst_of(*lead);
  for (auto& drawn : lanes_) {
    if (drawn.lane.together) continue;
    const bool follows = lead != nullptr && info(drawn.lane.quantity).scope == info(lead_).scope;
    auto worst = follows ? of_lead : worst_of(drawn);
    changed = changed || worst != drawn.worst;
    drawn.worst = std::move(worst);
  }
  if (changed) describe();
  return changed;
}

QStringList LaneChart::worst_names() const {
  QStringList names;
  for (const auto& drawn : lanes_)
    if (drawn.lane.quantity == lead_)
      for (const auto row : drawn.worst) names << drawn.rows.line(row).name;
  return names;
}

void LaneChart::describe() {
  QStringList words;
  for (const auto& drawn : lanes_) {
    const auto unit = axis_unit(info(drawn.lane.quantity), drawn.top);
    words << tr("%1 up to %2 %3")
                 .arg(name_of(info(drawn.lane.quantity)), short_number(greatest_of(drawn) / unit.size), unit.name);
  }
  if (const auto worst = worst_names(); !worst.isEmpty()) words << tr("worst: %1").arg(worst.join(", "));
  setAccessibleDescription(words.join("; "));
}

const LaneChart::Band* LaneChart::newest_of(const Drawn& drawn) const {
  const auto columns = grid();
  const qint64 oldest = columns.column_of(last_sample() - TimeSeries::samples_per_second);
  for (qint64 column = drawn.rows.last_column(); column >= std::max(oldest, drawn.rows.first_column()); --column)
    if (const auto& band = drawn.bands[drawn.rows.place_of(column)]; band.all.any()) return &band;
  return nullptr;
}

void LaneChart::say(Drawn& drawn) {
  const auto& quantity = info(drawn.lane.quantity);
  drawn.first_value = drawn.second_value = drawn.first_words = drawn.second_words = QString();
  drawn.beyond = false;
  const auto* band = drawn.rows.size() == 0 ? nullptr : newest_of(drawn);
  if (band == nullptr) {
    drawn.first_words = tr("not measured");
    return;
  }
  const auto words = [&](double value, QString& number, QString& rest, const QString& which) {
    const auto unit = axis_unit(quantity, value);
    number = short_number(value / unit.size);
    rest = which.isEmpty() ? unit.name : tr("%1 %2").arg(unit.name, which);
  };
  if (drawn.lane.together || drawn.rows.size() == 1)
    return words(static_cast<double>(band->sum), drawn.first_value, drawn.first_words, {});
  if (quantity.per_second) {
    drawn.first_value = short_number(static_cast<double>(band->sum));
    drawn.first_words = tr("in all");
  } else {
    words(static_cast<double>(quantity.low_is_bad ? band->all.min : band->all.max), drawn.first_value,
          drawn.first_words, tr("worst"));
    words(static_cast<double>(band->median), drawn.second_value, drawn.second_words, tr("median"));
  }
  const auto limit = this->limit(drawn.lane.quantity);
  drawn.beyond = limit && static_cast<double>(band->all.max) > *limit;
}

void LaneChart::say_values() {
  for (auto& drawn : lanes_) say(drawn);
  if (look_.values) update(QRect(area().right() + 1, 0, width() - area().right() - 1, height()));
}

void LaneChart::draw_anew() {
  plot_ = {};
  refresh();
}

void LaneChart::paint_all(Ink ink) {
  const double ratio = devicePixelRatioF();
  const auto place = area();
  plot_ = QPixmap(QSizeF(place.size() * ratio).toSize());
  plot_.setDevicePixelRatio(ratio);
  plot_.fill(colors::panel);
  QPainter painter(&plot_);
  painter.translate(-place.topLeft());
  painted_to_ = first_column() + grid().width - 1;
  painted_ink_ = ink;
  ++drawn_completely_;
  draw_data(painter, first_column(), painted_to_, ink);
}

// Moves what is there, and draws what has changed.
void LaneChart::paint_newest(qint64 first) {
  const qint64 last = first_column() + grid().width - 1;
  if (first > last) return;
  const double ratio = devicePixelRatioF();
  const qint64 moved = last - painted_to_;
  if (moved < 0 || moved >= grid().width || ratio != std::floor(ratio)) return paint_all(Ink::live);
  const int step = static_cast<int>(ratio);
  if (moved > 0) plot_.scroll(-static_cast<int>(moved) * step, 0, plot_.rect());
  painted_to_ = last;
  const auto place = area();
  const double left = x_of_column(first);
  QPainter painter(&plot_);
  painter.translate(-place.topLeft());
  const QRectF changed(left, place.top(), place.right() + 1 - left, place.height());
  painter.setClipRect(changed);
  painter.fillRect(changed, colors::panel);
  draw_data(painter, first, last, Ink::live);
}

HoverText LaneChart::hover_at(QPointF place) const {
  HoverText text;
  if (!area().contains(place.toPoint())) return text;
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    const auto rect = lane_rect(lane);
    if (place.y() < rect.top() - lane_gap / 2.0 || place.y() >= rect.bottom() + lane_gap / 2.0 + 1) continue;
    const auto& drawn = lanes_[lane];
    const auto& quantity = info(drawn.lane.quantity);
    text.title = name_of(quantity);
    text.context = time_at(place.x());
    const qint64 column = first_column() + static_cast<qint64>(place.x()) - area().left();
    const auto value = [&](double number) {
      const auto unit = axis_unit(quantity, number);
      return tr("%1 %2").arg(short_number(number / unit.size), unit.name);
    };
    const auto& band = drawn.bands[drawn.rows.place_of(column)];
    if (drawn.rows.size() == 0 || !band.all.any()) {
      text.rows.emplace_back(tr("All lines"), tr("not measured"));
      return text;
    }
    if (drawn.lane.together) {
      text.rows.emplace_back(tr("Sum"), value(static_cast<double>(band.sum)));
      return text;
    }
    for (const auto row : drawn.worst) {
      const auto& cell = drawn.rows.cell(row, column);
      const auto least = value(static_cast<double>(cell.min)), greatest = value(static_cast<double>(cell.max));
      text.rows.emplace_back(drawn.rows.line(row).name, !cell.any()         ? tr("not measured")
                                                        : least == greatest ? greatest
                                                                            : tr("%1 to %2").arg(least, greatest));
    }
    if (drawn.rows.size() > 1) {
      text.rows.emplace_back(tr("Median"), value(static_cast<double>(band.median)));
      text.rows.emplace_back(
          tr("Least to greatest"),
          tr("%1 to %2").arg(value(static_cast<double>(band.all.min)), value(static_cast<double>(band.all.max))));
    }
    return text;
  }
  return text;
}

}  // namespace lw
