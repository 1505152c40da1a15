#include "wall-client/sound/sound_device.h"

#include "wall-client/sound/alsa_output.h"
#include "wall-client/sound/pipewire_output.h"

#include <spdlog/spdlog.h>

namespace lw {

Result<std::unique_ptr<SoundOutput>> open_sound_device(const std::string& name) {
  const auto behind = name.substr(name.find(':') + 1);
  if (name.starts_with("pipewire:")) return PipewireOutput::open(behind);
  if (name.starts_with("alsa:")) return AlsaOutput::open(behind);
  auto output = PipewireOutput::open({});
  if (output) return output;
  spdlog::info("{}; trying ALSA", output.error().what);
  return AlsaOutput::open("default");
}

}  // namespace lw
