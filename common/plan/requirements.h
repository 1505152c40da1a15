// What playing a visualization on a wall needs, computed from the same packet layout that the sender
// uses.
#pragma once

#include "common/base/result.h"
#include "common/base/units.h"
#include "common/store/manifest.h"
#include "common/wall/wall_file.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lw {

// The load of a stream of pixels: its own rate, and its rate on an Ethernet link with the headers of RFC 4175, RTP,
// UDP, IP and Ethernet, the checksum, the preamble, the gap between frames, and parity if it is always sent. Does not
// include RTCP (some packets a second), resends, and parity made when needed.
struct Load {
  BitRate pixels;
  BitRate wire;
  double packets_per_s = 0;

  Load& operator+=(const Load& other);
};

struct FlowNeed {
  unsigned flow = 0;  // its number on the wall
  TileIndex tile;
  std::string node;
  std::string interface;              // address from which it leaves; empty: the kernel's choice
  std::string second_interface = {};  // the second of two paths; empty: one path
  std::size_t packets_per_frame = 0;
  std::size_t datagram_bytes = 0;  // UDP payload of all packets except the last
  Load load;
  std::optional<BitRate> peak;  // on the wire while a frame is sent; empty if packets are not paced
};

struct TileNeed {
  TileIndex tile;
  std::string node;
  Load load;
};

struct NodeNeed {
  std::string name;
  std::string address;
  unsigned tiles = 0;
  unsigned flows = 0;
  std::uint64_t memory_bytes = 0;  // resident, without windows: band buffers, the image of each tile, the program
  std::uint64_t parity_bytes = 0;  // for forward error correction; in memory_bytes if that is always on
  std::uint64_t socket_bytes = 0;  // requested receive buffers
  Load load;
};

struct InterfaceNeed {
  std::string address;  // empty: the kernel's choice
  unsigned flows = 0;
  Load load;
};

struct StripeNeed {
  std::filesystem::path directory;  // empty if there is no content
  double bytes_per_s = 0;           // including padding
  std::uint64_t bytes = 0;          // of the complete visualization; 0 if its length is unknown
};

struct Requirements {
  std::string content;  // name of the visualization; empty: the wall's own format and rate
  PixelFormat pixel_format = PixelFormat::rgb8;
  FrameRate frame_rate;
  Nanoseconds send_window{0};  // in which the packets of a frame leave; 0 if they are not paced
  std::uint64_t pixels_per_frame = 0;
  Load total;
  std::vector<FlowNeed> flows;
  std::vector<TileNeed> tiles;  // that the server sends
  std::vector<NodeNeed> nodes;  // that show one of them
  std::vector<InterfaceNeed> interfaces;
  std::vector<StripeNeed> stripes;
  double read_bytes_per_s = 0;           // of all stripes
  std::size_t receive_buffer_bytes = 0;  // of the largest flow's socket in its node
  std::size_t read_ahead_frames = 0;
  std::size_t server_frames_per_tile = 0;
  std::uint64_t server_memory_bytes = 0;  // resident: frame buffers and the program
  bool parity_always = false;             // false: only while packets are lost that resends cannot recover, if at all
  std::uint64_t server_parity_bytes = 0;  // for forward error correction; in server_memory_bytes if that is always on
  std::uint64_t client_memory_bytes = 0;  // of all nodes
  std::uint64_t client_parity_bytes = 0;
  // Additional memory for windows on all nodes: the buffers that fill textures. Textures belong to the driver.
  std::uint64_t window_memory_bytes = 0;
  unsigned sender_threads = 0;  // known once the flows are placed
  unsigned open_files = 0;      // of the server: sockets, stripe files; once flows are placed, what wakes their threads
};

// Of the tiles that `server` sends, and of what their nodes need for these. Error if the wall's MTU does not hold one
// pixel group.
Result<Requirements> requirements_of(const Wall& wall, const WallServer& server, const Manifest& manifest,
                                     const std::vector<std::filesystem::path>& stripe_directories);
// For the wall file's own pixel format and frame rate, and no content: striped over the directories, or one stripe
// without a directory.
Manifest without_content(const Wall& wall, const std::vector<std::filesystem::path>& stripe_directories);
Result<Requirements> requirements_of(const Wall& wall, const WallServer& server,
                                     const std::vector<std::filesystem::path>& stripe_directories = {});

}  // namespace lw
