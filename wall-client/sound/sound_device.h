// A sound device of this host, by the name that wall files give it ([[node]] audio): "pipewire:NAME" is a sink of
// PipeWire, "alsa:NAME" a device of ALSA, "default" PipeWire's default sink or, without PipeWire, ALSA's default.
#pragma once

#include "common/base/result.h"
#include "wall-client/sound/sound_output.h"

#include <memory>
#include <string>

namespace lw {

// The receiver's thread calls it. A device that disappears is opened again; until then nothing is heard.
Result<std::unique_ptr<SoundOutput>> open_sound_device(const std::string& name);

}  // namespace lw
