// Any bytes are a capture whose packets lie within them, or an error; its counts add up.
#include "probe/analyze/analysis.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span capture{reinterpret_cast<const std::byte*>(data), size};
  std::uint64_t packets = 0;
  const auto counts = lw::read_capture(capture, [&](const lw::CapturedPacket& packet) {
    ++packets;
    if (packet.bytes.empty()) return;
    if (packet.bytes.data() < capture.data() || packet.bytes.data() + packet.bytes.size() > capture.data() + size)
      std::abort();
  });
  if (counts && counts->packets != packets) std::abort();
  const auto analysis = lw::analyze(capture);
  if (analysis.has_value() != counts.has_value()) std::abort();
  if (!analysis) return 0;
  std::uint64_t of_streams = 0;
  for (const auto& stream : analysis->streams) {
    of_streams += stream.figures.packets;
    if (stream.figures.frames == 0 || stream.figures.duration_s < 0) std::abort();
  }
  if (of_streams + analysis->other != analysis->udp) std::abort();
  return 0;
}
