#include "common/wall/wall_file.h"

#include "tests/support/source_folder.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace lw {
namespace {

// A correct wall; the tests below change one thing in it.
const std::string good = R"([wall]
name = "test"
columns = 2
rows = 1
tile_width = 640
tile_height = 400
frame_rate = 30

[[node]]
name = "a"
address = "192.0.2.1"
tiles = [{ column = 0, row = 0, window = [0, 0] }]

[[node]]
name = "b"
address = "192.0.2.2"
tiles = [{ column = 1, row = 0, monitor = 1 }]

[[server]]
name = "s"
control = "[::1]:9011"
interfaces = ["192.0.2.9", "192.0.2.10"]

[streaming]
flows_per_tile = 2
pixel_format = "ycbcr422-10"
)";

std::string with(const std::string& from, const std::string& to) {
  auto text = good;
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

struct Wrong {
  std::string from, to;
  int line;
  std::string what, mend;
};

void check(const Wrong& wrong) {
  INFO(wrong.from << " -> " << wrong.to);
  const auto wall = parse_wall(with(wrong.from, wrong.to), "w.toml");
  REQUIRE(!wall.has_value());
  const auto where = "w.toml:" + std::to_string(wrong.line) + ": ";
  CHECK_THAT(wall.error().what, Catch::StartsWith(where) && Catch::Contains(wrong.what));
  CHECK_THAT(wall.error().mend, Catch::Contains(wrong.mend));
  CHECK_FALSE(wall.error().mend.empty());
  CHECK(wall.error().text().find('\n') == std::string::npos);
}

TEST_CASE("a correct wall file is read into its fields") {
  const auto wall = parse_wall(good, "w.toml");
  REQUIRE(wall.has_value());
  CHECK(wall->name == "test");
  CHECK(wall->grid.columns == 2);
  CHECK(wall->grid.rows == 1);
  CHECK(wall->grid.bezel_x == 0);
  CHECK(wall->tiles == tiles_of(wall->grid));
  CHECK(wall->frame_rate == FrameRate{30, 1});
  CHECK(wall->find_node("b")->address == "192.0.2.2");
  CHECK(wall->find_node("c") == nullptr);
  CHECK(wall->node_of({1}).name == "b");
  CHECK(wall->nodes[1].tiles[0].monitor == 1u);
  CHECK_FALSE(wall->nodes[0].tiles[0].monitor);
  CHECK(wall->coordinator().control_host == "::1");
  CHECK(wall->coordinator().control_port == 9011);
  CHECK(wall->coordinator().interfaces == std::vector<std::string>{"192.0.2.9", "192.0.2.10"});
  CHECK(wall->streaming.flows_per_tile == 2);
  CHECK(wall->streaming.pixel_format == PixelFormat::ycbcr422_10);
  CHECK(wall->streaming.mtu == 9000);
  CHECK(wall->streaming.playout_delay == std::chrono::milliseconds(80));
}

TEST_CASE("a wall whose flows have fewer rows than a block cannot have a format of blocks") {
  const auto wall_of = [](const std::string& height, const std::string& format) {
    auto text = with("tile_height = 400", "tile_height = " + height);
    return parse_wall(text.replace(text.find("ycbcr422-10"), 11, format), "w.toml");
  };
  CHECK(wall_of("8", "bc7").has_value());
  CHECK(wall_of("2", "rgb8").has_value());
  const auto refused = wall_of("2", "bc1");  // its only row of blocks begins in the upper flow
  REQUIRE(refused.has_error());
  CHECK_THAT(refused.error().text(),
             Catch::Contains("no row of bc1 blocks") && Catch::Contains("lower flows_per_tile"));
}

TEST_CASE("a wall whose rows are not of complete groups cannot have the format of these") {
  const auto wall_of = [](const std::string& width) {
    auto text = with("tile_width = 640", "tile_width = " + width);
    return parse_wall(text.replace(text.find("ycbcr422-10"), 11, "rgb10"), "w.toml");
  };
  CHECK(wall_of("644").has_value());
  const auto refused = wall_of("642");
  REQUIRE(refused.has_error());
  CHECK_THAT(refused.error().text(),
             Catch::Contains("\"rgb10\" cannot have tile (0, 0) of width 642") && Catch::Contains("multiples of 4"));
}

TEST_CASE("a node may have an output for sound, whose port follows those of the flows") {
  CHECK(parse_wall(good, "w.toml")->sound_count() == 0);
  for (const auto* device : {"default", "pipewire:alsa_output.usb", "alsa:hw:1,0"}) {
    const auto wall = parse_wall(with("name = \"b\"", fmt::format("name = \"b\"\naudio = \"{}\"", device)), "w.toml");
    REQUIRE(wall.has_value());
    CHECK(wall->nodes[0].audio.empty());
    CHECK(wall->nodes[1].audio == device);
    CHECK(wall->sound_count() == 1);
  }
  for (const auto* device : {"", "loud", "alsa:", "pipewire", "alsa:a\\nb"})
    check({"name = \"b\"", fmt::format("name = \"b\"\naudio = \"{}\"", device), 16, "audio is not an output for sound",
           "use \"default\""});
  auto text = with("name = \"b\"", "name = \"b\"\naudio = \"default\"");
  text += "base_port = 65528\n";
  CHECK(parse_wall(text, "w.toml").has_error());  // four flows and the sound need ten ports
  CHECK(parse_wall(text.replace(text.find("65528"), 5, "65526"), "w.toml").has_value());
  CHECK(parse_wall(text + "source_port = 65516\n", "w.toml").has_value());
  CHECK_THAT(parse_wall(text + "source_port = 65518\n", "w.toml").error().what,
             Catch::Contains("of the 4 flows and the sound overlap"));
}

TEST_CASE("a wall is announced only on request") {
  CHECK_FALSE(parse_wall(good, "w.toml")->announce);
  CHECK(parse_wall(with("name = \"test\"", "name = \"test\"\nannounce = true"), "w.toml")->announce);
  check({"name = \"test\"", "name = \"test\"\nannounce = 1", 3, "announce", "true or false"});
}

TEST_CASE("a wall shows SDR of BT.709 unless the file says otherwise") {
  CHECK(parse_wall(good, "w.toml")->colour == Colour{});
  const auto wall = parse_wall(with("rows = 1", "rows = 1\ncolour = \"p3\"\ntransfer = \"hlg\""), "w.toml");
  CHECK(wall->colour == Colour{Primaries::p3, Transfer::hlg});
  check({"rows = 1", "rows = 1\ncolour = \"srgb\"", 5, "[wall] unknown colour 'srgb'", "use bt709, bt2020, p3"});
  check({"rows = 1", "rows = 1\ntransfer = \"log\"", 5, "[wall] unknown transfer 'log'", "use sdr, pq, hlg"});
}

TEST_CASE("frame rates are integers or exact fractions") {
  CHECK(parse_wall(with("frame_rate = 30", "frame_rate = \"30000/1001\""), "w")->frame_rate == FrameRate{30000, 1001});
  CHECK(parse_wall(with("frame_rate = 30", "frame_rate = \"50/2\""), "w")->frame_rate == FrameRate{25, 1});
  CHECK(parse_wall(with("frame_rate = 30", "frame_rate = \"24\""), "w")->frame_rate == FrameRate{24, 1});
  for (const auto* wrong : {"29.97", "\"30/0\"", "\"-30\"", "\"\"", "\"1000/3\"", "\"1/2\"", "\"30/1/1\"",
                            "\"99999999999\"", "0", "241", "true"})
    check({"frame_rate = 30", std::string("frame_rate = ") + wrong, 7, "frame_rate", ""});
}

TEST_CASE("a tile without window and monitor gets a window at its place on the wall") {
  const auto wall = parse_wall(with(", monitor = 1", ""), "w.toml");
  REQUIRE(wall.has_value());
  CHECK(wall->nodes[1].tiles[0].window_x == 640);
  CHECK(wall->nodes[1].tiles[0].window_y == 0);
}

TEST_CASE("bursts follow the rate unless the file has a number") {
  const auto automatic =
      parse_wall(with("flows_per_tile = 2", "burst_packets = \"auto\"\nswitch_buffer_kib = 512"), "w.toml");
  REQUIRE(automatic.has_value());
  CHECK(automatic->streaming.burst_packets == 0);
  CHECK(automatic->streaming.switch_buffer_kib == 512);
  CHECK(parse_wall(with("flows_per_tile = 2", "mtu = 1500"), "w.toml")->streaming.burst_packets == 0);
}

TEST_CASE("all streaming keys are read") {
  const auto wall =
      parse_wall(with("flows_per_tile = 2",
                      "mtu = 1500\npacing = \"none\"\npace_fraction = 1\nburst_packets = 1\npace_spin_us "
                      "= 100\nassemble = \"kernel\"\n"
                      "playout_delay_ms = 20\nbusy_poll_us = 50\nzero_copy = true\nrealtime_priority = 20\ndscp = "
                      "46\nbase_port = 20000\nsource_port = 20004\n"
                      "fec = \"none\"\nresend = false"),
                 "w.toml");
  REQUIRE(wall.has_value());
  CHECK(wall->streaming.mtu == 1500);
  CHECK(wall->streaming.pacing == Pacing::none);
  CHECK(wall->streaming.pace_fraction == 1.0);
  CHECK(wall->streaming.burst_packets == 1);
  CHECK(wall->streaming.pace_spin == std::chrono::microseconds{100});
  CHECK(wall->streaming.assemble == RunAssembly::kernel);
  CHECK(wall->streaming.playout_delay.count() == 20);
  CHECK(wall->streaming.busy_poll == std::chrono::microseconds{50});
  CHECK(wall->streaming.realtime_priority == 20);
  CHECK(wall->streaming.zero_copy);
  CHECK(wall->streaming.dscp == 46);
  CHECK(wall->streaming.base_port == 20000);
  CHECK(wall->streaming.source_port == 20004);
}

TEST_CASE("clock and sync are read") {
  const auto by_default = parse_wall(good, "w.toml").value();
  CHECK(by_default.clock == ClockSource::system);
  CHECK(by_default.sync.mode == SyncMode::tile);
  const auto wall =
      parse_wall(good + "[clock]\nsource = \"wall\"\n[sync]\nmode = \"wall\"\nlost_node = \"hold\"\n", "w.toml")
          .value();
  CHECK(wall.clock == ClockSource::wall);
  CHECK(wall.sync.mode == SyncMode::wall);
  CHECK(wall.sync.lost_node == LostNode::hold);
}

TEST_CASE("a PTP clock is read, and only for the system's clock") {
  CHECK(parse_wall(good, "w.toml")->phc.empty());
  CHECK(parse_wall(good + "[clock]\nphc = \"/dev/ptp0\"\n", "w.toml")->phc == "/dev/ptp0");
  const std::string end = "pixel_format = \"ycbcr422-10\"\n";
  check({end, end + "[clock]\nphc = \"ptp0\"\n", 28, "phc is not a device", "/dev/ptp0"});
  check({end, end + "[clock]\nphc = \"\"\n", 28, "phc is not a device", "/dev/ptp0"});
  check({end, end + "[clock]\nsource = \"wall\"\nphc = \"/dev/ptp0\"\n", 29, "has no effect", "remove it"});
}

TEST_CASE("a swap group is read, and a barrier only with one") {
  CHECK(parse_wall(good, "w.toml")->sync.swap_group == 0);
  const auto sync = parse_wall(good + "[sync]\nswap_group = 2\nswap_barrier = 1\n", "w.toml").value().sync;
  CHECK(sync.swap_group == 2);
  CHECK(sync.swap_barrier == 1);
  const std::string end = "pixel_format = \"ycbcr422-10\"\n";
  check({end, end + "[sync]\nswap_barrier = 1\n", 28, "without a swap_group", "swap_group = 1"});
  check({end, end + "[sync]\nswap_group = 65\n", 28, "out of range", "0 to 64"});
}

TEST_CASE("CPUs of flows are read for the server and for each node") {
  const auto wall = parse_wall(with("name = \"b\"", "cpus = [3, 1]\nname = \"b\""), "w.toml");
  REQUIRE(wall.has_value());
  CHECK(wall->nodes[0].cpus.empty());
  CHECK(wall->nodes[1].cpus == std::vector<unsigned>{3, 1});
  CHECK(wall->coordinator().cpus.empty());
}

TEST_CASE("errors about wrong keys, types and ranges name the line and the fix") {
  const std::vector<Wrong> wrongs{
      {"columns = 2", "colums = 2", 3, "unknown key 'colums' in [wall]", "did you mean 'columns'?"},
      {"rows = 1", "rows = 1\nxyzzy = 1", 5, "unknown key 'xyzzy'", "use one of name, columns"},
      {"[streaming]", "[steaming]", 24, "unknown key 'steaming' in the wall file", "did you mean 'streaming'?"},
      {"flows_per_tile", "flow_per_tile", 25, "unknown key 'flow_per_tile' in [streaming]",
       "did you mean 'flows_per_tile'?"},
      {"monitor = 1", "monitors = 1", 17, "unknown key 'monitors'", "did you mean 'monitor'?"},
      {"columns = 2\n", "", 1, "[wall] has no 'columns'", "add it, like columns = "},
      {"name = \"test\"\n", "", 1, "[wall] has no 'name'", "add it"},
      {"frame_rate = 30\n", "", 1, "no 'frame_rate'", "add it"},
      {"address = \"192.0.2.1\"\n", "", 9, "[[node]] has no 'address'", "add it"},
      {"tiles = [{ column = 1, row = 0, monitor = 1 }]\n", "", 14, "no 'tiles'", "add it"},
      {"column = 1, ", "", 17, "no 'column'", "add it"},
      {"name = \"s\"", "", 19, "[[server]] has no 'name'", "add it"},
      {"columns = 2", "columns = \"2\"", 3, "[wall] columns is a string", "write a whole number"},
      {"columns = 2", "columns = 2.0", 3, "columns is a fractional number", "write a whole number"},
      {"name = \"test\"", "name = 7", 2, "[wall] name is a whole number", "write a string in quotes"},
      {"name = \"test\"", "name = \"\"", 2, "1 to 64 printable characters", "short name"},
      {"name = \"a\"", "name = \"a\\nb\"", 10, "printable", "short name"},
      {"columns = 2", "columns = 0", 3, "columns = 0 is out of range", "use 1 to 64"},
      {"rows = 1", "rows = 65", 4, "rows = 65 is out of range", "use 1 to 64"},
      {"tile_width = 640", "tile_width = 641", 5, "tile_width = 641 is odd", "even width"},
      {"tile_width = 640", "tile_width = -2", 5, "out of range", "use 2 to"},
      {"frame_rate = 30", "bezel_x = -1\nframe_rate = 30", 7, "bezel_x = -1 is out of range", "use 0 to"},
      {"window = [0, 0]", "window = [0]", 12, "window is not a position", "window = [0, 0]"},
      {"window = [0, 0]", "window = [0, 0.5]", 12, "window is not a position", "window = [0, 0]"},
      {"window = [0, 0]", "window = 0", 12, "window is a whole number", "list"},
      {"rows = 1", "rows = 1\npitch_mm = 0.5", 5, "pitch_mm has no effect on a grid", "[[tile]]"},
      {"tiles = [{ column = 0, row = 0, window = [0, 0] }]", "tiles = [[0, 0]]", 12, "is an array",
       "{ column = 0, row = 0 }"},
      {"pixel_format = \"ycbcr422-10\"", "pixel_format = \"rgb\"", 26, "unknown pixel format 'rgb'", "rgb8"},
      {"flows_per_tile = 2", "flows_per_tile = 17", 25, "out of range", "use 1 to 16"},
      {"flows_per_tile = 2", "mtu = 500", 25, "mtu = 500 is out of range", "use 576 to 9216"},
      {"flows_per_tile = 2", "mtu = 9217", 25, "mtu = 9217 is out of range", "use 576 to 9216"},
      {"flows_per_tile = 2", "pacing = \"fast\"", 25, "pacing = \"fast\" is unknown", "\"kernel\" or \"none\""},
      {"flows_per_tile = 2", "pace_fraction = 0.05", 25, "pace_fraction", "use 0.1 to 1"},
      {"flows_per_tile = 2", "pace_fraction = nan", 25, "pace_fraction", "use 0.1 to 1"},
      {"flows_per_tile = 2", "assemble = \"card\"", 25, "assemble = \"card\" is unknown", "\"kernel\" or \"user\""},
      {"flows_per_tile = 2", "burst_packets = 65", 25, "burst_packets", "use 1 to 64"},
      {"flows_per_tile = 2", "burst_packets = \"all\"", 25, "burst_packets is not a number", "\"auto\", or 1 to 64"},
      {"flows_per_tile = 2", "switch_buffer_kib = 0", 25, "switch_buffer_kib", "use 1 to 1048576"},
      {"flows_per_tile = 2", "switch_buffer_kib = 512\nburst_packets = 7", 25, "has no effect", "remove one"},
      {"flows_per_tile = 2", "playout_delay_ms = 10001", 25, "playout_delay_ms", "use 0 to 10000"},
      {"flows_per_tile = 2", "playout_delay_max_ms = 79", 25, "less than playout_delay_ms = 80", "raise it"},
      {"flows_per_tile = 2", "pace_spin_us = 1001", 25, "pace_spin_us", "use 0 to 1000"},
      {"flows_per_tile = 2", "busy_poll_us = -1", 25, "busy_poll_us", "use 0 to 1000"},
      {"flows_per_tile = 2", "realtime_priority = 100", 25, "realtime_priority", "use 0 to 99"},
      {"name = \"b\"", "cpus = [1, -1]\nname = \"b\"", 15, "cpus: an entry is not a CPU number", "cpus = [2, 3]"},
      {"name = \"b\"", "cpus = 1\nname = \"b\"", 15, "cpus is a whole number", "list"},
      {"flows_per_tile = 2", "dscp = 64", 25, "dscp", "use 0 to 63"},
      {"flows_per_tile = 2", "resend = 0", 25, "resend is a whole number", "true or false"},
      {"columns = 2", "columns = ", 3, "not valid TOML", "toml.io"},
      {"rows = 1", "columns = 2", 4, "not valid TOML", "toml.io"},
  };
  for (const auto& wrong : wrongs) check(wrong);
}

TEST_CASE("errors about parts of a wall that do not fit together name the line and the fix") {
  const std::vector<Wrong> wrongs{
      {"name = \"b\"", "name = \"a\"", 15, "a second node is named 'a'", "own name"},
      {"column = 1", "column = 0", 17, "tile (0, 0) is shown twice, by node 'a' too", "remove one"},
      {"column = 1", "column = 2", 17, "tile (2, 0) lies outside the wall", "columns run from 0 to 1"},
      {"rows = 1", "rows = 2", 1, "tile (0, 1) is shown by no node", "add it to the tiles of a [[node]]"},
      {"tiles = [{ column = 1, row = 0, monitor = 1 }]", "tiles = []", 17, "node 'b' shows no tile", "remove the node"},
      {"window = [0, 0] }]\n\n[[node]]\nname = \"b\"\naddress = \"192.0.2.2\"\ntiles = [{ column = 1, row = 0, monitor "
       "= 1 }]",
       "window = [0, 0] },\n{ column = 1, row = 0, window = [639, 399] }]", 13,
       "the windows of tile (0, 0) and tile (1, 0) overlap", "640 x 400"},
      {"window = [0, 0] }]\n\n[[node]]\nname = \"b\"\naddress = \"192.0.2.2\"\ntiles = [{ column = 1, row = 0, monitor "
       "= 1 }]",
       "monitor = 2 },\n{ column = 1, row = 0, monitor = 2 }]", 13, "both fill monitor 2", "own monitor"},
      {"tile_height = 400", "tile_height = 1", 25, "2 flows cannot share the 1 rows of a tile", "at most 1"},
      {"\"192.0.2.1\"", "\"render1.example.org\"", 11, "node 'a': 'render1.example.org' is not a numeric", "numbers"},
      {"\"192.0.2.1\"", "\"192.0.2.1\\n\"", 11, "'192.0.2.1?' is not a numeric", "numbers"},
      {"\"192.0.2.1\"", "\"0.0.0.0\"", 11, "flows cannot be sent to 0.0.0.0", "network card"},
      {"\"192.0.2.1\"", "\"192.0.2.1\"\nsecond_address = \"192.0.2.1\"", 12, "'a' has the same address twice",
       "each of two networks"},
      {"\"192.0.2.1\"", "\"192.0.2.1\"\nsecond_address = \"second\"", 12, "'second' is not a numeric", "numbers"},
      {"tiles = [{ column = 1, row = 0, monitor = 1 }]\n\n[[server]]\nname = \"s\"\ncontrol = "
       "\"[::1]:9011\"\ninterfaces = "
       "[\"192.0.2.9\", \"192.0.2.10\"]",
       "second_address = \"192.0.2.3\"\ntiles = [{ column = 1, row = 0 }]\n\n[[server]]\nname = \"s\"", 17,
       "'b' has a second address, but a server has no second interface", "name two"},
      {"\"192.0.2.2\"", "\"2001:db8::2\"", 16, "mixes IPv4 and IPv6", "one kind"},
      {"[\"192.0.2.9\"", "[\"::1\"", 22, "interface ::1 and the nodes mix", "one kind"},
      {"[\"192.0.2.9\"", "[\"eth0\"", 22, "'eth0' is not a numeric", "numbers"},
      {"[\"192.0.2.9\"", "[\"192.0.2.10\"", 22, "interface 192.0.2.10 is named twice", "once"},
      {"[\"192.0.2.9\"", "[9", 22, "an interface is a whole number", "in quotes"},
      {"[::1]:9011", "::1:9011", 21, "control is not a numeric address", "[::1]:9010"},
      {"[::1]:9011", "localhost:9010", 21, "control is not a numeric address", "127.0.0.1:9010"},
      {"[::1]:9011", "127.0.0.1", 21, "control is not a numeric address", "127.0.0.1:9010"},
      {"[::1]:9011", "127.0.0.1:0", 21, "control is not a numeric address", "127.0.0.1:9010"},
      {"[::1]:9011", "127.0.0.1:65536", 21, "control is not a numeric address", "127.0.0.1:9010"},
      {"[::1]:9011", "[127.0.0.1]:9010", 21, "control is not a numeric address", "127.0.0.1:9010"},
      {"[[server]]", "[server]", 19, "'server' is a table", "[[server]]"},
      {"[wall]", "wall = 1\n[walls]", 2, "unknown key 'walls'", "did you mean 'wall'?"},
      {"flows_per_tile = 2", "base_port = 50001", 25, "base_port = 50001 is odd", "even port"},
      {"flows_per_tile = 2", "base_port = 65534", 25, "2 flows from base_port = 65534 on run past port 65535",
       "at most base_port = 65532"},
      {"flows_per_tile = 2", "source_port = 49998", 25, "overlap", "at least 4 apart"},
      {"flows_per_tile = 2", "fec = \"rs\"", 25, "is not a forward error correction", "like \"20+4\""},
      {"flows_per_tile = 2", "fec = \"auto 4+20\"", 25, "is not a forward error correction", "not more parity"},
      {"flows_per_tile = 2", "fec = \"200+56\"", 25, "is not a forward error correction", "together 255 at most"},
      {"[streaming]", "[clock]\nsource = \"gps\"\n[streaming]", 25, "[clock] source = \"gps\" is unknown",
       "PTP or chrony"},
      {"[streaming]", "[sync]\nmode = \"row\"\n[streaming]", 25, "[sync] mode = \"row\" is unknown", "\"tile\""},
      {"[streaming]", "[sync]\nlost_node = \"stop\"\n[streaming]", 25, "[sync] lost_node = \"stop\" is unknown",
       "\"hold\""},
  };
  for (const auto& wrong : wrongs) check(wrong);
}

TEST_CASE("tiles may share a monitor, each on a part of it") {
  const auto on_monitor = [](const std::string& first, const std::string& second) {
    return parse_wall(
        with("window = [0, 0] }]\n\n[[node]]\nname = \"b\"\naddress = \"192.0.2.2\"\ntiles = [{ column = 1, "
             "row = 0, monitor = 1 }]",
             "monitor = 2" + first + " },\n{ column = 1, row = 0, monitor = 2" + second + " }]"),
        "w.toml");
  };
  const auto shared = on_monitor(", window = [0, 0]", ", window = [640, 0]");
  REQUIRE(shared.has_value());
  const auto& tiles = shared->nodes[0].tiles;
  CHECK((tiles[1].monitor == 2U && tiles[1].on_part && !tiles[1].fills_monitor() && tiles[1].window_x == 640));
  CHECK_THAT(on_monitor(", window = [0, 0]", ", window = [639, 0]").error().what, Catch::Contains("overlap"));
  CHECK_THAT(on_monitor(", window = [0, 0]", "").error().what,
             Catch::Contains("share monitor 2, which one of them fills"));
}

TEST_CASE("a wall file without its sections is refused") {
  for (const std::string text : {"", "\n", "wall = 1", "[wall]", "node = []", "[[wall]]"}) {
    INFO(text);
    const auto wall = parse_wall(text, "w.toml");
    REQUIRE(!wall.has_value());
    CHECK_THAT(wall.error().what, Catch::StartsWith("w.toml:1: "));
  }
}

TEST_CASE("the wall files of the project are correct") {
  for (const auto& entry : std::filesystem::directory_iterator(test::source_folder() / "walls")) {
    if (entry.path().extension() != ".toml") continue;  // files that they name
    const auto wall = load_wall(entry.path());
    INFO((wall ? "" : wall.error().text()));
    CHECK(wall.has_value());
  }
}

TEST_CASE("load_wall names the file, the line and unreadable files") {
  const auto file = std::filesystem::temp_directory_path() / "lw_wall_file_test.toml";
  std::ofstream(file) << with("rows = 1", "rows = 0");
  const auto wrong = load_wall(file);
  std::filesystem::remove(file);
  REQUIRE(!wrong.has_value());
  CHECK_THAT(wrong.error().what, Catch::StartsWith(file.string() + ":4: "));
  const auto missing = load_wall(file);
  REQUIRE(!missing.has_value());
  CHECK_THAT(missing.error().what, Catch::Contains("cannot be read"));
  CHECK(!load_wall(std::filesystem::temp_directory_path()).has_value());
}

TEST_CASE("the server's fingerprint is complete, or an error") {
  const auto named = [](const std::string& fingerprint) {
    return parse_wall(with("name = \"s\"", "name = \"s\"\nfingerprint = \"" + fingerprint + "\""), "w");
  };
  const auto whole = "sha256:" + std::string(64, 'a');
  CHECK(named(whole)->coordinator().fingerprint == whole);
  CHECK(parse_wall(good, "w")->coordinator().fingerprint.empty());
  for (const auto& wrong : {std::string("sha256:"), whole.substr(7), whole + "a", "sha256:" + std::string(64, 'A')})
    CHECK_THAT(named(wrong).error().text(),
               Catch::Contains("is not the fingerprint") && Catch::Contains("--fingerprint prints"));
}

TEST_CASE("a window at the largest possible distance is an error") {
  for (const char* far : {"-9223372036854775808", "9223372036854775807"})
    CHECK_THAT(parse_wall(with("window = [0, 0]", std::string("window = [0, ") + far + "]"), "w").error().text(),
               Catch::Contains("not a position on a desktop"));
}

// Two servers, each with a column.
std::string two_servers() {
  return with("[streaming]",
              "tiles = [{ column = 0 }]\n[[server]]\nname = \"t\"\ncontrol = \"127.0.0.1:9012\"\n"
              "interfaces = [\"192.0.2.11\"]\ntiles = [{ column = 1 }]\n[streaming]");
}

TEST_CASE("several servers share the tiles") {
  const auto wall = parse_wall(two_servers(), "w").value();
  REQUIRE(wall.servers.size() == 2);
  CHECK(wall.coordinator().name == "s");
  CHECK(wall.server_of({0}).name == "s");
  CHECK(wall.server_of({1}).name == "t");
  CHECK(wall.tiles_of(wall.servers[1]) == std::vector<TileIndex>{{1}});
  CHECK(wall.find_server("t") == &wall.servers[1]);
  CHECK(wall.find_server("u") == nullptr);

  auto text = two_servers();
  const auto change = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  change("name = \"t\"", "name = \"t\"\ncoordinator = true");
  change("tiles = [{ column = 1 }]", "");
  const auto rest = parse_wall(text, "w").value();
  CHECK(rest.coordinator().name == "t");
  CHECK(rest.server_of({1}).name == "t");  // what no other server names
}

TEST_CASE("what several servers cannot be is an error with a fix") {
  const auto error = [](const std::string& from, const std::string& to) {
    auto text = two_servers();
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    const auto wall = parse_wall(text.replace(at, from.size(), to), "w");
    REQUIRE_FALSE(wall.has_value());
    return wall.error().text();
  };
  CHECK_THAT(error("tiles = [{ column = 1 }]", "tiles = [{ columns = [0, 1] }]"),
             Catch::Contains("sent by 's' and by 't'"));
  CHECK_THAT(error("tiles = [{ column = 1 }]", "tiles = []"), Catch::Contains("tile (1, 0) is sent by no server"));
  CHECK_THAT(error("tiles = [{ column = 1 }]", "tiles = [{ column = 2 }]"), Catch::Contains("lies outside the wall"));
  CHECK_THAT(error("tiles = [{ column = 1 }]", "tiles = [{ column = 1, columns = [0, 1] }]"),
             Catch::Contains("keep one"));
  CHECK_THAT(error("tiles = [{ column = 1 }]", "tiles = [{ columns = [1, 0] }]"),
             Catch::Contains("a first and a last number"));
  CHECK_THAT(error("tiles = [{ column = 1 }]", "tiles = [1]"), Catch::Contains("an entry of a server's tiles"));
  CHECK_THAT(error("tiles = [{ column = 0 }]", "tiles = [{ columns = [0, 1] }]"), Catch::Contains("sent by"));
  CHECK_THAT(error("name = \"t\"", "name = \"s\""), Catch::Contains("a second server is named 's'"));
  CHECK_THAT(error("127.0.0.1:9012", "[::1]:9011"), Catch::Contains("the same control address"));
  CHECK_THAT(error("pixel_format = \"ycbcr422-10\"", "[sync]\nmode = \"wall\""), Catch::Contains("one server"));
  auto both = two_servers();
  for (const auto* name : {"name = \"s\"", "name = \"t\""}) {
    const std::string from = name;
    both.replace(both.find(from), from.size(), from + "\ncoordinator = true");
  }
  CHECK_THAT(parse_wall(both, "w").error().text(), Catch::Contains("both coordinator"));
}

}  // namespace
}  // namespace lw
