#include "wall-control/models/causes.h"

#include "wall-control/models/machines.h"
#include "wall-control/ui/tile_names.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace lw {
namespace {

constexpr double mostly_dropped = 0.8;  // of the lost packets, by the node's kernel
constexpr double hardly_dropped = 0.2;
constexpr double slow_against_wall = 2;
constexpr double clock_limit_us = 5000;  // as far as tiles may be apart
constexpr double silent_s = 1;

QString ms_text(double us) { return figure_text::time(us).joined(); }

QString list_of(const std::vector<int>& numbers) {
  constexpr std::size_t listed_max = 4;
  QStringList words;
  for (std::size_t i = 0; i < std::min(numbers.size(), listed_max); ++i) words << QString::number(numbers[i]);
  return words.join(", ") + (numbers.size() > listed_max ? QString::fromUtf8(" \u2026") : QString());
}

// Of the last ten seconds; empty if it is not measured.
std::optional<double> total_of(const TimeSeries& series) {
  std::optional<double> sum;
  for (int age = 0; age < std::min(Health::memory_samples, series.size()); ++age)
    if (const auto value = series.back(age)) sum = sum.value_or(0) + *value / TimeSeries::samples_per_second;
  return sum;
}

void add_sum(std::optional<double>& sum, const std::optional<double>& value) {
  if (value) sum = sum.value_or(0) + *value;
}

const StageTime& time_at(const StageRow& row, Stage stage) { return row[static_cast<std::size_t>(stage)]; }

}  // namespace

struct Causes::Suspects {
  std::vector<std::size_t> tiles;
  std::vector<const FlowRow*> flows;  // of these tiles
  QString node;                       // of the first
  QString name;                       // "Tile 3,1", or the node's
  bool late = false;
  // Of all flows of that node, over ten seconds:
  std::optional<double> lost, kernel_drops;
  int node_flows = 0, losing_flows = 0;
  StageRow stages, wall;
};

std::vector<std::size_t> Causes::tiles_of(const Part& part) const {
  std::vector<std::size_t> tiles;
  for (std::size_t i = 0; i < history_.tiles().size(); ++i) {
    const auto& tile = history_.tiles()[i];
    if (part.has(tile)) tiles.push_back(i);
  }
  return tiles;
}

Cause Causes::of(const Part& part) const {
  auto tiles = tiles_of(part);
  std::erase_if(tiles, [&](std::size_t tile) { return health_.condition(tile).state == State::ok; });
  return of_tiles(tiles);
}

Cause Causes::of(const Problem& problem) const { return of_tiles(problem.tiles); }

Causes::Suspects Causes::suspects(const std::vector<std::size_t>& tiles) const {
  Suspects about;
  about.tiles = tiles;
  const auto& first = history_.tiles()[tiles.front()];
  about.node = first.node;
  about.name = tiles.size() == 1 ? with_tile(tr("Tile %1,%2"), first.column, first.row) : first.node;
  for (const auto tile : tiles) {
    const auto& now = health_.condition(tile);
    about.late = about.late || now.slow || now.behind || now.late > 0;
    const auto& row = history_.tiles()[tile];
    for (const auto& flow : history_.flows())
      if (flow.column == row.column && flow.row == row.row) about.flows.push_back(&flow);
  }
  for (const auto& flow : history_.flows()) {
    if (flow.node != about.node) continue;
    const auto lost = total_of(flow.series.of(Quantity::loss));
    add_sum(about.lost, lost);
    add_sum(about.kernel_drops, total_of(flow.series.of(Quantity::kernel_drops)));
    ++about.node_flows;
    if (lost > 0) ++about.losing_flows;
  }
  about.stages = stages_.worst_of(tiles);
  about.wall = stages_.of_wall();
  return about;
}

Cause Causes::of_tiles(const std::vector<std::size_t>& tiles) const {
  if (tiles.empty() || !health_.has_contact()) return {};
  const auto about = suspects(tiles);
  for (const auto rule : {&Causes::silent, &Causes::receive_buffers, &Causes::path, &Causes::late_sender,
                          &Causes::slow_upload, &Causes::clock})
    if (auto cause = (this->*rule)(about)) return *cause;
  return unclear(about);
}

