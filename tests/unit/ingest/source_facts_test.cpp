#include "ingest/source_facts.h"

#include <catch2/catch.hpp>
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
  facts.sound = true;
  CHECK(lw::to_text(facts) ==
        "film: 1920x1080, 25 frames per second, 1 frame, 10.0 MB become 922.0 MB; its sound is not kept");
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
  frame->color_trc = AVCOL_TRC_SMPTE2084;
  CHECK(lw::is_hdr(*frame));
  frame->color_trc = AVCOL_TRC_ARIB_STD_B67;
  CHECK(lw::is_hdr(*frame));
  const auto preview = lw::small_ppm(*frame);
  CHECK(preview.starts_with("P6\n320 160\n255\n"));
  CHECK(preview.size() == std::string("P6\n320 160\n255\n").size() + 320U * 160 * 3);
  frame->width = 0;
  CHECK(lw::small_ppm(*frame).empty());
}
