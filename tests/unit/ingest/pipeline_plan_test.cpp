#include "ingest/pipeline_plan.h"

#include <catch2/catch.hpp>
#include <random>

TEST_CASE("frames in work stay within the host's memory, and each stage has at least one") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 10'000; ++i) {
    const lw::HostShare share{static_cast<unsigned>(1 + random() % 256),
                              random() % (std::uint64_t{1} << (20 + random() % 20))};
    const lw::FrameSizes sizes{random() % 400'000'000, random() % 400'000'000, random() % 400'000'000};
    const auto plan = lw::plan_pipeline(share, sizes);
    CHECK(plan.splitters >= 1);
    CHECK(plan.decoded >= 1);
    CHECK(plan.fitted >= 1);
    CHECK(plan.tiles >= 1);
    const auto bytes =
        plan.decoded * sizes.decoded + plan.splitters * (plan.fitted * sizes.fitted + plan.tiles * sizes.tiles);
    CHECK((plan.frames() == 3 || bytes <= share.frame_bytes));
    CHECK(plan.splitters <= share.threads);
  }
}

TEST_CASE("an import of small frames has enough of them for every core, and no more") {
  for (unsigned threads = 1; threads <= 256; ++threads) {
    const auto plan = lw::plan_pipeline({threads, std::uint64_t{1} << 40U}, {6'000'000, 6'000'000, 6'000'000});
    CHECK(plan.decoded > threads);
    CHECK(plan.splitters * plan.tiles > threads / 2);
    CHECK(plan.frames() <= 3 * (threads + 2));
  }
}
