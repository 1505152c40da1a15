#include "tests/simulate/node.h"

#include "common/wall/geometry.h"
#include "common/wall/shared_settings.h"
#include "tests/support/ledger_laws.h"

namespace lw::simulate {
namespace {

// Twenty times less often than real ones: reports are long, and their content is checked elsewhere.
constexpr std::chrono::seconds report_interval{2};
constexpr std::size_t told_kept = 4;

}  // namespace

std::unique_ptr<FlowReceiver> Node::make_flow(const Band& band) {
  const auto port = [&](unsigned above) {
    const auto local = Address::parse(node_.address, static_cast<std::uint16_t>(media_port(wall_, band.flow) + above));
    return std::make_unique<SimPort>(network_, host, local.value(), std::nullopt, above == 0);
  };
  ReceiverPorts ports;
  ports.media = port(0);
  ports.control.push_back(port(1));
  ports.clock = host.clock();
  ports.waits = false;
  ports.presenter = &presenter_bell_;
  ports.counts_drops = true;
  return FlowReceiver::make(wall_, band, -1, std::move(ports)).value();
}

void Node::start() {
  std::vector<FlowReceiver*> receivers;
  for (const auto& placement : node_.tiles)
    for (const auto& band : bands_of(wall_, placement.tile)) {
      flows_.push_back(make_flow(band));
      receivers.push_back(flows_.back().get());
    }
  display_ = std::make_unique<SimDisplay>(timeline_, host, random_, wall_, screen, content_, on_break_);
  presenter_ = std::make_unique<Presenter>(wall_, node_, receivers, *display_, nullptr, presenter_bell_, host.clock());
  for (const auto& flow : flows_) host.add(*flow, bells_.emplace_back());
  host.add(*presenter_, presenter_bell_, Host::Rings::nobody);
  ++process_;
  reporter_ = std::make_unique<NodeReporter>(
      wall_, reported(), [this](std::string message) { say_to_server(std::move(message)); }, report_interval);
  host.add(*reporter_, reporter_bell_);
  host.after_step = [this](std::size_t agent) { check_ledger(agent); };
}

ReportedNode Node::reported() {
  ReportedNode node;
  node.hello = {node_.name, "simulated", protocol_version, node_.name, 1, {}, shared_settings(wall_)};
  node.machine = [] { return Json::object(); };
  node.read = [this] {
    NodeReading reading;
    reading.flows = flow_stats();
    reading.tiles = presenter_->tile_stats();
    std::uint64_t packets = 0;
    for (const auto& flow : reading.flows) packets += flow.packets;
    packets_told_.push_back(packets);
    if (packets_told_.size() > told_kept) packets_told_.pop_front();
    return reading;
  };
  node.on_overlay = [this](TileIndex tile, const TileOverlay& overlay) { presenter_->set_overlay(tile, overlay); };
  node.on_fades = [this](const Fades& fades) {
    fades_ = fades;
    presenter_->set_fades(fades);
  };
  return node;
}

Node::Totals Node::totals() const {
  auto totals = past_;
  if (!runs()) return totals;
  for (const auto& tile : presenter_->tile_stats()) {
    totals.shown_whole += tile.shown_whole;
    totals.shown_concealed += tile.shown_concealed;
  }
  for (const auto& flow : flow_stats()) {
    totals.lost += flow.lost;
    totals.repaired += flow.repaired;
    totals.rebuilt += flow.rebuilt;
  }
  return totals;
}

void Node::crash() {
  past_ = totals();
  host.clear();
  reporter_.reset();
  packets_told_.clear();
  fades_ = {};
  presenter_.reset();
  display_.reset();
  flows_.clear();
  bells_.clear();
}

void Node::check_ledger(std::size_t agent) const {
  if (agent < flows_.size()) {
    if (const auto law = broken_law(flows_[agent]->stats()); !law.empty()) on_break_(std::string(law));
    return;
  }
  if (agent > flows_.size()) return;  // the reporter
  for (const auto& tile : presenter_->tile_stats())
    if (tile.frames_due != tile.shown_whole + tile.shown_concealed + tile.not_shown)
      on_break_("frames_due = shown_whole + shown_concealed + not_shown");
}

void Node::check_bounds() const {
  for (const auto& flow : flows_)
    if (flow->awaited() > 0) on_break_("a packet is waited for although none was lost");
}

std::vector<ReceiverFlowStats> Node::flow_stats() const {
  std::vector<ReceiverFlowStats> stats;
  for (const auto& flow : flows_) stats.push_back(flow->stats());
  return stats;
}

}  // namespace lw::simulate
