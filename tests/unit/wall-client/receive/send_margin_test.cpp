// Pins that the wall file's check and the plan assume the same margins that the node uses.
#include "common/wall/send_window.h"
#include "wall-client/receive/resend_requester.h"

#include <catch2/catch.hpp>

namespace lw {

TEST_CASE("the default playout delay leaves the round trip that resends start with") {
  CHECK(assumed_round_trip == ResendRequester::first_round_trip);
}

}  // namespace lw
