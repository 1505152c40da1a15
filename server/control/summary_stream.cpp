#include "server/control/summary_stream.h"

#include "common/base/frame_rate.h"
#include "common/messages/message.h"
#include "common/messages/rpc.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace lw {
namespace {

constexpr std::size_t summary_unread_max = std::size_t{16} << 10U;  // of a listener that gets the next one

}  // namespace

SummaryMessage SummaryStream::message() const {
  const auto state = session_.state();
  SummaryMessage message;
  message.health = health_.health();
  message.tiles_faulty = health_.tiles_faulty();
  message.figures = health_.figures();
  message.status = state.status;
  message.revision = state.revision;
  message.library = library_.revision();
  if (state.status == PlayStatus::stopped) return message;
  message.name = state.name;
  message.frame = state.frame;
  message.frames = state.frame_count;
  message.frame_rate = to_text(state.frame_rate);
  return message;
}

void SummaryStream::step(bool is_due) {
  if (listeners_.empty()) return;
  if (const auto now = session_.state().revision; std::exchange(revision_, now) == now && !is_due) return;
  const auto text = std::make_shared<const std::string>(rpc_notification("summary", to_json(message())));
  for (auto* peer : listeners_)
    if (peer->unread_bytes() <= summary_unread_max) peer->send(text, true);
}

}  // namespace lw
