#include "probe/report/gnuplot.h"

#include "probe/report/table.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

TEST_CASE("a text cannot break out of its quotes in a script") {
  CHECK(gnuplot_text("own core") == "'own core'");
  CHECK(gnuplot_text("it's") == "'it''s'");
  CHECK(gnuplot_text("a\n!touch x\r\tb") == "'a !touch x\\r b'");
  CHECK(gnuplot_text("`id` \\n \"") == "'`id` \\n \"'");
  CHECK(gnuplot_label("99 % of 'x'") == "'99 %% of ''x'''");
}

TEST_CASE("text on a page is escaped") {
  CHECK(escaped("<a href=\"x\">'&\x01") == "&lt;a href=&quot;x&quot;&gt;&#39;&amp;\\u0001");
  CHECK(csv({{"a,b", "c"}, {{"say \"x\"", "1"}, {"two\nlines", ""}}}) ==
        "\"a,b\",c\r\n\"say \"\"x\"\"\",1\r\n\"two\nlines\",\r\n");
}

}  // namespace
}  // namespace lw
