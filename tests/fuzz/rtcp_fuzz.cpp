// Any datagram is a valid RTCP compound or an error that says why; its parts can be used.
#include "common/clock/offset_estimator.h"
#include "common/wire/rtcp.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span datagram{reinterpret_cast<const std::byte*>(data), size};
  for (const auto about : {std::optional<std::uint32_t>{}, std::optional<std::uint32_t>{0x01020304}}) {
    lw::RtcpContents contents;
    if (!lw::parse_rtcp(datagram, about, contents).empty()) continue;
    if (contents.receiver && contents.receiver->block) {
      const auto& block = *contents.receiver->block;
      if (about && block.source_ssrc != *about) std::abort();
      const auto trip = lw::round_trip(block, lw::WallTime{std::chrono::seconds{1'700'000'000}});
      if (trip && *trip < lw::Nanoseconds{0}) std::abort();
    }
    if (contents.clock_reply) {
      const auto& reply = *contents.clock_reply;
      const lw::RawTime asked{std::chrono::seconds{1000}};
      lw::OffsetEstimator estimator;
      for (int i = 0; i < 3; ++i)
        estimator.add(
            {asked, reply.came + i * (reply.left - reply.came) / 3, reply.left, asked + std::chrono::milliseconds{i}});
      const auto estimate = estimator.at(asked + std::chrono::seconds{10});
      if (estimate && (estimate->offset < estimate->least || estimate->offset > estimate->most)) std::abort();
    }
    if (contents.delay_kept) {
      const auto& ramp = contents.delay_kept->ramp;
      for (const std::int64_t offset : {-1LL, 0LL, 1LL, 1'000'000LL, 4'000'000'000'000LL}) {
        const auto delay = ramp.at(ramp.start + lw::Nanoseconds{offset});
        if (delay < std::min(ramp.from, ramp.to) || delay > std::max(ramp.from, ramp.to)) std::abort();
      }
    }
    for (const auto& ticks : {contents.held, contents.committed})
      if (ticks && ticks->ticks.contains(ticks->ticks.newest()) != ((ticks->ticks.mask() & 1U) != 0)) std::abort();
  }
  return 0;
}
