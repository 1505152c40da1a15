#include "wall-control/models/flow_paths.h"

#include "wall-control/models/figure_text.h"
#include "wall-control/models/line_summary.h"

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr double nearly_full = 0.95;  // of a link: bursts find no room any more
constexpr double busy_share = 0.8;    // of the CPUs of a node

QString whole_share(double share) { return figure_text::share(std::floor(100 * share) / 100).joined(); }

// The worst known fact decides.
void judge(HopFacts& hop) {
  const auto rank = [](State state) {
    return state == State::crit ? 3 : state == State::warn ? 2 : state == State::ok;
  };
  for (const auto& evidence : hop.evidence)
    if (rank(evidence.state) > rank(hop.state)) hop.state = evidence.state;
}

}  // namespace

QString FlowPaths::name_of(Hop hop) {
  switch (hop) {
    case Hop::server:
      return tr("Server");
    case Hop::uplink:
      return tr("Server's interface");
    case Hop::path:
      return tr("Path");
    case Hop::downlink:
      return tr("Node's interface");
    case Hop::core:
      return tr("Node's CPU");
    case Hop::buffer:
      break;
  }
  return tr("Socket buffer");
}

void FlowPaths::refresh() {
  ends_.clear();
  carried_.clear();
  wrong_.clear();
  machines_.place(history_);
  std::map<int, double> rates;
  for (const auto& flow : history_.flows()) rates[flow.flow] = flow.gbit_per_s.value_or(0);
  for (const auto& machine : machines_.all()) {
    for (const auto& flow : machine.flows) {
      const auto card = std::ranges::find(machine.cards, flow.card, &MachineCard::name);
      const auto* known = flow.card.isEmpty() || card == machine.cards.end() ? nullptr : &*card;
      auto& ends = ends_[flow.flow];
      (machine.server ? ends.server : ends.node) = {&machine, known, flow.cpu};
      if (known != nullptr) carried_[known] += rates[flow.flow];
    }
    if (!machine.server)
      for (const auto& wrong : wrong_pairings(machine)) wrong_[{machine.name, wrong.flow}] = wrong.reason;
  }
}

const FlowPaths::Ends& FlowPaths::ends_of(int flow) const {
  static const Ends unknown;
  const auto found = ends_.find(flow);
  return found == ends_.end() ? unknown : found->second;
}

std::vector<std::size_t> FlowPaths::worst(const Part& part, const SampleSpan& span, std::size_t most) const {
  std::vector<std::pair<double, std::size_t>> all;
  for (std::size_t i = 0; i < history_.flows().size(); ++i) {
    const auto& flow = history_.flows()[i];
    if (part.has(flow)) all.emplace_back(-rate_of(flow.series.of(Quantity::loss), span).value_or(0), i);
  }
  const auto count = std::min(most, all.size());
  std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < count; ++i) places.push_back(all[i].second);
  return places;
}

FlowPath FlowPaths::of(std::size_t place, const SampleSpan& span) const {
  const auto& flow = history_.flows()[place];
  FlowPath path;
  path.flow = flow.flow;
  path.part = {flow.column, flow.row, flow.flow};
  path.node = flow.node;
  path.loss = flow_loss(flow.series, span);
  const auto& ends = ends_of(flow.flow);
  path.hops = {server_of(flow),    card_of(ends.server), path_of(flow, path.loss, span),
               card_of(ends.node), core_of(flow),        buffer_of(flow, path.loss)};
  for (auto& hop : path.hops) judge(hop);
  return path;
}

HopFacts FlowPaths::server_of(const FlowRow& flow) const {
  HopFacts hop;
  const auto* server = ends_of(flow.flow).server.machine;
  const auto host = server == nullptr ? QString() : server->host.isEmpty() ? server->name : server->host;
  const auto cpu = flow.sender_cpu >= 0 ? tr("CPU %1").arg(flow.sender_cpu) : QString();
  hop.name = host.isEmpty() || cpu.isEmpty() ? host + cpu : tr("%1, %2").arg(host, cpu);
  if (const auto late = stages_.sent_late_us(flow.flow))
    hop.evidence.push_back({*late > frame_us_ ? State::warn : State::ok,
                            tr("Sends up to %1 late").arg(figure_text::time(*late).joined())});
  if (const auto read = stages_.read_us_p99(flow.flow))
    hop.evidence.push_back(
        {*read > frame_us_ ? State::warn : State::ok, tr("Disk read, p99: %1").arg(figure_text::time(*read).joined())});
  if (hop.evidence.empty()) hop.evidence.push_back({State::note, tr("Lateness not measured")});
  return hop;
}

