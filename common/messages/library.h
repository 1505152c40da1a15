// The visualizations that the server can play, in the answers of `list`, `describe` and `image`.
#pragma once

#include "common/messages/rules.h"
#include "common/store/store_text_limits.h"
#include "common/wall/tile.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace lw {

enum class ServerCopyState : std::uint8_t {
  ready,          // the server can send its tiles from it
  absent,         // it has none of this name
  other_edition,  // other frames than the coordinator's
  unfit,          // it cannot be played there
  unknown,        // the server is not connected, or has not said yet what it has
};

// Whether one of the wall's servers has a visualization.
struct ServerCopyMessage {
  std::string server;
  ServerCopyState state = ServerCopyState::unknown;
  std::string reason;  // of `unfit`

  static constexpr bool closed = false;
  static void members(auto& copy, auto& visit) {
    visit("server", copy.server);
    visit("state", copy.state, Names{"ready", "absent", "other-edition", "unfit", "unknown"});
    visit("reason", copy.reason, MayBeAbsent{}, AbsentIfEmpty{});
  }
  bool operator==(const ServerCopyMessage&) const = default;
};

struct VisualizationMessage {
  std::string name;  // its folder
  std::optional<std::string> title;
  std::string description;
  std::vector<std::string> tags;
  std::string source;  // what it was made from
  // Of tiles that are described one by one: their number, 1, and no sizes.
  unsigned columns = 0, rows = 0;
  unsigned tile_width = 0, tile_height = 0, bezel_x = 0, bezel_y = 0;  // pixels
  std::string pixel_format;
  std::string frame_rate;  // as text: "30000/1001"
  std::uint32_t frames = 0;
  std::optional<bool> growing = {};  // true: it is still being written, and has so many frames by now
  std::uint64_t stripes = 0;
  std::uint64_t bytes = 0;
  unsigned sound = 0;            // channels; 0: it has none
  double gbit_per_s = 0;         // of pixels
  bool poster = false;           // `image` can return one
  std::uint32_t thumbnails = 0;  // side by side in one strip, which `image` returns
  bool fits = false;             // this wall can play it
  std::string reason;            // why it does not fit, and how to fix it
  std::string cut_from;  // of one that does not fit: its folder, which `import` cuts for this wall; empty: it cannot
  std::optional<std::string> made;
  std::optional<std::vector<GridCell>> tiles;       // those that this server's store holds; absent: all
  std::vector<ServerCopyMessage> servers = {};      // of a wall with several, from the coordinator
  std::optional<unsigned> width = {}, height = {};  // of the whole wall; absent for a grid

  static constexpr bool closed = false;
  static void members(auto& entry, auto& visit) {
    visit("name", entry.name);
    visit("title", entry.title, Tolerated{}, Text{StoreTextLimits::title});
    visit("description", entry.description, Tolerated{}, Text{StoreTextLimits::description});
    visit("tags", entry.tags, Tolerated{}, AtMost{StoreTextLimits::tags}, Text{StoreTextLimits::tag});
    visit("source", entry.source, Tolerated{}, Text{StoreTextLimits::source});
    visit("columns", entry.columns, Tolerated{});
    visit("rows", entry.rows, Tolerated{});
    visit("tile_width", entry.tile_width, Tolerated{});
    visit("tile_height", entry.tile_height, Tolerated{});
    visit("bezel_x", entry.bezel_x, Tolerated{});
    visit("bezel_y", entry.bezel_y, Tolerated{});
    visit("pixel_format", entry.pixel_format, Tolerated{});
    visit("frame_rate", entry.frame_rate, Tolerated{});
    visit("frames", entry.frames, Tolerated{}, count);
    visit("growing", entry.growing, Tolerated{});
    visit("stripes", entry.stripes, Tolerated{});
    visit("bytes", entry.bytes, Tolerated{});
    visit("sound", entry.sound, Tolerated{});
    visit("gbit_per_s", entry.gbit_per_s, Tolerated{});
    visit("poster", entry.poster, Tolerated{});
    visit("thumbnails", entry.thumbnails, Tolerated{}, count);
    visit("fits", entry.fits, Tolerated{});
    visit("reason", entry.reason, Tolerated{}, Text{reason_bytes_max});
    visit("cut_from", entry.cut_from, Tolerated{}, AbsentIfEmpty{}, Text{StoreTextLimits::path});
    visit("made", entry.made, Tolerated{});
    visit("tiles", entry.tiles, Tolerated{}, AtMost{StoreTextLimits::tiles});
    visit("servers", entry.servers, Tolerated{}, AbsentIfEmpty{}, ValidOnly{}, AtMost{servers_max});
    visit("width", entry.width, Tolerated{});
    visit("height", entry.height, Tolerated{});
  }
  bool operator==(const VisualizationMessage&) const = default;

private:
  static constexpr std::size_t reason_bytes_max = std::size_t{64} << 10U;
  static constexpr std::size_t servers_max = 1024;
  static constexpr Whole count{0, std::numeric_limits<std::int32_t>::max()};
};

