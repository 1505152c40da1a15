// Pins the script of a path that changes: steps in time, everything else as on the command line, errors by line.
#include "probe/impair/impair_script.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

TEST_CASE("steps change what they name and leave the rest") {
  Impairment base;
  base.delay = 20ms;
  base.loss = 0.5;
  const auto steps = parse_impair_script(
      "[[step]]\nat_s = 10\nloss_percent = 0\n[[step]]\nat_s = 5.5\nloss_percent = 2\nloss_burst = 8\njitter_ms = 5\n"
      "distribution = \"pareto\"\nkeep_order = false\nduplicate_percent = 1\ncorrupt_percent = 1\n"
      "reorder_percent = 3\nreorder_by = 64\nrate_gbit = 1.5\nqueue_ms = 10\n",
      "s.toml", base);
  REQUIRE(steps.has_value());
  REQUIRE(steps->size() == 2);
  const auto& first = (*steps)[0];  // in the order of time
  CHECK(first.at == 5500ms);
  CHECK(first.impairment.loss == Approx(0.02));
  CHECK(first.impairment.loss_burst == 8);
  CHECK(first.impairment.delay == 20ms);
  CHECK(first.impairment.jitter == 5ms);
  CHECK(first.impairment.distribution == Jitter::pareto);
  CHECK_FALSE(first.impairment.keep_order);
  CHECK(first.impairment.reorder_by == 64);
  CHECK(first.impairment.rate->gbit() == Approx(1.5));
  CHECK(first.impairment.queue == 10ms);
  CHECK((*steps)[1].impairment.loss == 0);
  CHECK((*steps)[1].impairment.loss_burst == 1);
}

TEST_CASE("errors in a script name the line and the fix") {
  const auto error = [](std::string_view toml) {
    const auto steps = parse_impair_script(toml, "s.toml", {});
    REQUIRE(!steps);
    return steps.error().text();
  };
  CHECK_THAT(error(""), Catch::Contains("s.toml:1: there is no [[step]]"));
  CHECK_THAT(error("[[step]]\nat_s = 1\nloss = 2"), Catch::Contains("s.toml:3: unknown key 'loss'"));
  CHECK_THAT(error("[[step]]\nloss_percent = 101"), Catch::Contains("s.toml:2:") && Catch::Contains("use 0 to 100"));
  CHECK_THAT(error("[[step]]\ndistribution = \"bell\""), Catch::Contains("use uniform, normal"));
  CHECK_THAT(error("[[step]\n"), Catch::Contains("not valid TOML"));
  CHECK_THAT(error("step = 1"), Catch::Contains("there is no [[step]]"));
}
