#include "common/plan/verdict.h"

#include "common/base/counted.h"
#include "common/plan/buffers.h"
#include "common/plan/rate_verdict.h"
#include "common/wall/send_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace lw {
namespace {

// Above this share of a limit there is no room for bursts and other work.
constexpr double comfortable = 0.8;
// The planned rate of a core: a few times less than measured over loopback, where no driver works.
constexpr BitRate core_rate = BitRate::gbit(10);
constexpr const char* cores_finding = "sending cores";
// A spinning disk reads about this much sequentially; striped tiles make it seek.
constexpr double rotational_bytes_per_s = 100e6;
// How often memory reads or writes a byte on its way from disk to card: written by the disk, read and written by the
// kernel's copy, read by the card. Caches may save some of it, so this is an upper bound.
constexpr double memory_passes = 4;
constexpr double memory_passes_zero_copy = 2;
// Softirqs may be delayed this long.
constexpr double backlog_seconds = 0.01;

std::string text(BitRate rate) { return fmt::format("{:.2f} Gbit/s", rate.gbit()); }
std::string bytes_text(std::uint64_t bytes) {
  return bytes < (std::uint64_t{1} << 30U) ? fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20))
                                           : fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1 << 30));
}
std::string rate_text(double bytes_per_s) { return fmt::format("{:.2f} GB/s", bytes_per_s / 1e9); }
std::string text(const PcieSpeed& speed) {
  return fmt::format("PCIe {} x{}, {:.1f} Gbit/s", speed.generation, speed.lanes, speed.data_rate().gbit());
}

Verdict against(double needed, double have) {
  if (needed > have) return Verdict::impossible;
  return needed > comfortable * have ? Verdict::limited : Verdict::ok;
}

// A CPU that is not on this host counts as a core.
std::size_t core_of(unsigned cpu, const std::vector<Core>& cores) {
  const auto found = std::ranges::find_if(
      cores, [&](const Core& core) { return std::ranges::find(core.cpus, cpu) != core.cpus.end(); });
  return static_cast<std::size_t>(found - cores.begin()) + (found == cores.end() ? cpu : 0);
}

// While a frame is sent: how much faster the playout delay makes it than pace_fraction asks for.
double haste_of(const Wall& wall, const Requirements& needs) {
  return SendWindow(wall).haste(needs.frame_rate.duration_of(1));
}

class Judge {
public:
  Judge(const Wall& wall, const Requirements& needs, const std::vector<FlowPlacement>& placement, const HostFacts& host)
      : wall_(wall), needs_(needs), placement_(placement), host_(host) {}

  std::vector<Finding> findings() && {
    findings_ = judge_rate(wall_, needs_.frame_rate);
    interfaces();
    cores();
    stripes();
    memory();
    memory_rate();
    receiving();
    realtime();
    return std::move(findings_);
  }

  std::vector<Finding> node_findings(const NodeNeed& node) && {
    findings_ = judge_rate(wall_, needs_.frame_rate);
    if (const auto* card = nic_of_address(host_.nics, node.address))
      nic(*card, node.address, node.load, "give the node's tiles to several nodes, or lower the frame rate");
    else
      add(Verdict::impossible, "address " + node.address, "this host's", "no interface of this host has it",
          "run this on the node, or correct its address in the wall file");
    if (const auto count = host_.topology.cores.size(); count > 0)
      add(node.flows > count ? Verdict::limited : Verdict::ok, "receiving cores", counted(node.flows, "flow"),
          counted(count, "core"), "lower flows_per_tile, or use a host with more cores");
    receiving_of(node.load.packets_per_s, node.memory_bytes);
    realtime();
    return std::move(findings_);
  }

private:
  // The fix is dropped if all is well.
  void add(Verdict verdict, std::string what, std::string needed, std::string have, std::string mend) {
    if (verdict == Verdict::ok) mend.clear();
    findings_.push_back({verdict, std::move(what), std::move(needed), std::move(have), std::move(mend)});
  }

  void pcie(const std::string& what, const PcieLink& link, BitRate needed) {
    auto verdict = against(needed.bits_per_second, link.current.data_rate().bits_per_second);
    if (link.below_best()) verdict = std::max(verdict, Verdict::limited);
    add(verdict, what + " slot", text(needed), text(link.current),
        link.below_best()
            ? fmt::format("the card can do {}: move it to a slot with those lanes and that generation", text(link.best))
            : "spread the load over another card in another slot");
  }

  [[nodiscard]] double haste() const { return haste_of(wall_, needs_); }

