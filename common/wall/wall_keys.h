// All sections and keys of a wall file, in one place: the parser accepts these and no others, its errors name them, and
// a test compares the documentation with them.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace lw {

struct WallSection {
  std::string_view heading;  // as in the file and in errors
  std::span<const std::string_view> keys;
};

namespace wall_keys {
inline constexpr std::array<std::string_view, 12> wall{"name",        "columns", "rows",     "tile_width",
                                                       "tile_height", "bezel_x", "bezel_y",  "pitch_mm",
                                                       "frame_rate",  "colour",  "transfer", "announce"};
inline constexpr std::array<std::string_view, 11> free_tile{
    "name", "x", "y", "width", "height", "x_mm", "y_mm", "width_mm", "height_mm", "rotation", "projector"};
inline constexpr std::array<std::string_view, 6> node{"name", "address", "second_address", "tiles", "cpus", "audio"};
inline constexpr std::array<std::string_view, 13> tile{"tile",  "column",      "row",       "window", "monitor",
                                                       "gain",  "gamma",       "lut",       "icc",    "warp",
                                                       "blend", "blend_gamma", "black_lift"};
inline constexpr std::array<std::string_view, 4> blend{"left", "right", "top", "bottom"};
inline constexpr std::array<std::string_view, 12> server{
    "name",        "control",    "coordinator", "tiles",          "standby_for", "standby",
    "fingerprint", "interfaces", "cpus",        "read_block_kib", "read_depth",  "read_kernel_polls"};
inline constexpr std::array<std::string_view, 4> server_tiles{"column", "columns", "row", "rows"};
inline constexpr std::array<std::string_view, 22> streaming{"flows_per_tile",
                                                            "pixel_format",
                                                            "mtu",
                                                            "packet_layout",
                                                            "pacing",
                                                            "pace_fraction",
                                                            "burst_packets",
                                                            "switch_buffer_kib",
                                                            "pace_spin_us",
                                                            "assemble",
                                                            "zero_copy",
                                                            "playout_delay_ms",
                                                            "playout_delay_max_ms",
                                                            "busy_poll_us",
                                                            "realtime_priority",
                                                            "dscp",
                                                            "base_port",
                                                            "source_port",
                                                            "fec",
                                                            "resend",
                                                            "resend_percent",
                                                            "srtp_key_file"};
inline constexpr std::array<std::string_view, 2> clock{"source", "phc"};
inline constexpr std::array<std::string_view, 4> sync{"mode", "lost_node", "swap_group", "swap_barrier"};
inline constexpr std::array<std::string_view, 9> site{
    "name", "address", "group", "interfaces", "ttl", "dscp", "resend_percent", "playout_delay_ms", "node"};
inline constexpr std::array<std::string_view, 4> site_node{"name", "address", "tiles", "cpus"};
inline constexpr std::array<std::string_view, 8> file{"wall",      "tile",  "node", "server",
                                                      "streaming", "clock", "sync", "site"};
}  // namespace wall_keys

inline constexpr std::array<WallSection, 13> wall_sections{{
    {"the wall file", wall_keys::file},
    {"[wall]", wall_keys::wall},
    {"[[tile]]", wall_keys::free_tile},
    {"[[node]]", wall_keys::node},
    {"tiles", wall_keys::tile},
    {"blend of tiles", wall_keys::blend},
    {"[[server]]", wall_keys::server},
    {"tiles of [[server]]", wall_keys::server_tiles},
    {"[streaming]", wall_keys::streaming},
    {"[clock]", wall_keys::clock},
    {"[sync]", wall_keys::sync},
    {"[[site]]", wall_keys::site},
    {"[[site.node]]", wall_keys::site_node},
}};

// A heading that is not in the table does not compile.
consteval const WallSection& wall_section(std::string_view heading) {
  return *std::ranges::find(wall_sections, heading, &WallSection::heading);
}

}  // namespace lw
