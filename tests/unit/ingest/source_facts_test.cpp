#include "ingest/source_facts.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

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
  const lw::av::Frame frame(av_frame_alloc());
  frame->format = AV_PIX_FMT_RGB24;
  frame->width = 1000;
  frame->height = 500;
  REQUIRE(av_frame_get_buffer(frame.get(), 0) == 0);
  CHECK_FALSE(lw::is_hdr(*frame));
  const auto preview = lw::small_ppm(*frame, {});
  CHECK(preview.starts_with("P6\n320 160\n255\n"));
  CHECK(preview.size() == std::string("P6\n320 160\n255\n").size() + 320U * 160 * 3);
  // What half of the code values are in SDR, by tests/e2e/colour_test.py.
  for (const auto& [transfer, value] : {std::pair{AVCOL_TRC_SMPTE2084, 185}, {AVCOL_TRC_ARIB_STD_B67, 144}}) {
    frame->color_trc = transfer;
    frame->color_primaries = AVCOL_PRI_BT709;
    CHECK(lw::is_hdr(*frame));
    std::memset(frame->data[0], 128, static_cast<std::size_t>(frame->linesize[0]) * 500);
    const auto of_hdr = lw::small_ppm(*frame, {});
    CHECK(of_hdr.size() == preview.size());
    CHECK(static_cast<int>(static_cast<unsigned char>(of_hdr.back())) == Approx(value).margin(1));
  }
  frame->width = 0;
  CHECK(lw::small_ppm(*frame, {}).empty());
}
