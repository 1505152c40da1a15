// Pins the figures of STAMP sessions against paths of known truth: random ones, with loss, reordering, copies and
// clocks that differ.
#include "probe/stamp/session_figures.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr WallTime start{1'790'000'000s};

struct Path {
  std::uint32_t packets = 200;
  double forward_loss = 0, reverse_loss = 0, copies = 0;
  bool loses_end = false;       // the last packet may be lost
  Nanoseconds clock_offset{0};  // of the reflector
  Nanoseconds jitter{0};        // up to this, each way
};
struct Truth {
  std::vector<StampExchange> exchanges;
  double forward_lost = 0, reverse_lost = 0;  // of the requests; of the replies
};

// In order of sending; 1 ms apart, 5 ms forward, 3 ms back, 20 us at the reflector.
Truth walk(const Path& path, std::mt19937_64& random) {
  std::uniform_real_distribution<double> share;
  const auto wait = [&] {
    return Nanoseconds{static_cast<std::int64_t>(share(random) * static_cast<double>(path.jitter.count()))};
  };
  struct Arrival {
    WallTime at;
    std::uint32_t sequence;
    bool operator<(const Arrival& other) const { return at < other.at; }
  };
  Truth truth;
  std::vector<Arrival> requests;
  for (std::uint32_t i = 0; i < path.packets; ++i) {
    const bool last = i + 1 == path.packets && !path.loses_end;
    if (!last && share(random) < path.forward_loss) {
      ++truth.forward_lost;
      continue;
    }
    requests.push_back({start + i * 1ms + 5ms + wait(), i});
    if (share(random) < path.copies) requests.push_back({requests.back().at + 1us, i});
  }
  std::stable_sort(requests.begin(), requests.end());
  for (std::uint32_t reply = 0; reply < requests.size(); ++reply) {
    const auto& [at, sequence] = requests[reply];
    const bool last = sequence + 1 == path.packets && !path.loses_end;
    if (!last && share(random) < path.reverse_loss) {
      ++truth.reverse_lost;
      continue;
    }
    const auto received = at + path.clock_offset;
    truth.exchanges.push_back(
        {sequence, reply, start + sequence * 1ms, received, received + 20us, at + 20us + 3ms + wait(), 255, {}, 0});
  }
  std::ranges::stable_sort(truth.exchanges, {}, &StampExchange::arrived);
  return truth;
}

StampSent sent(const Path& path, bool stateful = true) {
  return {path.packets, 0, stateful ? std::optional(true) : std::nullopt, {}};
}

}  // namespace