// A visualization that only other servers of the wall have.
struct ElsewhereMessage {
  std::string name;
  bool fits = false;
  std::string reason;
  std::vector<ServerCopyMessage> servers;

  static constexpr bool closed = false;
  static void members(auto& entry, auto& visit) {
    visit("name", entry.name);
    visit("fits", entry.fits);
    visit("reason", entry.reason);
    visit("servers", entry.servers);
  }
  bool operator==(const ElsewhereMessage&) const = default;
};

// A folder that has a manifest but cannot be played.
struct RejectedFolderMessage {
  std::string folder;
  std::string reason;

  static constexpr bool closed = false;
  static void members(auto& rejected, auto& visit) {
    visit("folder", rejected.folder, Tolerated{});
    visit("reason", rejected.reason, Tolerated{}, Text{reason_bytes_max});
  }
  bool operator==(const RejectedFolderMessage&) const = default;

private:
  static constexpr std::size_t reason_bytes_max = 4096;
};

// A content directory that cannot be read.
struct MissingDirectoryMessage {
  std::string directory;
  std::string reason;
  std::vector<std::string> names;    // of its visualizations, possibly incomplete
  std::uint64_t visualizations = 0;  // number of its visualizations

  static constexpr bool closed = false;
  static void members(auto& missing, auto& visit) {
    visit("directory", missing.directory, Tolerated{}, Text{text_bytes_max});
    visit("reason", missing.reason, Tolerated{}, Text{text_bytes_max});
    visit("names", missing.names, Tolerated{});
    visit("visualizations", missing.visualizations, Tolerated{});
  }
  bool operator==(const MissingDirectoryMessage&) const = default;

private:
  static constexpr std::size_t text_bytes_max = std::size_t{64} << 10U;
};

// A page of the visualizations, sorted by name; the first page also has those that are rejected or missing.
struct LibraryReply {
  std::vector<VisualizationMessage> visualizations;  // those that are valid
  std::vector<RejectedFolderMessage> rejected;
  std::vector<MissingDirectoryMessage> missing;
  std::optional<bool> more;  // pass the last name as `after` to get the following ones

  static constexpr bool closed = false;
  static void members(auto& reply, auto& visit) {
    visit("visualizations", reply.visualizations, MayBeAbsent{}, ValidOnly{});
    visit("rejected", reply.rejected, MayBeAbsent{});
    visit("missing", reply.missing, MayBeAbsent{});
    visit("more", reply.more);
  }
  bool operator==(const LibraryReply&) const = default;
};

enum class ImageType : std::uint8_t { jpeg, png };

struct ImageReply {
  ImageType type = ImageType::jpeg;
  std::string base64;

  static constexpr std::size_t image_bytes_max = std::size_t{700} << 10U;  // base64 must fit a message
  static constexpr bool closed = false;
  static void members(auto& reply, auto& visit) {
    visit("mime", reply.type, Names{"image/jpeg", "image/png"});
    visit("base64", reply.base64, Text{(image_bytes_max + 2) / 3 * 4});
  }
  bool operator==(const ImageReply&) const = default;
};

}  // namespace lw
