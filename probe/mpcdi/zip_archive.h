// A ZIP archive in memory, from outside: how many entries it has and how large they become is bounded. Nothing is
// written to a place that the archive names. (Fuzzed with what reads MPCDI files.)
#pragma once

#include "common/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

struct ZipLimits {
  std::size_t entries = 4096;
  std::uint64_t entry_bytes = std::uint64_t{256} << 20U;  // of one entry, uncompressed
  std::uint64_t total_bytes = std::uint64_t{4} << 30U;    // of all that is read
};

class ZipArchive {
public:
  // `bytes` must outlive the archive.
  static Result<ZipArchive> open(std::string_view bytes, const ZipLimits& limits = {});
  ZipArchive(ZipArchive&&) noexcept;
  ZipArchive& operator=(ZipArchive&&) noexcept;
  ~ZipArchive();

  // In the archive's order, without folders. Each is there once.
  [[nodiscard]] const std::vector<std::string>& names() const;
  [[nodiscard]] bool has(std::string_view name) const;
  // Checks the entry's checksum. Errors name the entry.
  Result<std::string> read(const std::string& name);

private:
  class State;
  explicit ZipArchive(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace lw
