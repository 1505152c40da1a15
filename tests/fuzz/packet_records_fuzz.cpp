// Any bytes are records, all of which are given, or an error; and any records can be analyzed.
#include "probe/analyze/analysis.h"
#include "probe/loads/packet_records.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> file{reinterpret_cast<const std::byte*>(data), size};
  std::uint64_t seen = 0;
  const auto count = lw::read_packet_records(file, [&](const lw::PacketRecord&) { ++seen; });
  if (count && !lw::is_packet_records(file)) std::abort();
  if (!count) return 0;
  if (*count != seen || !lw::analyze(file)) std::abort();
  return 0;
}
