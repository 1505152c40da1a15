// Moving the threads of flows to other CPUs: `place` from operators, `node.place` from the server.
#pragma once

#include "common/messages/rules.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace lw {

struct FlowMove {
  unsigned flow = 0;
  unsigned cpu = 0;

  static constexpr bool closed = true;
  static void members(auto& move, auto& visit) {
    visit("flow", move.flow, Whole{0, std::numeric_limits<std::int32_t>::max()});
    visit("cpu", move.cpu, Whole{0, 1'000'000});
  }
  bool operator==(const FlowMove&) const = default;
};

struct PlaceRequest {
  std::optional<std::string> node;  // absent: the flows of the server
  std::optional<std::vector<FlowMove>> flows;
  std::optional<bool> planned;  // back to the CPUs they had at the start

  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) {
    visit("node", request.node);
    visit("flows", request.flows);
    visit("planned", request.planned);
  }
  [[nodiscard]] std::optional<std::string> problem() const {
    if (planned.value_or(false) == flows.has_value()) return "give either flows, or planned: true";
    return std::nullopt;
  }
  bool operator==(const PlaceRequest&) const = default;
};

struct NodePlaceMessage {
  std::vector<FlowMove> flows;

  static constexpr bool closed = false;
  static void members(auto& message, auto& visit) { visit("flows", message.flows); }
  bool operator==(const NodePlaceMessage&) const = default;
};

}  // namespace lw
