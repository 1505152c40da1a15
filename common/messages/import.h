// Imports on the servers' hosts: what operators ask for, and how far it is. docs/protocol.md describes the methods.
#pragma once

#include "common/messages/rules.h"
#include "common/pixel/pixel_format.h"
#include "common/store/store_text_limits.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lw {

enum class ImportFit : std::uint8_t { fit, fill, stretch, exact };
inline constexpr Names import_fit_names{"fit", "fill", "stretch", "exact"};

inline std::optional<std::string> problem_of_format(const std::optional<std::string>& format) {
  if (!format || parse_pixel_format(*format)) return std::nullopt;
  return "format must be the name of a pixel format";
}

// import, `server.import`
struct ImportRequest {
  std::string input;                // on the server's host
  std::optional<std::string> name;  // absent: from the input
  std::optional<std::string> title;
  std::vector<std::string> tags;
  std::optional<ImportFit> fit;
  std::optional<std::string> format = {};  // of the pixels; absent: that of the wall file
  std::optional<bool> overwrite;
  std::vector<std::string> into = {};  // directories of the called server; empty: its usual ones

  static constexpr std::size_t directories_max = 64;
  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) {
    visit("input", request.input);
    visit("name", request.name, Text{StoreTextLimits::name});
    visit("title", request.title, Text{StoreTextLimits::title});
    visit("tags", request.tags, MayBeAbsent{}, AbsentIfEmpty{}, AtMost{StoreTextLimits::tags},
          Text{StoreTextLimits::tag});
    visit("fit", request.fit, import_fit_names);
    visit("format", request.format, Text{StoreTextLimits::word});
    visit("overwrite", request.overwrite);
    visit("into", request.into, MayBeAbsent{}, AbsentIfEmpty{}, AtMost{directories_max}, Text{StoreTextLimits::path});
  }
  [[nodiscard]] std::optional<std::string> problem() const { return problem_of_format(format); }
  bool operator==(const ImportRequest&) const = default;
};

enum class ImportStatus : std::uint8_t { running, done, failed, cancelled };

// The newest import of a server; in `state` and in `server.report`.
struct ImportMessage {
  std::string server;
  std::uint64_t number = 0;  // of the imports since that server started
  std::string input;
  std::string name;  // of the visualization; empty until it is known
  ImportStatus status = ImportStatus::running;
  std::uint64_t frames = 0;  // written so far
  std::optional<std::uint64_t> frames_total;
  std::optional<double> frames_per_s, mb_per_s;
  std::optional<double> limit_mb_per_s;  // while a server plays from the same disks
  std::string reason;                    // of `failed`

  static constexpr std::size_t reason_bytes_max = 512;
  static constexpr bool closed = false;
  static void members(auto& import, auto& visit) {
    visit("server", import.server);
    visit("number", import.number, MayBeAbsent{});
    visit("input", import.input, MayBeAbsent{}, Text{StoreTextLimits::source});
    visit("name", import.name, MayBeAbsent{}, AbsentIfEmpty{});
    visit("status", import.status, Names{"running", "done", "failed", "cancelled"});
    visit("frames", import.frames, MayBeAbsent{});
    visit("frames_total", import.frames_total);
    visit("frames_per_s", import.frames_per_s);
    visit("mb_per_s", import.mb_per_s);
    visit("limit_mb_per_s", import.limit_mb_per_s);
    visit("reason", import.reason, MayBeAbsent{}, AbsentIfEmpty{});
  }
  bool operator==(const ImportMessage&) const = default;
};

}  // namespace lw
