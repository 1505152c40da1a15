#include "common/messages/fades.h"

#include <cassert>

namespace lw {
namespace {

std::int64_t us_of(WallTime time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count();
}

WallTime time_of(std::int64_t us) { return WallTime{std::chrono::microseconds{us}}; }

}  // namespace

FadesMessage message_of(const Fades& fades) {
  FadesMessage message;
  for (const auto& fade : fades.newest)
    if (fade != Fade{})
      message.fades.push_back({us_of(fade.start), us_of(fade.black), us_of(fade.bright), us_of(fade.end)});
  return message;
}

Fades fades_of(const FadesMessage& message) {
  Fades fades;
  assert(message.fades.size() <= fades.newest.size());
  for (std::size_t i = 0; i < message.fades.size(); ++i) {
    const auto& fade = message.fades[i];
    fades.newest[i] = {time_of(fade.start_us), time_of(fade.black_us), time_of(fade.bright_us), time_of(fade.end_us)};
  }
  return fades;
}

}  // namespace lw
