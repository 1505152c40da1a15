#include "common/plan/packets_advice.h"

#include "common/net/datagram_sender.h"
#include "common/store/slots_of_wall.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

// Encryption replaces the copy, and needs one in any case.
bool puts_datagrams_together(const Wall& wall, const Requirements& needs) {
  const auto& streaming = wall.streaming;
  return streaming.srtp_key_file.empty() &&
         (streaming.assemble == RunAssembly::user || std::ranges::all_of(needs.flows, [](const FlowNeed& flow) {
            return flow.datagram_bytes < DatagramSender::assemble_below;
          }));
}

bool leave_as_they_lie(const Wall& wall, const Manifest& manifest, const Requirements& needs) {
  return std::ranges::all_of(needs.flows, [&](const FlowNeed& flow) {
    return lies_as_sent(manifest, packet_cut(wall, flow.tile).slot_bytes(), wall.streaming.flows_per_tile);
  });
}

}  // namespace

std::optional<PacketsAdvice> packets_advice(const Wall& wall, const Manifest& manifest, const Requirements& needs,
                                            const CoreLoad& busiest) {
  if (!busiest.is_close() || !puts_datagrams_together(wall, needs) || leave_as_they_lie(wall, manifest, needs))
    return std::nullopt;
  PacketsAdvice advice{{}, wall, manifest};
  advice.wall.streaming.packet_layout = PacketLayout::in_slots;
  advice.manifest.packets = slot_bytes_of(wall);
  advice.manifest.bands = wall.streaming.flows_per_tile;
  if (!has_slots(advice.manifest) || !leave_as_they_lie(advice.wall, advice.manifest, needs)) return std::nullopt;

  const auto import = fmt::format("wall-ingest --packets {}", wall.streaming.mtu);
  const std::string setting = "packet_layout = \"slots\" in [streaming]";
  const bool is_imported = manifest.packets == advice.manifest.packets && manifest.bands == advice.manifest.bands;
  const bool is_set = wall.streaming.packet_layout == PacketLayout::in_slots;
  advice.recommendation = {
      is_imported ? setting
      : is_set    ? import
                  : import + ", and " + setting,
      fmt::format("a core sends {:.2f} of the planned {:.2f} Gbit/s in datagrams of {} bytes, which the server puts "
                  "together one by one; packets that are ready on disk leave as they are",
                  busiest.rate.gbit(), busiest.planned.gbit(), needs.flows.front().datagram_bytes)};
  return advice;
}

}  // namespace lw