std::optional<Cause> Causes::silent(const Suspects& about) const {
  const auto* node = status_.node(about.node);
  if (node == nullptr) return std::nullopt;
  const bool old = node->age_s.value_or(0) > silent_s;
  const bool mute =
      health_.condition(about.tiles.front()).dark && std::ranges::none_of(history_.tiles(), [&](const TileRow& tile) {
        return tile.node == about.node && tile.in_newest;
      });
  if (node->connected && !old && !mute) return std::nullopt;
  Cause cause;
  cause.kind = Cause::Kind::silent;
  cause.title = tr("%1 does not answer").arg(about.node);
  if (!node->connected) {
    cause.text =
        tr("Its wall-client is not connected to the server: the host is off, the network to it is down, or the "
           "program has ended.");
    cause.brief = tr("Not connected to the server");
  } else {
    cause.text = old ? tr("Its newest report is %1 old.").arg(figure_text::span(*node->age_s))
                     : tr("It is connected, but no report of it arrives.");
    cause.brief = old ? tr("No report for %1").arg(figure_text::span(*node->age_s)) : tr("No report arrives");
  }
  const auto dark = std::ranges::count_if(about.tiles, [&](std::size_t tile) { return health_.condition(tile).dark; });
  cause.evidence.push_back(
      {State::off, dark == 1 ? tr("1 tile without a picture") : tr("%1 tiles without a picture").arg(dark)});
  if (sent_in_time(about)) cause.evidence.push_back({State::ok, tr("The server sends to it in time")});
  cause.host = about.node;
  return cause;
}

// The CPU that takes interrupts of the card by which flows arrive, and runs flows as well.
std::vector<int> Causes::flows_on_interrupt_cpu(const QString& node, std::optional<int>& cpu) const {
  std::vector<int> flows;
  if (machines_ == nullptr) return flows;
  for (const auto& machine : machines_->all()) {
    if (machine.server || machine.name != node) continue;
    for (const auto& flow : machine.flows) {
      const auto card = std::ranges::find(machine.cards, flow.card, &MachineCard::name);
      if (card == machine.cards.end()) continue;
      const bool shared = std::ranges::any_of(
          card->irq_cpus, [&](const std::vector<int>& cpus) { return cpus == std::vector{flow.cpu}; });
      if (!shared || (cpu && *cpu != flow.cpu)) continue;
      cpu = flow.cpu;
      flows.push_back(flow.flow);
    }
  }
  return flows;
}

std::optional<Cause> Causes::receive_buffers(const Suspects& about) const {
  if (!about.lost || *about.lost <= 0 || !about.kernel_drops) return std::nullopt;
  const double share = std::min(1.0, *about.kernel_drops / *about.lost);
  if (share < mostly_dropped) return std::nullopt;
  Cause cause;
  cause.kind = Cause::Kind::receive_buffers;
  cause.title = tr("%1 cannot empty its receive buffers").arg(about.node);
  cause.text = tr("%1 of the lost packets were dropped by the node's kernel.")
                   .arg(figure_text::share(std::round(share * 100) / 100).joined());
  cause.brief = tr("Socket buffers overflow on the node");
  std::optional<int> cpu;
  cause.flows = flows_on_interrupt_cpu(about.node, cpu);
  if (cpu)
    cause.text +=
        ' ' + (cause.flows.size() == 1
                   ? tr("CPU %1 takes network interrupts and receives flow %2.").arg(*cpu).arg(cause.flows[0])
                   : tr("CPU %1 takes network interrupts and receives flows %2.").arg(*cpu).arg(list_of(cause.flows)));
  if (sent_in_time(about)) cause.evidence.push_back({State::ok, tr("Disk and server are on time")});
  if (const auto* node = status_.node(about.node); node != nullptr && node->cpu_share)
    cause.evidence.push_back({*node->cpu_share > 0.8 ? State::warn : State::note,
                              tr("wall-client uses %1 of its %2 CPUs")
                                  .arg(figure_text::share(std::round(*node->cpu_share * 100) / 100).joined())
                                  .arg(node->cpus)});
  cause.evidence.push_back({State::note, tr("Receive buffer: not measured; compare net.core.rmem_max")});
  cause.stage = Stage::assemble;
  cause.host = about.node;
  return cause;
}

