// `sound` and `node.sound`: how loud the nodes play, of the whole wall. docs/protocol.md describes the methods.
#pragma once

#include "common/messages/rules.h"

#include <cmath>
#include <optional>

namespace lw {

inline constexpr Within sound_gain_db{-60, 0};

struct SoundLevel {
  double gain_db = 0;
  bool muted = false;

  static constexpr bool closed = false;
  static void members(auto& level, auto& visit) {
    visit("gain_db", level.gain_db, sound_gain_db);
    visit("muted", level.muted);
  }
  // For samples.
  [[nodiscard]] double factor() const { return muted ? 0 : std::pow(10.0, gain_db / 20); }
  bool operator==(const SoundLevel&) const = default;
};

// sound: what is absent stays.
struct SoundRequest {
  std::optional<double> gain_db;
  std::optional<bool> muted;

  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) {
    visit("gain_db", request.gain_db, sound_gain_db);
    visit("muted", request.muted);
  }
  bool operator==(const SoundRequest&) const = default;
};

}  // namespace lw
