// Finished intervals of flows, kept until a client fetches them. If it does not, the newest are dropped and counted.
// One thread.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <deque>
#include <utility>

namespace lw {

class KeptIntervals {
public:
  static constexpr std::size_t kept_max = 16'384;

  void add(nlohmann::json interval) {
    if (kept_.size() < kept_max)
      kept_.push_back(std::move(interval));
    else
      ++left_out_;
  }
  // The oldest, at most `most`.
  nlohmann::json take(std::size_t most) {
    auto taken = nlohmann::json::array();
    for (; !kept_.empty() && taken.size() < most; kept_.pop_front()) taken.push_back(std::move(kept_.front()));
    return taken;
  }
  [[nodiscard]] bool empty() const { return kept_.empty(); }
  [[nodiscard]] std::size_t left_out() const { return left_out_; }

private:
  std::deque<nlohmann::json> kept_;
  std::size_t left_out_ = 0;
};

}  // namespace lw