// The card of the server behind which several nodes lose packets at once; empty if it is one node only.
QString Causes::losing_card(const QString& node) const {
  const auto card = uplinks_.card_of_node.find(node);
  if (card == uplinks_.card_of_node.end()) return {};
  std::set<QString> losing;
  for (std::size_t i = 0; i < history_.tiles().size(); ++i) {
    const auto& tile = history_.tiles()[i];
    const auto other = uplinks_.card_of_node.find(tile.node);
    if (other != uplinks_.card_of_node.end() && other->second == card->second && health_.condition(i).lost > 0)
      losing.insert(tile.node);
  }
  return losing.size() > 1 ? card->second : QString();
}

std::optional<Cause> Causes::path(const Suspects& about) const {
  if (!about.lost || *about.lost <= 0 || !about.kernel_drops) return std::nullopt;
  if (2 * about.losing_flows <= about.node_flows) return std::nullopt;
  if (*about.kernel_drops > hardly_dropped * *about.lost) return std::nullopt;
  Cause cause;
  cause.kind = Cause::Kind::path;
  const auto card = losing_card(about.node);
  cause.title = card.isEmpty() ? tr("Packets are lost on the way to %1").arg(about.node)
                               : tr("Packets are lost after %1").arg(card);
  cause.text = card.isEmpty() ? tr("Its kernel dropped hardly any of them: look at cables, switch counters and the "
                                   "network card's ring (ethtool -S).")
                              : tr("Several nodes that the server reaches by this card lose packets: look at its link "
                                   "and the switch behind it.");
  cause.brief = cause.title;
  cause.evidence.push_back(
      {State::warn, tr("%1 of its %2 flows lose packets").arg(about.losing_flows).arg(about.node_flows)});
  cause.evidence.push_back(
      {State::ok,
       tr("Dropped by the node's kernel: %1").arg(figure_text::share(*about.kernel_drops / *about.lost).joined())});
  if (sent_in_time(about)) cause.evidence.push_back({State::ok, tr("Disk and server are on time")});
  cause.stage = Stage::assemble;
  cause.host = card.isEmpty() ? about.node : QString();
  return cause;
}

bool Causes::sent_in_time(const Suspects& about) const {
  bool known = false;
  for (const auto* flow : about.flows) {
    const auto late = stages_.sent_late_us(flow->flow);
    const auto read = stages_.read_us_p99(flow->flow);
    if (late > frame_us_ || read > frame_us_) return false;
    known = known || late.has_value();
  }
  return known;
}

std::optional<Cause> Causes::late_sender(const Suspects& about) const {
  const FlowRow* slowest = nullptr;
  double worst = frame_us_;
  bool disk = false;
  for (const auto* flow : about.flows) {
    const auto read = stages_.read_us_p99(flow->flow);
    const auto late = stages_.sent_late_us(flow->flow);
    if (read && *read > worst) std::tie(slowest, worst, disk) = std::tuple(flow, *read, true);
    if (late && *late > worst) std::tie(slowest, worst, disk) = std::tuple(flow, *late, false);
  }
  if (slowest == nullptr) return std::nullopt;
  Cause cause;
  cause.kind = Cause::Kind::late_sender;
  const auto frame = ms_text(frame_us_);
  if (disk) {
    cause.title = tr("The server sends late: its disk is slow");
    cause.text = tr("Reading a frame takes %1 (p99), and a frame lasts %2.").arg(ms_text(worst), frame);
    cause.brief = tr("Disk read takes %1").arg(ms_text(worst));
    cause.stage = Stage::read;
  } else {
    cause.title = slowest->sender_cpu >= 0 ? tr("The server sends late: CPU %1").arg(slowest->sender_cpu)
                                           : tr("The server sends late");
    cause.text = tr("Flow %1 was sent up to %2 after its time, and a frame lasts %3.")
                     .arg(slowest->flow)
                     .arg(ms_text(worst), frame);
    cause.brief = tr("Sent up to %1 late").arg(ms_text(worst));
    cause.stage = Stage::send;
    cause.flows = {slowest->flow};
  }
  cause.evidence.push_back({State::crit, disk ? tr("Disk read, p99: %1").arg(ms_text(worst))
                                              : tr("Largest delay of a burst: %1").arg(ms_text(worst))});
  if (about.kernel_drops && *about.kernel_drops <= 0)
    cause.evidence.push_back({State::ok, tr("%1 drops no packets").arg(about.node)});
  return cause;
}

