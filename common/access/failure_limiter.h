// Blocks hosts that present wrong tokens for a while. Bounded memory. One thread.
#pragma once

#include "common/base/units.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>

namespace lw {

class FailureLimiter {
public:
  static constexpr std::size_t failures_max = 5;  // within the span; the host is then blocked for as long
  static constexpr std::chrono::seconds span{60};

  explicit FailureLimiter(std::size_t hosts_max = 1024) : hosts_max_(hosts_max) {}
  // How long this host must wait; empty: it may try.
  [[nodiscard]] std::optional<std::chrono::seconds> wait(const std::string& host, LocalTime now) const;
  void failed(const std::string& host, LocalTime now);
  [[nodiscard]] std::size_t hosts() const { return hosts_.size(); }

private:
  struct Failures {
    std::array<LocalTime, failures_max> times{};  // a ring of the newest
    std::size_t count = 0;
    std::optional<LocalTime> until;

    [[nodiscard]] LocalTime newest() const { return times[(count - 1) % failures_max]; }
  };
  void make_room(LocalTime now);

  const std::size_t hosts_max_;
  std::map<std::string, Failures> hosts_;  // by network
};

}  // namespace lw
