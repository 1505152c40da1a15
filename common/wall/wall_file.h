// The wall file (TOML): the layout of the wall, which node shows which tile, and how the server sends. Unknown keys,
// overlaps, gaps and impossible values are errors with file, line and how to fix them. docs/wall-file.md lists every
// key; walls/ has working examples.
#pragma once

#include "common/base/result.h"
#include "common/base/units.h"
#include "common/fec/fec_groups.h"
#include "common/net/datagram_sender.h"
#include "common/pixel/colour.h"
#include "common/pixel/pixel_format.h"
#include "common/wall/grid.h"
#include "common/wall/tile_output.h"
#include "common/wire/packet_slots.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

// Where a node shows a tile: in a window at a position on its desktop, full screen on one of its monitors, or on a part
// of one.
struct TilePlacement {
  TileIndex tile;
  std::optional<unsigned> monitor;  // full screen on this monitor (GLFW's order); empty: a window at window_x, window_y
  int window_x = 0;
  int window_y = 0;
  bool on_part = false;  // of the monitor: window_x and window_y are from its top left corner
  TileOutput output = {};

  [[nodiscard]] bool fills_monitor() const { return monitor && !on_part; }
};

struct WallNode {
  std::string name;
  std::string address;  // numeric IPv4 or IPv6 address to which flows are sent
  std::vector<TilePlacement> tiles;
  std::vector<unsigned> cpus = {};  // for its flows in turn; empty: chosen automatically
  std::string second_address = {};  // on another network, to which everything is also sent (ST 2022-7); empty: none
  // Where it plays the sound: "default", "pipewire:NAME" or "alsa:NAME"; empty: it gets none.
  std::string audio = {};

  [[nodiscard]] std::vector<std::string> addresses() const {
    return second_address.empty() ? std::vector{address} : std::vector{address, second_address};
  }
};

// How a standby takes part while the server that it stands for sends.
enum class Standby : std::uint8_t {
  none,  // it is not a standby
  hot,   // sends the same packets
  cold,  // sends nothing
};

struct WallServer {
  std::string name;
  bool coordinator = false;           // marked in the file; see Wall::coordinator
  std::vector<TileIndex> tiles = {};  // that it sends, in ascending order; empty: all
  std::string standby_for = {};       // the server whose tiles it also sends; empty: it is not a standby
  Standby standby = Standby::none;
  std::string control_host = "127.0.0.1";  // numeric address on which the control plane listens
  std::uint16_t control_port = 9010;
  std::string fingerprint = {};  // of the certificate that identifies it off loopback; empty: not given here
  std::vector<std::string>
      interfaces;  // numeric local addresses from which flows leave, used in turn; empty: the kernel's choice
  std::vector<unsigned> cpus;         // for the flows in turn; empty: chosen automatically
  std::size_t read_block_kib = 1024;  // 4..16384, a multiple of 4: a frame is read in blocks of this size
  unsigned read_depth = 16;           // 1..256 blocks in flight on each stripe
  bool read_kernel_polls = false;     // a kernel thread submits the reads, and keeps a core busy
};

enum class Pacing : std::uint8_t {
  none,    // a frame leaves as fast as the kernel takes it
  linear,  // evenly over pace_fraction of the frame interval (ST 2110-21 linear sender)
  kernel,  // the same, but runs carry their times, which the interface's queueing discipline (fq, etf) honours
};

enum class FecUse : std::uint8_t {
  never,
  needed,  // while packets are lost that cannot be resent in time
  always,
};

inline constexpr unsigned flows_per_tile_max = 16;
inline constexpr unsigned mtu_min = 576;
inline constexpr unsigned mtu_max = 9216;