std::optional<Cause> Causes::slow_upload(const Suspects& about) const {
  const auto here = time_at(about.stages, Stage::upload).p99;
  const auto wall = time_at(about.wall, Stage::upload).p99;
  if (!about.late || !here || !wall || *here <= slow_against_wall * *wall) return std::nullopt;
  Cause cause;
  cause.kind = Cause::Kind::slow_upload;
  cause.title = tr("%1 uploads slowly").arg(about.name);
  cause.text = tr("Copying a frame to its GPU takes %1 (p99), and %2 on the wall's median tile: look at the node's "
                  "graphics driver and at what else uses the GPU.")
                   .arg(ms_text(*here), ms_text(*wall));
  cause.brief = tr("Upload takes %1, wall median %2").arg(ms_text(*here), ms_text(*wall));
  cause.evidence.push_back({State::warn, tr("Upload, p99: %1").arg(ms_text(*here))});
  if (about.lost && *about.lost <= 0) cause.evidence.push_back({State::ok, tr("No packet is lost on the way")});
  if (sent_in_time(about)) cause.evidence.push_back({State::ok, tr("Disk and server are on time")});
  cause.stage = Stage::upload;
  cause.host = about.node;
  return cause;
}

// A kept clock is corrected by its offset; otherwise the offset is an error.
std::optional<Cause> Causes::clock(const Suspects& about) const {
  const auto* node = status_.node(about.node);
  if (!about.late || node == nullptr) return std::nullopt;
  const bool unsure = node->clock_error_us > clock_limit_us;
  const bool off =
      node->clock_state != "kept" && node->clock_offset_us && std::abs(*node->clock_offset_us) > clock_limit_us;
  if (!unsure && !off) return std::nullopt;
  Cause cause;
  cause.kind = Cause::Kind::clock;
  cause.title = tr("The clock of %1 is off").arg(about.node);
  cause.text = unsure
                   ? tr("It may be wrong by %1. Synchronize it by PTP or chrony.").arg(ms_text(*node->clock_error_us))
                   : tr("It differs from the wall's by %1. Synchronize it by PTP or chrony.")
                         .arg(ms_text(std::abs(*node->clock_offset_us)));
  cause.brief = unsure ? tr("Clock error up to %1").arg(ms_text(*node->clock_error_us))
                       : tr("Clock off by %1").arg(ms_text(std::abs(*node->clock_offset_us)));
  if (node->clock_error_us)
    cause.evidence.push_back(
        {unsure ? State::warn : State::ok, tr("Clock error: %1").arg(ms_text(*node->clock_error_us))});
  if (about.lost && *about.lost <= 0) cause.evidence.push_back({State::ok, tr("No packet is lost on the way")});
  cause.stage = Stage::swap;
  cause.host = about.node;
  return cause;
}

Cause Causes::unclear(const Suspects& about) const {
  Cause cause;
  cause.kind = Cause::Kind::unclear;
  cause.title = tr("Cause unclear");
  cause.host = about.node;
  double furthest = 0;
  for (std::size_t i = 0; i < stage_count; ++i) {
    const auto stage = static_cast<Stage>(i);
    const auto here = about.stages[i].p50;
    const auto wall = about.wall[i].p50;
    if (waits_by_design(stage) || !here || !wall || *here - *wall <= furthest) continue;
    furthest = *here - *wall;
    cause.stage = stage;
  }
  if (cause.stage) {
    const auto& here = time_at(about.stages, *cause.stage);
    const auto& wall = time_at(about.wall, *cause.stage);
    cause.text = tr("The stage %1 is furthest from the wall's median: %2, and %3 on the wall.")
                     .arg(name_of(*cause.stage), ms_text(*here.p50), ms_text(*wall.p50));
    cause.brief = tr("%1 takes %2, wall median %3").arg(name_of(*cause.stage), ms_text(*here.p50), ms_text(*wall.p50));
  } else {
    cause.text = tr("No stage takes longer than on the wall's median tile.");
    cause.brief = cause.title;
  }
  if (about.lost)
    cause.evidence.push_back({*about.lost > 0 ? State::warn : State::ok,
                              *about.lost > 0
                                  ? tr("%1 packets lost in 10 s").arg(figure_text::number(std::round(*about.lost)))
                                  : tr("No packet is lost on the way")});
  if (sent_in_time(about)) cause.evidence.push_back({State::ok, tr("Disk and server are on time")});
  return cause;
}

}  // namespace lw
