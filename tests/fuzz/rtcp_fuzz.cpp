// Any datagram is a valid RTCP compound or an error that says why; what is found in it can be used.
#include "common/wire/rtcp.h"

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
  }
  return 0;
}
