// Names of outputs for sound, as wall files have them: "default", "pipewire:NAME", "alsa:NAME".
#pragma once

#include <algorithm>
#include <string_view>

namespace lw {

inline bool is_audio_output(std::string_view text) {
  constexpr std::size_t bytes_max = 128;
  if (text == "default") return true;
  const auto name = text.substr(std::min(text.size(), text.find(':') + 1));
  const bool known = text.starts_with("pipewire:") || text.starts_with("alsa:");
  const auto is_printable = [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; };
  return known && !name.empty() && text.size() <= bytes_max && std::ranges::all_of(text, is_printable);
}

}  // namespace lw
