#include "probe/doctor/diagnosis.h"

#include "common/base/text_table.h"
#include "common/plan/buffers.h"
#include "common/plan/verdict.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <utility>

namespace lw {
namespace {

// With less, a disk fills up before anybody notices.
constexpr std::uint64_t free_bytes_min = std::uint64_t{1} << 30U;
constexpr std::string_view sysctl_command = "sysctl -w ";

Level level_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return Level::ok;
    case Verdict::limited:
      return Level::warn;
    case Verdict::impossible:
      break;
  }
  return Level::fail;
}

// From a fix of the form "sysctl -w NAME=VALUE".
std::optional<Sysctl> sysctl_of(const std::string& mend) {
  if (!mend.starts_with(sysctl_command)) return {};
  const auto setting =
      mend.substr(sysctl_command.size(), mend.find_first_of(",; ", sysctl_command.size()) - sysctl_command.size());
  const auto equals = setting.find('=');
  if (equals == std::string::npos) return {};
  return Sysctl{setting.substr(0, equals), setting.substr(equals + 1)};
}

// "0.7 Gbit/s (paced at 0.8)": the number 0.7, and the words without numbers.
struct Amount {
  double number = 0;
  std::string words;
};

Amount amount_of(const std::string& text) {
  Amount amount;
  std::from_chars(text.data(), text.data() + text.size(), amount.number);
  for (const char c : text)
    if (c != '.' && std::isdigit(static_cast<unsigned char>(c)) == 0) amount.words += c;
  return amount;
}

// A host that is a server and several nodes has a finding of each: the same but for how much is needed.
bool same_row(const Complaint& one, const Complaint& other) {
  return one.what == other.what && one.have == other.have &&
         amount_of(one.needed).words == amount_of(other.needed).words;
}
bool is_more(const Complaint& one, const Complaint& other) {
  if (one.level != other.level) return one.level > other.level;
  return amount_of(one.needed).number > amount_of(other.needed).number;
}

std::string cpus_text(const std::set<unsigned>& cpus) { return fmt::format("{}", fmt::join(cpus, ",")); }

class Doctor {
public:
  explicit Doctor(const Patient& patient) : patient_(patient), limits_(patient.host.limits) {}

  Result<std::vector<Complaint>> complaints() && {
    if (patient_.wall) {
      if (const auto judged = wall_needs(*patient_.wall); !judged) return judged.error();
    } else {
      buffer("net.core.rmem_max", limits_.rmem_max, client_receive_buffer({}));
    }
    if (!patient_.server.empty() || !patient_.wall) buffer("net.core.wmem_max", limits_.wmem_max, server_send_buffer);
    kernel();
    cores();
    memory();
    for (const auto& name : cards_in_use()) card(name);
    clock();
    for (const auto& disk : patient_.host.disks) content(disk);
    return std::move(complaints_);
  }

private:
  // Findings without a problem have no fix.
  void add(Level level, std::string what, std::string needed, std::string have, std::string mend) {
    if (level == Level::ok) mend.clear();
    auto sysctl = sysctl_of(mend);
    Complaint complaint{level, std::move(what), std::move(needed), std::move(have), std::move(mend), std::move(sysctl)};
    const auto known = std::ranges::find_if(complaints_, [&](const auto& other) { return same_row(other, complaint); });
    if (known == complaints_.end())
      complaints_.push_back(std::move(complaint));
    else if (is_more(complaint, *known))
      *known = std::move(complaint);
  }
  void add(const Finding& finding) {
    add(level_of(finding.verdict), finding.what, finding.needed, finding.have, finding.mend);
  }

  // The plan's findings about the host, as a server and as each node.
  Result<void> wall_needs(const Wall& wall) {
    const auto& server = patient_.server.empty() ? wall.coordinator() : *wall.find_server(patient_.server);
    const auto needs = requirements_of(wall, server);
    if (!needs) return needs.error();
    if (!patient_.server.empty()) {
      const auto placement = place_flows(wall, server, patient_.host.topology, patient_.host.nics);
      for (const auto& finding : judge(wall, *needs, placement, patient_.host)) add(finding);
      memory_needed_ += needs->server_memory_bytes;
      for (const auto& flow : placement)
        if (flow.cpu) cpus_.insert(*flow.cpu);
    }
    for (const auto& name : patient_.nodes)
      if (const auto judged = node_needs(wall, *wall.find_node(name)); !judged) return judged;
    return {};
  }

  // A node may show tiles of several servers.
  Result<void> node_needs(const Wall& wall, const WallNode& node) {
    auto server = wall.coordinator();
    server.tiles.clear();
    server.standby = Standby::none;
    server.standby_for.clear();
    Wall of_one_server = wall;
    of_one_server.servers = {server};
    const auto needs = requirements_of(of_one_server, of_one_server.coordinator());
    if (!needs) return needs.error();
    const auto& need = *std::ranges::find(needs->nodes, node.name, &NodeNeed::name);
    for (const auto& finding : judge_node(wall, *needs, need, patient_.host)) add(finding);
    memory_needed_ += need.memory_bytes;
    node_memory_ += need.memory_bytes;
    cpus_.insert(node.cpus.begin(), node.cpus.end());
    return {};
  }

