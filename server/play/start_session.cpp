// A session on this host: its sockets, threads and disks.
#include "common/concurrency/pinned_thread.h"
#include "common/plan/placement.h"
#include "common/plan/reader_placement.h"
#include "server/play/playback.h"
#include "server/play/session.h"
#include "server/play/sound_sender.h"
#include "server/send/flow_sender.h"
#include "server/send/kernel_pacing.h"

#include <spdlog/spdlog.h>

#include <filesystem>
#include <set>
#include <utility>
#include <vector>

namespace lw {
namespace {

OwnClockKeeping own_clock;  // has no state

// Those of the content that is there now: a thread does not move when other content is loaded.
std::vector<Disk> disks_of(const Library& library) {
  std::set<std::filesystem::path> directories(library.directories().begin(), library.directories().end());
  for (const auto& entry : library.entries())
    for (const auto& stripe : entry.manifest.stripes)  // relative ones are in a content directory
      if (stripe.is_absolute()) directories.insert(stripe.parent_path());
  std::vector<Disk> disks;
  for (const auto& directory : directories) disks.push_back(read_disk(directory));
  return disks;
}

}  // namespace

Result<std::unique_ptr<Session>> Session::start(const Wall& wall, const WallServer& server, const Library& library,
                                                std::function<void(const PlayEvent&)> on_event) {
  if (const auto allowed = check_cpus(server.cpus); !allowed) return Error(allowed.error()).in("[[server]]");
  if (const auto priority = wall.streaming.realtime_priority; priority > 0)
    if (const auto allowed = check_realtime(priority); !allowed) spdlog::warn(allowed.error().text());
  const auto host = read_topology();
  const auto topology = host ? *host : Topology{};
  const auto nics = read_nics();
  const auto placement = place_flows(wall, server, topology, nics);
  const auto reader_cpu = cpu_number(place_reader(topology, placement, disks_of(library)));
  const auto readers = place_readers(topology, placement, wall.streaming.flows_per_tile);
  SessionPorts ports;
  for (const auto& flow : placement) ports.cpus.push_back(cpu_number(flow.cpu));
  ports.flow = [&](const Band& band) -> Result<std::unique_ptr<FlowSender>> {
    auto sockets = open_sender_ports(wall, server, band);
    if (!sockets) return sockets.error();
    sockets->departure_clock = departure_clock_of(wall, server, band.flow, nics);
    return FlowSender::make(wall, band, std::move(*sockets));
  };
  ports.start = WallStart::random();
  ports.threads = AgentThreads::Options{"flow", wall.streaming.realtime_priority, wall.streaming.pace_spin};
  ports.playback = [&, reader_cpu, readers, cpus = ports.cpus](std::vector<FlowSender*> flows) {
    return Playback::start(wall, server, std::move(flows), cpus,
                           {server.read_block_kib << 10U, server.read_depth, server.read_kernel_polls}, reader_cpu,
                           readers);
  };
  auto sound = SoundSender::start(wall, server);
  if (!sound) return sound.error();
  ports.sound = std::move(*sound);
  ports.clock = std::make_unique<OwnHostClock>();
  if (wall.clock == ClockSource::wall) ports.kept_clock = &own_clock;
  return make(wall, server, library, std::move(ports), std::move(on_event));
}

}  // namespace lw
