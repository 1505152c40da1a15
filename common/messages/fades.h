// `node.fade`: the fades that nodes draw.
#pragma once

#include "common/messages/rules.h"
#include "common/wire/fade.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace lw {

// Media times in microseconds since 1970.
struct FadeMessage {
  std::int64_t start_us = 0, black_us = 0, bright_us = 0, end_us = 0;

  static constexpr bool closed = true;
  static constexpr Whole time{0, std::numeric_limits<std::int64_t>::max() / 1000};  // fits in nanoseconds
  static void members(auto& fade, auto& visit) {
    visit("start_us", fade.start_us, time);
    visit("black_us", fade.black_us, time);
    visit("bright_us", fade.bright_us, time);
    visit("end_us", fade.end_us, time);
  }
  // A longer fade would keep the wall dark.
  [[nodiscard]] std::optional<std::string> problem() const {
    constexpr std::chrono::microseconds length_max = std::chrono::seconds{60};
    if (start_us > std::min(black_us, bright_us) || bright_us > end_us) return "the times of a fade must be in order";
    if (end_us - start_us > length_max.count()) return "a fade takes at most 60 s";
    return std::nullopt;
  }
  bool operator==(const FadeMessage&) const = default;
};

struct FadesMessage {
  std::vector<FadeMessage> fades;  // newest first

  static constexpr bool closed = true;
  static void members(auto& message, auto& visit) {
    visit("fades", message.fades, AtMost{std::tuple_size_v<decltype(Fades::newest)>});
  }
  bool operator==(const FadesMessage&) const = default;
};

FadesMessage message_of(const Fades& fades);
Fades fades_of(const FadesMessage& message);

}  // namespace lw
