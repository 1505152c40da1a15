// Pins how packets are counted by their traffic class.
#include "common/metrics/traffic_class.h"

#include <catch2/catch.hpp>

using namespace lw;

TEST_CASE("packets are counted by the DSCP and the ECN field that they came with") {
  ReceiverFlowStats stats;
  CHECK_FALSE((stats.dscp || stats.dscp_changed || stats.ecn_ce));  // nothing is known yet
  count_traffic_class(stats, 46 << 2, 5, 46);
  CHECK(stats.dscp == 46U);
  CHECK(stats.dscp_changed == 0U);
  CHECK((stats.ecn_ect0 == 0U && stats.ecn_ect1 == 0U && stats.ecn_ce == 0U));
  count_traffic_class(stats, (46 << 2) | 2, 7, 46);
  count_traffic_class(stats, (46 << 2) | 1, 11, 46);
  count_traffic_class(stats, (10 << 2) | 3, 13, 46);
  CHECK(stats.dscp == 10U);
  CHECK(stats.dscp_changed == 13U);
  CHECK((stats.ecn_ect0 == 7U && stats.ecn_ect1 == 11U && stats.ecn_ce == 13U));
}
