// Shows the progress of a long job: a bar on a terminal, a line every two seconds elsewhere, NDJSON on stdout with
// --json.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace lw {

class Progress {
public:
  enum class Style : std::uint8_t { bar, lines, json };
  // `total` frames, if known.
  // `done` of them by an earlier run: these count for the progress, not for the rate.
  Progress(std::string what, std::optional<std::uint64_t> total, std::uint64_t done, bool json);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `limit`: bytes per second, if limited.
  void update(std::uint64_t frames, std::uint64_t bytes, std::optional<double> limit = {});

private:
  void show(std::uint64_t frames, std::uint64_t bytes, std::optional<double> limit, double seconds);

  std::string what_;
  std::optional<std::uint64_t> total_;
  std::uint64_t before_;
  Style style_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point next_;
  bool shown_ = false;
};

// Reports in one line, on stdout with `json`, something that is not an error.
std::function<void(const std::string&)> teller(bool json);

}  // namespace lw
