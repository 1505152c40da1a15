#include "ingest/do_each.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

TEST_CASE("each piece of work is done once, on any number of threads") {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    const unsigned count = static_cast<unsigned>(random()) % 40;
    std::vector<std::atomic<int>> done(count);
    REQUIRE(lw::do_each(count, static_cast<unsigned>(random()) % 6, [&](unsigned i) -> lw::Result<void> {
              ++done[i];
              return {};
            }).has_value());
    for (const auto& times : done) CHECK(times == 1);
  }
}

TEST_CASE("an error or exception of a piece of work is returned, and no work begins after it") {
  const auto failing = [](unsigned i) -> lw::Result<void> {
    if (i == 3) throw std::bad_alloc();
    if (i > 3) return lw::Error{"late", ""};
    return {};
  };
  CHECK(lw::do_each(9, 1, failing).error().what.find("memory") != std::string::npos);
  CHECK(lw::do_each(9, 4, failing).has_error());
  std::atomic<unsigned> begun{0};
  CHECK(lw::do_each(100, 1,
                    [&](unsigned i) -> lw::Result<void> {
                      ++begun;
                      if (i == 5) return lw::Error{"five", ""};
                      return {};
                    })
            .error()
            .what == "five");
  CHECK(begun == 6);
}
