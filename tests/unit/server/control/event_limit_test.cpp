// However often something happens, it is reported once a second, with the count.
#include "server/control/event_limit.h"

#include "server/control/loss_watch.h"

#include <catch2/catch.hpp>

#include <random>
#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

struct Told {
  std::vector<PlayEvent> events;
  EventLimit limit{[this](const PlayEvent& event, const std::optional<std::string>&) { events.push_back(event); }};
};

PlayEvent event(std::string code, std::string text = "what happened") {
  return {Severity::warning, std::move(code), std::move(text), {}, {}};
}

}  // namespace

TEST_CASE("2,000 warnings a second become one a second, with counts") {
  Told told;
  LocalTime now{100s};
  for (int i = 0; i < 20'000; ++i, now += 500us) {
    told.limit.add(event("loss-began"), {}, now);
    if (i % 40 == 0) told.limit.flush(now);
  }
  CHECK(told.events.size() <= EventLimit::burst + 10);
  CHECK_THAT(told.events.back().text, Catch::Contains("1999 more like it since the last"));
  const auto before = told.events.size();
  told.limit.flush(now + 2s);
  CHECK(told.events.size() == before + 1);
  told.limit.flush(now + 10s);
  CHECK(told.events.size() == before + 1);
}

TEST_CASE("one kind of event does not delay another, and the last of a burst is unchanged") {
  Told told;
  LocalTime now{100s};
  for (unsigned i = 0; i < EventLimit::burst + 1; ++i) told.limit.add(event("loss-began"), {}, now);
  told.limit.add(event("node-lost"), "left", now);
  CHECK(told.events.size() == EventLimit::burst + 1);
  CHECK(told.events.back().code == "node-lost");
  told.limit.flush(now + 1s);
  CHECK(told.events.size() == EventLimit::burst + 2);
  CHECK(told.events.back().text == "what happened");
}

TEST_CASE("a text that quotes much of a message is cut") {
  Told told;
  told.limit.add(event("placed", std::string(1'000'000, 'f')), {}, LocalTime{1s});
  CHECK(told.events.back().text.size() == EventLimit::text_bytes_max);
}

TEST_CASE("a wall whose flows all have losses and late packets is reported a few times a second") {
  const unsigned seed = GENERATE(1U, 2U, 3U);
  CAPTURE(seed);
  std::mt19937 random(seed);
  Told told;
  std::vector<LossWatch> flows;
  for (unsigned flow = 0; flow < 256; ++flow) flows.emplace_back(WatchedFlow{flow, {flow / 4}, {flow / 4, 0}});
  std::vector<std::uint64_t> lost(flows.size(), 100);
  LocalTime now{100s};
  constexpr int seconds = 30;
  for (int report = 0; report < 10 * seconds; ++report, now += 100ms) {
    told.limit.flush(now);
    for (std::size_t flow = 0; flow < flows.size(); ++flow) {
      // Lost is expected minus received: it falls when a packet arrives late.
      lost[flow] += random() % 6;
      lost[flow] -= random() % 5;
      if (const auto began = flows[flow].update(lost[flow], 0, now)) told.limit.add(*began, {}, now);
    }
  }
  CHECK(told.events.size() <= EventLimit::burst * 2 + 2 * seconds);
}
