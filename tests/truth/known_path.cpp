#include "tests/truth/known_path.h"

#include "tests/support/network.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lw::truth {
namespace {

using namespace std::chrono_literals;

constexpr std::array<Nanoseconds, 2> base_delays{5ms, 7ms};
constexpr Nanoseconds variation = 6ms;
constexpr Nanoseconds late_by = 150ms;
constexpr Nanoseconds apart = 1us;  // between packets that wait in a queue

// One way from the sender to the receiver.
class Way {
public:
  Way(const KnownPath& path, unsigned number, WallTime begin)
      : path_(path), number_(number), begin_(begin), random_(path.seed * 2 + number) {}

  // A packet that leaves `passed` after the beginning. If `spared`, it arrives undisturbed.
  void send(Crossing packet, Nanoseconds passed, bool spared, std::vector<Crossing>& into) {
    const bool lost = is_lost();
    packet.dropped = happens(path_.drop_per_mille) && !spared;
    if (lost && !spared) return;
    packet.way = number_;
    packet.delay = delay_of(passed);
    if (happens(path_.late_per_mille) && !spared) packet.delay += late_by;
    if (packet.frame == 0 && packet.packet == 0) packet.delay = base_delays[number_];
    const unsigned copies = happens(path_.repeat_per_mille) ? 2 : 1;
    for (unsigned copy = 0; copy < copies; ++copy) {
      packet.arrival = path_.arrival_clock(begin_, passed + packet.delay);
      into.push_back(packet);
      packet.delay += apart * 100;
    }
  }

private:
  bool happens(unsigned per_mille) { return random_.below(1000) < per_mille; }
  bool is_lost() {
    if (losing_ > 0) return --losing_ > 0;
    if (path_.loss_run == 1) return happens(path_.loss_per_mille);
    if (random_.below(1000 * path_.loss_run) >= path_.loss_per_mille) return false;
    losing_ = random_.between(1, 2 * path_.loss_run - 1);
    return true;
  }
  Nanoseconds delay_of(Nanoseconds passed) {
    auto delay = base_delays[number_];
    if (path_.delays == Delays::constant) return delay;
    delay += Nanoseconds{static_cast<std::int64_t>(random_.below(static_cast<std::size_t>(variation.count())))};
    if (path_.delays == Delays::reordering) return delay;
    busy_until_ = std::max(busy_until_ + apart, passed + delay);
    return busy_until_ - passed;
  }

  const KnownPath& path_;
  const unsigned number_;
  const WallTime begin_;
  Random random_;
  std::size_t losing_ = 0;
  Nanoseconds busy_until_{0};
};

KnownPath path_of(unsigned loss_per_mille, Delays delays, bool two_ways, std::string_view clock) {
  constexpr std::array<std::string_view, 3> delay_names{"constant delay", "queueing", "reordering"};
  KnownPath path;
  path.loss_per_mille = loss_per_mille;
  path.delays = delays;
  path.two_ways = two_ways;
  path.name = "loss " + std::to_string(loss_per_mille / 10) + " %, ";
  path.name += delay_names[static_cast<unsigned>(delays)];
  if (two_ways) path.name += ", two paths";
  if (clock == "off") {
    path.clock_offset = 1s;
    path.name += ", clock 1 s ahead";
  } else if (clock == "drifting") {
    path.clock_drift_ppm = 100;
    path.name += ", clock 100 ppm fast";
  }
  return path;
}

}  // namespace