struct StreamingSettings {
  unsigned flows_per_tile = 1;                   // 1..flows_per_tile_max
  PixelFormat pixel_format = PixelFormat::rgb8;  // that ingest makes for this wall
  unsigned mtu = 9000;                           // mtu_min..mtu_max, IP packet
  PacketLayout packet_layout = PacketLayout::in_rows;
  Pacing pacing = Pacing::linear;
  double pace_fraction = 0.9;              // 0.1..1 of the frame interval; see common/wall/send_window
  unsigned burst_packets = 0;              // 1..64 packets per segmented send; 0: by rate (common/wall/burst.h)
  unsigned switch_buffer_kib = 0;          // up to 1048576: what switches have for the port of a node; 0: not known
  std::chrono::microseconds pace_spin{0};  // 0..1000: the end of a wait for a packet's time that is spent spinning
  RunAssembly assemble = RunAssembly::automatic;
  bool zero_copy = false;  // try MSG_ZEROCOPY, and keep it if it costs less CPU
  bool resend = true;      // resend lost packets that can arrive in time
  FecUse fec = FecUse::needed;
  FecStrength fec_strength{20, 4};  // 4 parity packets for every 20
  unsigned resend_percent = 25;     // 1..100: limit of resends as a share of a flow's rate
  // From a frame's media time to its presentation, up to 10000. The default depends on the frame rate
  // (common/wall/send_window).
  std::chrono::milliseconds playout_delay{80};
  // 0..10000; if more than playout_delay, the delay grows up to this when frames take longer, and shrinks again.
  std::chrono::milliseconds playout_delay_max{0};
  std::chrono::microseconds busy_poll{0};    // 0..1000: how long receivers look for packets before they sleep
  unsigned realtime_priority = 0;            // 0..99 of the flows' threads (SCHED_FIFO); 0: none
  unsigned dscp = 0;                         // 0..63
  std::filesystem::path srtp_key_file = {};  // encrypts packets (common/srtp); empty: not encrypted
  std::uint16_t base_port = 50000;           // even; flow i arrives at base_port + 2 i, its RTCP at the next port
  std::uint16_t source_port = 40000;         // even; flow i leaves from source_port + 2 i
  std::chrono::milliseconds sites_delay{0};  // the longest playout delay of a [[site]]; 0: none
  // Not keys of the file. scripts/bench sets `measure` to false to find the cost of measuring. Measurements of a path
  // set `keep_late`: a band is dropped when its place is needed, not by a clock that may be another host's. They may
  // set `card_times`: the receiver's network card stamps arrivals, instead of the kernel.
  bool measure = true;
  bool keep_late = false;
  bool card_times = false;

  [[nodiscard]] constexpr bool adapts_playout_delay() const { return playout_delay_max > playout_delay; }
  [[nodiscard]] constexpr std::chrono::milliseconds longest_playout_delay() const {
    return std::max(playout_delay, playout_delay_max);
  }
  // How long after its media time some node may still need a lost packet of a frame.
  [[nodiscard]] constexpr std::chrono::milliseconds resend_time() const {
    return std::max(longest_playout_delay(), sites_delay);
  }
};

enum class ClockSource : std::uint8_t {
  system,  // the hosts' clocks, synchronized by PTP or chrony
  wall,    // the server's clock, which nodes follow by exchanges with it
};

enum class SyncMode : std::uint8_t {
  tile,  // each tile shows its newest frame that is due
  wall,  // a frame is shown by all tiles or by none
};
enum class LostNode : std::uint8_t {
  go_on,  // the others continue, and the node joins again when it is heard
  hold,   // the others wait for it
};
struct SyncSettings {
  SyncMode mode = SyncMode::tile;
  LostNode lost_node = LostNode::go_on;  // for a node that was connected and is silent; mode wall
  unsigned swap_group = 0;               // of the graphics driver, for hardware frame lock; 0: none
  unsigned swap_barrier = 0;             // joins the groups of several hosts; 0: none
};

// The node that shows a tile: exactly one of those of a validated wall or site.
const WallNode& node_showing(const std::vector<WallNode>& nodes, TileIndex tile);