HopFacts FlowPaths::card_of(const Card& end) const {
  HopFacts hop;
  if (end.card == nullptr) {
    hop.evidence.push_back(
        {State::note, end.machine == nullptr ? tr("Hardware not known yet") : tr("The wall file names no interfaces")});
    return hop;
  }
  hop.name = end.card->name;
  const auto found = carried_.find(end.card);
  const double carried = found == carried_.end() ? 0 : found->second;
  const auto link = end.card->gbit_per_s;
  if (!link || *link <= 0) {
    hop.evidence.push_back({State::note, tr("Carries %1 Gbit/s").arg(figure_text::number(carried))});
    hop.evidence.push_back({State::note, tr("Speed of the link not known")});
    return hop;
  }
  hop.evidence.push_back({carried > nearly_full * *link ? State::warn : State::ok,
                          tr("Carries %1 of %2 Gbit/s").arg(figure_text::number(carried), figure_text::number(*link))});
  return hop;
}

HopFacts FlowPaths::path_of(const FlowRow& flow, const FlowLoss& loss, const SampleSpan& span) const {
  HopFacts hop;
  if (const auto* node = status_.node(flow.node); node != nullptr && !node->address.isEmpty())
    hop.name = tr("To %1").arg(node->address);
  const auto on_the_way =
      loss.lost ? std::optional(std::max(0.0, *loss.lost - loss.kernel_drops.value_or(0))) : std::nullopt;
  if (!on_the_way)
    hop.evidence.push_back({State::note, tr("Loss not measured")});
  else if (*on_the_way <= 0)
    hop.evidence.push_back({State::ok, tr("No packet lost")});
  else if (!loss.kernel_drops)
    hop.evidence.push_back(
        {State::warn, tr("%1 packets/s lost, here or in the buffer").arg(figure_text::number(*on_the_way))});
  else
    hop.evidence.push_back({loss.repaired_share() >= 1.0 ? State::warn : State::crit,
                            tr("%1 packets/s lost").arg(figure_text::number(*on_the_way))});
  const auto times = values_of(flow.series.of(Quantity::flight), span);
  if (!times.empty())
    hop.evidence.push_back(
        {State::note,
         tr("In flight, p99: up to %1").arg(figure_text::time(static_cast<double>(std::ranges::max(times))).joined())});
  if (flow.rtt_us)
    hop.evidence.push_back({State::note, tr("Round trip %1").arg(figure_text::time(*flow.rtt_us).joined())});
  return hop;
}

HopFacts FlowPaths::core_of(const FlowRow& flow) const {
  HopFacts hop;
  hop.name = flow.receiver_cpu >= 0 ? tr("%1, CPU %2").arg(flow.node).arg(flow.receiver_cpu) : flow.node;
  const auto wrong = wrong_.find({flow.node, flow.flow});
  if (wrong != wrong_.end())
    hop.evidence.push_back({State::warn, tr("Runs %1").arg(wrong->second)});
  else if (ends_of(flow.flow).node.machine != nullptr)
    hop.evidence.push_back({State::ok, tr("No placement conflict found")});
  if (const auto* node = status_.node(flow.node); node != nullptr && node->cpu_share)
    hop.evidence.push_back({*node->cpu_share > busy_share ? State::warn : State::note,
                            tr("wall-client uses %1 of %2 CPUs")
                                .arg(figure_text::share(std::round(*node->cpu_share * 100) / 100).joined())
                                .arg(node->cpus)});
  if (hop.evidence.empty()) hop.evidence.push_back({State::note, tr("Load not measured")});
  return hop;
}

HopFacts FlowPaths::buffer_of(const FlowRow& flow, const FlowLoss& loss) {
  HopFacts hop;
  hop.name = tr("Socket of flow %1").arg(flow.flow);
  if (!loss.kernel_drops)
    hop.evidence.push_back({State::note, tr("Drops not measured")});
  else if (*loss.kernel_drops <= 0)
    hop.evidence.push_back({State::ok, tr("No packet dropped")});
  else
    hop.evidence.push_back(
        {loss.repaired_share() >= 1.0 ? State::warn : State::crit,
         tr("%1 packets/s dropped, %2 of the lost")
             .arg(figure_text::number(*loss.kernel_drops), whole_share(loss.dropped_share().value_or(1)))});
  if (const auto repaired = loss.repaired_share())
    hop.evidence.push_back({State::note, tr("%1 of the lost repaired").arg(whole_share(*repaired))});
  return hop;
}

}  // namespace lw
