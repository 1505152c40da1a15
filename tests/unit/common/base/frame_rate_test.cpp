#include "common/base/frame_rate.h"

#include <catch2/catch.hpp>

namespace lw {

TEST_CASE("a frame rate is an integer or a fraction, from 1 to 240, in its lowest terms") {
  CHECK(parse_frame_rate("1").value() == FrameRate{1, 1});
  CHECK(parse_frame_rate("240").value() == FrameRate{240, 1});
  CHECK(parse_frame_rate("30000/1001").value() == FrameRate{30000, 1001});
  CHECK(parse_frame_rate("50/2").value() == FrameRate{25, 1});
  for (const auto* wrong : {"", "0", "241", "1000/1001", "240001/1000", "29.97", "-30", "+30", " 30", "30 ", "30/",
                            "/1", "30/0", "30/1/1", "99999999999", "-30/-1"}) {
    INFO(wrong);
    CHECK(!parse_frame_rate(wrong).has_value());
  }
}

TEST_CASE("a frame rate is written as it is read") {
  for (const auto* text : {"30", "30000/1001"}) CHECK(to_text(parse_frame_rate(text).value()) == text);
}

}  // namespace lw
