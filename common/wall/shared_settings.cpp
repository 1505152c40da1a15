#include "common/wall/shared_settings.h"

#include "common/base/frame_rate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>

namespace lw {
namespace {

std::map<std::string_view, std::string_view> parse(std::string_view text) {
  std::map<std::string_view, std::string_view> settings;
  while (!text.empty()) {
    const auto entry = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(text.size(), entry.size() + 1));
    const auto equals = entry.find('=');
    if (equals != std::string_view::npos) settings[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  return settings;
}

// What flows depend on: of tiles that are described one by one, their sizes in order. A digest, as they may be many.
std::string tiles(const Wall& wall) {
  const auto& grid = wall.grid;
  if (!grid.is_free())
    return fmt::format("columns={};rows={};tile_width={};tile_height={}", grid.columns, grid.rows, grid.tile_width,
                       grid.tile_height);
  std::uint64_t digest = 0xcbf29ce484222325U;  // FNV-1a
  for (const auto& tile : grid.free)
    for (const char c : fmt::format("{} {}x{};", tile.name, tile.place.width, tile.place.height))
      digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return fmt::format("[[tile]] sections={} with digest {:016x}", grid.free.size(), digest);
}

}  // namespace

std::string shared_settings(const Wall& wall) {
  const auto& streaming = wall.streaming;
  return fmt::format(
      "{};frame_rate={};flows_per_tile={};mtu={};packet_layout={};"
      "resend={};fec={}+{};playout_delay_ms={};playout_delay_max_ms={};base_port={};[clock] source={};[sync] mode={}",
      tiles(wall), to_text(wall.frame_rate), streaming.flows_per_tile, streaming.mtu,
      streaming.packet_layout == PacketLayout::in_slots ? "slots" : "rows", streaming.resend,
      streaming.fec == FecUse::never ? 0 : streaming.fec_strength.data,
      streaming.fec == FecUse::never ? 0 : streaming.fec_strength.parity, streaming.playout_delay.count(),
      streaming.playout_delay_max.count(), streaming.base_port, wall.clock == ClockSource::wall ? "wall" : "system",
      wall.sync.mode == SyncMode::wall ? "wall" : "tile");
}

std::string settings_difference(std::string_view there, std::string_view here) {
  const auto theirs = parse(there);
  std::string text;
  for (const auto& [key, value] : parse(here)) {
    const auto other = theirs.find(key);
    if (other == theirs.end() || other->second == value) continue;
    text += fmt::format("{}{} is {} there and {} here", text.empty() ? "" : ", ", key, other->second, value);
  }
  return text;
}

}  // namespace lw