  void buffer(const std::string& name, const std::optional<std::int64_t>& value, std::size_t needed) {
    if (!value) return;
    add(std::cmp_less(*value, needed) ? Level::warn : Level::ok, name, std::to_string(needed), std::to_string(*value),
        fmt::format("sysctl -w {}={}", name, needed));
  }

  void kernel() {
    const auto version = limits_.kernel.value_or("this kernel");
    const auto option = [&](const std::optional<bool>& works, const char* name, const char* since) {
      if (works)
        add(*works ? Level::ok : Level::warn, name, "taken by the kernel", *works ? version : version + " refuses it",
            fmt::format("boot a kernel from {} on", since));
    };
    option(patient_.udp_segment, "segmentation offload (UDP_SEGMENT)", "4.18");
    option(patient_.udp_gro, "receive offload (UDP_GRO)", "5.0");
    if (!patient_.wall && limits_.io_uring)
      add(*limits_.io_uring ? Level::ok : Level::warn, "io_uring", "available",
          *limits_.io_uring ? "available" : "the kernel refuses it", "sysctl -w kernel.io_uring_disabled=0");
  }

  void cores() {
    std::set<unsigned> slow;
    for (const auto& [cpu, governor] : patient_.cpus.governors)
      if (governor != "performance" && (cpus_.empty() || cpus_.contains(cpu))) slow.insert(cpu);
    if (!patient_.cpus.governors.empty())
      add(slow.empty() ? Level::ok : Level::warn, "CPU governor", "performance",
          slow.empty() ? "performance"
                       : fmt::format("{} on CPU {}", patient_.cpus.governors.at(*slow.begin()), cpus_text(slow)),
          fmt::format("cpupower -c {} frequency-set -g performance", cpus_text(slow)));
    if (!cpus_.empty())
      add(patient_.cpus.irqbalance ? Level::warn : Level::ok, "interrupts stay where they are put", "no irqbalance",
          patient_.cpus.irqbalance ? "irqbalance runs" : "none runs", "systemctl stop irqbalance");
    if (!patient_.cpus.isolated.empty() && !cpus_.empty()) {
      std::set<unsigned> shared = cpus_;
      for (const auto cpu : patient_.cpus.isolated) shared.erase(cpu);
      add(shared.empty() ? Level::ok : Level::warn, "isolated cores",
          fmt::format("flows on {}", fmt::join(patient_.cpus.isolated, ",")),
          shared.empty() ? "all of them are" : fmt::format("flows on {}, too", cpus_text(shared)),
          "write `cpus` with the isolated ones in the wall file, or isolate more (isolcpus=)");
    }
  }

  void memory() {
    // For the server, the plan has this finding. Without swap nothing is swapped out.
    if (limits_.swap_bytes.value_or(0) > 0 && !limits_.memlock_unlimited && limits_.memlock_bytes && node_memory_ > 0)
      add(*limits_.memlock_bytes < node_memory_ ? Level::warn : Level::ok, "locked memory of the nodes",
          fmt::format("{} KiB", node_memory_ >> 10U), fmt::format("{} KiB", *limits_.memlock_bytes >> 10U),
          fmt::format("ulimit -l {}, or LimitMEMLOCK= in the service, or no swap", node_memory_ >> 10U));
    if (!limits_.huge_pages || limits_.huge_page_bytes.value_or(0) == 0) return;
    const auto pages = memory_needed_ / *limits_.huge_page_bytes + 1;
    const bool transparent = limits_.transparent_huge_pages.value_or("never") != "never";
    const bool enough = memory_needed_ == 0 ? *limits_.huge_pages > 0 : *limits_.huge_pages >= pages;
    add(enough || transparent ? Level::ok : Level::warn, "huge pages",
        memory_needed_ == 0 ? "some, or transparent ones" : fmt::format("{}, or transparent ones", pages),
        fmt::format("{} reserved, transparent: {}", *limits_.huge_pages,
                    limits_.transparent_huge_pages.value_or("not there")),
        fmt::format("sysctl -w vm.nr_hugepages={}", *limits_.huge_pages + pages));
  }

  // With a wall, the interfaces that have its addresses; else all that are up.
  [[nodiscard]] std::set<std::string> cards_in_use() const {
    std::set<std::string> names;
    const auto use = [&](const std::string& address) {
      if (const auto* nic = nic_of_address(patient_.host.nics, address)) names.insert(nic->name);
    };
    if (!patient_.wall) {
      for (const auto& nic : patient_.host.nics)
        if (nic.up) names.insert(nic.name);
      return names;
    }
    if (!patient_.server.empty())
      for (const auto& address : patient_.wall->find_server(patient_.server)->interfaces) use(address);
    for (const auto& name : patient_.nodes)
      for (const auto& address : patient_.wall->find_node(name)->addresses()) use(address);
    return names;
  }

