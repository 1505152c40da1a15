#include "tests/simulate/node.h"

#include "common/wall/geometry.h"
#include "common/wall/shared_settings.h"
#include "common/wall/sound_routes.h"
#include "server/control/detail_wanted.h"
#include "tests/support/ledger_laws.h"

namespace lw::simulate {
namespace {

// Twenty times less often than real ones: reports are long, and their content is checked elsewhere.
constexpr std::chrono::seconds report_interval{2};
// Nodes of large walls do not report every figure each time.
std::size_t told_kept(const Wall& wall) {
  constexpr std::size_t detailed = 4;
  return wall.flow_count() > DetailWanted::flows_of_small_wall ? detailed * DetailWanted::every_of_large_wall
                                                               : detailed;
}

}  // namespace

// Media of both networks arrive at one socket, as in receiver_ports.h.
std::unique_ptr<DatagramPort> Node::make_media_port(unsigned flow) {
  const auto at = [&](const std::string& address) { return Address::parse(address, media_port(wall_, flow)).value(); };
  auto media = std::make_unique<SimPort>(network_, host, at(node_.address), std::nullopt, true);
  if (!node_.second_address.empty()) media->listen_at(at(node_.second_address));
  return media;
}

// After the flows, the first of which knows the playout delay.
void Node::start_sound() {
  const auto stream = sound_of(wall_, node_);
  if (!stream) return;
  sound_.emplace(wall_, content_, on_break_);
  SoundReceiver::Ports ports{make_media_port(stream->band.flow),
                             [&flow = *flows_.front()] { return flow.kept_delay(); }};
  sound_receiver_ = std::make_unique<SoundReceiver>(wall_, std::move(ports), *sound_, std::nullopt);
  host.add(*sound_receiver_);
}

std::unique_ptr<FlowReceiver> Node::make_flow(const Band& band) {
  ReceiverPorts ports;
  ports.media = make_media_port(band.flow);
  const auto control = static_cast<std::uint16_t>(media_port(wall_, band.flow) + 1);
  for (const auto& address : node_.addresses())
    ports.control.push_back(
        std::make_unique<SimPort>(network_, host, Address::parse(address, control).value(), std::nullopt, false));
  ports.clock = host.clock();
  ports.ssrc = random_.word();
  ports.waits = false;
  ports.presenter = finished_.get();
  ports.holdings = holdings_.get();
  ports.counts_drops = true;
  // The first flow keeps the node's clock, as in the program.
  auto* clock = flows_.empty() && clock_ ? &*clock_ : nullptr;
  return FlowReceiver::make(wall_, band, -1, std::move(ports), clock).value();
}

void Node::start() {
  if (wall_.clock == ClockSource::wall) clock_.emplace(host.clocks);
  std::vector<FlowReceiver*> receivers;
  finished_ = std::make_unique<PassingBoard>(presenter_bell_);
  // In nodes of earlier versions each flow reports what it holds.
  holdings_ = random_.once_in(4) ? nullptr : std::make_unique<NodeHoldings>(wall_.sync.lost_node);
  for (const auto& placement : node_.tiles)
    for (const auto& band : bands_of(wall_, placement.tile)) {
      flows_.push_back(make_flow(band));
      receivers.push_back(flows_.back().get());
    }
  display_ = std::make_unique<SimDisplay>(timeline_, host, random_, wall_, node_, screen, content_, on_break_);
  presenter_ = std::make_unique<Presenter>(wall_, node_, receivers, *display_, nullptr, *finished_, host.clock());
  for (const auto& flow : flows_) host.add(*flow);
  host.add(*presenter_);
  ++process_;
  reporter_ = std::make_unique<NodeReporter>(
      wall_, reported(), [this](std::string message) { say_to_server(std::move(message)); }, report_interval);
  host.add(*reporter_);
  start_sound();
  host.after_step = [this](std::size_t agent) { check_ledger(agent); };
}

ReportedNode Node::reported() {
  ReportedNode node;
  node.hello = {node_.name, "simulated", protocol_version, node_.name, 1, {}, shared_settings(wall_)};
  node.machine = [] { return Json::object(); };
  node.read = [this](NodeReading& reading) {
    reading.flows = flow_stats();
    if (clock_) reading.clock = clock_->stats();
    reading.tiles = presenter_->tile_stats();
    std::uint64_t packets = 0;
    for (const auto& flow : reading.flows) packets += flow.packets;
    packets_told_.push_back(packets);
    if (packets_told_.size() > told_kept(wall_)) packets_told_.pop_front();
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
  sound_receiver_.reset();
  sound_.reset();
  presenter_.reset();
  display_.reset();
  flows_.clear();
  clock_.reset();
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
