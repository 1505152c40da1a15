// Slows an import down for servers that play from its output directories: a share of the disk, and the lowest CPU
// priority. Keeps looking for such servers until the import ends.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/base/result.h"
#include "common/base/units.h"
#include "common/store/playing_file.h"
#include "ingest/write_limit.h"

namespace lw {

// The user's choice: a fixed limit; no limit and no slowing down; or the default.
struct WriteRate {
  std::optional<double> bytes_per_second;
  bool unlimited = false;
};

// "200MB/s", "1.5GB/s", "max"; in decimal units, as disks are sold.
Result<WriteRate> parse_write_rate(const std::string& text);
// Whether the text has this form: a number with a unit, or "max".
bool is_write_rate(const std::string& text);

class RightOfWay {
public:
  // Effects on the system; tests replace them.
  struct Ports {
    std::function<LocalTime()> now;
    std::function<void(Nanoseconds)> sleep;
    std::function<std::optional<Playing>(const std::filesystem::path&)> look;
    std::function<void()> yield_cpu;               // permanent: an ordinary user cannot undo it
    std::function<void(const std::string&)> tell;  // one line for the user
  };
  static Ports real(std::function<void(const std::string&)> tell);

  RightOfWay(std::vector<std::filesystem::path> directories, WriteRate rate, const std::atomic<bool>& stop,
             Ports ports);

  // Returns when a piece may be read or written. Does not wait once `stop` is set.
  void before(std::uint64_t bytes);
  // Call after each piece with the time it took.
  void after(std::uint64_t bytes, Nanoseconds took);

  [[nodiscard]] bool gives_way() const { return playing_.has_value(); }
  // Bytes per second; empty: no limit.
  [[nodiscard]] std::optional<double> limit() const { return limit_.get(); }
  [[nodiscard]] LocalTime now() const { return ports_.now(); }

private:
  void look(LocalTime now);
  [[nodiscard]] std::optional<Playing> see() const;
  void tell_change(bool was) const;

  std::vector<std::filesystem::path> directories_;
  WriteRate rate_;
  const std::atomic<bool>& stop_;
  Ports ports_;
  RateLimit limit_;
  DiskSpeed speed_;
  std::optional<Playing> playing_;
  LocalTime look_due_{};
  bool yielded_ = false;
};

}  // namespace lw
