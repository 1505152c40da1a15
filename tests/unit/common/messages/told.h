// A full set of figures, and the errors for invalid messages.
#pragma once

#include "common/clock/wall_clock_stats.h"
#include "common/messages/message.h"
#include "common/metrics/flow_stats.h"

#include <string>

namespace lw::test {

inline SenderFlowStats full_sender() {
  SenderFlowStats stats;
  stats.flow = 3;
  stats.cpu = 1;
  stats.bytes = 125'000'000;
  stats.late_max = stats.round_trip.emplace(1500);
  stats.read = stats.queue = stats.send = {1, 2};
  return stats;
}

inline ReceiverFlowStats full_receiver() {
  ReceiverFlowStats stats;
  stats.flow = 3;
  stats.ssrc = 77;
  stats.cpu = 2;
  stats.packets = 10;
  stats.bytes = 125'000'000;
  stats.kernel_drops = stats.kernel_drops_settled = 1;
  stats.parity_drops = stats.resend_drops = 0;
  stats.second_path = 5;
  stats.dscp = 46;
  stats.dscp_changed = stats.ecn_ect0 = stats.ecn_ect1 = stats.ecn_ce = 1;
  stats.card_stamped = 3;
  stats.card_error = Nanoseconds{500};
  stats.unauthentic = 2;
  stats.jitter_us = 5.5;
  stats.delay_us_min = stats.delay_us_p50 = stats.delay_us_p99 = 1;
  stats.completion_us_p50 = stats.completion_us_p99 = 1;
  stats.assemble = {1, 2};
  return stats;
}

inline TileStats full_tile() {
  TileStats stats;
  stats.tile = {1};
  stats.frame = 9;
  stats.swaps = 40;
  stats.undecoded = 1;
  stats.lateness_us_p50 = stats.lateness_us_p99 = stats.lateness_us_max = 2;
  stats.scanout_us_p50 = stats.scanout_us_p99 = 3;
  stats.wait = stats.upload = stats.swap = {1, 2};
  return stats;
}

inline ClockStats full_clock() {
  return {ClockState::kept, Nanoseconds(1500), Nanoseconds(-2'000'000), 12.5, Nanoseconds(300'000), 1,
          Nanoseconds(-700)};
}

inline SoundNodeStats full_sound() { return {700, 600, 1, 50, 20, 9, 2, -12.5, 3, 1, Nanoseconds(250'000)}; }

// The error of a message; empty if it is valid.
template <class Message>
std::string problem_of(const Json& json) {
  const auto read = read_message<Message>(json);
  return read ? "" : read.error().what;
}
template <class Message>
std::string problem_with(Json json, const char* place, const Json& value) {
  json[Json::json_pointer(place)] = value;
  return problem_of<Message>(json);
}
template <class Message>
std::string problem_without(Json json, const char* place) {
  const Json::json_pointer pointer(place);
  json[pointer.parent_pointer()].erase(pointer.back());
  return problem_of<Message>(json);
}

}  // namespace lw::test
