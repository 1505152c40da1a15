// A capture (pcap with nanoseconds) of what reaches a receiver's host, for analysis by other programs. Keeps the first
// 128 bytes of each packet, as docs/probe.md recommends.
#pragma once

#include "common/base/units.h"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <span>

namespace lw::truth {

class CaptureFile {
public:
  explicit CaptureFile(const std::filesystem::path& file);
  // A UDP datagram from 10.0.0.1:40000 to 10.0.0.2:50000.
  void add(WallTime time, std::span<const std::byte> datagram);
  // Whether all of it was written.
  bool finish() { return static_cast<bool>(file_.flush()); }

private:
  std::ofstream file_;
};

}  // namespace lw::truth
