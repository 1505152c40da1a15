#include "common/base/counted.h"
#include "common/base/frame_rate.h"
#include "common/base/text_table.h"
#include "common/plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lw {
namespace {

std::string gbit(BitRate rate) { return fmt::format("{:.2f}", rate.gbit()); }
std::string mib(std::uint64_t bytes) { return fmt::format("{:.1f}", static_cast<double>(bytes) / (1 << 20)); }
std::string mb(double bytes_per_s) { return fmt::format("{:.1f}", bytes_per_s / 1e6); }
std::string count(double value) { return fmt::format("{:.0f}", value); }

// The wall, and of several servers which.
std::string place(const Plan& plan) {
  return plan.server.empty() ? plan.wall : fmt::format("{}, server {} ({})", plan.wall, plan.server, plan.host.name);
}

// "cpu 14 of NUMA node 0 for 8 tiles, cpu 30 of NUMA node 1 for 7 tiles"
std::string readers_text(const Plan& plan) {
  if (plan.readers.empty()) return plan.reader_cpu ? fmt::format("1 on cpu {}", *plan.reader_cpu) : "1 on any core";
  std::string text;
  for (const auto& reader : plan.readers)
    text += fmt::format("{}cpu {} of NUMA node {} for {}", text.empty() ? "" : ", ", reader.cpu, reader.numa_node,
                        counted(reader.tiles.size(), "tile"));
  return text;
}

std::string summary(const Plan& plan) {
  const auto& needs = plan.needs;
  auto out =
      fmt::format("{} on {}: {}\n\n", needs.content.empty() ? "wall" : needs.content, place(plan), text(plan.verdict));
  out += fmt::format("  pixels         {:.2f} Mpixel x {} x {} frame/s = {:.1f} Gbit/s\n",
                     static_cast<double>(needs.pixels_per_frame) / 1e6, info(needs.pixel_format).name,
                     to_text(needs.frame_rate), needs.total.pixels.gbit());
  out += fmt::format("  on the wire    {:.1f} Gbit/s in {:.0f} packets/s, RTP to Ethernet included\n",
                     needs.total.wire.gbit(), needs.total.packets_per_s);
  if (needs.send_window > Nanoseconds{0}) {
    const auto ms = [](Nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); };
    const auto interval = needs.frame_rate.duration_of(1);
    out += fmt::format("  sent within    {:.1f} of {:.1f} ms: {:.1f} Gbit/s meanwhile\n", ms(needs.send_window),
                       ms(interval), needs.total.wire.gbit() * (ms(interval) / ms(needs.send_window)));
  }
  out += fmt::format("  from disk      {:.2f} GB/s\n", needs.read_bytes_per_s / 1e9);
  out += fmt::format("  server memory  {} MiB: {} per tile, {} of them read ahead\n", mib(needs.server_memory_bytes),
                     counted(needs.server_frames_per_tile, "frame"), needs.read_ahead_frames);
  out += fmt::format(
      "  client memory  {} MiB on all nodes, and {} MiB for windows; {:.1f} MiB of receive buffer per flow\n",
      mib(needs.client_memory_bytes), mib(needs.window_memory_bytes),
      static_cast<double>(needs.receive_buffer_bytes) / (1 << 20));
  if (needs.server_parity_bytes > 0)
    out += fmt::format(
        "  parity memory  {} MiB of the server, {} MiB on all nodes{}\n", mib(needs.server_parity_bytes),
        mib(needs.client_parity_bytes),
        needs.parity_always ? ", in the figures above" : " more, while packets are lost that resends cannot recover");
  out += fmt::format("  sender threads {} for {}\n", needs.sender_threads, counted(needs.flows.size(), "flow"));
  out += fmt::format("  disk readers   {}\n", readers_text(plan));
  return out;
}

std::string interfaces_text(const Plan& plan) {
  TextTable table({"interface", "card", "NUMA", "qdisc", "flows", "pixels Gbit/s", "wire Gbit/s", "packets/s"},
                  "<<><>>>>");
  for (const auto& need : plan.needs.interfaces) {
    const auto* nic = need.address.empty() ? nullptr : nic_of_address(plan.host.nics, need.address);
    table.add({need.address.empty() ? "kernel's choice" : need.address, nic ? nic->name : "-",
               nic && nic->numa_node ? std::to_string(*nic->numa_node) : "-", nic ? nic->qdisc.value_or("-") : "-",
               std::to_string(need.flows), gbit(need.load.pixels), gbit(need.load.wire),
               count(need.load.packets_per_s)});
  }
  return table.text();
}

