#include "common/base/frame_rate.h"
#include "common/messages/message.h"
#include "common/plan/plan.h"

#include <nlohmann/json.hpp>

namespace lw {
namespace {

using nlohmann::json;

json load_json(const Load& load) {
  return {{"pixels_gbit_per_s", load.pixels.gbit()},
          {"wire_gbit_per_s", load.wire.gbit()},
          {"packets_per_s", load.packets_per_s}};
}

json tile_json(const Tile& tile) {
  return tile.by_name ? json(tile.name) : json::array({tile.cell.column, tile.cell.row});
}

json with_load(json object, const Load& load) {
  object.update(load_json(load));
  return object;
}

json flows_json(const Plan& plan) {
  json flows = json::array();
  for (std::size_t i = 0; i < plan.needs.flows.size(); ++i) {
    const auto& need = plan.needs.flows[i];
    json entry{{"flow", need.flow},
               {"tile", tile_json(plan.tiles[need.tile.value])},
               {"node", need.node},
               {"packets_per_frame", need.packets_per_frame},
               {"datagram_bytes", need.datagram_bytes}};
    const auto& place = plan.placement[i];
    if (!need.interface.empty()) entry["interface"] = need.interface;
    if (need.peak) entry["peak_gbit_per_s"] = need.peak->gbit();
    if (place.cpu) entry["cpu"] = *place.cpu;
    if (place.numa_node) entry["numa_node"] = *place.numa_node;
    if (place.nic_numa_node) entry["interface_numa_node"] = *place.nic_numa_node;
    if (place.queue) entry["queue"] = *place.queue;
    if (place.irq) entry["irq"] = *place.irq;
    if (!place.irq_cpus.empty()) entry["irq_cpus"] = place.irq_cpus;
    flows.push_back(with_load(std::move(entry), need.load));
  }
  return flows;
}

json readers_json(const Plan& plan) {
  json readers = json::array();
  for (const auto& reader : plan.readers)
    readers.push_back({{"cpu", reader.cpu}, {"numa_node", reader.numa_node}, {"tiles", reader.tiles.size()}});
  if (plan.readers.empty()) {
    json only{{"tiles", plan.needs.tiles.size()}};
    if (plan.reader_cpu) only["cpu"] = *plan.reader_cpu;
    readers.push_back(std::move(only));
  }
  return readers;
}

json needs_json(const Plan& plan) {
  const auto& needs = plan.needs;
  json tiles = json::array(), nodes = json::array(), interfaces = json::array(), stripes = json::array();
  for (const auto& need : needs.tiles)
    tiles.push_back(with_load({{"tile", tile_json(plan.tiles[need.tile.value])}, {"node", need.node}}, need.load));
  for (const auto& need : needs.nodes)
    nodes.push_back(with_load({{"node", need.name},
                               {"address", need.address},
                               {"tiles", need.tiles},
                               {"flows", need.flows},
                               {"memory_bytes", need.memory_bytes},
                               {"parity_bytes", need.parity_bytes},
                               {"socket_bytes", need.socket_bytes}},
                              need.load));
  for (const auto& need : needs.interfaces) {
    json entry{{"flows", need.flows}};
    if (!need.address.empty()) entry["address"] = need.address;
    interfaces.push_back(with_load(std::move(entry), need.load));
  }
  for (const auto& need : needs.stripes) {
    json entry{{"bytes_per_s", need.bytes_per_s}};
    if (!need.directory.empty()) entry["directory"] = need.directory.string();
    if (need.bytes > 0) entry["bytes"] = need.bytes;
    stripes.push_back(std::move(entry));
  }
  return with_load({{"pixel_format", info(needs.pixel_format).name},
                    {"frame_rate", to_text(needs.frame_rate)},
                    {"send_window_ms", std::chrono::duration<double, std::milli>(needs.send_window).count()},
                    {"pixels_per_frame", needs.pixels_per_frame},
                    {"read_bytes_per_s", needs.read_bytes_per_s},
                    {"read_ahead_frames", needs.read_ahead_frames},
                    {"server_frames_per_tile", needs.server_frames_per_tile},
                    {"server_memory_bytes", needs.server_memory_bytes},
                    {"server_parity_bytes", needs.server_parity_bytes},
                    {"client_memory_bytes", needs.client_memory_bytes},
                    {"client_parity_bytes", needs.client_parity_bytes},
                    {"window_memory_bytes", needs.window_memory_bytes},
                    {"receive_buffer_bytes", needs.receive_buffer_bytes},
                    {"sender_threads", needs.sender_threads},
                    {"readers", readers_json(plan)},
                    {"open_files", needs.open_files},
                    {"flows", flows_json(plan)},
                    {"tiles", std::move(tiles)},
                    {"nodes", std::move(nodes)},
                    {"interfaces", std::move(interfaces)},
                    {"stripes", std::move(stripes)}},
                   needs.total);
}

}  // namespace

json plan_json(const Plan& plan) {
  PlanReply reply{plan.wall, {}, plan.verdict, {}};
  if (!plan.needs.content.empty()) reply.name = plan.needs.content;
  for (const auto& [verdict, what, needed, have, mend] : plan.findings)
    reply.findings.push_back({verdict, what, needed, have, mend.empty() ? std::nullopt : std::optional(mend)});
  auto result = to_json(reply);
  for (const auto& [what, why] : plan.recommendations)
    result["recommendations"].push_back(json{{"what", what}, {"why", why}});
  if (!plan.server.empty()) result["server"] = plan.server;
  result["host"] = host_json(plan.host);
  if (!plan.needs.flows.empty()) result["needs"] = needs_json(plan);
  return result;
}

}  // namespace lw
