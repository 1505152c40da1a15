#include "probe/sweep/relay_result.h"

#include "probe/impair/impair_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lw {

std::string put_relay(nlohmann::json& result, const nlohmann::json& settings, const RelayDirection& forward,
                      const RelayDirection& backward) {
  auto path = settings;
  path["forward"] = direction_json(forward.counts, forward.times);
  path["backward"] = direction_json(backward.counts, backward.times);
  result["path"] = std::move(path);
  const auto there = forward.counts.own_drops(), back = backward.counts.own_drops();
  if (there + back == 0) return {};
  auto note = fmt::format(
      "the relay itself dropped {} packets forward and {} backward, which count as loss of the path", there, back);
  result["marks"].push_back({{"what", "relay_drops"}, {"note", note}});
  return note;
}

}  // namespace lw
