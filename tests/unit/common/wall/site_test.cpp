// Pins the sites of a wall file: the meaning of their keys, errors with their lines, and the wall that a site shows.
#include "common/wall/site.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <string>

using namespace lw;
using namespace std::chrono_literals;

namespace {

const std::string wall_text = R"([wall]
name = "w"
columns = 2
rows = 1
tile_width = 64
tile_height = 64
frame_rate = 30
[[node]]
name = "here"
address = "10.0.0.2"
tiles = [{ column = 0, row = 0 }, { column = 1, row = 0 }]
[[server]]
name = "s"
interfaces = ["10.0.0.1", "10.1.0.1"]
[streaming]
dscp = 10
resend_percent = 20
playout_delay_ms = 100
)";  // 18 lines
const std::string group_text = R"([[site]]
name = "amsterdam"
address = "232.1.1.1"
ttl = 16
playout_delay_ms = 200
[[site.node]]
name = "left"
address = "10.2.0.2"
tiles = [{ column = 0, row = 0 }]
[[site.node]]
name = "right"
address = "10.2.0.3"
cpus = [1]
tiles = [{ column = 1, row = 0 }]
)";  // 14 lines, from 19 on
const std::string relay_text = R"([[site]]
name = "bonn"
address = "10.3.0.1"
group = "232.1.2.1"
interfaces = ["10.3.0.9"]
dscp = 46
resend_percent = 50
[[site.node]]
name = "all"
address = "10.3.0.2"
tiles = [{ column = 0, row = 0 }, { column = 1, row = 0 }]
)";

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}
Wall read(const std::string& text) {
  auto wall = parse_wall(text, "w.toml");
  if (!wall) FAIL(wall.error().text());
  return *wall;
}
std::string problem_of(const std::string& text) {
  const auto wall = parse_wall(text, "w.toml");
  return wall ? "" : wall.error().text();
}

}  // namespace

TEST_CASE("sites have the settings of their sections, and else those of the wall") {
  const auto wall = read(wall_text + group_text + relay_text);
  REQUIRE(wall.sites.size() == 2);
  const auto& group = wall.sites[0];
  CHECK((group.name == "amsterdam" && group.address == "232.1.1.1" && group.group == "232.1.1.1"));
  CHECK_FALSE(group.has_relay());
  CHECK((group.ttl == 16 && group.dscp == 10 && group.resend_percent == 20 && group.playout_delay == 200ms));
  CHECK(interface_towards(group, wall.servers.front()) == "10.0.0.1");
  REQUIRE(group.nodes.size() == 2);
  CHECK((group.nodes[1].name == "right" && group.nodes[1].cpus == std::vector<unsigned>{1}));
  const auto& relay = wall.sites[1];
  CHECK(relay.has_relay());
  CHECK((relay.address == "10.3.0.1" && relay.group == "232.1.2.1"));
  CHECK(interface_towards(relay, wall.servers.front()) == "10.3.0.9");
  CHECK((relay.ttl == 1 && relay.dscp == 46 && relay.resend_percent == 50 && relay.playout_delay == 100ms));
  CHECK(wall.streaming.resend_time() == 200ms);
  auto unicast_text = changed(changed(relay_text, "group = \"232.1.2.1\"\n", ""), "interfaces = [\"10.3.0.9\"]\n", "");
  const auto unicast = read(wall_text + unicast_text);
  CHECK((unicast.sites[0].group.empty() && unicast.sites[0].has_relay()));
  CHECK(interface_towards(unicast.sites[0], unicast.servers.front()) == "10.3.0.1");
  CHECK(read(wall_text).sites.empty());
  CHECK(read(wall_text).streaming.resend_time() == 100ms);
}

TEST_CASE("each flow of a site has its own group") {
  const auto wall = read(wall_text + group_text);
  CHECK(group_of(wall.sites[0], 0, 5000) == Address::parse("232.1.1.1", 5000).value());
  CHECK(group_of(wall.sites[0], 1, 5002) == Address::parse("232.1.1.2", 5002).value());
}

TEST_CASE("a node shows the wall of its site") {
  const auto wall = read(wall_text + group_text + relay_text);
  const auto left = view_of_node(wall, "left").value();
  CHECK(left.site == &wall.sites[0]);
  CHECK(left.wall.find_node("left") != nullptr);
  CHECK(left.wall.find_node("here") == nullptr);
  CHECK(left.wall.node_of({1}).name == "right");
  CHECK(left.wall.servers.front().interfaces == std::vector<std::string>{"10.0.0.1"});
  CHECK(left.wall.streaming.longest_playout_delay() == 200ms);
  CHECK(left.wall.streaming.resend_time() == 200ms);
  const auto all = view_of_node(wall, "all").value();
  CHECK(all.site == &wall.sites[1]);
  CHECK(all.wall.servers.front().interfaces == std::vector<std::string>{"10.3.0.9"});  // of the relay
  CHECK((all.wall.streaming.dscp == 46 && all.wall.streaming.resend_percent == 50));
  const auto here = view_of_node(wall, "here").value();
  CHECK((here.site == nullptr && here.wall.servers.front().interfaces.size() == 2));
  CHECK_FALSE(view_of_node(wall, "nobody").has_value());
  CHECK(names_of_all_nodes(wall) == "here, left, right, all");
}

