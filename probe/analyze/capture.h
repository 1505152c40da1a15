// Reads packet captures: pcap and pcapng, either byte order, microseconds or finer. Pure and bounds-checked: any bytes
// are a capture or an error. (Fuzzed.) Own code since libpcap's development files are not among the project's packages.
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
  Nanoseconds time{0};  // since 1970, as the capturing host knew it
  std::uint32_t link_type = 0;
  std::span<const std::byte> bytes;  // as many as were captured, from the link header on
  bool cut = false;                  // there were more on the wire
};

struct CaptureCounts {
  std::uint64_t packets = 0;
  std::uint64_t untimed = 0;  // blocks without a time (pcapng simple packets), skipped
  bool ends_early = false;    // in the middle of a packet, as when the capturing program was killed
};

using PacketVisitor = std::function<void(const CapturedPacket&)>;
Result<CaptureCounts> read_capture(std::span<const std::byte> capture, const PacketVisitor& visit);

// A file in memory, mapped.
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
