#include "probe/mpcdi/description.h"

#include "tests/unit/probe/mpcdi/mpcdi_maker.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace lw::test;

namespace {

std::string error_of(const std::string& xml) {
  const auto parsed = parse_mpcdi(xml);
  if (parsed) return "none";
  CHECK_FALSE(parsed.error().mend.empty());
  CHECK(parsed.error().text().find('\n') == std::string::npos);
  return parsed.error().text();
}

}  // namespace

TEST_CASE("a description of version 2.0 has its buffers, regions and files") {
  const auto parsed = parse_mpcdi(two_projectors);
  REQUIRE(parsed.has_value());
  CHECK(parsed->version == "2.0");
  REQUIRE(parsed->buffers.size() == 1);
  const auto& buffer = parsed->buffers[0];
  CHECK(buffer.id == "screen");
  CHECK(buffer.columns == 1800U);
  CHECK(buffer.rows == 800U);
  REQUIRE(buffer.regions.size() == 2);
  const auto& left = buffer.regions[0];
  CHECK((left.x == 0 && left.y == 0 && left.width == 0.6 && left.height == 1));
  CHECK((left.columns == 1080 && left.rows == 800 && left.warp == "left.pfm"));
  REQUIRE(left.alpha.has_value());
  CHECK((left.alpha->path == "left.png" && left.alpha->gamma == 2.2));
  CHECK_FALSE(left.beta.has_value());
  const auto& right = buffer.regions[1];
  CHECK(right.id == "right one");
  CHECK(right.alpha->gamma == 1.0);
  REQUIRE(right.beta.has_value());
  CHECK((right.beta->path == "right-black.png" && !right.beta->gamma));
  CHECK(parsed->notes.empty());
}

// Names in other case, a `level`, and a buffer without its size; an alphaMap is required, a distortionMap possible.
TEST_CASE("a description of version 1.0 is read as well") {
  const auto parsed =
      parse_mpcdi(R"(<MPCDI profile="2d" level="1" date="2013-06-01" version="1.0"><display><buffer id="b">
    <region id="r" Xresolution="300" Yresolution="200" x="0.01" y="0.07" xsize="0.9" ysize="0.92"/></buffer></display><files>
    <fileset region="r"><geometryWarpFile><path>r.pfm</path><geometricUnit>unknown</geometricUnit><interpolation>linear</interpolation>
    <originof3DData>unknown</originof3DData></geometryWarpFile><alphaMap><path>a.png</path><componentDepth>3</componentDepth>
    <bitDepth>8</bitDepth><gammaEmbedded>2.200000</gammaEmbedded></alphaMap><distortionMap><path>d.pfm</path></distortionMap>
    </fileset></files></MPCDI>)");
  REQUIRE(parsed.has_value());
  CHECK(parsed->version == "1.0");
  CHECK_FALSE(parsed->buffers[0].columns.has_value());
  CHECK(parsed->buffers[0].regions[0].height == 0.92);
  REQUIRE(parsed->notes.size() == 1);
  CHECK(parsed->notes[0].find("distortionMap is not used") != std::string::npos);
}

TEST_CASE("a region without files is not warped, not blended, and noted") {
  const auto parsed = parse_mpcdi(
      R"(<MPCDI profile="2d" version="2.0"><display><buffer id="b"><region id="r" x="0" y="0" xSize="1" ySize="1"
      xResolution="4" yResolution="4"/></buffer></display><files><fileset region="r"><alphaMap/></fileset></files>
      <extensionSet><extension/></extensionSet></MPCDI>)");
  REQUIRE(parsed.has_value());
  CHECK(parsed->buffers[0].regions[0].warp.empty());
  CHECK(parsed->notes == std::vector<std::string>{"its <extensionSet> is not used",
                                                  "region 'r' has no geometryWarpFile: it is not warped",
                                                  "region 'r' has no alphaMap: it is not blended"});
}

