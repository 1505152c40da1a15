#include "ingest/named_input.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "ingest/media_source.h"
#include "tests/support/store_folder.h"

namespace {

namespace fs = std::filesystem;

// A film of one grey frame that FFmpeg opens.
void write_film(const fs::path& file, unsigned frames = 1) {
  std::ofstream out(file, std::ios::binary);
  out << "YUV4MPEG2 W16 H16 F20:1 C420\n";
  for (unsigned i = 0; i < frames; ++i) out << "FRAME\n" << std::string(16 * 16 * 3 / 2, '\x60');
}

// The frames of an input, or the error.
lw::Result<unsigned> frames_of(const std::string& input) {
  auto source = lw::MediaSource::open(input);
  if (!source) return source.error();
  unsigned frames = 0;
  for (;; ++frames) {
    const auto frame = (*source)->next();
    if (!frame) return frame.error();
    if (*frame == nullptr) return frames;
  }
}

void refuse(const std::string& input, const std::string& reason) {
  CAPTURE(input);
  const auto frames = frames_of(input);
  REQUIRE(frames.has_error());
  CAPTURE(frames.error().text());
  CHECK(frames.error().text().find(reason) != std::string::npos);
}

}  // namespace

TEST_CASE("a playlist opens none of the files that it names, whatever its own name") {
  const StoreFolder folder;
  write_film(folder.path / "secret.y4m");
  REQUIRE(frames_of((folder.path / "secret.y4m").string()).value() == 1);
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder.path / name) << text;
    return (folder.path / name).string();
  };
  const std::string concat = "ffconcat version 1.0\nfile secret.y4m\nduration 1\n";
  refuse(write("list.ffconcat", concat), "playlist (concat)");
  refuse(write("film.mp4", concat), "playlist (concat)");
  refuse(write("list.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nsecret.y4m\n#EXT-X-ENDLIST\n"),
         "playlist (hls");
  refuse(
      write(
          "film.mpd",
          R"(<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" )"
          R"(mediaPresentationDuration="PT1S"><Period><AdaptationSet><Representation id="0">)"
          R"(<BaseURL>secret.y4m</BaseURL></Representation></AdaptationSet></Period></MPD>)"),
      "playlist (dash)");
  refuse(write("call.sdp", "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n"),
         "playlist (sdp)");
}

TEST_CASE("addresses that stand for several files, or for a part of one, are refused") {
  const StoreFolder folder;
  write_film(folder.path / "a.y4m");
  const auto film = (folder.path / "a.y4m").string();
  refuse("concat:" + film + "|http://127.0.0.1:1/b.y4m", "neither a file nor");
  refuse("subfile,,start,0,end,400,,:file://" + film, "neither a file nor");
  CHECK(frames_of("file://" + film).value() == 1);
  refuse("file://" + (folder.path / "b.y4m").string(), "neither a file nor");
  refuse("rtsp://127.0.0.1:1/x", "neither a file nor");
  refuse("data://text/plain,x", "neither a file nor");
  refuse("http://127.0.0.1:1/x.mp4", "cannot open http");
}

TEST_CASE("a file's name is never a pattern or an address") {
  const StoreFolder folder;
  write_film(folder.path / "concat:a|b.y4m", 3);
  CHECK(frames_of((folder.path / "concat:a|b.y4m").string()).value() == 3);
  const auto old = fs::current_path();
  fs::current_path(folder.path);
  CHECK(frames_of("concat:a|b.y4m").value() == 3);
  fs::current_path(old);
  // TGA has no signature, so that FFmpeg takes it for an image of a sequence by its name.
  const auto write_tga = [&](const char* name, unsigned char width) {
    std::ofstream out(folder.path / name, std::ios::binary);
    const unsigned char head[18] = {0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, width, 0, 2, 0, 24, 0};
    out.write(reinterpret_cast<const char*>(head), sizeof(head)) << std::string(std::size_t{width} * 2 * 3, 'x');
  };
  write_tga("p%d.tga", 4);
  write_tga("p0.tga", 8);
  auto source = lw::MediaSource::open((folder.path / "p%d.tga").string());
  REQUIRE(source.has_value());
  const auto frame = (*source)->next();
  REQUIRE(frame.has_value());
  CHECK((*frame)->width == 4);
}
