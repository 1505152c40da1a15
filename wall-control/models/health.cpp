#include "wall-control/models/health.h"

#include "wall-control/ui/counts.h"
#include "wall-control/ui/tile_names.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lw {
namespace {

constexpr int dead_samples = 10;      // a second without a report
constexpr double dead_age_s = 1;      // of a report
constexpr qint64 start_samples = 20;  // from a load to its first frame on the wall, and the playout delay
constexpr double samples_per_s = TimeSeries::samples_per_second;

qint64 growth(qint64 before, qint64 now) {
  return now >= before ? now - before : now;  // the counts of a restarted node begin at zero
}

// The badge for an alarm, if nothing else explains the state.
QString badge_of(const RaisedAlarm& alarm) {
  const auto& quantity = info(alarm.limit.quantity);
  return alarm.value ? figure_text::of(alarm.limit.quantity, *alarm.value).joined() : title_of(quantity);
}

}  // namespace

void Health::forget() {
  limits_.forget();
  figures_.forget();
  alarms_.clear();
  tiles_.clear();
  tile_of_flow_.clear();
  packets_.clear();
  sample_ = plays_since_ = -1;
  warned_ = -memory_samples;
  last_alarm_ms_ = 0;
}

void Health::lose_contact(const QString& why) {
  contact_ = false;
  why_not_ = why;
}

qint64 Health::now_ms() const { return history_.times().time_of(history_.times().count() - 1).value_or(0); }

void Health::match_wall() {
  const auto& tiles = history_.tiles();
  const auto& flows = history_.flows();
  if (tiles.size() == tiles_.size() && flows.size() == tile_of_flow_.size()) return;
  forget();
  tiles_.resize(tiles.size());
  packets_.assign(flows.size(), 0);
  for (const auto& flow : flows) {
    const auto tile = std::ranges::find_if(
        tiles, [&](const TileRow& row) { return row.column == flow.column && row.row == flow.row; });
    tile_of_flow_.push_back(static_cast<std::size_t>(tile - tiles.begin()));
  }
}

std::optional<std::size_t> Health::tile_of_flow(int flow) const {
  const auto& flows = history_.flows();
  const auto found = std::ranges::find(flows, flow, &FlowRow::flow);
  const auto place = static_cast<std::size_t>(found - flows.begin());
  if (place >= tile_of_flow_.size() || tile_of_flow_[place] >= tiles_.size()) return std::nullopt;
  return tile_of_flow_[place];
}

void Health::step(std::vector<RaisedAlarm> alarms) {
  match_wall();
  contact_ = true;
  alarms_ = std::move(alarms);
  const auto newest = history_.times().count() - 1;
  // Samples that are missing are forgotten one by one, as time passes.
  for (qint64 missing = std::max(sample_ + 1, newest - memory_samples); missing < newest && sample_ >= 0; ++missing)
    for (auto& watch : tiles_) put(watch, missing, {});
  sample_ = newest;
  if (status_.stopped())
    plays_since_ = -1;
  else if (plays_since_ < 0)
    plays_since_ = sample_;
  for (auto& watch : tiles_) watch.now = {};
  take_flows();
  for (std::size_t i = 0; i < tiles_.size(); ++i) take_tile(i);
  figures_.step(history_);
  take_alarms();
  for (const auto quantity : {Quantity::loss, Quantity::jitter, Quantity::skew, Quantity::lateness})
    if (playing() && limits_.exceeded(quantity, figures_.worst(quantity))) warned_ = sample_;
  for (auto& watch : tiles_) judge(watch);
  if (sample_ % TimeSeries::samples_per_second == 0) learn();
}

void Health::take_flows() {
  const auto& flows = history_.flows();
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (tile_of_flow_[i] >= tiles_.size()) continue;
    auto& watch = tiles_[tile_of_flow_[i]];
    const auto before = std::exchange(packets_[i], flows[i].packets);
    if (flows[i].in_newest && before > 0) watch.now.received += growth(before, flows[i].packets);
    const auto loss = flows[i].series.of(Quantity::loss).back(0);
    if (loss) watch.now.lost += std::llround(*loss / samples_per_s);
    if (limits_.exceeded(Quantity::loss, loss)) watch.lossy = sample_;
  }
}