TEST_CASE("a wrong description is an error with line, element and fix") {
  const std::vector<std::array<std::string, 3>> wrong{
      {"<MPCDI profile", "<mpc profile", "is not XML"},
      {"profile=\"2d\"", "profile=\"3d\"", "2: <mpcdi> has profile '3d' (3D simulation); only profile 2d"},
      {"profile=\"2d\"", "profile=\"a3\"", "has profile 'a3' (advanced 3D)"},
      {"profile=\"2d\"", "profile=\"sl\"", "has profile 'sl' (shader lamps)"},
      {"profile=\"2d\"", "profile=\"x\"", "has profile 'x'; only"},
      {"profile=\"2d\"", "", "has no profile"},
      {"version=\"2.0\"", "version=\"3.0\"", "has version '3.0'; export it as MPCDI 1.0 or 2.0"},
      {"<buffer id=\"screen\"", "<buffer id=\"\"", "4: <buffer> has no id"},
      {"xResolution=\"1800\"", "xResolution=\"0\"", "has xresolution='0'; write a number from 1 to 65534"},
      {"xsize=\"0.6\"", "xsize=\"0.7x\"", "5: <region> has xsize='0.7x'; write a number from 0.0001 to 1"},
      {"xsize=\"0.6\"", "xsize=\"0\"", "has xsize='0'"},
      {"xsize=\"0.6\"", "xsize=\"nan\"", "has xsize='nan'"},
      {"xsize=\"0.6\"", "xsize=\"inf\"", "has xsize='inf'"},
      {"xsize=\"0.6\"", "xsize=\"1e999\"", "has xsize='1e999'"},
      {"xsize=\"0.6\"", "", "has no xsize"},
      {"y=\"0\"", "y=\"-0.1\"", "has y='-0.1'; write a number from 0 to 1"},
      {"x=\"0.4\"", "x=\"0.5\"", "6: <region> 'right one' reaches beyond its buffer"},
      {"xResolution=\"1080\"", "xResolution=\"1080.5\"", "has xresolution=1080.5; write a number of pixels"},
      {"yResolution=\"800\"/>", "yResolution=\"99999\"/>", "has yresolution='99999'; write a number from 1 to 16384"},
      {"region id=\"right one\"", "region id=\"left\"", "has two regions 'left'"},
      {"fileset region=\"left\"", "fileset region=\"middle\"",
       "10: <fileset> is of region 'middle', which no buffer has"},
      {"fileset region=\"left\"", "fileset region=\"right one\"", "is the second of region 'right one'"},
      {"fileset region=\"left\"", "fileset", "has no region"},
      {"<interpolation>linear", "<interpolation>smooth", "<interpolation> is 'smooth'; only linear is supported"},
      {"<gammaEmbedded>2.2", "<gammaEmbedded>-1", "<gammaembedded> is '-1'"},
      {"<interpolation>linear", "<geometricUnit>mm</geometricUnit><interpolation>linear", "<geometricunit> is 'mm'"}};
  for (const auto& [from, to, expected] : wrong) {
    auto xml = replaced(two_projectors, from, to);
    REQUIRE_FALSE(xml.empty());
    const auto error = error_of(xml);
    INFO(error);
    CHECK(error.find(expected) != std::string::npos);
  }
}

TEST_CASE("empty descriptions are errors") {
  CHECK(error_of("<svg/>").find("the root is <svg>, not <MPCDI>") != std::string::npos);
  const std::string root = "<MPCDI profile='2d' version='2.0'>";
  CHECK(error_of(root + "</MPCDI>").find("has no <display>") != std::string::npos);
  CHECK(error_of(root + "<display/></MPCDI>").find("has no <buffer>") != std::string::npos);
  CHECK(error_of(root + "<display><buffer id='b'/></display></MPCDI>").find("'b' has no <region>") !=
        std::string::npos);
  const std::string region = "<region id='{}' x='0' y='0' xsize='1' ysize='1' xresolution='2' yresolution='2'/>";
  const std::string twice = "<buffer id='b'>" + replaced(region, "{}", "1") + "</buffer><buffer id='b'>" +
                            replaced(region, "{}", "2") + "</buffer>";
  CHECK(error_of(root + "<display>" + twice + "</display></MPCDI>").find("has two buffers 'b'") != std::string::npos);
  std::string many = root + "<display><buffer id='b'>";
  for (int i = 0; i < 513; ++i) many += replaced(region, "{}", std::to_string(i));
  CHECK(error_of(many + "</buffer></display></MPCDI>").find("has 513 regions; a wall has 512 tiles at most") !=
        std::string::npos);
}