  // A frame must pass the link in the time that the playout delay leaves, however it is paced.
  void link(const std::string& what, const Load& load, BitRate link_rate, const std::string& less_load) {
    const bool paced = needs_.send_window > Nanoseconds{0};
    const auto interval = std::chrono::duration<double>(needs_.frame_rate.duration_of(1));
    const auto window = std::chrono::duration<double>(needs_.send_window);
    const auto peak = paced ? load.wire * (interval / window) : load.wire;
    auto verdict = against(load.wire.bits_per_second, link_rate.bits_per_second);
    auto mend = less_load;
    const auto passing = interval * (load.wire.bits_per_second / link_rate.bits_per_second);
    if (verdict != Verdict::impossible && passing > SendWindow(wall_).limit()) {
      verdict = Verdict::impossible;
      mend = fmt::format("use playout_delay_ms = {} or more: a frame takes {:.0f} ms on this link",
                         (std::chrono::ceil<std::chrono::milliseconds>(passing) + send_margin(wall_.sync.mode)).count(),
                         1000 * passing.count());
    }
    if (peak > link_rate) verdict = std::max(verdict, Verdict::limited);
    add(verdict, what + " rate",
        paced ? fmt::format("{} (paced at {:.2f})", text(load.wire), peak.gbit()) : text(load.wire), text(link_rate),
        mend);
  }

  void nic(const Nic& nic, const std::string& addresses, const Load& load, const std::string& less_load) {
    const auto what = fmt::format("interface {} ({})", nic.name, addresses);
    if (!nic.up)
      add(Verdict::impossible, what, "link up", "link down",
          fmt::format("check the cable, then: ip link set {} up", nic.name));
    if (nic.mtu)
      add(*nic.mtu < wall_.streaming.mtu ? Verdict::impossible : Verdict::ok, what + " MTU",
          std::to_string(wall_.streaming.mtu), std::to_string(*nic.mtu),
          fmt::format("ip link set {} mtu {}, or mtu = {} in [streaming]", nic.name, wall_.streaming.mtu, *nic.mtu));
    if (nic.link_rate) link(what, load, *nic.link_rate, less_load);
    if (nic.pcie) pcie("interface " + nic.name, *nic.pcie, load.wire * haste());
  }

  void qdisc(const Nic& nic, const std::string& addresses) {
    if (wall_.streaming.pacing == Pacing::kernel && nic.qdisc)
      add(departure_clock(nic) ? Verdict::ok : Verdict::limited,
          fmt::format("interface {} ({}) qdisc", nic.name, addresses), "fq or etf", *nic.qdisc,
          fmt::format("tc qdisc replace dev {} root fq; until then the flows' threads pace", nic.name));
  }

  // Several addresses may belong to one card, whose flows add up.
  void interfaces() {
    std::map<std::string, std::pair<std::string, Load>> cards;
    for (const auto& need : needs_.interfaces) {
      if (need.address.empty()) continue;
      const auto* card = nic_of_address(host_.nics, need.address);
      if (!card) {
        add(Verdict::impossible, "interface " + need.address, text(need.load.wire),
            "no interface of this host has the address",
            "plan on the host that will send, or correct [[server]] interfaces");
        continue;
      }
      auto& [addresses, load] = cards[card->name];
      addresses += (addresses.empty() ? "" : ", ") + need.address;
      load += need.load;
    }
    for (const auto& card : host_.nics) {
      const auto found = cards.find(card.name);
      if (found == cards.end()) continue;
      nic(card, found->second.first, found->second.second,
          "give [[server]] interfaces another address on another card, or lower the frame rate");
      qdisc(card, found->second.first);
    }
  }

  void cores() {
    const auto count = host_.topology.cores.size();
    if (count == 0) return;
    const auto crossing = std::ranges::count_if(placement_, &FlowPlacement::crosses_nodes);
    const auto busiest = busiest_core(wall_, needs_, placement_, host_);
    add(busiest.rate > busiest.planned ? Verdict::limited : Verdict::ok, cores_finding,
        fmt::format("{}, {} on the busiest core", counted(needs_.flows.size(), "flow"), text(busiest.rate)),
        fmt::format("{}, planned with {} each", counted(count, "core"), text(busiest.planned)),
        needs_.flows.size() < count ? "raise flows_per_tile so that more cores share the work"
                                    : "use a host with more cores");
    const auto far_interrupts =
        std::ranges::count_if(placement_, [&](const auto& flow) { return interrupt_is_far(flow); });
    if (far_interrupts > 0)
      add(Verdict::limited, "interrupt placement",
          fmt::format("all {} flows' interrupts on their NUMA node", needs_.flows.size()),
          fmt::format("{} on another", far_interrupts),
          "stop irqbalance, and echo a CPU of the flow's node into /proc/irq/IRQ/smp_affinity_list (the plan's table "
          "of flows has IRQ and CPU)");
    if (crossing > 0)
      add(Verdict::limited, "NUMA placement", fmt::format("all {} flows beside their card", needs_.flows.size()),
          fmt::format("{} run on another node", crossing),
          "spread [[server]] interfaces over the cards of all NUMA nodes, or use fewer flows_per_tile");
  }