void Health::take_tile(std::size_t index) {
  const auto& tile = history_.tiles()[index];
  auto& watch = tiles_[index];
  auto& condition = watch.condition;
  const auto* node = status_.node(tile.node);
  const bool connected = tile.connected && node != nullptr && node->connected;
  const bool reports = connected && tile.in_newest && node->age_s.value_or(0) <= dead_age_s;
  if (reports && tile.receiving) watch.alive = sample_;
  // While nothing plays, a tile has nothing to show. At the start its first frame is on the way.
  const bool begins = watch.alive < plays_since_ && sample_ - plays_since_ < start_samples;
  const bool silent = sample_ - watch.alive >= dead_samples || watch.alive < 0;
  condition.dark = !connected || (!status_.stopped() && silent && !begins);
  watch.now.dark = condition.dark && !status_.stopped();
  if (tile.in_newest) {
    const std::array counts{tile.not_shown, tile.shown_concealed, tile.late};
    const auto before = std::exchange(watch.counted, counts);
    if (before) {
      watch.now.not_shown = growth((*before)[0], counts[0]);
      watch.now.concealed = growth((*before)[1], counts[1]);
      watch.now.late = growth((*before)[2], counts[2]);
    }
  }
  put(watch, sample_, watch.now);
  condition.lateness_us = tile.in_newest ? tile.lateness_us_p99 : std::nullopt;
  condition.behind_us = status_.skew_us(tile.column, tile.row);
  if (status_.stopped()) return;
  if (limits_.exceeded(Quantity::lateness, condition.lateness_us)) watch.slow = sample_;
  if (limits_.exceeded(Quantity::skew, condition.behind_us)) watch.behind = sample_;
}

void Health::put(TileWatch& watch, qint64 sample, const Sample& what) {
  auto& slot = watch.ring[static_cast<std::size_t>(sample % memory_samples)];
  auto& sum = watch.condition;
  const auto count = [](qint64& total, qint64 before, qint64 now) { total += now - before; };
  count(sum.lost, slot.lost, what.lost);
  count(sum.received, slot.received, what.received);
  count(sum.not_shown, slot.not_shown, what.not_shown);
  count(sum.concealed, slot.concealed, what.concealed);
  count(sum.late, slot.late, what.late);
  sum.dark_tenths += static_cast<int>(what.dark) - static_cast<int>(slot.dark);
  slot = what;
}

void Health::take_alarms() {
  for (const auto& alarm : alarms_) {
    last_alarm_ms_ = now_ms();
    if (limits_.is_quiet(alarm)) continue;
    warned_ = sample_;
    const auto scope = info(alarm.limit.quantity).scope;
    if (scope == Scope::wall) continue;
    const auto tile = scope == Scope::flow ? tile_of_flow(alarm.line) : static_cast<std::size_t>(alarm.line);
    if (tile && *tile < tiles_.size()) tiles_[*tile].alarmed = sample_;
  }
}

void Health::judge(TileWatch& watch) {
  auto& condition = watch.condition;
  condition.lossy = recent(watch.lossy);
  condition.slow = recent(watch.slow);
  condition.behind = recent(watch.behind);
  condition.alarmed = recent(watch.alarmed);
  auto state = State::ok;
  if (condition.dark)
    state = State::off;
  else if (condition.faults() > 0 || condition.dark_tenths > 0)
    state = State::crit;
  else if (condition.lossy || condition.slow || condition.behind || condition.alarmed)
    state = State::warn;
  if (state == State::ok)
    condition.since_ms = 0;
  else if (condition.since_ms == 0)
    condition.since_ms = now_ms();
  condition.state = state;
}

void Health::learn() {
  if (!playing()) return;
  const auto counted = counts();
  if (counted.crit > 0 || counted.off > 0) return;
  for (const auto quantity : {Quantity::loss, Quantity::jitter, Quantity::skew, Quantity::lateness})
    limits_.learn(quantity, figures_.worst(quantity));
}

const TileCondition& Health::condition(std::size_t tile) const {
  static const TileCondition unknown;
  return tile < tiles_.size() ? tiles_[tile].condition : unknown;
}

