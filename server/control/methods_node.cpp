// Methods of nodes and about what they draw themselves: node.hello, node.report, identify, mark, pattern.
#include "common/clock/kernel_clock.h"
#include "common/messages/fade_json.h"
#include "common/metrics/registry.h"
#include "common/wall/shared_settings.h"
#include "server/control/service_impl.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace lw {

using Impl = ControlService::Impl;

namespace {

constexpr std::array<std::string_view, 6> patterns{"none", "identify", "grid", "bar", "ramp", "black"};

// Keeps the first entry of each flow and tile that the node really has: figures of others would be told twice.
void keep_its_own(NodeReport& report, const Wall& wall, const WallNode& node) {
  std::set<unsigned> flows;
  std::set<TileId> tiles;
  for (const auto& placement : node.tiles) {
    tiles.insert(placement.tile);
    for (unsigned band = 0; band < wall.streaming.flows_per_tile; ++band)
      flows.insert(wall.index(placement.tile) * wall.streaming.flows_per_tile + band);
  }
  std::erase_if(report.flows, [&](const ReceiverFlowReport& flow) { return flows.erase(flow.flow) == 0; });
  std::erase_if(report.tiles, [&](const TileReport& tile) { return tiles.erase(tile.tile) == 0; });
  report.node = node.name;
}

// How far the node's clock may be from ours. What it says itself is about the keepers of its system clock, if it has
// that; ours may be off, too. Delays between clocks of unknown error are left out.
void bound_clock_error(NodeReport& report, bool same_host, std::optional<Nanoseconds> ours) {
  if (report.clock) {
    auto& error_us = report.clock->figures["error_us"];
    if (report.clock->state == ClockState::system) {
      const auto theirs = error_us.number();
      error_us = {};
      if (same_host)
        error_us = 0.0;
      else if (theirs && ours)
        error_us = *theirs + static_cast<double>(ours->count()) / 1000;
    }
    if (error_us.measured()) return;
  }
  for (auto& flow : report.flows) flow.figures.drop_what_needs_clock_bound();
}

}  // namespace

Result<void> Impl::change_tiles(const std::optional<std::pair<unsigned, unsigned>>& tile,
                                const std::function<void(TileSettings&)>& change) {
  if (tile && (tile->first >= wall_.columns || tile->second >= wall_.rows))
    return Error{"the wall has no tile [" + std::to_string(tile->first) + ", " + std::to_string(tile->second) + "]",
                 "it has " + std::to_string(wall_.columns) + " columns and " + std::to_string(wall_.rows) +
                     " rows, counted from 0"};
  for (unsigned index = 0; index < tiles_.size(); ++index) {
    const auto id = wall_.tile(index);
    if (tile && TileId{tile->first, tile->second} != id) continue;
    change(tiles_[index]);
    push_overlay(id);
  }
  tell_state();
  return {};
}

Json Impl::overlays_json() const {
  Json overlays = Json::array();
  for (unsigned index = 0; index < tiles_.size(); ++index) {
    const auto& tile = tiles_[index];
    if (tile.pattern == "none" && !tile.identify && !tile.mark) continue;
    overlays.push_back({{"tile", {wall_.tile(index).column, wall_.tile(index).row}},
                        {"pattern", tile.pattern},
                        {"identify", tile.identify},
                        {"mark", tile.mark}});
  }
  return overlays;
}

void Impl::push_overlay(TileId tile) {
  const auto& node = nodes_[wall_.node_of(tile).name];
  const auto& settings = tiles_[wall_.index(tile)];
  if (node.peer != nullptr)
    node.peer->send(rpc_notification("node.pattern", {{"tile", {tile.column, tile.row}},
                                                      {"pattern", settings.pattern},
                                                      {"identify", settings.identify},
                                                      {"mark", settings.mark}}));
}

void Impl::push_fades(const NodeState& node) const {
  if (node.peer != nullptr) node.peer->send(rpc_notification("node.fade", to_json(fades_told_)));
}

RpcReply Impl::identify(const Json& json) { return switch_on_tiles(json, &TileSettings::identify); }
RpcReply Impl::mark(const Json& json) { return switch_on_tiles(json, &TileSettings::mark); }

RpcReply Impl::switch_on_tiles(const Json& json, bool TileSettings::*setting) {
  Params params(json);
  const bool on = params.boolean("on");
  const auto tile = params.optional_pair("tile");
  if (auto problem = params.problem()) return bad_params(*problem);
  if (const auto changed = change_tiles(tile, [&](TileSettings& settings) { settings.*setting = on; }); !changed)
    return cannot(changed.error());
  return Json::object();
}

RpcReply Impl::pattern(const Json& json) {
  Params params(json);
  const auto name = params.text("pattern");
  const auto tile = params.optional_pair("tile");
  if (auto problem = params.problem()) return bad_params(*problem);
  if (std::ranges::find(patterns, name) == patterns.end())
    return bad_params("pattern must be none, identify, grid, bar, ramp or black");
  if (const auto changed = change_tiles(tile, [&](TileSettings& settings) { settings.pattern = name; }); !changed)
    return cannot(changed.error());
  return Json::object();
}