  // Served only by CPUs of other nodes than the flow's.
  [[nodiscard]] bool interrupt_is_far(const FlowPlacement& flow) const {
    if (!flow.numa_node || flow.irq_cpus.empty()) return false;
    return std::ranges::none_of(flow.irq_cpus, [&](unsigned cpu) {
      return std::ranges::any_of(host_.topology.cores, [&](const Core& core) {
        return core.numa_node == flow.numa_node && std::ranges::find(core.cpus, cpu) != core.cpus.end();
      });
    });
  }

  const Disk* disk_of(const StripeNeed& stripe) const {
    const auto found = std::ranges::find(host_.disks, stripe.directory, &Disk::directory);
    return found == host_.disks.end() ? nullptr : &*found;
  }

  void stripes() {
    struct Device {
      const Disk* disk = nullptr;
      double bytes_per_s = 0;
    };
    std::map<std::string, Device> devices;
    for (const auto& stripe : needs_.stripes) {
      const auto* disk = disk_of(stripe);
      if (!disk) continue;
      const auto what = "stripe " + stripe.directory.string();
      if (!disk->exists) {
        add(Verdict::impossible, what, rate_text(stripe.bytes_per_s), "no such directory",
            "mount the disk, or correct the stripes in visualization.json");
        continue;
      }
      if (disk->direct_io && !*disk->direct_io)
        add(Verdict::limited, what, "O_DIRECT", disk->filesystem.value_or("the filesystem") + " refuses it",
            "move the stripe to XFS or ext4; until then reads go through the page cache");
      if (!disk->device) continue;
      auto& device = devices[*disk->device];
      device.disk = disk;
      device.bytes_per_s += stripe.bytes_per_s;
    }
    for (const auto& [name, device] : devices) {
      const auto what = "disk " + name + (device.disk->model ? " (" + *device.disk->model + ")" : "");
      if (device.disk->rotational.value_or(false))
        add(device.bytes_per_s > rotational_bytes_per_s ? Verdict::limited : Verdict::ok, what,
            rate_text(device.bytes_per_s), "a spinning disk", "move the content to solid-state disks");
      if (device.disk->read_bytes_per_s)
        add(against(device.bytes_per_s, *device.disk->read_bytes_per_s), what + " rate", rate_text(device.bytes_per_s),
            rate_text(*device.disk->read_bytes_per_s), "stripe the content over more disks");
      if (device.disk->pcie) pcie(what, *device.disk->pcie, {device.bytes_per_s * 8});
    }
  }

  void memory() {
    const auto& limits = host_.limits;
    if (limits.memory_available_bytes)
      add(against(static_cast<double>(needs_.server_memory_bytes), static_cast<double>(*limits.memory_available_bytes)),
          "server memory", bytes_text(needs_.server_memory_bytes),
          bytes_text(*limits.memory_available_bytes) + " available", "stop other programs or add memory");
    if (limits.swap_bytes.value_or(0) > 0 && limits.memlock_bytes && !limits.memlock_unlimited)
      add(*limits.memlock_bytes < needs_.server_memory_bytes ? Verdict::limited : Verdict::ok, "locked memory",
          bytes_text(needs_.server_memory_bytes), bytes_text(*limits.memlock_bytes),
          fmt::format("ulimit -l {}, or LimitMEMLOCK= in the service, or no swap", needs_.server_memory_bytes >> 10U));
    if (limits.open_files)
      add(needs_.open_files > *limits.open_files ? Verdict::impossible : Verdict::ok, "open files",
          std::to_string(needs_.open_files), std::to_string(*limits.open_files),
          fmt::format("ulimit -n {}, or LimitNOFILE= in the service", needs_.open_files));
    if (limits.io_uring && !*limits.io_uring)
      add(Verdict::limited, "io_uring", "available", "the kernel refuses it",
          "sysctl kernel.io_uring_disabled=0; until then frames are read with pread");
  }

  // A flow's frames are on the NUMA node of its core.
  void memory_rate() {
    const auto passes = wall_.streaming.zero_copy ? memory_passes_zero_copy : memory_passes;
    for (const auto& node : host_.topology.numa_nodes) {
      if (!node.memory_bytes_per_s) continue;
      double needed = 0;
      for (std::size_t i = 0; i < placement_.size(); ++i)
        if (placement_[i].numa_node == node.index)
          needed += needs_.flows[i].load.pixels.bits_per_second / 8 * haste() * passes;
      add(against(needed, *node.memory_bytes_per_s), fmt::format("memory rate of NUMA node {}", node.index),
          fmt::format("{} ({:.0f} times each byte)", rate_text(needed), passes), rate_text(*node.memory_bytes_per_s),
          "spread [[server]] interfaces over the cards of all NUMA nodes, set zero_copy = true, or give tiles to "
          "another server");
    }
  }

