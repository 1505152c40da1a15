#include "ingest/fit_size.h"

#include <catch2/catch.hpp>

namespace Catch {
template <>
struct StringMaker<lw::Size> {
  static std::string convert(const lw::Size& size) {
    return std::to_string(size.width) + "x" + std::to_string(size.height);
  }
};
}  // namespace Catch

using lw::Fit;
using lw::fitted_size;
using lw::Size;

TEST_CASE("a source of the wall's size is not scaled") {
  for (const auto fit : {Fit::fit, Fit::fill, Fit::stretch, Fit::exact})
    CHECK(fitted_size({1296, 816}, 1.5, {0, 0, 1296, 816}, fit, false) == Size{1296, 816});
}

TEST_CASE("fit shows all of the source, fill covers all of the wall") {
  const lw::Rect picture{0, 0, 1000, 500};
  CHECK(fitted_size({1920, 1080}, 1, picture, Fit::fit, false) == Size{889, 500});
  CHECK(fitted_size({1920, 1080}, 1, picture, Fit::fill, false) == Size{1000, 563});
  CHECK(fitted_size({1080, 1920}, 1, picture, Fit::fit, false) == Size{281, 500});
  CHECK(fitted_size({100, 10}, 1, picture, Fit::fit, false) == Size{1000, 100});
  CHECK(fitted_size({1920, 1080}, 1, picture, Fit::stretch, false) == Size{1000, 500});
  CHECK(fitted_size({1920, 1080}, 1, picture, Fit::exact, false) == Size{1920, 1080});
}

TEST_CASE("pixels that are not square keep their shape") {
  CHECK(fitted_size({720, 576}, 64.0 / 45, {0, 0, 1024, 576}, Fit::fit, false) == Size{1024, 576});
  CHECK(fitted_size({200, 200}, 2, {0, 0, 400, 400}, Fit::fit, false) == Size{400, 200});
}

TEST_CASE("widths for 4:2:2 are even") {
  CHECK(fitted_size({1920, 1080}, 1, {0, 0, 1000, 500}, Fit::fit, true) == Size{888, 500});
  CHECK(fitted_size({1, 4000}, 1, {0, 0, 1000, 500}, Fit::fit, true) == Size{2, 500});
}

TEST_CASE("rounding neither goes beyond the wall nor leaves a gap") {
  for (unsigned w = 1; w < 60; ++w)
    for (unsigned h = 1; h < 60; ++h) {
      CAPTURE(w, h);
      const auto inside = fitted_size({w, h}, 1, {0, 0, 31, 17}, Fit::fit, false);
      CHECK((inside.width <= 31 && inside.height <= 17 && inside.width > 0 && inside.height > 0));
      CHECK((inside.width == 31 || inside.height == 17));
      const auto over = fitted_size({w, h}, 1, {0, 0, 31, 17}, Fit::fill, false);
      CHECK((over.width >= 31 && over.height >= 17));
    }
}
