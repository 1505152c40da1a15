// What a measurement sends: the single description shared by command lines, sweep files, messages to the peer and
// results. docs/probe.md lists every member.
#pragma once

#include "common/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lw {

enum class Protocol : std::uint8_t {
  udp,   // the wall's own flows: RTP, paced, placed in frame buffers
  tcp,   // the kernel's TCP with its congestion control
  disk,  // no network: the client reads frames from directories as playback does
  udt,   // a reliable protocol over UDP, by its library
};
enum class LoadPattern : std::uint8_t {
  stream,    // endless
  requests,  // TCP: messages, each of them answered; at most `concurrency` without an answer
  bursts,    // TCP: all flows send one message at the same time, and wait for each other
};
enum class Direction : std::uint8_t { forward, reverse, both };  // forward: from the client to the server
// The cores of the flows' threads, by the same rule on each host.
enum class Pinning : std::uint8_t {
  none,          // any core, or those of sender_cpus and receiver_cpus
  one_per_flow,  // each has its own core; a host with fewer cores rejects the load
  in_turn,       // each takes the next core; flows share cores if there are too few
};
// What a rate counts: pixels, UDP payload (as in iperf3), IP packets, or their size on an Ethernet link.
enum class RateLayer : std::uint8_t { media, udp, ip, ethernet };
enum class Records : std::uint8_t { none, packets };

// One load: all its flows are alike. Zero and empty mean "chosen automatically" unless stated otherwise.
struct LoadSpec {
  std::string name = "main";
  Protocol protocol = Protocol::udp;
  LoadPattern pattern = LoadPattern::stream;
  Direction direction = Direction::forward;
  unsigned flows = 1;
  unsigned host = 0;        // of several hosts, the only one with this load, from 1 on; 0: all
  unsigned first_flow = 0;  // if each of several hosts has this load: the number of flows before this host's
  double gbit_per_s = 0;    // of all flows of a direction; TCP: payload, 0: as fast as possible
  RateLayer rate_of = RateLayer::media;   // UDP: what gbit_per_s counts
  std::size_t frame_bytes = 0;            // UDP: per flow
  double frame_rate = 0;                  // UDP: frames per second
  unsigned datagram_bytes = 8900;         // UDP, UDT: UDP payload
  unsigned burst_packets = 7;             // UDP: sent at once
  double pace = 0.9;                      // UDP: share of the frame interval over which packets are spread; 0: none
  double begin_s = 0, for_s = 0;          // UDP: sent only in this part of the measurement; for_s 0: always
  std::size_t message_bytes = 1U << 20U;  // TCP: of a write, a request or a burst
  std::size_t answer_bytes = 8;           // TCP: to a request or a burst
  unsigned concurrency = 1;
  unsigned bursts = 0;           // TCP: number of bursts to measure; 0: as many as the time allows
  double compute_ms = 0;         // TCP bursts: CPU time for which each flow's thread computes after each burst
  std::size_t buffer_bytes = 0;  // TCP: socket buffers of both ends; 0: the kernel adapts them
  std::string congestion;        // TCP: "cubic", "bbr", ...
  std::size_t window_bytes = 0;  // UDT: flow-control windows of all flows of a direction; 0: the library's
  unsigned dscp = 0;
  Pinning pinning = Pinning::none;
  int receiver_interrupt_cpu = -1;  // for interrupts of the receivers' interface; -1: as configured on the host
  std::vector<unsigned> sender_cpus, receiver_cpus;  // used by the flows in turn; empty: not pinned
  std::string source = "memory";                     // UDP: or the folder of a visualization on the client
  // Frame buffers; "none": received and discarded; or a directory of the receiving host to which data are written.
  std::string sink = "memory";
  Records records = Records::none;
  bool hardware_stamps = false;   // UDP: the receivers' network cards stamp arrivals, instead of the kernel
  bool trace = false;             // one direction; UDP: records the life of each frame; TCP bursts: senders' calls
  std::vector<std::string> from;  // numeric addresses of the client, used by flows in turn; empty: any
  std::string to;                 // numeric address of the server; empty: the address that was called
  std::string via;                // UDP forward: "ADDRESS:PORT" of a relay that forwards to base_port
  std::uint16_t base_port = 0;    // where flow 0 arrives; see port_of()
  std::uint16_t source_port = 0;  // UDP: flow i leaves from source_port + 2 i

  // Disk: test frames are first written to these directories, striped over them, and kept for the next run.
  std::vector<std::string> directories;
  unsigned stripes = 0;          // how many of the directories to use; 0: all
  std::size_t stripe_mib = 256;  // of frames in each directory
  std::size_t block_kib = 1024;  // per read
  unsigned depth = 16;           // reads in flight on each stripe

  // The shape of a flow's frames, computed from the frame rate and the rate, or from the visualization.
  unsigned width = 0, rows = 0;

  [[nodiscard]] std::uint16_t port_of(unsigned flow) const { return static_cast<std::uint16_t>(base_port + 2 * flow); }
};

struct RunSpec {
  double duration_s = 10;
  double warm_up_s = 1;  // not counted
  double interval_s = 1;
  std::vector<LoadSpec> loads;  // at the same time
};

// Strict: an unknown member, a wrong type or an impossible value or combination is an error. Fills in automatic
// choices; in a peer's run the peer has done so, and no file of this host is accessed. (Fuzzed.)
enum class RunFrom : std::uint8_t { here, peer };
Result<RunSpec> parse_run(const nlohmann::json& json, RunFrom from = RunFrom::here);
nlohmann::json to_json(const RunSpec& run);

// The part of host `host` (from 0) in a run with several hosts: the same loads with their own ports and flow
// numbers.
Result<RunSpec> run_of_host(const RunSpec& run, unsigned host);

// The core of a flow's thread; -1: not pinned.
int cpu_of(const std::vector<unsigned>& cpus, unsigned flow);

// Whether the serving side sends packets of this load.
bool is_sent_by_server(const LoadSpec& load);
// The client's addresses to which the serving side would send, as far as the run names them, without duplicates.
std::vector<std::string> addresses_sent_to(const RunSpec& run);

// The frame rate as an exact ratio, and the rate of all flows of a direction at it.
double frame_gbit_per_s(const LoadSpec& load);

}  // namespace lw
