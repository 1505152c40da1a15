// Reads packet captures: pcap and pcapng, in either byte order, with microseconds or finer. Pure and bounds-checked:
// any bytes are a capture or an error. (Fuzzed.) Own code, because libpcap's development files are not available.
#pragma once

#include "common/base/result.h"
#include "common/base/units.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <utility>

namespace lw {

struct CapturedPacket {
  Nanoseconds time{0};  // since 1970, by the clock of the capturing host
  std::uint32_t link_type = 0;
  std::span<const std::byte> bytes;  // the captured part, from the link header on
  bool cut = false;                  // the packet was longer than the captured part
};

struct CaptureCounts {
  std::uint64_t packets = 0;
  std::uint64_t untimed = 0;  // blocks without a time (pcapng simple packets), skipped
  bool ends_early = false;    // in the middle of a packet, for example because the capturing program was killed
};

using PacketVisitor = std::function<void(const CapturedPacket&)>;
Result<CaptureCounts> read_capture(std::span<const std::byte> capture, const PacketVisitor& visit);

// A memory-mapped file.
class MappedFile {
public:
  static Result<MappedFile> open(const std::filesystem::path& file);
  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

private:
  explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::span<const std::byte> bytes_;
};

}  // namespace lw
