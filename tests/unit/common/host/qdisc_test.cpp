// Pins that the kernel's own answer is understood: the loopback interface of every Linux has a queueing discipline.
#include "common/host/qdisc.h"

#include <catch2/catch.hpp>

TEST_CASE("the loopback interface has no queue unless somebody gave it one") {
  const auto qdiscs = lw::interface_qdiscs();
  if (qdiscs.empty()) return;  // a container without the permission
  REQUIRE(qdiscs.contains("lo"));
  CHECK_FALSE(qdiscs.at("lo").empty());
}
