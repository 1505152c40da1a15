// What a measurement sends: the one description of it that command lines, sweep files, the peer's messages and results
// share. docs/probe.md lists every member.
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
  tcp,   // the kernel's, with its congestion control
  disk,  // no network: the client reads frames from directories as playback does
};
enum class LoadPattern : std::uint8_t {
  stream,    // without end
  requests,  // TCP: messages, each answered; at most `concurrency` unanswered
  bursts,    // TCP: all flows send one message at the same time, and wait for each other
};
enum class Direction : std::uint8_t { forward, reverse, both };  // forward: from the client to the server
// Which cores the threads of flows run on, on each host by the same rule.
enum class Pinning : std::uint8_t {
  none,          // any; or those of sender_cpus and receiver_cpus
  one_per_flow,  // each has a core to itself; a host with fewer cores refuses the load
  in_turn,       // each takes the next core; where there are fewer, flows share them
};
// What a rate is of: pixels; UDP payload, as iperf3 has it; IP packets; what they take up on an Ethernet link.
enum class RateLayer : std::uint8_t { media, udp, ip, ethernet };
enum class Records : std::uint8_t { none, packets };

// One load: all its flows are alike. Zero and empty mean "chosen", but where it says otherwise.
struct LoadSpec {
  std::string name = "main";
  Protocol protocol = Protocol::udp;
  LoadPattern pattern = LoadPattern::stream;
  Direction direction = Direction::forward;
  unsigned flows = 1;
  unsigned host = 0;        // of several hosts, the one that alone has this load, from 1 on; 0: each has it
  unsigned first_flow = 0;  // of several hosts, each of which has such a load: the flows before those of this one
  double gbit_per_s = 0;    // of all flows of a direction; TCP: payload, and 0 is as fast as it goes
  RateLayer rate_of = RateLayer::media;  // UDP: what gbit_per_s is of
  std::size_t frame_bytes = 0;           // UDP: of each flow
  double frame_rate = 0;                 // UDP: frames per second
  unsigned datagram_bytes = 8900;        // UDP payload
  unsigned burst_packets = 7;            // UDP: sent at once
  double pace = 0.9;                     // UDP: share of the frame interval that packets are spread over; 0: not at all
  double begin_s = 0, for_s = 0;         // UDP: sent in this part of the measurement only; for_s 0: always
  std::size_t message_bytes = 1U << 20U;  // TCP: of a write, a request or a burst
  std::size_t answer_bytes = 8;           // TCP: to a request or a burst
  unsigned concurrency = 1;
  unsigned bursts = 0;           // TCP: measures so many of them and ends; 0: as many as there is time for
  double compute_ms = 0;         // TCP bursts: CPU time that each flow's thread computes for after each burst
  std::size_t buffer_bytes = 0;  // TCP: socket buffers of both ends; 0: the kernel adapts them
  std::string congestion;        // TCP: "cubic", "bbr", ...
  unsigned dscp = 0;
  Pinning pinning = Pinning::none;
  int receiver_interrupt_cpu = -1;  // that serves what arrives on the receivers' interface; -1: as the host has it
  std::vector<unsigned> sender_cpus, receiver_cpus;  // the flows take them in turn; empty: not pinned
  std::string source = "memory";                     // UDP: or the folder of a visualization, on the client
  // Frame buffers; "none": received and thrown away; or a directory of the receiving host that data are written to.
  std::string sink = "memory";
  Records records = Records::none;
  bool trace = false;             // UDP, one way: record the life of each frame
  std::vector<std::string> from;  // numeric addresses of the client, that flows go out of in turn; empty: any
  std::string to;                 // numeric address of the server; empty: where it was called
  std::string via;                // UDP forward: "ADDRESS:PORT" of a relay that passes on to base_port
  std::uint16_t base_port = 0;    // flow i arrives at base_port + 2 i
  std::uint16_t source_port = 0;  // UDP: and leaves from source_port + 2 i

  // Disk: test frames are written to these directories first, striped over them, and left there for the next run.
  std::vector<std::string> directories;
  unsigned stripes = 0;          // the first so many of the directories; 0: all
  std::size_t stripe_mib = 256;  // of frames in each
  std::size_t block_kib = 1024;  // of a read
  unsigned depth = 16;           // reads under way on each stripe

  // Filled in from the frame rate and the rate, or the visualization: what a flow's frame looks like.
  unsigned width = 0, rows = 0;
};

struct RunSpec {
  double duration_s = 10;
  double warm_up_s = 1;  // not counted
  double interval_s = 1;
  std::vector<LoadSpec> loads;  // at the same time
};

// Strict: an unknown member, a wrong type or an impossible value or combination is an error. What is chosen is filled
// in; of a peer's run the peer has done so, and no file of this host is looked at. (Fuzzed.)
enum class RunFrom : std::uint8_t { here, peer };
Result<RunSpec> parse_run(const nlohmann::json& json, RunFrom from = RunFrom::here);
nlohmann::json to_json(const RunSpec& run);

// A host's part of a run with several of them, counted from 0: the same loads, with ports and flow numbers of their
// own.
Result<RunSpec> run_of_host(const RunSpec& run, unsigned host);

// The core of a flow's thread; -1: not pinned.
int cpu_of(const std::vector<unsigned>& cpus, unsigned flow);

// Whether the side that serves sends packets of it.
bool is_sent_by_server(const LoadSpec& load);
// The client's addresses that the serving side would send to, where the run names them: each once.
std::vector<std::string> addresses_sent_to(const RunSpec& run);

// Frame rate as an exact ratio, and what all flows of a direction send at it.
double frame_gbit_per_s(const LoadSpec& load);

}  // namespace lw
