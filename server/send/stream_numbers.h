// The numbers of a flow's streams: synchronization sources, and where their sequence numbers begin. They follow from a
// secret that is drawn when the wall starts, so that servers that know it choose the same ones, and nobody else can
// guess them (RFC 3550 section 5.1). A wall that is started again appears as new streams.
#pragma once

#include "common/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lw {

struct WallStart {
  std::array<std::byte, 32> secret{};

  static WallStart random();
  // 64 hexadecimal digits, for messages between servers. Empty: not such a text.
  [[nodiscard]] std::string text() const;
  static std::optional<WallStart> parse(std::string_view text);
  bool operator==(const WallStart&) const = default;
};

struct StreamNumbers {
  std::uint32_t ssrc = 0;
  std::uint32_t first_sequence = 0;
  std::uint32_t resend_ssrc = 0;
  std::uint16_t first_resend = 0;
  std::uint32_t parity_ssrc = 0;
  std::uint16_t first_parity = 0;

  static StreamNumbers random();
  // Each server resends what it is asked for, in a separate stream.
  static StreamNumbers of(const WallStart& start, unsigned flow, std::string_view server);
};

}  // namespace lw