Flight fly(const KnownPath& path, unsigned packets, unsigned parity, WallTime begin) {
  Flight flight{packets, parity, {}, {}, {}};
  Random lateness(path.seed * 2 + 100'000);
  std::vector<Way> ways;
  for (unsigned number = 0; number < (path.two_ways ? 2U : 1U); ++number) ways.emplace_back(path, number, begin);
  const auto interval = path.rate().duration_of(1);
  const unsigned all = packets + parity;
  const unsigned spared_frames = spared_packets / packets + 1;
  for (unsigned frame = 0; frame < path.frames; ++frame) {
    const auto media = path.rate().duration_of(frame);
    const auto leaves =
        media +
        Nanoseconds{static_cast<std::int64_t>(lateness.below(static_cast<std::size_t>(path.sender_late.count())))};
    flight.media_times.push_back(begin + media);
    flight.departures.push_back(begin + leaves);
    const bool spared = frame == 0 || frame + spared_frames >= path.frames;
    for (unsigned packet = 0; packet < all; ++packet) {
      const auto bursts_before = static_cast<std::int64_t>(packet / path.burst() * path.burst());
      const auto passed = leaves + interval / 2 * bursts_before / static_cast<std::int64_t>(all);
      for (auto& way : ways) way.send({frame, packet}, passed, spared, flight.crossings);
    }
  }
  std::ranges::stable_sort(flight.crossings, {}, &Crossing::arrival);
  return flight;
}

std::vector<KnownPath> known_paths(std::uint64_t seed) {
  std::vector<KnownPath> paths;
  for (const unsigned loss : {0U, 10U, 100U, 600U})
    for (const auto delays : {Delays::constant, Delays::queueing, Delays::reordering})
      for (const bool two_ways : {false, true})
        for (const auto* clock : {"right", "off", "drifting"}) paths.push_back(path_of(loss, delays, two_ways, clock));
  const auto add = [&](std::string name, KnownPath path) {
    path.name = std::move(name);
    paths.push_back(std::move(path));
  };
  add("loss 10 % in runs of 8", {.loss_per_mille = 100, .loss_run = 8});
  add("2 % arrive twice", {.repeat_per_mille = 20});
  add("2 % arrive twice, loss 10 %, reordering",
      {.loss_per_mille = 100, .repeat_per_mille = 20, .delays = Delays::reordering});
  add("3 % dropped at the socket", {.drop_per_mille = 30});
  add("1 % late by 150 ms", {.frames = 300, .late_per_mille = 10});
  for (const unsigned loss : {10U, 100U, 600U}) {
    const auto percent = "loss " + std::to_string(loss / 10) + " %, ";
    add(percent + "parity 10+2", {.loss_per_mille = loss, .recovery = Recovery::parity});
    add(percent + "resends", {.frames = 300, .loss_per_mille = loss, .recovery = Recovery::resends});
  }
  add("3 % dropped at the socket, parity 10+2", {.drop_per_mille = 30, .recovery = Recovery::parity});
  for (const unsigned loss : {0U, 10U, 100U}) {
    const auto percent = "loss " + std::to_string(loss / 10) + " %, ";
    add(percent + "reordering, parity 10+2",
        {.loss_per_mille = loss, .delays = Delays::reordering, .recovery = Recovery::parity});
  }
  add("2 % arrive twice, 3 % dropped at the socket, discarded",
      {.repeat_per_mille = 20, .drop_per_mille = 30, .discards = true});
  for (const unsigned loss : {0U, 10U, 100U, 600U})
    for (const auto delays : {Delays::constant, Delays::queueing, Delays::reordering}) {
      auto path = path_of(loss, delays, false, "right");
      path.discards = true;
      add(path.name + ", discarded", path);
    }
  add("loss 10 %, parity 10+2, discarded", {.loss_per_mille = 100, .recovery = Recovery::parity, .discards = true});
  for (const unsigned loss : {0U, 100U})
    for (const auto* clock : {"right", "off", "drifting"}) {
      auto path = path_of(loss, Delays::queueing, false, clock);
      path.sender_late = 2ms;
      add(path.name + ", sender up to 2 ms late", path);
    }
  for (const bool discards : {false, true}) {
    const std::string discarded = discards ? ", discarded" : "";
    add("unknown sources" + discarded, {.intruders = true, .discards = discards});
    add("unknown sources, loss 10 %, reordering" + discarded,
        {.loss_per_mille = 100, .delays = Delays::reordering, .intruders = true, .discards = discards});
  }
  for (std::size_t i = 0; i < paths.size(); ++i) paths[i].seed = seed * 1000 + i;
  return paths;
}

}  // namespace lw::truth
