#include "ingest/progress.h"

#include "common/base/counted.h"
#include "common/base/print.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace lw {
namespace {

constexpr int bar_width = 30;

}  // namespace

Progress::Progress(std::string what, std::optional<std::uint64_t> total, std::uint64_t done, bool json)
    : what_(std::move(what)),
      total_(total),
      before_(done),
      style_(json                         ? Style::json
             : isatty(STDERR_FILENO) != 0 ? Style::bar
                                          : Style::lines),
      start_(std::chrono::steady_clock::now()),
      next_(start_ + (style_ == Style::bar ? std::chrono::milliseconds{100} : std::chrono::milliseconds{2000})) {}

Progress::~Progress() {
  if (shown_ && style_ == Style::bar) std::fputc('\n', stderr);
}

void Progress::update(std::uint64_t frames, std::uint64_t bytes, std::optional<double> limit) {
  const auto now = std::chrono::steady_clock::now();
  const bool last = total_ && frames == *total_;
  if (now < next_ && !(last && style_ == Style::bar)) return;
  next_ = now + (style_ == Style::bar    ? std::chrono::milliseconds{100}
                 : style_ == Style::json ? std::chrono::milliseconds{500}
                                         : std::chrono::milliseconds{2000});
  shown_ = true;
  show(frames, bytes, limit, std::chrono::duration<double>(now - start_).count());
}

void Progress::show(std::uint64_t frames, std::uint64_t bytes, std::optional<double> limit, double seconds) {
  const double rate = seconds > 0 ? static_cast<double>(frames - before_) / seconds : 0;
  const double megabytes = seconds > 0 ? static_cast<double>(bytes) / 1e6 / seconds : 0;
  if (style_ == Style::json) {
    print_out("{{\"event\":\"progress\",\"frames\":{},\"frames_per_s\":{:.2f},\"mb_per_s\":{:.1f}{}{}}}\n", frames,
              rate, megabytes, limit ? fmt::format(",\"limit_mb_per_s\":{:.1f}", *limit / 1e6) : "",
              total_ ? fmt::format(",\"frames_total\":{}", *total_) : "");
    std::fflush(stdout);
    return;
  }
  const auto written = fmt::format("{:.1f} frame/s, {:.0f}{} MB/s", rate, megabytes,
                                   limit ? fmt::format(" of {:.0f}", *limit / 1e6) : "");
  std::string text = fmt::format("{}, {}", counted(frames, "frame"), written);
  if (total_ && *total_ > 0) {
    const double done = std::min(1.0, static_cast<double>(frames) / static_cast<double>(*total_));
    const auto left =
        rate > 0 ? static_cast<std::uint64_t>(static_cast<double>(*total_ - std::min(frames, *total_)) / rate) : 0;
    text = fmt::format("{:3.0f} %  {} of {}, {}, {}:{:02} left", done * 100, frames, counted(*total_, "frame"), written,
                       left / 60, left % 60);
    if (style_ == Style::bar) {
      const int full = static_cast<int>(done * bar_width);
      text = fmt::format("[{:=<{}}{: <{}}] ", "", full, "", bar_width - full) + text;
    }
  }
  if (style_ == Style::bar)
    print_to(stderr, "\r{}: {}\x1b[K", what_, text);
  else
    print_error("{}: {}", what_, text);
}

std::function<void(const std::string&)> teller(bool json) {
  if (json)
    return [](const std::string& text) {
      const nlohmann::json note{{"event", "note"}, {"text", text}};
      print_out("{}\n", note.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
      std::fflush(stdout);
    };
  return [](const std::string& text) {
    if (isatty(STDERR_FILENO) != 0) print_to(stderr, "\r\x1b[K");
    print_error("wall-ingest: {}", text);
  };
}

}  // namespace lw
