// Names of outputs for sound, as wall files have them: "default", "pipewire:NAME", "alsa:NAME".
#pragma once

#include "common/base/printable.h"

#include <algorithm>
#include <string_view>

namespace lw {

inline bool is_audio_output(std::string_view text) {
  constexpr std::size_t bytes_max = 128;
  if (text == "default") return true;
  const auto name = text.substr(std::min(text.size(), text.find(':') + 1));
  const bool known = text.starts_with("pipewire:") || text.starts_with("alsa:");
  return known && !name.empty() && text.size() <= bytes_max && std::ranges::none_of(text, is_control);
}

}  // namespace lw
