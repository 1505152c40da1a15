// Fades for nodes are read as they were written, and nothing that would keep a wall dark is accepted.
#include "common/messages/fade_json.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

TEST_CASE("fades survive the way to the nodes") {
  Fades fades;
  CHECK(fades_of(to_json(fades)) == fades);
  const WallTime start{1'767'225'600s};
  fades.add({start, start + 400ms, start + 600ms, start + 1s});
  CHECK(fades_of(to_json(fades)) == fades);
  fades.add({start, start + 400ms, start + 200ms, start + 200ms});
  CHECK(fades_of(to_json(fades)) == fades);
}

TEST_CASE("an invalid fade is refused") {
  const Json good{{"start_us", 1}, {"black_us", 2}, {"bright_us", 3}, {"end_us", 4}};
  CHECK(fades_of({{"fades", {good}}}).has_value());
  CHECK_FALSE(fades_of({{"fades", {good, good, good}}}).has_value());
  CHECK_FALSE(fades_of({{"fades", 1}}).has_value());
  CHECK_FALSE(fades_of(Json::object()).has_value());
  const auto changed = [&](const char* key, const Json& value) {
    auto json = good;
    json[key] = value;
    return fades_of({{"fades", {json}}});
  };
  CHECK_FALSE(changed("start_us", 3).has_value());
  CHECK_FALSE(changed("start_us", -1).has_value());
  CHECK_FALSE(changed("start_us", "now").has_value());
  CHECK_FALSE(changed("end_us", 2).has_value());
  CHECK_FALSE(changed("end_us", 61'000'000).has_value());
  CHECK_FALSE(changed("end_us", INT64_MAX).has_value());
  CHECK_FALSE(changed("slowly", true).has_value());
}
