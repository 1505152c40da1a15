// The playing methods pass the request to the session, answer with the state, and refuse bad parameters before
// that.
#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

#include "tests/unit/server/control/service_fixture.h"

namespace {

using namespace lw;
using lw::test::Service;

}  // namespace

TEST_CASE("each playing method does what it says and answers with the state") {
  Service service;
  const std::vector<std::pair<Json, std::string>> steps{
      {{"load", {{"name", "a"}}}, "load a 0"},
      {{"load", {{"name", "a"}, {"frame", 7}, {"paused", true}}}, "load a 7 paused"},
      {{"load", {{"name", "a"}, {"transition", "cut"}}}, "load a 0"},
      {{"load", {{"name", "a"}, {"transition", "fade"}}}, "load a 0 fading 1000"},
      {{"load", {{"name", "a"}, {"transition", "fade"}, {"fade_ms", 500}}}, "load a 0 fading 500"},
      {{"play", Json::object()}, "play"},
      {{"pause", Json::object()}, "pause"},
      {{"seek", {{"frame", 31}}}, "seek 31"},
      {{"rate", {{"rate", -0.5}}}, "rate"},
      {{"loop", {{"loop", false}}}, "loop"},
      {{"stop", Json::object()}, "stop"}};
  for (const auto& [call, expected] : steps) {
    const auto reply = service.call(call[0].get<std::string>(), call[1]);
    INFO(call.dump() << ": " << reply.dump());
    REQUIRE(reply.contains("result"));
    CHECK(service.session.calls.back() == expected);
    CHECK(reply["result"] == service.call("state")["result"]);
    CHECK(reply["result"]["revision"] == service.session.now.revision);
  }
  CHECK(service.session.now.rate == -0.5);
  CHECK_FALSE(service.session.now.loop);
}

TEST_CASE("the level of the sound is the wall's, and nodes hear of it") {
  Service silent;
  CHECK_THAT(silent.call("sound", {{"muted", true}})["error"]["message"].get<std::string>(), Catch::Contains("audio"));
  CHECK_FALSE(silent.call("state")["result"].contains("sound"));
  auto wall = lw::test::two_tiles();
  wall.nodes[1].audio = "default";
  Service service({}, {}, std::move(wall));
  CHECK(service.call("state")["result"]["sound"] == Json{{"gain_db", 0.0}, {"muted", false}});
  const auto node = service.open_node("right");
  CHECK(node->wait_for("node.sound") == Json{{"gain_db", 0.0}, {"muted", false}});
  CHECK(service.call("sound", {{"gain_db", -12}})["result"]["sound"] == Json{{"gain_db", -12.0}, {"muted", false}});
  CHECK(node->wait_for("node.sound") == Json{{"gain_db", -12.0}, {"muted", false}});
  service.call("sound", {{"muted", true}});
  CHECK(node->wait_for("node.sound") == Json{{"gain_db", -12.0}, {"muted", true}});
  for (const auto& bad : {Json{{"gain_db", 1}}, Json{{"gain_db", -61}}, Json{{"muted", 1}}, Json{{"volume", 1}}})
    CHECK(service.call("sound", bad)["error"]["code"] == rpc_code::bad_params);
}

TEST_CASE("the state describes what is played, and nothing when stopped") {
  Service service;
  auto state = service.call("state")["result"];
  CHECK(state["status"] == "stopped");
  for (const char* key : {"name", "frame", "frames", "frame_rate"}) CHECK_FALSE(state.contains(key));
  state = service.call("load", {{"name", "a"}, {"frame", 3}})["result"];
  CHECK(state["status"] == "playing");
  CHECK(state["name"] == "a");
  CHECK(state["frame"] == 3);
  CHECK(state["frames"] == 240);
  CHECK(state["frame_rate"] == "30");
  CHECK(state["loop"] == true);
}

TEST_CASE("a loop has an in and an out if they are given, and the state has them") {
  Service service;
  service.call("load", {{"name", "a"}});
  auto state = service.call("loop", {{"loop", true}, {"in", 10}, {"out", 20}})["result"];
  CHECK(state["in"] == 10);
  CHECK(state["out"] == 20);
  state = service.call("loop", {{"loop", true}, {"in", 10}})["result"];
  CHECK(state["in"] == 10);
  CHECK(state["out"] == 239);
  state = service.call("loop", {{"loop", true}})["result"];
  CHECK_FALSE(state.contains("in"));
  CHECK_FALSE(state.contains("out"));
}

