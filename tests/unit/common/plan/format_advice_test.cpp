#include "common/base/frame_rate.h"
#include "common/plan/plan.h"
#include "tests/support/law_rounds.h"
#include "tests/support/source_folder.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <random>
#include <regex>

namespace lw {
namespace {

using Catch::Contains;

// The SARA wall, 35.4 Gbit/s in rgb8, whose server has one card.
Wall sara() {
  auto wall = load_wall(test::source_folder() / "walls" / "sara-5x3.toml").value();
  wall.coordinator().interfaces = {"10.1.0.1"};
  return wall;
}

HostFacts host_with_link(double gbit) {
  HostFacts host;
  host.topology = read_topology("pack:1 [numa] core:32 pu:1").value();
  Nic nic;
  nic.name = "card0";
  nic.addresses = {"10.1.0.1"};
  nic.up = true;
  nic.link_rate = BitRate::gbit(gbit);
  nic.mtu = 9000;
  host.nics.push_back(nic);
  return host;
}

Manifest store_for(const Wall& wall) {
  Manifest manifest;
  manifest.name = "movie";
  manifest.geometry = wall.grid;
  manifest.pixel_format = wall.streaming.pixel_format;
  manifest.frame_rate = wall.frame_rate;
  manifest.frame_count = 240;
  manifest.stripes = {"/data/0"};
  return manifest;
}

// Does what a recommendation says.
void follow(const std::string& what, Wall& wall, Manifest* manifest) {
  std::smatch found;
  if (std::regex_search(what, found, std::regex(R"((?:--format |pixel_format = ")([a-z0-9-]+))"))) {
    const auto format = parse_pixel_format(found[1].str()).value();
    if (manifest != nullptr)
      manifest->pixel_format = format;
    else
      wall.streaming.pixel_format = format;
  }
  if (std::regex_search(what, found, std::regex(R"((?:--rate |frame_rate = )(\d+))"))) {
    const auto rate = parse_frame_rate(found[1].str()).value();
    (manifest != nullptr ? manifest->frame_rate : wall.frame_rate) = rate;
  }
}

TEST_CASE("the SARA wall over thin links: the format that makes it possible, and below that the frame rate") {
  const auto wall = sara();
  const auto recommended = [&](double gbit) {
    const auto plan = make_plan(wall, wall.coordinator(), host_with_link(gbit));
    CHECK((plan.verdict == Verdict::impossible) == !plan.recommendations.empty());
    return plan.recommendations.empty() ? Recommendation() : plan.recommendations.front();
  };
  CHECK(recommended(40).what.empty());
  CHECK(recommended(25).what == "pixel_format = \"bc7\" in [streaming]");
  CHECK(recommended(25).why ==
        "8 bits for each pixel instead of 24; it has 16 colours on a line in each block of 4 x 4 pixels (PSNR of the "
        "samples 50 to 53 dB); lossless keeps everything and needs from a third of the bits up to all of them, by "
        "content (samples: 2.9 to 3.4 times less)");
  CHECK(recommended(10).what == "pixel_format = \"bc1\" in [streaming]");
  CHECK_THAT(recommended(10).why, Contains("43 to 44 dB"));
  const auto [what, why] = recommended(5);
  CHECK(what == "pixel_format = \"bc1\" in [streaming], and frame_rate = 20 in [wall]");
  CHECK_THAT(why, Contains("no format makes 24 frame/s possible"));
}

TEST_CASE("for a store, the import is named that makes it possible") {
  const auto wall = sara();
  const auto what = [&](double gbit) {
    const auto host = host_with_link(gbit);
    return make_plan(wall, wall.coordinator(), store_for(wall), host, {"/data/0"}).recommendations.at(0).what;
  };
  CHECK(what(25) == "wall-ingest --format bc7");
  CHECK(what(5) == "wall-ingest --format bc1 --rate 20");
}

TEST_CASE("no format helps a store of another wall, or a link that is down") {
  const auto wall = sara();
  auto host = host_with_link(25);
  auto manifest = store_for(wall);
  manifest.geometry.columns = 4;
  CHECK(make_plan(wall, wall.coordinator(), manifest, host, {"/data/0"}).recommendations.empty());
  host.nics[0].up = false;
  CHECK(make_plan(wall, wall.coordinator(), host).recommendations.empty());
}

TEST_CASE("what is recommended is possible, and a frame more in a second is not") {
  std::minstd_rand random(7);
  const auto draw = [&](int least, int most) { return std::uniform_int_distribution<int>(least, most)(random); };
  unsigned formats = 0;
  unsigned rates = 0;
  const unsigned rounds = law_rounds(300);
  for (unsigned round = 0; round < rounds; ++round) {
    auto wall = sara();
    wall.frame_rate = {draw(1, 60), 1};
    wall.streaming.flows_per_tile = static_cast<unsigned>(draw(1, 4));
    wall.streaming.pixel_format = all_pixel_formats.at(static_cast<std::size_t>(draw(0, 4)));
    auto manifest = store_for(wall);
    const bool has_store = draw(0, 1) == 0;
    const auto host = host_with_link(draw(1, 60));
    const auto plan = [&] {
      return has_store ? make_plan(wall, wall.coordinator(), manifest, host, {"/data/0"})
                       : make_plan(wall, wall.coordinator(), host);
    };
    const auto before = plan();
    if (before.verdict != Verdict::impossible || before.recommendations.empty()) continue;
    const auto what = before.recommendations.back().what;
    follow(what, wall, has_store ? &manifest : nullptr);
    INFO(what << ", round " << round);
    CHECK(plan().verdict != Verdict::impossible);
    auto& rate = has_store ? manifest.frame_rate : wall.frame_rate;
    if (what.find("rate") == std::string::npos) {
      ++formats;
    } else {
      ++rates;
      ++rate.numerator;
      CHECK(plan().verdict == Verdict::impossible);
    }
  }
  CHECK(formats > rounds / 15);
  CHECK(rates > rounds / 30);
}

}  // namespace
}  // namespace lw
