// Any message that can be read is written as the same message again; otherwise the error names the wrong member.
#include "common/base/json_depth.h"
#include "common/messages/event.h"
#include "common/messages/fades.h"
#include "common/messages/frame_records.h"
#include "common/messages/import.h"
#include "common/messages/import_places.h"
#include "common/messages/import_probe.h"
#include "common/messages/info.h"
#include "common/messages/library.h"
#include "common/messages/machine.h"
#include "common/messages/message.h"
#include "common/messages/place_requests.h"
#include "common/messages/plan_reply.h"
#include "common/messages/play_state.h"
#include "common/messages/requests.h"
#include "common/messages/server_library.h"
#include "common/messages/stats.h"
#include "common/messages/subscribe.h"
#include "common/messages/summary.h"
#include "common/messages/tablet.h"
#include "common/messages/tile_picture.h"
#include "probe/measure/run_calls.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace lw;

constexpr int depth_max = 32;

template <class Message>
void check(const Json& json) {
  const auto message = read_message<Message>(json);
  if (!message) {
    if (message.error().what.empty()) std::abort();
    return;
  }
  const auto written = to_json(*message);
  const auto again = read_message<Message>(written);
  if (!again || *again != *message || to_json(*again) != written) std::abort();
}

template <class... Messages>
void check_all(const Json& json) {
  (check<Messages>(json), ...);
}

// What nodes get of fades never makes a wall brighter than its frames, or darker than black.
void check_fades(const Json& json) {
  const auto message = read_message<FadesMessage>(json);
  if (!message) return;
  const auto fades = fades_of(*message);
  for (const auto& fade : fades.newest)
    for (const auto time : {fade.start, fade.black, fade.bright, fade.end}) {
      const double brightness = fades.brightness_at(time);
      if (!(brightness >= 0 && brightness <= 1)) std::abort();
    }
}

// Those that are records of a wall are the same after a way over the network.
void check_records(const Json& json) {
  static const Wall wall = [] {
    Wall two;
    two.set_grid({.columns = 2, .rows = 1});
    return two;
  }();
  const auto frames = read_message<FramesMessage>(json);
  if (!frames) return;
  const auto records = frame_records(frames->records, wall);
  const auto again = read_message<FramesMessage>(to_json(FramesMessage{messages_of(records, wall), frames->dropped}));
  if (!again || again->records.size() != records.size() ||
      again->records != messages_of(frame_records(again->records, wall), wall))
    std::abort();
}

// The same for the calls of a peer of wall-probe; none ends before it begins.
void check_calls(const Json& json) {
  const auto message = read_message<RunCalls>(json);
  if (!message) return;
  const auto calls = call_records(*message);
  for (const auto& call : calls)
    if (call.end < call.begin) std::abort();
  if (run_calls(calls, message->dropped) != *message) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (is_json_deeper_than(depth_max, text)) return 0;
  const auto json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return 0;
  check_fades(json);
  check_records(json);
  check_calls(json);
  check_all<NodeReport, Stats, StateMessage, EventMessage, TileOverlay, NodePlaceMessage, LoadRequest, LoopRequest,
            PlaylistRequest, NextRequest, PatternRequest, PlaceRequest, DescribeRequest, SubscribeRequest, TraceRequest,
            NodeHello, FadesMessage, TraceReply, InfoReply, LibraryReply, ImageReply, PlanReply, MachineMessage,
            MachinesReply, TilePictureMessage, RunCalls, ServerLibraryReply, ImportRequest, ImportMessage, ImportPlaces,
            ImportProbeRequest, ImportSourceMessage, SummaryMessage, SummaryRequest, TabletLogin, TabletTicketRequest>(
      json);
  return 0;
}