TEST_CASE("the clocks' offset is in one-way delays only, and the reflector's time in none") {
  std::mt19937_64 random{1};
  const Path path{.clock_offset = -40ms};
  const auto truth = walk(path, random);
  auto known = sent(path);
  known.clock_error = 50us;
  const auto figures = stamp_figures(known, truth.exchanges);
  CHECK(figures.whole.at("rtt_us_p50") == Approx(8000));
  CHECK(figures.whole.at("rtt_us_max") == Approx(8000));
  CHECK(figures.whole.at("reflector_us_p50") == Approx(20));
  CHECK(figures.forward.at("delay_us_p50") == Approx(-35'000));
  CHECK(figures.reverse.at("delay_us_p50") == Approx(43'000));
  CHECK(figures.whole.at("clock_error_us") == Approx(50));
  CHECK(figures.forward.at("pdv_us_max") == Approx(0).margin(1e-9));
  CHECK(figures.forward.at("hops_max") == 0);
  // Without a bound of the clocks' error there is no one-way delay, but its variation.
  const auto unknown = stamp_figures(sent(path), truth.exchanges);
  CHECK(unknown.forward.count("delay_us_p50") == 0);
  CHECK(unknown.forward.count("pdv_us_p50") == 1);
}

TEST_CASE("losses are counted where they happened") {
  std::mt19937_64 random{2};
  for (int i = 0; i < 300; ++i) {
    std::uniform_real_distribution<double> share(0, 0.6);
    const Path path{.forward_loss = i % 3 == 0 ? 0 : share(random), .reverse_loss = i % 3 == 1 ? 0 : share(random)};
    const auto truth = walk(path, random);
    const auto figures = stamp_figures(sent(path), truth.exchanges);
    CHECK(figures.forward.at("lost") == truth.forward_lost);
    CHECK(figures.reverse.at("lost") == truth.reverse_lost);
    CHECK(figures.whole.at("lost") == truth.forward_lost + truth.reverse_lost);
    CHECK(figures.whole.at("undetermined_lost") == 0);
    CHECK(figures.forward.at("loss") == Approx(truth.forward_lost / 200));
    CHECK(figures.forward.at("reordered") == 0);
    CHECK(figures.reverse.at("reordered") == 0);
  }
}

TEST_CASE("each lost packet is lost forward, in reverse or undetermined, whatever else happens") {
  std::mt19937_64 random{3};
  for (int i = 0; i < 500; ++i) {
    std::uniform_real_distribution<double> share(0, 0.9);
    const Path path{.packets = static_cast<std::uint32_t>(1 + random() % 100),
                    .forward_loss = share(random),
                    .reverse_loss = share(random),
                    .copies = share(random) / 4,
                    .loses_end = true,
                    .jitter = i % 2 == 0 ? Nanoseconds{0} : Nanoseconds{4ms}};
    const auto truth = walk(path, random);
    const auto figures = stamp_figures(sent(path), truth.exchanges);
    CHECK(figures.whole.at("lost") <= path.packets);
    if (truth.exchanges.empty()) {
      CHECK(figures.whole.at("loss") == 1);
      CHECK(figures.whole.count("rtt_us_p50") == 0);
      continue;
    }
    const double forward = figures.forward.at("lost"), reverse = figures.reverse.at("lost");
    const double undetermined = figures.whole.at("undetermined_lost");
    CHECK(std::min({forward, reverse, undetermined}) >= 0);
    CHECK(forward + reverse + undetermined == figures.whole.at("lost"));
    if (path.jitter == Nanoseconds{0}) CHECK(forward <= truth.forward_lost);  // else the end is uncertain
    CHECK(reverse <= truth.reverse_lost);
  }
}

TEST_CASE("what a stateless reflector cannot know is absent") {
  std::mt19937_64 random{4};
  const Path path{.forward_loss = 0.1};
  auto truth = walk(path, random);
  for (auto& exchange : truth.exchanges) exchange.reply_sequence = exchange.request_sequence;
  const auto figures = stamp_figures(sent(path, false), truth.exchanges);
  CHECK(figures.whole.at("lost") == truth.forward_lost);
  for (const auto* name : {"lost", "loss", "reordered"}) {
    CHECK(figures.forward.count(name) == 0);
    CHECK(figures.reverse.count(name) == 0);
  }
}

TEST_CASE("numbers of another session tell nothing") {
  std::mt19937_64 random{5};
  const Path path{.forward_loss = 0.1};
  auto truth = walk(path, random);
  for (auto& exchange : truth.exchanges) exchange.reply_sequence += 5000;
  const auto figures = stamp_figures(sent(path), truth.exchanges);
  CHECK(figures.forward.count("lost") == 0);
  CHECK(figures.whole.at("lost") == truth.forward_lost);
}

TEST_CASE("reordering is counted by direction; copies are neither reordered nor a delay") {
  const auto exchange = [](std::uint32_t request, std::uint32_t reply, int arrived_ms) {
    return StampExchange{request, reply, start, start + 1ms, start + 1ms, start + 1ms * arrived_ms, 250, {}, 0};
  };
  // Request 2 overtook 1; reply 3 overtook 2, and came twice; request 5 was lost.
  const std::vector exchanges{exchange(0, 0, 2), exchange(2, 1, 3),  exchange(3, 3, 4),
                              exchange(1, 2, 5), exchange(3, 3, 90), exchange(4, 4, 6)};
  const auto figures = stamp_figures({6, 0, true, {}}, exchanges);
  CHECK(figures.forward.at("reordered") == 1);
  CHECK(figures.reverse.at("reordered") == 1);
  CHECK(figures.whole.at("reordered") == 1);
  CHECK(figures.whole.at("duplicates") == 1);
  CHECK(figures.whole.at("lost") == 1);
  CHECK(figures.whole.at("loss_runs") == 1);
  CHECK(figures.whole.at("undetermined_lost") == 1);
  CHECK(figures.whole.at("rtt_us_max") == Approx(6000));
  CHECK(figures.forward.at("hops_min") == 5);
}

TEST_CASE("changed classes and marks of congestion are counted by direction") {
  const auto exchange = [](std::uint32_t request, std::uint8_t request_class, std::uint8_t reply_class) {
    return StampExchange{request, request, start, start, start, start, 255, request_class, reply_class};
  };
  constexpr std::uint8_t ef = 46 << 2;
  const auto figures =
      stamp_figures({3, ef | 2, true, {}}, {exchange(0, ef | 2, ef), exchange(1, ef | 3, ef | 3), exchange(2, 2, 0)});
  CHECK(figures.forward.at("dscp_changed") == 1);
  CHECK(figures.forward.at("ecn_ce") == 1);
  CHECK(figures.reverse.at("dscp_changed") == 1);
  CHECK(figures.reverse.at("ecn_ce") == 1);
  const auto unknown = stamp_figures({1, ef, {}, {}}, {StampExchange{.request_ttl = 0}});
  CHECK(unknown.forward.count("dscp_changed") == 0);
  CHECK(unknown.forward.count("hops_min") == 0);
}