// Another place that shows the wall, with separate nodes: the same tiles and streams, by another path and with its own
// playout delay (common/wall/site.h). The server sends to a group of source-specific multicast that the nodes join, or
// to a relay (wall-relay), which sends to each node or to a group.
struct WallSite {
  std::string name;
  std::string address;     // numeric: the group of flow 0, or the relay
  std::string group = {};  // of flow 0, that the nodes join: the server's, or the relay's; empty: none
  // Numeric; the packets of the site come from these. Of a group of the server: one of each server's interfaces, or
  // empty for the first of each. Of a relay: one address of its host.
  std::vector<std::string> interfaces = {};
  unsigned ttl = 1;  // 1..255, of packets to the group
  unsigned dscp = 0;
  unsigned resend_percent = 25;                 // 1..100: limit of resends to this site as a share of a flow's rate
  std::chrono::milliseconds playout_delay{80};  // fixed
  std::vector<WallNode> nodes = {};

  [[nodiscard]] bool has_relay() const { return address != group; }
};

struct Wall {
  std::string name;
  bool announce = false;    // by DNS-SD, from the server that coordinates
  Grid grid;                // how the wall file describes its tiles, apart from their panels
  std::vector<Tile> tiles;  // in the order of stores, flows and reports
  FrameRate frame_rate;
  Colour colour;  // that ingest converts to, and that displays are set to
  std::vector<WallNode> nodes;
  std::vector<WallServer> servers{1};  // at least one; each tile is sent by exactly one of them
  StreamingSettings streaming;
  ClockSource clock = ClockSource::system;
  std::string phc = {};  // a network card's PTP clock for checking the system clock, "/dev/ptp0"; empty: none
  SyncSettings sync;
  std::vector<WallSite> sites = {};  // besides the place of `nodes`

  // Replaces all tiles with those of a grid.
  void set_grid(const Grid& of_file);
  [[nodiscard]] unsigned tile_count() const { return static_cast<unsigned>(tiles.size()); }
  [[nodiscard]] unsigned flow_count() const { return tile_count() * streaming.flows_per_tile; }
  [[nodiscard]] unsigned sound_count() const;  // streams of sound: one to each node with `audio`
  [[nodiscard]] const Tile& tile(TileIndex index) const { return tiles[index.value]; }
  // The tile at this cell of the grid; empty if the wall has none.
  [[nodiscard]] std::optional<TileIndex> find_tile(GridCell cell) const;
  [[nodiscard]] std::optional<TileIndex> tile_named(std::string_view tile_name) const;
  [[nodiscard]] TileIndex tile_of_flow(unsigned flow) const { return {flow / streaming.flows_per_tile}; }
  [[nodiscard]] const WallNode* find_node(std::string_view node_name) const;
  [[nodiscard]] const WallNode& node_of(TileIndex tile) const { return node_showing(nodes, tile); }
  [[nodiscard]] const WallServer* find_server(std::string_view server_name) const;
  // Decides what plays. Nodes and operators connect to it.
  [[nodiscard]] const WallServer& coordinator() const;
  [[nodiscard]] WallServer& coordinator();
  // The server that sends a tile, and has no other to stand for.
  [[nodiscard]] const WallServer& server_of(TileIndex tile) const;
  // The server that sends the same tiles beside it or in its place; null: none.
  [[nodiscard]] const WallServer* standby_of(const WallServer& server) const;
  // The tiles that a server sends; of a standby, those of the server that it stands for.
  [[nodiscard]] std::vector<TileIndex> tiles_of(const WallServer& server) const;
};

// Reads and validates a file. Every error says "FILE:LINE: ...".
Result<Wall> load_wall(const std::filesystem::path& file);
// The same from a text; `name` is the file's name in errors. (Fuzzed.)
Result<Wall> parse_wall(std::string_view toml, const std::string& name);

}  // namespace lw
