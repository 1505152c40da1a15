// The state of the wall: every part of it is read as it was written, and a later server may add members.
#include "common/messages/play_state.h"

#include <catch2/catch.hpp>

#include "tests/unit/common/messages/told.h"

using namespace lw;
using namespace lw::test;

namespace {

StateMessage full_state() {
  StateMessage state;
  state.status = PlayStatus::paused;
  state.rate = -0.5;
  state.loop = false;
  state.playlist = {{"ice", 5, {}, 12.5, {TransitionKind::fade, 700}}, {"waves", 4, 3, {}, {}}};
  state.repeat = true;
  state.revision = 7;
  state.missing = {"/disks/b"};
  state.overlays = {{{1, 0}, Pattern::grid, true, false}};
  state.name = "waves";
  state.frame = 17;
  state.frames = 100;
  state.frame_rate = "30000/1001";
  state.entry = state.playlist[1];
  state.coming = ComingMessage{"ice", 700, state.playlist[0]};
  state.in = 3;
  state.out = 99;
  return state;
}

}  // namespace

TEST_CASE("a state is read back as it was written") {
  for (const auto& state : {StateMessage(), full_state()})
    CHECK(read_message<StateMessage>(to_json(state)).value() == state);
  const auto json = to_json(full_state());
  CHECK(json["status"] == "paused");
  CHECK(json["overlays"] ==
        Json::array({{{"tile", {1, 0}}, {"pattern", "grid"}, {"identify", true}, {"mark", false}}}));
  CHECK(json["coming"]["fade_ms"] == 700);
}

TEST_CASE("a stopped wall has no visualization, and empty members are not sent") {
  CHECK(to_json(StateMessage()) == Json{{"status", "stopped"},
                                        {"rate", 1.0},
                                        {"loop", true},
                                        {"playlist", Json::array()},
                                        {"repeat", false},
                                        {"revision", 0}});
}

TEST_CASE("a later server may add members to a state and to its entries") {
  auto json = to_json(full_state());
  json["mood"] = "calm";
  json["playlist"][0]["mood"] = "calm";
  json["entry"]["mood"] = "calm";
  CHECK(read_message<StateMessage>(json).value() == full_state());
}

TEST_CASE("errors in a state are named") {
  const auto json = to_json(full_state());
  CHECK(problem_without<StateMessage>(json, "/status") == "status is missing");
  CHECK(problem_with<StateMessage>(json, "/status", "asleep") == "status must be stopped, playing or paused");
  CHECK(problem_with<StateMessage>(json, "/frames", 5e9) == "frames must be a whole number from 0 to 2147483647");
  CHECK(problem_with<StateMessage>(json, "/overlays/0/pattern", "plaid") ==
        "overlays, number 1: pattern must be none, identify, grid, bar, ramp or black");
}
