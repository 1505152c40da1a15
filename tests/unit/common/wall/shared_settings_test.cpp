// Pins how two wall files are compared: settings that must agree are named if they do not.
#include "common/wall/shared_settings.h"

#include <catch2/catch.hpp>

using namespace lw;

TEST_CASE("settings that differ are named, with both values") {
  Wall here;
  here.set_grid({.columns = 2, .rows = 2});
  CHECK(settings_difference(shared_settings(here), shared_settings(here)).empty());
  Wall there = here;
  there.coordinator().control_port = 1234;  // each may reach the server by its own address
  there.streaming.pacing = Pacing::none;
  CHECK(settings_difference(shared_settings(there), shared_settings(here)).empty());
  there.streaming.mtu = 1500;
  there.sync.mode = SyncMode::wall;
  there.streaming.fec = FecUse::never;
  CHECK(settings_difference(shared_settings(there), shared_settings(here)) ==
        "[sync] mode is wall there and tile here, fec is 0+0 there and 20+4 here, mtu is 1500 there and 9000 here");
}

TEST_CASE("keys that are not settings are not compared") {
  const auto here = shared_settings(Wall{});
  CHECK(settings_difference("", here).empty());
  CHECK(settings_difference("mtu", here).empty());
  CHECK(settings_difference(";;=;mtu=;new=1;", here) == "mtu is  there and 9000 here");
}