TEST_CASE("with several servers, a site's flows come from an interface of each") {
  const auto servers = changed(wall_text, "[[server]]\nname = \"s\"\n",
                               "[[server]]\nname = \"t\"\ncontrol = \"127.0.0.1:9011\"\ninterfaces = [\"10.0.0.7\"]\n"
                               "tiles = [{ column = 1 }]\n[[server]]\nname = \"s\"\n");
  const auto wall = read(servers + changed(group_text, "ttl = 16", "interfaces = [\"10.1.0.1\", \"10.0.0.7\"]"));
  const auto there = view_of_node(wall, "left")->wall;
  CHECK(there.server_of({0}).interfaces == std::vector<std::string>{"10.1.0.1"});
  CHECK(there.server_of({1}).interfaces == std::vector<std::string>{"10.0.0.7"});
  CHECK_THAT(problem_of(servers + changed(group_text, "ttl = 16", "interfaces = [\"10.1.0.1\"]")),
             Catch::Contains("site 'amsterdam' names no interface of server 't'; name one of each server, or none"));
}

TEST_CASE("a standby also sends to groups and relays, and a relay's nodes know only the relay") {
  const auto servers = changed(wall_text, "[streaming]",
                               "[[server]]\nname = \"t\"\ncontrol = \"127.0.0.1:9011\"\nstandby_for = \"s\"\n"
                               "interfaces = [\"10.0.0.7\", \"10.1.0.7\"]\n[streaming]");
  const auto wall = read(servers + changed(group_text, "ttl = 16", "interfaces = [\"10.1.0.1\", \"10.1.0.7\"]"));
  const auto there = view_of_node(wall, "left")->wall;
  CHECK(there.server_of({0}).interfaces == std::vector<std::string>{"10.1.0.1"});
  REQUIRE(there.standby_of(there.server_of({0})) != nullptr);
  CHECK(there.standby_of(there.server_of({0}))->interfaces == std::vector<std::string>{"10.1.0.7"});
  for (const auto* standby : {"hot", "cold"}) {
    const auto kind = changed(servers, "standby_for", fmt::format("standby = \"{}\"\nstandby_for", standby));
    const auto behind = view_of_node(read(kind + group_text + relay_text), "all")->wall;
    REQUIRE(behind.servers.size() == 1);
    CHECK(behind.servers.front().interfaces == std::vector<std::string>{"10.3.0.9"});
    CHECK(behind.standby_of(behind.server_of({0})) == nullptr);
  }
}

TEST_CASE("a site shows each frame on all tiles or none if the wall does, which takes longer") {
  const auto wall = read(wall_text + "[sync]\nmode = \"wall\"\n" + group_text);
  CHECK(wall.sync.mode == SyncMode::wall);
  CHECK(view_of_node(wall, "here")->wall.sync.mode == SyncMode::wall);
  CHECK(view_of_node(wall, "left")->wall.sync.mode == SyncMode::wall);
  const auto shorter = changed(group_text, "playout_delay_ms = 200", "playout_delay_ms = 45");
  CHECK(problem_of(wall_text + shorter).empty());
  CHECK_THAT(problem_of(wall_text + "[sync]\nmode = \"wall\"\n" + shorter),
             Catch::Contains("w.toml:25: site 'amsterdam': playout_delay_ms = 45 ends before a frame is sent"));
}