TEST_CASE("the playlist is set only when names are given") {
  Service service;
  CHECK(service.call("playlist", {{"names", {"b", "c"}}})["result"]["names"] == Json{"b", "c"});
  CHECK(service.call("playlist")["result"]["names"] == Json{"b", "c"});
  CHECK(service.session.calls.size() == 1);
  CHECK(service.call("playlist", {{"names", Json::array()}})["result"]["names"] == Json::array());
  CHECK(service.call("state")["result"]["playlist"] == Json::array());
  CHECK(service.call("playlist", {{"names", Json(1000, "b")}}).contains("result"));
  CHECK(service.call("playlist", {{"names", Json(1001, "b")}}).contains("error"));
}

TEST_CASE("entries of a playlist have durations, and the state names the one on the wall and the next") {
  Service service;
  const Json entries{{{"name", "a"}, {"loops", 3}}, {{"name", "b"}, {"seconds", 12.5}}, {{"name", "a"}}};
  const auto set = service.call("playlist", {{"entries", entries}, {"repeat", true}})["result"];
  CHECK(set["names"] == Json{"a", "b", "a"});
  CHECK(set["repeat"] == true);
  REQUIRE(set["entries"].size() == 3);
  CHECK(set["entries"][0] == Json{{"id", 1}, {"name", "a"}, {"loops", 3}});
  CHECK(set["entries"][1] == Json{{"id", 2}, {"name", "b"}, {"seconds", 12.5}});
  CHECK(set["entries"][2] == Json{{"id", 3}, {"name", "a"}});
  auto state = service.call("state")["result"];
  CHECK(state["playlist"] == set["entries"]);
  CHECK_FALSE(state.contains("entry"));
  state = service.call("next")["result"];
  CHECK(state["entry"] == set["entries"][0]);
  CHECK(state["playlist"].size() == 2);
}

TEST_CASE("entries of a playlist have transitions, next may have another, and the state has the coming one") {
  Service service;
  const Json entries{{{"name", "a"}, {"transition", "fade"}}, {{"name", "b"}, {"transition", "cut"}}};
  const auto set = service.call("playlist", {{"entries", entries}})["result"]["entries"];
  CHECK(set[0] == Json{{"id", 1}, {"name", "a"}, {"transition", "fade"}, {"fade_ms", 1000}});
  CHECK(set[1] == Json{{"id", 2}, {"name", "b"}});
  service.call("next");
  CHECK(service.session.calls.back() == "next");
  service.call("next", {{"transition", "fade"}, {"fade_ms", 300}});
  CHECK(service.session.calls.back() == "next fading 300");
  CHECK_FALSE(service.call("state")["result"].contains("coming"));
  service.session.now.coming = ComingNext{"c", std::chrono::milliseconds{300}, {}};
  CHECK(service.call("state")["result"]["coming"] == Json{{"name", "c"}, {"fade_ms", 300}});
}

