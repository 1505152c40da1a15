// plan: whether this wall, its server and its links can play a visualization, and what limits it. The answer has
// further members for people and scripts: the needs and the host.
#pragma once

#include "common/messages/rules.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lw {

enum class Verdict : std::uint8_t {
  ok,
  limited,     // plays, but near a limit or worse than the hardware could
  impossible,  // cannot play
};
inline constexpr Names verdict_names{"ok", "limited", "impossible"};

struct FindingMessage {
  Verdict verdict = Verdict::ok;
  std::string what;    // "interface 10.1.0.1 (enp59s0)"
  std::string needed;  // "9.1 Gbit/s"
  std::string have;    // "10 Gbit/s"
  std::optional<std::string> mend;

  static constexpr bool closed = false;
  static void members(auto& finding, auto& visit) {
    visit("verdict", finding.verdict, verdict_names);
    visit("what", finding.what, MayBeAbsent{}, Text{text_bytes_max});
    visit("needed", finding.needed, MayBeAbsent{}, Text{text_bytes_max});
    visit("have", finding.have, MayBeAbsent{}, Text{text_bytes_max});
    visit("mend", finding.mend, Text{text_bytes_max});
  }
  bool operator==(const FindingMessage&) const = default;

private:
  static constexpr std::size_t text_bytes_max = std::size_t{64} << 10U;
};

struct PlanReply {
  std::string wall;
  std::optional<std::string> name;  // of the visualization
  Verdict verdict = Verdict::ok;
  std::vector<FindingMessage> findings;

  static constexpr bool closed = false;
  static void members(auto& plan, auto& visit) {
    visit("wall", plan.wall, MayBeAbsent{});
    visit("name", plan.name);
    visit("verdict", plan.verdict, verdict_names);
    visit("findings", plan.findings, MayBeAbsent{});
  }
  bool operator==(const PlanReply&) const = default;
};

}  // namespace lw
