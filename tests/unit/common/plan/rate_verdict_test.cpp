// Pins the verdict of the plan, the doctor and the log on a visualization's frame rate: none if it plays, otherwise the
// number with which it does.
#include "common/plan/rate_verdict.h"

#include "common/plan/buffers.h"
#include "common/plan/plan.h"
#include "common/wall/send_window.h"
#include "tests/support/source_folder.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <random>
#include <regex>

namespace lw {
namespace {

using std::chrono::milliseconds;

Wall wall_at(FrameRate rate) {
  auto wall = load_wall(test::source_folder() / "walls/local-2x2.toml").value();
  wall.frame_rate = rate;
  wall.streaming.playout_delay = default_playout_delay(rate, wall.sync.mode);
  return wall;
}

const Finding& named(const std::vector<Finding>& findings, const std::string& what) {
  const auto found = std::ranges::find(findings, what, &Finding::what);
  REQUIRE(found != findings.end());
  return *found;
}

milliseconds delay_named(const std::string& mend) {
  std::smatch match;
  INFO(mend);
  REQUIRE(std::regex_search(mend, match, std::regex("playout_delay_ms = ([0-9]+) or more")));
  return milliseconds(std::stoi(match[1]));
}

Manifest movie(const Wall& wall, FrameRate rate) {
  Manifest manifest;
  manifest.name = "movie";
  manifest.geometry = wall.grid;
  manifest.frame_rate = rate;
  manifest.frame_count = 10;
  manifest.stripes = {"."};
  return manifest;
}

TEST_CASE("with the defaults every wall plays its own rate, and every slower one, without a warning") {
  for (int hertz = 1; hertz <= 240; ++hertz) {
    const auto wall = wall_at({hertz, 1});
    for (int rate = 1; rate <= hertz; ++rate) {
      INFO(hertz << " frame/s, a visualization of " << rate);
      REQUIRE(rate_warning(wall, {rate, 1}).empty());
    }
  }
}

TEST_CASE("a delay that makes frames hurry is reported, with a number that does not") {
  auto wall = wall_at({10, 1});
  wall.streaming.playout_delay = milliseconds{80};
  const auto findings = judge_rate(wall, wall.frame_rate);
  const auto& delay = named(findings, "playout delay");
  CHECK(delay.verdict == Verdict::limited);
  CHECK(delay.needed == "100 ms (90.0 to send a frame, 10 to arrive)");
  CHECK(delay.have == "80 ms");
  CHECK(delay_named(delay.mend) == milliseconds{100});
  CHECK_THAT(delay.mend, Catch::Contains("without the key it is 140") && Catch::Contains("70.0 ms, 1.3 times"));
  CHECK_THAT(rate_warning(wall, wall.frame_rate), Catch::Contains("playout_delay_ms = 100 or more"));
  wall.streaming.playout_delay = milliseconds{10};
  CHECK(named(judge_rate(wall, wall.frame_rate), "playout delay").verdict == Verdict::impossible);
}

TEST_CASE("the delay that a finding names is sufficient, and one less is not") {
  std::minstd_rand random(3);
  unsigned said = 0;
  for (int i = 0; i < 3000; ++i) {
    auto wall = wall_at({1 + static_cast<int>(random() % 240), 1});
    const FrameRate rate{1 + static_cast<int>(random() % 240), 1};
    wall.sync.mode = random() % 2 == 0 ? SyncMode::tile : SyncMode::wall;
    wall.streaming.playout_delay = milliseconds(random() % 300);
    wall.streaming.pace_fraction = 0.1 + 0.01 * static_cast<double>(random() % 91);
    wall.streaming.fec = FecUse::never;
    for (const std::string what : {"playout delay", "resends at the end of a frame"}) {
      const auto finding = named(judge_rate(wall, rate), what);
      if (finding.verdict == Verdict::ok) continue;
      ++said;
      INFO(wall.frame_rate.numerator << " frame/s, a visualization of " << rate.numerator << ", "
                                     << wall.streaming.playout_delay.count() << " ms: " << finding.mend);
      auto mended = wall;
      mended.streaming.playout_delay = delay_named(finding.mend);
      REQUIRE(named(judge_rate(mended, rate), what).verdict == Verdict::ok);
      if (what != "playout delay") continue;
      mended.streaming.playout_delay -= milliseconds{1};
      REQUIRE(named(judge_rate(mended, rate), what).verdict != Verdict::ok);
    }
  }
  CHECK(said > 500);
}

TEST_CASE("a visualization that is faster than its wall must fit into the nodes' buffers") {
  const auto wall = wall_at({5, 1});
  CHECK(rate_warning(wall, {24, 1}).empty());
  const auto findings = judge_rate(wall, {60, 1});
  const auto& buffers = named(findings, "frames waiting in the nodes");
  CHECK(buffers.verdict == Verdict::impossible);
  CHECK(buffers.needed == "17 at 60 frame/s");
  CHECK_THAT(buffers.mend, Catch::Contains("frame_rate = \"60\""));
  CHECK(rate_warning(wall_at({60, 1}), {60, 1}).empty());
  CHECK(rate_warning(wall_at({30, 1}), {60, 1}).empty());

  auto adapted = wall_at({30, 1});
  adapted.streaming.playout_delay_max = milliseconds{600};
  CHECK(named(judge_rate(adapted, {60, 1}), "frames waiting in the nodes").verdict == Verdict::limited);
}

TEST_CASE("the plan uses the peak of the shorter window, also for link, cores and buffers") {
  auto wall = wall_at({10, 1});
  const auto usual = requirements_of(wall, wall.coordinator()).value();
  CHECK(usual.send_window == milliseconds{90});
  CHECK(usual.flows[0].peak->gbit() == Approx(usual.flows[0].load.wire.gbit() / 0.9));
  wall.streaming.playout_delay = milliseconds{40};
  const auto hasty = requirements_of(wall, wall.coordinator()).value();
  CHECK(hasty.send_window == milliseconds{30});
  CHECK(hasty.flows[0].peak->gbit() == Approx(hasty.flows[0].load.wire.gbit() / 0.3));
  CHECK(hasty.flows[0].load.wire == usual.flows[0].load.wire);
  CHECK(hasty.receive_buffer_bytes >= usual.receive_buffer_bytes);

  HostFacts host;
  Nic nic;
  nic.name = "card";
  nic.addresses = {"127.0.0.1"};
  nic.up = true;
  nic.link_rate = usual.total.wire * 1.5;
  host.nics.push_back(nic);
  const auto rate_of = [&] {
    const auto plan = make_plan(wall, wall.coordinator(), host);
    return named(plan.findings, "interface card (127.0.0.1) rate");
  };
  // 67 ms on the link.
  CHECK(rate_of().verdict == Verdict::impossible);
  wall.streaming.playout_delay = delay_named(rate_of().mend);
  CHECK(wall.streaming.playout_delay == milliseconds{77});
  CHECK(rate_of().verdict != Verdict::impossible);

  const auto plan = make_plan(wall, wall.coordinator(), movie(wall, {2, 1}), host, {});
  CHECK(plan.needs.send_window == milliseconds{67});
  CHECK(plan_json(plan)["needs"]["send_window_ms"] == 67);
  CHECK_THAT(plan_text(plan), Catch::Contains("sent within    67.0 of 500.0 ms"));
}

}  // namespace
}  // namespace lw