TEST_CASE("bad parameters are refused by name, and are passed to nobody") {
  Service service;
  const std::vector<std::pair<Json, std::string>> wrong{
      {{"load", Json::object()}, "name"},
      {{"load", {{"name", 5}}}, "name"},
      {{"load", {{"name", "a"}, {"frame", -1}}}, "frame"},
      {{"load", {{"name", "a"}, {"frame", 1.5}}}, "frame"},
      {{"load", {{"name", "a"}, {"paused", 1}}}, "paused"},
      {{"load", {{"name", "a"}, {"loop", true}}}, "loop"},
      {{"load", {{"name", "a"}, {"transition", "wipe"}}}, "transition"},
      {{"load", {{"name", "a"}, {"transition", "fade"}, {"fade_ms", 50}}}, "fade_ms"},
      {{"load", {{"name", "a"}, {"fade_ms", 500}}}, "fade_ms"},
      {{"playlist", {{"entries", {{{"name", "a"}, {"transition", "wipe"}}}}}}, "number 1"},
      {{"next", {{"transition", 5}}}, "transition"},
      {{"seek", Json::object()}, "frame"},
      {{"seek", {{"frame", "3"}}}, "frame"},
      {{"seek", {{"frame", 1ULL << 40U}}}, "frame"},
      {{"rate", {{"rate", 0}}}, "rate"},
      {{"rate", {{"rate", 8.5}}}, "rate"},
      {{"rate", {{"rate", 1e-320}}}, "rate"},
      {{"rate", {{"rate", -1e-320}}}, "rate"},
      {{"rate", {{"rate", "fast"}}}, "rate"},
      {{"loop", {{"loop", "yes"}}}, "loop"},
      {{"loop", {{"loop", true}, {"in", -1}}}, "in"},
      {{"loop", {{"loop", true}, {"out", "end"}}}, "out"},
      {{"playlist", {{"names", "a"}}}, "names"},
      {{"playlist", {{"names", {1}}}}, "names"},
      {{"playlist", {{"entries", {"a"}}}}, "entries"},
      {{"playlist", {{"entries", {{{"loops", 2}}}}}}, "name"},
      {{"playlist", {{"entries", {{{"name", "a"}, {"loops", 0}}}}}}, "loops"},
      {{"playlist", {{"entries", {{{"name", "a"}, {"seconds", 0}}}}}}, "number 1"},
      {{"playlist", {{"entries", {{{"name", "a"}, {"speed", 2}}}}}}, "speed"},
      {{"playlist", {{"repeat", true}}}, "repeat"},
      {{"playlist", {{"names", {"a"}}, {"entries", Json::array()}}}, "not both"},
      {{"next", {{"now", true}}}, "now"},
      {{"play", {{"now", true}}}, "now"},
      {{"pattern", {{"pattern", "stripes"}}}, "pattern"},
      {{"identify", {{"on", 1}}}, "on"},
      {{"identify", {{"on", true}, {"tile", {0}}}}, "tile"},
      {{"image", {{"name", "a"}, {"kind", "photo"}}}, "kind"},
      {{"describe", {{"title", "b"}}}, "name"},
      {{"describe", {{"name", "a"}, {"title", 5}}}, "title"},
      {{"describe", {{"name", "a"}, {"tags", "b"}}}, "tags"},
      {{"describe", {{"name", "a"}, {"stripes", {"/"}}}}, "stripes"},
      {{"delete", Json::object()}, "name"},
      {{"plan", Json::object()}, "name"}};
  for (const auto& [call, member] : wrong) {
    const auto reply = service.call(call[0].get<std::string>(), call[1]);
    INFO(call.dump() << ": " << reply.dump());
    REQUIRE(reply.contains("error"));
    CHECK(reply["error"]["code"] == rpc_code::bad_params);
    CHECK_THAT(reply["error"]["message"].get<std::string>(), Catch::Contains(member));
  }
  CHECK(service.session.calls.empty());
}

TEST_CASE("what the session refuses is reported with the fix") {
  Service service;
  service.session.refuse = Error{"nothing is loaded", "load something first"};
  for (const auto& [method, params] : {std::pair<const char*, Json>{"load", {{"name", "a"}}},
                                       {"play", Json::object()},
                                       {"pause", Json::object()},
                                       {"stop", Json::object()},
                                       {"seek", {{"frame", 1}}},
                                       {"rate", {{"rate", 1}}},
                                       {"loop", {{"loop", true}}},
                                       {"playlist", {{"names", {"a"}}}},
                                       {"next", Json::object()}}) {
    const auto reply = service.call(method, params);
    INFO(method);
    REQUIRE(reply.contains("error"));
    CHECK(reply["error"]["code"] == rpc_code::cannot);
    CHECK(reply["error"]["message"] == "nothing is loaded; load something first");
  }
  CHECK(service.session.now.revision == 0);
}

TEST_CASE("notifications are carried out and not answered, good or bad") {
  Service service;
  CHECK(service.control->answer(rpc_notification("play", Json::object())).empty());
  CHECK(service.session.calls == std::vector<std::string>{"play"});
  CHECK(service.control->answer(rpc_notification("no-such", Json::object())).empty());
  CHECK(service.control->answer(rpc_result(5, 1)).empty());
  CHECK_THAT(service.control->answer("nonsense"), Catch::Contains("-32700"));
}
