// Pins the decision for or against zero copy: by CPU time, and never if the kernel copies anyway.
#include "server/send/zero_copy_trial.h"

#include <catch2/catch.hpp>

using namespace lw;

namespace {

void add_frames(ZeroCopyTrial& trial, double cpu_s) {
  for (unsigned i = 0; i < ZeroCopyTrial::frames_of_each; ++i) trial.add_frame(cpu_s, 1'000'000, false);
}

}  // namespace

TEST_CASE("the cheaper way in CPU is kept") {
  ZeroCopyTrial trial;
  CHECK_FALSE(trial.zero_copy());
  add_frames(trial, 0.002);
  CHECK(trial.zero_copy());
  CHECK_FALSE(trial.decided());
  const bool cheaper = GENERATE(true, false);
  add_frames(trial, cheaper ? 0.001 : 0.003);
  CHECK(trial.decided());
  CHECK(trial.zero_copy() == cheaper);
}

TEST_CASE("a kernel that copies anyway ends the trial at once") {
  ZeroCopyTrial trial;
  add_frames(trial, 0.002);
  trial.add_frame(0.0001, 1'000'000, true);
  CHECK(trial.decided());
  CHECK_FALSE(trial.zero_copy());
}

TEST_CASE("frames of different sizes are compared per byte") {
  ZeroCopyTrial trial;
  add_frames(trial, 0.002);
  for (unsigned i = 0; i < ZeroCopyTrial::frames_of_each; ++i) trial.add_frame(0.003, 2'000'000, false);
  CHECK(trial.zero_copy());
}