  void card(const std::string& name) {
    const auto found = patient_.cards.find(name);
    if (found == patient_.cards.end()) return;
    const auto& settings = found->second;
    const auto what = "interface " + name;
    const bool receives = !patient_.wall || !patient_.nodes.empty();
    if (receives && settings.receive_ring && settings.receive_ring_max)
      add(*settings.receive_ring < *settings.receive_ring_max ? Level::warn : Level::ok, what + " receive ring",
          std::to_string(*settings.receive_ring_max), std::to_string(*settings.receive_ring),
          fmt::format("ethtool -G {} rx {}", name, *settings.receive_ring_max));
    const auto offload = [&](const std::optional<bool>& on, const char* feature) {
      if (on)
        add(*on ? Level::ok : Level::warn, fmt::format("{} {}", what, feature), "on", *on ? "on" : "off",
            fmt::format("ethtool -K {} {} on", name, feature));
    };
    if (receives) offload(settings.receive_offload, "generic-receive-offload");
    if (!patient_.server.empty() || !patient_.wall) offload(settings.udp_segmentation, "tx-udp-segmentation");
  }

  // Whether the wall is on this host alone, and so has one clock.
  [[nodiscard]] bool alone() const {
    const auto is_here = [&](const std::string& address) {
      return nic_of_address(patient_.host.nics, address) != nullptr;
    };
    return patient_.wall &&
           std::ranges::all_of(patient_.wall->nodes, [&](const WallNode& node) { return is_here(node.address); }) &&
           std::ranges::all_of(patient_.wall->servers, [&](const WallServer& server) {
             return server.interfaces.empty() ? is_here(server.control_host)
                                              : std::ranges::any_of(server.interfaces, is_here);
           });
  }

  void clock() {
    if (patient_.wall && patient_.wall->clock == ClockSource::wall) return;
    if (alone()) return add(Level::ok, "system clock", "one for all hosts", "the wall is on this host alone", "");
    const auto frame = patient_.wall ? patient_.wall->frame_rate.duration_of(1) : FrameRate{60, 1}.duration_of(1);
    const auto ms = [](Nanoseconds time) { return fmt::format("{:.3f} ms", static_cast<double>(time.count()) / 1e6); };
    const bool good = patient_.clock_error && *patient_.clock_error * 4 <= frame;
    // The bound is pessimistic: chrony and NTP include the complete round trip.
    add(good ? Level::ok : Level::warn, "system clock", fmt::format("synchronized within {}", ms(frame / 4)),
        patient_.clock_error ? fmt::format("synchronized within {}", ms(*patient_.clock_error)) : "not synchronized",
        "run ptp4l and phc2sys, or chrony; or [clock] source = \"wall\" in the wall file");
  }

  void content(const Disk& disk) {
    const auto what = "content " + disk.directory.string();
    add(disk.exists ? Level::ok : Level::fail, what, "a directory", disk.exists ? "is one" : "there is none",
        "mount the disk, or correct --content");
    if (disk.direct_io)
      add(*disk.direct_io ? Level::ok : Level::warn, what + " O_DIRECT", "taken",
          *disk.direct_io ? "taken" : disk.filesystem.value_or("the filesystem") + " refuses it",
          "move the content to XFS or ext4");
    if (disk.free_bytes)
      add(*disk.free_bytes < free_bytes_min ? Level::warn : Level::ok, what + " space", "1.0 GiB free",
          fmt::format("{:.1f} GiB free", static_cast<double>(*disk.free_bytes) / (1 << 30)),
          "remove visualizations that are no longer played");
  }

  const Patient& patient_;
  const Limits& limits_;
  std::vector<Complaint> complaints_;
  std::uint64_t memory_needed_ = 0;
  std::uint64_t node_memory_ = 0;
  std::set<unsigned> cpus_;  // to which flows are pinned, as far as the wall file or the plan says
};

}  // namespace

std::string_view text(Level level) {
  switch (level) {
    case Level::ok:
      return "ok";
    case Level::warn:
      return "warn";
    case Level::fail:
      break;
  }
  return "fail";
}

Result<std::vector<Complaint>> diagnose(const Patient& patient) { return Doctor(patient).complaints(); }

Level worst(const std::vector<Complaint>& complaints) {
  auto level = Level::ok;
  for (const auto& complaint : complaints) level = std::max(level, complaint.level);
  return level;
}

nlohmann::json complaints_json(const std::vector<Complaint>& complaints) {
  auto list = nlohmann::json::array();
  for (const auto& complaint : complaints) {
    nlohmann::json entry{{"level", text(complaint.level)},
                         {"what", complaint.what},
                         {"needed", complaint.needed},
                         {"have", complaint.have}};
    if (!complaint.mend.empty()) entry["mend"] = complaint.mend;
    list.push_back(std::move(entry));
  }
  return list;
}

std::string complaints_text(const std::vector<Complaint>& complaints) {
  TextTable table({"", "finding", "needed", "have"}, "<<<<");
  for (const auto& complaint : complaints)
    table.add({std::string(text(complaint.level)), complaint.what, complaint.needed, complaint.have});
  auto out = table.text();
  for (const auto& complaint : complaints)
    if (!complaint.mend.empty()) out += fmt::format("\n  {}: {}", complaint.what, complaint.mend);
  if (!out.ends_with('\n')) out += '\n';
  return out;
}

}  // namespace lw
