// Any datagram is refused or answered by a reply that is as long, which a sender can read; any datagram is a reply or
// none.
#include "probe/stamp/reflection.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace {

using namespace lw;

const StampKey key(std::vector<std::byte>(16, std::byte{0xab}));
const StampArrival arrival{WallTime{std::chrono::seconds{1'790'000'000}}, 64, 0xb8, false};
const StampClock clock_of_1_ms{std::chrono::milliseconds{1}, std::chrono::seconds{37}};

void reflect(std::span<const std::byte> packet, const StampRules& rules, StampSession* session) {
  const auto admitted = admit_stamp(packet, rules);
  if (!std::holds_alternative<StampRequest>(admitted)) return;
  const auto& request = std::get<StampRequest>(admitted);
  std::vector<std::byte> reply(std::max(packet.size(), stamp_base_bytes(rules.mode)));
  const auto reflection = reflect_stamp(packet, request, arrival, rules, clock_of_1_ms, session, reply);
  finish_reflection(reply, arrival.time, rules, clock_of_1_ms, session);
  const bool is_short = packet.size() < twamp_reply_bytes;
  if (reflection.bytes != (is_short ? stamp_base_bytes(rules.mode) : packet.size())) std::abort();
  reply.resize(reflection.bytes);
  const auto read = read_stamp_reply(reply, rules.mode);
  if (!read || read->request.sequence != request.sequence || read->request.time != request.time) std::abort();
  read_reflected_extensions(reply, rules.mode, rules.key);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span datagram{reinterpret_cast<const std::byte*>(data), size};
  if (size > 65'507) return 0;
  StampSession session;
  for (auto* state : {static_cast<StampSession*>(nullptr), &session}) {
    reflect(datagram, {StampMode::unauthenticated, nullptr, StampTimeFormat::ntp, true}, state);
    reflect(datagram, {StampMode::unauthenticated, &key}, state);
    reflect(datagram, {StampMode::authenticated, &key, StampTimeFormat::ptp}, state);
  }
  for (const auto mode : {StampMode::unauthenticated, StampMode::authenticated}) {
    const auto reply = read_stamp_reply(datagram, mode);
    if (!reply) continue;
    const auto estimate = StampErrorEstimate::read(reply->error_estimate);
    if (estimate.bound() && *estimate.bound() < Nanoseconds{0}) std::abort();
    for (const auto time : {reply->time, reply->receive_time, reply->request.time})
      read_stamp_time(time, estimate.format, std::chrono::seconds{37}, arrival.time);
    read_reflected_extensions(datagram, mode, &key);
    read_reflected_extensions(datagram, mode, nullptr);
  }
  return 0;
}