TileHealth Health::of(const TileRow& tile) const {
  const auto& rows = history_.tiles();
  const auto found =
      std::ranges::find_if(rows, [&](const TileRow& row) { return row.column == tile.column && row.row == tile.row; });
  const auto index = static_cast<std::size_t>(found - rows.begin());
  if (index >= tiles_.size()) return {State::off, tr("No answer")};
  const auto& now = tiles_[index].condition;
  switch (now.state) {
    case State::off:
      return {State::off, tr("No picture")};
    case State::crit:
      if (now.not_shown > 0 && now.not_shown >= now.concealed)
        return {State::crit, tr("%1 not shown").arg(now.not_shown)};
      if (now.concealed > 0) return {State::crit, tr("%1 concealed").arg(now.concealed)};
      if (now.late > 0) return {State::crit, tr("%1 late").arg(now.late)};
      return {State::crit, tr("dark for %1").arg(figure_text::span(std::ceil(now.dark_tenths / samples_per_s)))};
    case State::warn:
      break;
    case State::ok:
    case State::note:
      return {State::ok, {}};
  }
  if (now.lossy) return {State::warn, tr("%1 loss").arg(figure_text::share(now.loss_share()).joined())};
  if (now.slow && now.lateness_us)
    return {State::warn, tr("%1 late").arg(figure_text::time(*now.lateness_us).joined())};
  if (now.behind && now.behind_us)
    return {State::warn, tr("%1 behind").arg(figure_text::time(*now.behind_us).joined())};
  for (const auto& alarm : alarms_) {
    const auto scope = info(alarm.limit.quantity).scope;
    const bool here = (scope == Scope::tile && alarm.line == static_cast<int>(index)) ||
                      (scope == Scope::flow && tile_of_flow(alarm.line) == index);
    if (here && !limits_.is_quiet(alarm)) return {State::warn, badge_of(alarm)};
  }
  return {State::warn, tr("Recovering")};
}

StateCounts Health::counts() const {
  StateCounts counts;
  for (const auto& watch : tiles_) {
    switch (watch.condition.state) {
      case State::warn:
        ++counts.warn;
        break;
      case State::crit:
        ++counts.crit;
        break;
      case State::off:
        ++counts.off;
        break;
      case State::ok:
      case State::note:
        ++counts.ok;
        break;
    }
  }
  return counts;
}

Answer Health::answer() const {
  if (!contact_) return {WallState::no_connection, State::off, tr("No connection")};
  if (status_.stopped()) return {WallState::nothing_plays, State::note, tr("Nothing is playing")};
  const auto tiles = counts();
  const int faulty = tiles.crit + tiles.off;
  if (faulty > 0)
    return {WallState::faults, State::crit,
            faulty == 1 ? tr("Picture faults on 1 tile") : tr("Picture faults on %1 tiles").arg(faulty)};
  if (tiles.warn > 0 || recent(warned_)) return {WallState::degraded, State::warn, tr("Degraded, picture intact")};
  return {WallState::healthy, State::ok, tr("Wall healthy")};
}

QStringList Health::summaries() const {
  if (!contact_) return {why_not_};
  const auto tiles = counts();
  const auto flows = history_.flows().size();
  QStringList parts;
  if (status_.stopped())
    parts << tr("%1 of %2 tiles are ready").arg(tiles_.size() - static_cast<std::size_t>(tiles.off)).arg(tiles_.size());
  else
    parts << tr("%1 of %2 tiles in step").arg(tiles.ok).arg(tiles_.size());
  parts << counts::flows(flows);
  QStringList all;
  const auto add = [&] { all.prepend(parts.join(QString::fromUtf8(" \u00b7 "))); };
  add();
  if (last_alarm_ms_ > 0 && alarms_.empty()) {
    const auto ago = figure_text::span(static_cast<double>(now_ms() - last_alarm_ms_) / 1000);
    parts << tr("last alarm %1 ago").arg(ago);
    add();
    parts.back() = tr("last alarm %1 ago, cleared").arg(ago);
    add();
  }
  return all;
}

std::vector<HealthFigure> Health::figures() const {
  TileFaults faults;
  double furthest = 0;
  for (std::size_t i = 0; i < tiles_.size(); ++i) {
    const auto& condition = tiles_[i].condition;
    faults.concealed += condition.concealed;
    faults.not_shown += condition.not_shown;
    faults.late += condition.late;
    if (!limits_.exceeded(Quantity::skew, condition.behind_us) || *condition.behind_us <= furthest) continue;
    furthest = *condition.behind_us;
    const auto& tile = history_.tiles()[i];
    faults.furthest_behind = with_tile(tr("tile %1,%2"), tile.column, tile.row);
  }
  return figures_.all(history_, limits_, faults);
}

}  // namespace lw