std::string nodes_text(const Plan& plan) {
  TextTable table({"node", "address", "tiles", "flows", "pixels Gbit/s", "wire Gbit/s", "packets/s", "memory MiB"},
                  "<<>>>>>>");
  for (const auto& need : plan.needs.nodes)
    table.add({need.name, need.address, std::to_string(need.tiles), std::to_string(need.flows), gbit(need.load.pixels),
               gbit(need.load.wire), count(need.load.packets_per_s), mib(need.memory_bytes)});
  return table.text();
}

// "71 on 3", "71 on 4 cpus"
std::string irq_text(const FlowPlacement& place) {
  if (!place.irq) return "-";
  if (place.irq_cpus.size() == 1) return fmt::format("{} on {}", *place.irq, place.irq_cpus.front());
  return fmt::format("{} on {} cpus", *place.irq, place.irq_cpus.size());
}

std::string flows_text(const Plan& plan) {
  TextTable table({"flow", "tile", "node", "interface", "cpu", "NUMA", "queue", "irq on cpu", "packets/frame",
                   "wire Gbit/s", "at most"},
                  "><<<>>>>>>>");
  for (std::size_t i = 0; i < plan.needs.flows.size(); ++i) {
    const auto& need = plan.needs.flows[i];
    const auto& place = plan.placement[i];
    table.add({std::to_string(need.flow), plan.tiles[need.tile.value].in_list(), need.node,
               need.interface.empty() ? "-" : need.interface, place.cpu ? std::to_string(*place.cpu) : "-",
               place.numa_node ? std::to_string(*place.numa_node) : "-",
               place.queue ? std::to_string(*place.queue) : "-", irq_text(place),
               std::to_string(need.packets_per_frame), fmt::format("{:.3f}", need.load.wire.gbit()),
               need.peak ? fmt::format("{:.3f}", need.peak->gbit()) : "-"});
  }
  return table.text();
}

std::string stripes_text(const Plan& plan) {
  TextTable table({"stripe", "MB/s", "disk", "filesystem", "free GiB"}, "<><<>");
  for (const auto& need : plan.needs.stripes) {
    const auto disk = std::ranges::find(plan.host.disks, need.directory, &Disk::directory);
    const bool known = disk != plan.host.disks.end();
    if (need.directory.empty()) continue;
    table.add(
        {need.directory.string(), mb(need.bytes_per_s), known ? disk->device.value_or("-") : "-",
         known ? disk->filesystem.value_or("-") : "-",
         known && disk->free_bytes ? fmt::format("{:.1f}", static_cast<double>(*disk->free_bytes) / (1 << 30)) : "-"});
  }
  return table.empty() ? "" : table.text() + "\n";
}

std::string findings_text(const Plan& plan) {
  TextTable table({"", "finding", "needed", "have"}, "<<<<");
  for (const auto& finding : plan.findings)
    table.add({std::string(text(finding.verdict)), finding.what, finding.needed, finding.have});
  auto out = table.empty() ? "" : table.text();
  bool first = true;
  for (const auto& finding : plan.findings) {
    if (finding.mend.empty()) continue;
    if (std::exchange(first, false)) out += "\n";
    out += fmt::format("  {}: {}\n", finding.what, finding.mend);
  }
  for (const auto& [what, why] : plan.recommendations) out += fmt::format("\n  recommended: {}: {}\n", what, why);
  return out;
}

}  // namespace

std::string plan_text(const Plan& plan) {
  if (plan.needs.flows.empty())
    return fmt::format("{}: {}\n\n{}", place(plan), text(plan.verdict), findings_text(plan));
  return summary(plan) + "\n" + interfaces_text(plan) + "\n" + nodes_text(plan) + "\n" + flows_text(plan) + "\n" +
         stripes_text(plan) + findings_text(plan);
}

}  // namespace lw
