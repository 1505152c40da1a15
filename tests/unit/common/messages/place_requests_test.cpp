// Moving flows to other CPUs: what an operator requests and what a node receives.
#include "common/messages/place_requests.h"

#include <catch2/catch.hpp>

#include "tests/unit/common/messages/told.h"

using namespace lw;
using namespace lw::test;

TEST_CASE("moves come back as they were written") {
  const PlaceRequest moves{"left", std::vector<FlowMove>{{0, 3}, {5, 1}}, {}};
  CHECK(read_message<PlaceRequest>(to_json(moves)).value() == moves);
  const PlaceRequest planned{{}, {}, true};
  CHECK(read_message<PlaceRequest>(to_json(planned)).value() == planned);
  const NodePlaceMessage message{{{7, 2}}};
  CHECK(read_message<NodePlaceMessage>(to_json(message)).value() == message);
}

TEST_CASE("flows are moved to the given CPUs, or back to their planned ones") {
  CHECK(problem_of<PlaceRequest>(Json::object()) == "give either flows, or planned: true");
  CHECK(problem_of<PlaceRequest>({{"planned", true}, {"flows", Json::array()}}) ==
        "give either flows, or planned: true");
  CHECK(problem_of<PlaceRequest>({{"flows", {{{"flow", 0}}}}}) == "flows, number 1: cpu is missing");
  CHECK(problem_of<PlaceRequest>({{"flows", {{{"flow", 0}, {"cpu", 1}}, {{"flow", 1}, {"cpu", -1}}}}}) ==
        "flows, number 2: cpu must be a whole number from 0 to 1000000");
}

TEST_CASE("a later server may add members to a move") {
  CHECK(read_message<NodePlaceMessage>({{"flows", {{{"flow", 7}, {"cpu", 2}, {"why", "busy"}}}}}).value() ==
        NodePlaceMessage{{{7, 2}}});
}
