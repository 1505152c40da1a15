#include "server/write_sdp.h"

#include "tests/support/source_folder.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <string>

namespace lw {
namespace {

Wall wall_of_two_flows() {
  return parse_wall(R"(
[wall]
name = "w"
columns = 1
rows = 1
tile_width = 64
tile_height = 42
frame_rate = 30
[[node]]
name = "two"
address = "10.0.0.12"
second_address = "10.1.0.12"
tiles = [{ column = 0, row = 0 }]
[[server]]
name = "s"
interfaces = ["10.0.0.1", "10.1.0.1"]
[streaming]
flows_per_tile = 2
)",
                    "w.toml")
      .value();
}

TEST_CASE("a session description names the interface that the flow leaves by") {
  const auto wall = wall_of_two_flows();
  const test::TemporaryFolder folder;
  REQUIRE(write_sdp(wall, PixelFormat::rgb8, wall.frame_rate, folder.path).value() == 2);
  for (const char* name : {"flow-0.sdp", "flow-1.sdp"}) {
    const auto text = folder.read(name);
    CHECK(text.find("o=- 0 0 IN IP4 10.0.0.1\r\n") != std::string::npos);
    CHECK(text.find("c=IN IP4 10.0.0.12\r\n") != std::string::npos);
  }
}

TEST_CASE("a flow of compressed blocks is described as a format of our own, with the rows that its blocks cover") {
  const auto wall = wall_of_two_flows();
  const test::TemporaryFolder folder;
  REQUIRE(write_sdp(wall, PixelFormat::bc7, wall.frame_rate, folder.path).value() == 2);
  const auto upper = folder.read("flow-0.sdp"), lower = folder.read("flow-1.sdp");
  CHECK(upper.find("a=rtpmap:99 vnd.lambdawall.bc7/90000\r\na=fmtp:99 width=64; height=24; ") != std::string::npos);
  CHECK(upper.find("raw/90000") == std::string::npos);
  CHECK(upper.find("rows 0-23\r\n") != std::string::npos);
  CHECK(lower.find("height=18; ") != std::string::npos);
  CHECK(lower.find("rows 24-41\r\n") != std::string::npos);
}

TEST_CASE("a session description has the colours of the wall by the names of ST 2110-20") {
  struct Known {
    Colour colour;
    const char* names;
  };
  for (const auto& [colour, names] : {Known{{Primaries::bt709, Transfer::sdr}, "TCS=SDR; colorimetry=BT709; "},
                                      Known{{Primaries::bt2020, Transfer::sdr}, "TCS=SDR; colorimetry=BT2020; "},
                                      Known{{Primaries::bt2020, Transfer::pq}, "TCS=PQ; colorimetry=BT2100; "},
                                      Known{{Primaries::bt2020, Transfer::hlg}, "TCS=HLG; colorimetry=BT2100; "},
                                      Known{{Primaries::p3, Transfer::pq}, "TCS=PQ; colorimetry=UNSPECIFIED; "}})
    for (const auto format : all_pixel_formats) {
      auto wall = wall_of_two_flows();
      wall.colour = colour;
      const test::TemporaryFolder folder;
      REQUIRE(write_sdp(wall, format, wall.frame_rate, folder.path).value() == 2);
      CHECK_THAT(folder.read("flow-0.sdp"), Catch::Contains(names));
    }
}

TEST_CASE("a stream of sound is described as AES67 and ST 2110-30 require") {
  auto wall = wall_of_two_flows();
  wall.nodes[0].audio = "default";
  const test::TemporaryFolder folder;
  REQUIRE(write_sdp(wall, PixelFormat::rgb8, wall.frame_rate, folder.path).value() == 3);
  CHECK(folder.read("sound-0.sdp") ==
        "v=0\r\n"
        "o=- 0 0 IN IP4 10.0.0.1\r\n"
        "s=w: sound of node two\r\n"
        "t=0 0\r\n"
        "m=audio 50004 RTP/AVP 112\r\n"
        "c=IN IP4 10.0.0.12\r\n"
        "a=rtpmap:112 L24/48000/2\r\n"
        "a=fmtp:112 channel-order=SMPTE2110.(ST)\r\n"
        "a=ptime:1\r\n"
        "a=mediaclk:direct=0\r\n"
        "a=recvonly\r\n");
  REQUIRE(write_sdp(wall, PixelFormat::rgb8, wall.frame_rate, folder.path / "three", 3).value() == 3);
  CHECK(folder.read("three/sound-0.sdp").find("L24/48000/3\r\na=fmtp:113 channel-order=SMPTE2110.(U03)") !=
        std::string::npos);
  CHECK(write_sdp(wall, PixelFormat::rgb8, wall.frame_rate, folder.path / "none", 0).value() == 2);
}

TEST_CASE("a session description of a flow to a group says who sends to it, once for all sites that share it") {
  auto wall = load_wall(test::source_folder() / "walls/sites-2x1.toml").value();
  wall.sites.push_back(wall.sites.front());
  wall.sites.back().name = "another";
  const test::TemporaryFolder folder;
  REQUIRE(write_sdp(wall, PixelFormat::rgb8, wall.frame_rate, folder.path).value() == 4);
  CHECK(folder.read("flow-1.sdp").find("source-filter") == std::string::npos);
  const auto text = folder.read("group-232.1.1.2.sdp");
  CHECK(text.find("m=video 50002 ") != std::string::npos);
  CHECK(text.find("c=IN IP4 232.1.1.2/16\r\na=source-filter: incl IN IP4 232.1.1.2 10.1.0.1\r\n") != std::string::npos);
}

}  // namespace
}  // namespace lw