RpcReply Impl::node_hello(const Json& json, const Caller& caller) {
  Params params(json);
  const auto name = params.text("node");
  const auto version = params.text("version");
  const auto protocol = params.integer("protocol", 0, 1'000'000);
  const auto host = params.text("host");
  params.integer("pid", 0, INT32_MAX);
  const auto boot = params.optional_text("boot");
  const auto settings = params.optional_text("settings");
  if (auto problem = params.problem()) return bad_params(*problem);
  if (protocol != protocol_version)
    return cannot(Error{"node " + name + " speaks protocol " + std::to_string(protocol) + ", this server " +
                            std::to_string(protocol_version),
                        "install the same version on both"});
  const auto node = nodes_.find(name);
  if (node == nodes_.end())
    return cannot(
        Error{"the server's wall file has no node '" + name + "'", "use the same wall file on server and node"});
  if (caller.peer == nullptr) return cannot(Error{"only a connection can be a node's", ""});
  if (const auto visitor = caller.visitor(); visitor.role == AccessRole::node && visitor.name != name)
    return RpcFailure{
        nullptr, rpc_code::forbidden,
        fmt::format("the token is node {}'s; make one for node {} with wall-server --add-token {} --role node",
                    visitor.name, name, name)};
  if (const auto known = node_of_peer_.find(caller.peer); known != node_of_peer_.end() && known->second != name)
    return cannot(Error{"this connection is node " + known->second + "'s already", "open another one for " + name});
  if (node->second.peer != nullptr && node->second.peer != caller.peer) {
    on_event({Severity::warning,
              "node-replaced",
              "node " + name + " connected a second time; the new connection is its own now",
              {},
              {}},
             name);
    node_of_peer_.erase(node->second.peer);
    node->second.peer->close("another connection is this node's now");
  }
  const bool same_host = boot && !boot->empty() && *boot == boot_id();
  const LocalTime now = LocalClock::now();
  node->second = {caller.peer, std::nullopt, now, SilenceWatch(now), same_host, std::nullopt, {}};
  node_of_peer_[caller.peer] = name;
  for (unsigned flow = 0; flow < flights_.size(); ++flow)
    if (wall_.node_of(wall_.tile(flow / wall_.streaming.flows_per_tile)).name == name) {
      flights_[flow].clear();
      losses_[flow].restart();
    }
  on_event(
      {Severity::info, "node-joined", "node " + name + " (" + host + ", wall-client " + version + ") is here", {}, {}},
      name);
  if (const auto difference = settings_difference(settings.value_or(""), shared_settings(wall_)); !difference.empty())
    on_event({Severity::error,
              "node-wall-differs",
              "node " + name + " was started with another wall file: " + difference + "; give it the server's",
              {},
              {}},
             name);
  for (unsigned index = 0; index < tiles_.size(); ++index)
    if (wall_.node_of(wall_.tile(index)).name == name) push_overlay(wall_.tile(index));
  if (fades_told_ != Fades{}) push_fades(node->second);
  if (pictures_wanted_) push_picture_wish(node->second);
  return Json{{"protocol", protocol_version}};
}

RpcReply Impl::node_report(const Json& json, const Caller& caller) {
  const auto known = node_of_peer_.find(caller.peer);
  if (known == node_of_peer_.end()) return cannot(Error{"a report from a connection that did not say node.hello", ""});
  auto report = read_message<NodeReport>(json);
  if (!report) return bad_params("not a node's report: " + report.error().what);
  auto& node = nodes_[known->second];
  node.report = std::move(*report);
  keep_its_own(*node.report, wall_, *wall_.find_node(known->second));
  bound_clock_error(*node.report, node.same_host, system_clock_.read().error);
  if (node.planned_cpus.empty()) node.planned_cpus = cpus_in(node.report);
  node.reported = LocalClock::now();
  look_for_losses(*node.report, known->second);
  look_for_skew(*node.report);
  return Json::object();
}

void Impl::look_for_losses(const NodeReport& report, const std::string& node) {
  const auto now = LocalClock::now();
  for (const auto& flow : report.flows) {
    const auto count = [&](Figures<ReceiverFlowStats>::Key key) { return flow.figures[key].whole().value_or(0); };
    if (const auto event = losses_[flow.flow].update(count("lost"), count("repaired") + count("rebuilt"), now))
      on_event(*event, node);
    if (!flow.figures["second_path"].measured()) continue;
    const auto second = count("second_path");
    const auto all = std::max(second, count("packets"));
    if (const auto event = two_paths_[flow.flow].update({all - second, second}, now)) on_event(*event, node);
  }
}

void Impl::look_for_skew(const NodeReport& report) {
  for (const auto& tile : report.tiles)
    for (const auto& frame : tile.presented.value_or(std::vector<PresentedFrame>{}))
      skew_.add(wall_.index(tile.tile), frame.pts_us, frame.lateness_us);
}

// Whatever a node sends, it is alive: its reports may be waiting behind frames and pictures.
void Impl::hear(WebPeer& peer, LocalTime now) {
  const auto known = node_of_peer_.find(&peer);
  if (known == node_of_peer_.end() || !nodes_[known->second].silence.heard(now)) return;
  on_event({Severity::info, "node-reports", "node " + known->second + " reports again", {}, {}}, known->second);
}

void Impl::look_for_silent_nodes(LocalTime now) {
  for (auto& [name, node] : nodes_)
    if (node.peer != nullptr && node.silence.look(now))
      on_event({Severity::warning,
                "node-silent",
                "node " + name + " is connected, but has sent nothing for a second",
                {},
                {}},
               name);
}

}  // namespace lw
