// A file with the arrivals of packets: a NumPy array of records (docs/probe.md), written continuously; after a crash it
// is readable up to what was written. `wall-probe analyze` and numpy.load read it.
#pragma once

#include "common/base/result.h"
#include "wall-client/receive/arrival_recorder.h"

#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>

namespace lw {

class PacketRecordWriter {
public:
  static Result<PacketRecordWriter> create(const std::filesystem::path& file);
  // Buffered. A full disk is an error, returned once.
  Result<void> write(std::span<const PacketRecord> packets);
  // Writes the rest, and the number of records into the header.
  Result<void> finish();

private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  explicit PacketRecordWriter(std::FILE* file, std::filesystem::path name) : file_(file), name_(std::move(name)) {}

  std::unique_ptr<std::FILE, Close> file_;
  std::filesystem::path name_;
  std::uint64_t count_ = 0;
};

[[nodiscard]] bool is_packet_records(std::span<const std::byte> file);
// Visits every record. Pure; any bytes are records or an error. (Fuzzed.)
Result<std::uint64_t> read_packet_records(std::span<const std::byte> file,
                                          const std::function<void(const PacketRecord&)>& visit);

}  // namespace lw