TEST_CASE("wrong sites are errors that name the line and how to fix them") {
  struct Wrong {
    std::string from, to, says;
  };
  for (const auto& [from, to, says] :
       {Wrong{"address = \"232.1.1.1\"", "address = \"239.1.1.1\"",
              "w.toml:21: site 'amsterdam': the 2 groups from 239.1.1.1 on, one for each flow, are not all of "
              "source-specific multicast; use a range within 232.0.1.0 to 232.255.255.255"},
        Wrong{"address = \"232.1.1.1\"", "address = \"232.255.255.255\"", "are not all of source-specific multicast"},
        Wrong{"address = \"232.1.1.1\"", "address = \"amsterdam\"", "w.toml:21: the relay of site 'amsterdam':"},
        Wrong{"address = \"232.1.1.1\"", "address = \"ff3e::8000:1\"",
              "w.toml:21: site 'amsterdam' mixes IPv4 and IPv6"},
        Wrong{"address = \"232.1.1.1\"", "address = \"10.0.0.2\"",
              "w.toml:21: the relay of site 'amsterdam' has the address of node 'here', which uses the same ports"},
        Wrong{"ttl = 16", "group = \"232.1.1.9\"", "w.toml:22: site 'amsterdam' has two groups"},
        Wrong{"ttl = 16", "ttl = 0", "w.toml:22: [[site]] ttl"},
        Wrong{"ttl = 16", "interfaces = [\"10.9.0.1\"]",
              "w.toml:22: site 'amsterdam': no server has the interface 10.9.0.1; use addresses of [[server]] "
              "interfaces"},
        Wrong{"ttl = 16", "hops = 16", "w.toml:22: unknown key 'hops'"},
        Wrong{"playout_delay_ms = 200", "playout_delay_ms = 20",
              "w.toml:23: site 'amsterdam': playout_delay_ms = 20 ends before a frame is sent; use 40 or more"},
        Wrong{"name = \"left\"", "name = \"here\"", "w.toml:25: a second node is named 'here'"},
        Wrong{"name = \"left\"", "name = \"right\"", "a second node is named 'right'"},
        Wrong{"tiles = [{ column = 0, row = 0 }]", "tiles = [{ column = 1, row = 0 }]",
              "w.toml:32: tile (1, 0) is shown twice"},
        Wrong{"{ column = 0, row = 0 }", "{ column = 7, row = 0 }", "w.toml:27: tile (7, 0) lies outside the wall"},
        Wrong{"[[site.node]]\nname = \"left\"\naddress = \"10.2.0.2\"\ntiles = [{ column = 0, row = 0 }]\n", "",
              "tile (0, 0) is shown by no node; add it to the tiles of a [[site.node]]"},
        Wrong{"address = \"10.2.0.2\"", "address = \"fd00::2\"", "w.toml:26: node 'left' mixes IPv4 and IPv6"},
        Wrong{"address = \"10.2.0.2\"", "address = \"10.0.0.2\"",
              "w.toml:26: node 'left' has the address of node 'here', which uses the same ports"},
        Wrong{"address = \"10.2.0.2\"", "address = \"224.0.0.1\"",
              "w.toml:26: node 'left': flows cannot be sent to 224.0.0.1"},
        Wrong{"address = \"10.2.0.2\"", "second_address = \"10.2.0.9\"", "unknown key 'second_address'"}}) {
    CAPTURE(from, to);
    CHECK_THAT(problem_of(wall_text + changed(group_text, from, to)), Catch::Contains(says));
  }
  const auto without_interfaces = changed(wall_text, "interfaces = [\"10.0.0.1\", \"10.1.0.1\"]\n", "");
  CHECK_THAT(problem_of(without_interfaces + relay_text),
             Catch::Contains("site 'bonn' needs the addresses from which server 's' sends; name them in [[server]] "
                             "interfaces"));
  CHECK_THAT(problem_of(wall_text + changed(relay_text, "[\"10.3.0.9\"]", "[\"10.3.0.9\", \"10.3.0.8\"]")),
             Catch::Contains("site 'bonn': a relay sends from one address"));
  for (const auto* address : {"0.0.0.0", "232.1.2.9"})
    CHECK_THAT(problem_of(wall_text + changed(relay_text, "10.3.0.9", address)),
               Catch::Contains(fmt::format("site 'bonn' interfaces: packets cannot come from {}", address)));
  CHECK_THAT(problem_of(changed(wall_text, "[[node]]", "[site]\nname = \"a\"\n[[node]]")),
             Catch::Contains("'site' is a table; write it under the heading [[site]]"));
}

TEST_CASE("sites that share a group share its settings, and others keep apart") {
  const auto second =
      changed(changed(changed(changed(changed(group_text, "amsterdam", "cologne"), "left", "l"), "right", "r"),
                      "10.2.0.2", "10.4.0.2"),
              "10.2.0.3", "10.4.0.3");
  CHECK(read(wall_text + group_text + second).sites.size() == 2);
  CHECK_THAT(problem_of(wall_text + group_text + changed(second, "ttl = 16", "ttl = 17")),
             Catch::Contains("sites 'amsterdam' and 'cologne' share a group, but not interfaces, ttl and dscp"));
  CHECK_THAT(problem_of(wall_text + group_text + changed(second, "cologne", "amsterdam")),
             Catch::Contains("a second site is named 'amsterdam'"));
  for (const auto* group : {"232.1.1.2", "232.1.1.0"})
    CHECK_THAT(problem_of(wall_text + group_text + changed(second, "232.1.1.1", group)),
               Catch::Contains("the groups of sites 'amsterdam' and 'cologne' overlap"));
  CHECK(problem_of(wall_text + group_text + changed(second, "232.1.1.1", "232.1.1.3")).empty());
}
