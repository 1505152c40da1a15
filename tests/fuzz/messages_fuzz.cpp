// Any message that can be read is written as the same message again; otherwise the error names the wrong member.
#include "common/base/json_depth.h"
#include "common/messages/event.h"
#include "common/messages/message.h"
#include "common/messages/place_requests.h"
#include "common/messages/play_state.h"
#include "common/messages/requests.h"
#include "common/messages/stats.h"
#include "common/messages/subscribe.h"

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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (is_json_deeper_than(depth_max, text)) return 0;
  const auto json = Json::parse(text, nullptr, false);
  if (!json.is_discarded())
    check_all<NodeReport, Stats, StateMessage, EventMessage, TileOverlay, NodePlaceMessage, LoadRequest, LoopRequest,
              PlaylistRequest, NextRequest, PatternRequest, PlaceRequest, DescribeRequest, SubscribeRequest,
              TraceRequest, NodeHello>(json);
  return 0;
}
