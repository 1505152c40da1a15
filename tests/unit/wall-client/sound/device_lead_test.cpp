#include "wall-client/sound/device_lead.h"

#include <catch2/catch.hpp>

#include <random>

namespace lw {
namespace {

using namespace std::chrono_literals;

// The law: after each call of the device, parts come as early as this call wanted them, with time to spare.
TEST_CASE("a lead covers what each call of a device needs", "[sound]") {
  std::mt19937 random(7);
  DeviceLead lead;
  CHECK(lead.now() == DeviceLead::first);
  for (int i = 0; i < 1000; ++i) {
    const Nanoseconds needed{std::chrono::milliseconds{random() % 120}};
    lead.needs(needed);
    REQUIRE(lead.now() >= needed + DeviceLead::spare);
    REQUIRE(lead.now() < 120ms + DeviceLead::spare);
  }
}

TEST_CASE("a lead follows a device that needs less, in seconds", "[sound]") {
  DeviceLead lead;
  lead.needs(100ms);
  CHECK(lead.now() == 110ms);
  lead.needs(30ms);
  CHECK(lead.now() > 109ms);
  for (int i = 0; i < 2048; ++i) lead.needs(30ms);  // of 10 ms
  CHECK(lead.now() == 40ms);
}

}  // namespace
}  // namespace lw
