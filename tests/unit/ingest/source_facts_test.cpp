#include "ingest/source_facts.h"

#include "ingest/small_image.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

namespace {

// Width and height in the header of its frame (ITU-T T.81, B.2.2).
std::pair<unsigned, unsigned> size_of_jpeg(const std::string& file) {
  REQUIRE(file.starts_with("\xff\xd8\xff"));
  const auto header = file.find("\xff\xc0");
  REQUIRE(header + 9 < file.size());
  const auto number = [&](std::size_t at) {
    return static_cast<unsigned char>(file[header + at]) * 256U + static_cast<unsigned char>(file[header + at + 1]);
  };
  return {number(7), number(5)};
}

}  // namespace

TEST_CASE("facts of a source for programs and for people") {
  lw::SourceFacts facts;
  facts.name = "film";
  facts.width = 1920;
  facts.height = 1080;
  facts.frame_rate = {25, 1};
  const auto bare = nlohmann::json::parse(lw::to_json_line(facts));
  CHECK(bare.at("event") == "probe");
  CHECK_FALSE(bare.contains("bytes"));  // not known, so not 0
  CHECK_FALSE(bare.contains("frames"));
  CHECK(lw::to_text(facts) == "film: 1920x1080, 25 frames per second");
  facts.frames = 1;
  facts.input_bytes = 10'000'000;
  facts.bytes = 922'000'000;
  facts.sound_channels = 2;
  CHECK(lw::to_text(facts) ==
        "film: 1920x1080, 25 frames per second, 1 frame, 10.0 MB become 922.0 MB; sound: 2 channels");
  facts.colours = "its colours are p3 pq";
  CHECK_THAT(lw::to_text(facts), Catch::EndsWith("sound: 2 channels; its colours are p3 pq"));
  CHECK(nlohmann::json::parse(lw::to_json_line(facts)).at("colours") == "its colours are p3 pq");
  for (const auto& [bytes, text] :
       {std::pair{"M", "TQ=="}, {"Ma", "TWE="}, {"Man", "TWFu"}, {"\xff\xfe\xfd!", "//79IQ=="}}) {
    facts.preview = bytes;
    CHECK(nlohmann::json::parse(lw::to_json_line(facts)).at("preview") == text);
  }
}

TEST_CASE("a file and a folder have a size, other inputs have none") {
  CHECK(lw::bytes_of_input("/proc/self/exe") > 1000U);
  CHECK_FALSE(lw::bytes_of_input("lavfi:testsrc2"));
  CHECK_FALSE(lw::bytes_of_input("shot-%05d.png"));
}

TEST_CASE("HDR is recognized, and previews are small") {
  const auto frame = lw::new_frame(AV_PIX_FMT_RGB24, 1000, 500);
  CHECK_FALSE(lw::is_hdr(*frame));
  const auto preview = lw::small_jpeg(*frame, {});
  CHECK(size_of_jpeg(preview) == std::pair{320U, 160U});
  for (const auto transfer : {AVCOL_TRC_SMPTE2084, AVCOL_TRC_ARIB_STD_B67}) {
    frame->color_trc = transfer;
    frame->color_primaries = AVCOL_PRI_BT709;
    CHECK(lw::is_hdr(*frame));
    std::memset(frame->data[0], 128, static_cast<std::size_t>(frame->linesize[0]) * 500);
    const auto of_hdr = lw::small_jpeg(*frame, {});
    frame->color_trc = AVCOL_TRC_UNSPECIFIED;
    CHECK(of_hdr != lw::small_jpeg(*frame, {}));
  }
  CHECK(size_of_jpeg(lw::small_jpeg(*lw::new_frame(AV_PIX_FMT_YUV420P, 300, 9000), {})) == std::pair{10U, 320U});
  CHECK(size_of_jpeg(lw::small_jpeg(*lw::new_frame(AV_PIX_FMT_RGB24, 5000, 2), {})) == std::pair{320U, 1U});
  CHECK(size_of_jpeg(lw::small_jpeg(*lw::new_frame(AV_PIX_FMT_RGB24, 72, 14), {})) == std::pair{72U, 14U});
  frame->width = 0;
  CHECK(lw::small_jpeg(*frame, {}).empty());
}
