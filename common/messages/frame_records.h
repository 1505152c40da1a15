// Frame records as JSON, as docs/protocol.md shapes them: written by who measures, checked by who reads.
#pragma once

#include "common/messages/rpc.h"
#include "common/metrics/frame_record.h"
#include "common/wall/wall_file.h"

#include <optional>
#include <span>
#include <vector>

namespace lw {

inline constexpr std::size_t frame_records_max = 4096;  // of a message

Json to_json(const FrameRecord& record, const Wall& wall);

// Of a list, those that are records of flows and tiles of the wall; nothing if it is too long. (Fuzzed.)
std::optional<std::vector<FrameRecord>> frame_records(std::span<const Json> list, const Wall& wall);

}  // namespace lw
