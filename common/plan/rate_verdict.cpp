#include "common/plan/rate_verdict.h"

#include "common/base/frame_rate.h"
#include "common/plan/buffers.h"
#include "common/wall/send_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

double milliseconds_in(Nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); }

// A frame may take the time that pace_fraction gives to one of the wall's, or to one of the visualization's if that is
// less: slower visualizations are sent no faster than the wall's own frames.
Finding judge_delay(const Wall& wall, FrameRate rate) {
  const SendWindow window(wall);
  const auto interval = rate.duration_of(1);
  const auto usual = std::min(interval, wall.frame_rate.duration_of(1));
  const auto margin = send_margin(wall.sync.mode);
  const auto sending = std::max(window.of(interval), window.asked(usual));
  const auto needed = delay_for_whole_window(wall, usual);
  Finding finding{Verdict::ok, "playout delay",
                  fmt::format("{:.0f} ms ({:.1f} to send a frame, {} to arrive)", milliseconds_in(sending + margin),
                              milliseconds_in(sending), margin.count()),
                  fmt::format("{} ms", wall.streaming.playout_delay.count()), ""};
  if (window.limit() > Nanoseconds{0} && window.of(interval) >= window.asked(usual)) return finding;
  finding.verdict = window.limit() > Nanoseconds{0} ? Verdict::limited : Verdict::impossible;
  finding.mend = fmt::format("use playout_delay_ms = {} or more; without the key it is {}", needed.count(),
                             default_playout_delay(wall.frame_rate, wall.sync.mode).count());
  if (finding.verdict == Verdict::limited)
    finding.mend += fmt::format("; until then a frame is sent in {:.1f} ms, {:.1f} times as fast as pace_fraction asks",
                                milliseconds_in(window.of(interval)), window.haste(interval));
  return finding;
}

// A frame uses a buffer of its node from its first packet until it is shown. Besides waiting frames, there are the one
// that is arriving and the one that is shown.
std::size_t frames_waiting(std::chrono::milliseconds delay, FrameRate rate) {
  return static_cast<std::size_t>(std::ceil(static_cast<double>(delay.count()) / 1000 * rate.hertz())) + 2;
}

Finding judge_buffers(const Wall& wall, FrameRate rate) {
  const auto kept = client_bands_per_flow(wall.streaming, wall.frame_rate);
  const auto always = frames_waiting(wall.streaming.playout_delay, rate);
  const auto at_most = frames_waiting(wall.streaming.longest_playout_delay(), rate);
  const auto verdict = always > kept ? Verdict::impossible : at_most > kept ? Verdict::limited : Verdict::ok;
  return {verdict, "frames waiting in the nodes", fmt::format("{} at {} frame/s", at_most, to_text(rate)),
          fmt::format("{} at {} frame/s of the wall", kept, to_text(wall.frame_rate)),
          verdict == Verdict::ok ? "" : fmt::format("use frame_rate = \"{}\" in [wall]", to_text(rate))};
}

// A packet lost at the end of a frame is missed when the next frame begins, unless parity reveals it earlier.
Finding judge_resends(const Wall& wall, FrameRate rate) {
  const auto missed = std::chrono::ceil<std::chrono::milliseconds>(rate.duration_of(1));
  const auto least = missed + send_margin(wall.sync.mode);
  const auto needed = least + assumed_round_trip;
  const bool ok = wall.streaming.playout_delay > least;
  return {ok ? Verdict::ok : Verdict::limited, "resends at the end of a frame",
          fmt::format("playout_delay_ms = {}", needed.count()), fmt::format("{}", wall.streaming.playout_delay.count()),
          ok ? "" : fmt::format("use playout_delay_ms = {} or more, or fec = \"auto\"", needed.count())};
}

}  // namespace

std::vector<Finding> judge_rate(const Wall& wall, FrameRate rate) {
  std::vector<Finding> findings{judge_delay(wall, rate)};
  if (rate.hertz() > wall.frame_rate.hertz()) findings.push_back(judge_buffers(wall, rate));
  if (wall.streaming.resend && wall.streaming.fec == FecUse::never) findings.push_back(judge_resends(wall, rate));
  return findings;
}

std::string rate_warning(const Wall& wall, FrameRate rate) {
  std::string text;
  for (const auto& finding : judge_rate(wall, rate)) {
    if (finding.verdict == Verdict::ok) continue;
    text += fmt::format("{}{}: {}, needed {}; {}", text.empty() ? "" : ". ", finding.what, finding.have, finding.needed,
                        finding.mend);
  }
  return text;
}

}  // namespace lw