  void setting(const std::string& name, const std::optional<std::int64_t>& value, std::int64_t needed) {
    if (!value) return;
    add(*value < needed ? Verdict::limited : Verdict::ok, name, std::to_string(needed), std::to_string(*value),
        fmt::format("sysctl -w {}={}", name, needed));
  }

  // Settings that matter to nodes on this host; others must be checked on their own hosts.
  void receiving() {
    double packets_per_s = 0;
    std::uint64_t bytes = 0;
    bool here = false;
    for (const auto& node : needs_.nodes) {
      if (!nic_of_address(host_.nics, node.address)) continue;
      here = true;
      packets_per_s += node.load.packets_per_s;
      bytes += node.memory_bytes;
    }
    if (here) receiving_of(packets_per_s, bytes);
  }

  void receiving_of(double packets_per_s, std::uint64_t bytes) {
    setting("net.core.rmem_max", host_.limits.rmem_max, static_cast<std::int64_t>(needs_.receive_buffer_bytes));
    setting("net.core.netdev_max_backlog", host_.limits.netdev_max_backlog,
            static_cast<std::int64_t>(std::ceil(packets_per_s * haste() * backlog_seconds)));
    if (host_.limits.memory_available_bytes)
      add(against(static_cast<double>(bytes), static_cast<double>(*host_.limits.memory_available_bytes)),
          "memory of the nodes on this host", bytes_text(bytes),
          bytes_text(*host_.limits.memory_available_bytes) + " available", "lower playout_delay_ms or add memory");
  }

  void realtime() {
    const auto priority = wall_.streaming.realtime_priority;
    if (priority == 0) return;
    if (const auto most = host_.limits.realtime_priority_max)
      add(*most < priority ? Verdict::limited : Verdict::ok, "real-time priority", std::to_string(priority),
          std::to_string(*most), fmt::format("ulimit -r {0}, or LimitRTPRIO={0} in the service", priority));
    if (const auto us = host_.limits.realtime_us_per_second; us && *us >= 0)
      add(Verdict::limited, "real-time throttling", "none",
          fmt::format("a busy thread rests {} ms in a second", 1000 - *us / 1000),
          "sysctl -w kernel.sched_rt_runtime_us=-1, or realtime_priority = 0");
  }

  const Wall& wall_;
  const Requirements& needs_;
  const std::vector<FlowPlacement>& placement_;
  const HostFacts& host_;
  std::vector<Finding> findings_;
};

}  // namespace

std::string_view text(Verdict verdict) { return verdict_names.names[static_cast<std::size_t>(verdict)]; }

bool CoreLoad::is_close() const { return rate.bits_per_second > comfortable * planned.bits_per_second; }

CoreLoad busiest_core(const Wall& wall, const Requirements& needs, const std::vector<FlowPlacement>& placement,
                      const HostFacts& host) {
  std::map<std::size_t, BitRate> per_core;
  BitRate busiest;
  for (std::size_t i = 0; i < placement.size(); ++i) {
    auto rate = needs.flows[i].load.wire;
    if (placement[i].cpu) {
      auto& of_core = per_core[core_of(*placement[i].cpu, host.topology.cores)];
      rate = of_core = of_core + rate;
    }
    busiest = std::max(busiest, rate);
  }
  return {busiest * haste_of(wall, needs), core_rate};
}

bool makes_worse(const std::vector<Finding>& before, const std::vector<Finding>& after) {
  return std::ranges::any_of(after, [&](const Finding& finding) {
    if (finding.what == cores_finding) return false;
    const auto was = std::ranges::find(before, finding.what, &Finding::what);
    return finding.verdict > (was == before.end() ? Verdict::ok : was->verdict);
  });
}

std::vector<Finding> judge(const Wall& wall, const Requirements& needs, const std::vector<FlowPlacement>& placement,
                           const HostFacts& host) {
  return Judge(wall, needs, placement, host).findings();
}

std::vector<Finding> judge_node(const Wall& wall, const Requirements& needs, const NodeNeed& node,
                                const HostFacts& host) {
  return Judge(wall, needs, {}, host).node_findings(node);
}

Verdict worst(const std::vector<Finding>& findings) {
  auto verdict = Verdict::ok;
  for (const auto& finding : findings) verdict = std::max(verdict, finding.verdict);
  return verdict;
}

}  // namespace lw
