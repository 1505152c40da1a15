// Which samples of a visualization's sound belong to which samples of the wall's time (common/base/sound_time.h), as
// the line says. Sound plays at rate 1 only. It runs on without a gap from the first tick of the line, and of each
// repeat; at these, the frames' time counts. Pure.
#pragma once

#include "common/base/sound_time.h"
#include "server/play/line.h"

#include <cstdint>
#include <optional>

namespace lw {

struct SoundPart {
  std::optional<std::int64_t> from;  // the sample of the store; empty: silence
  std::int64_t count = 0;            // so many samples follow each other, at least one
};

// The first sample of a line.
std::int64_t first_sample_of(const Line& line);
// What the line plays from a sample on that is not before its first.
SoundPart sound_at(const Line& line, std::int64_t sample);

}  // namespace lw
