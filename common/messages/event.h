// event: something that happened on the wall, with a text for people and a code for programs.
#pragma once

#include "common/messages/rules.h"
#include "common/messages/severity.h"
#include "common/wall/wall_file.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lw {

inline constexpr Names severity_names{"info", "warning", "error"};

struct EventMessage {
  std::uint64_t seq = 0;  // counted by the server
  std::string time;       // common/messages/iso_time.h
  Severity severity = Severity::info;
  std::string code;  // stable, kebab-case: "loaded", "ended", "read-failed", ...
  std::string text;
  std::optional<std::string> node;
  std::optional<GridCell> tile;
  std::optional<unsigned> flow;

  static constexpr bool closed = false;
  static void members(auto& event, auto& visit) {
    visit("seq", event.seq, Tolerated{});
    visit("time", event.time);
    visit("severity", event.severity, severity_names, Tolerated{});
    visit("code", event.code, Tolerated{});
    visit("text", event.text, Text{text_bytes_max});
    visit("node", event.node, Tolerated{});
    visit("tile", event.tile, Tolerated{});
    visit("flow", event.flow, Tolerated{});
  }
  bool operator==(const EventMessage&) const = default;

private:
  static constexpr std::size_t text_bytes_max = std::size_t{64} << 10U;
};

}  // namespace lw
