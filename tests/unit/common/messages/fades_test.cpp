// Fades for nodes are read as they were written, and nothing that would keep a wall dark is accepted.
#include "common/messages/fades.h"

#include "common/messages/message.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

namespace {

std::optional<Fades> fades_in(const Json& json) {
  const auto message = read_message<FadesMessage>(json);
  return message ? std::optional(fades_of(*message)) : std::nullopt;
}

}  // namespace

TEST_CASE("fades survive the way to the nodes") {
  Fades fades;
  CHECK(fades_in(to_json(message_of(fades))) == fades);
  const WallTime start{1'767'225'600s};
  fades.add({start, start + 400ms, start + 600ms, start + 1s});
  CHECK(fades_in(to_json(message_of(fades))) == fades);
  fades.add({start, start + 400ms, start + 200ms, start + 200ms});
  CHECK(fades_in(to_json(message_of(fades))) == fades);
}

TEST_CASE("an invalid fade is refused") {
  const Json good{{"start_us", 1}, {"black_us", 2}, {"bright_us", 3}, {"end_us", 4}};
  CHECK(fades_in({{"fades", {good}}}).has_value());
  CHECK_FALSE(fades_in({{"fades", {good, good, good}}}).has_value());
  CHECK_FALSE(fades_in({{"fades", 1}}).has_value());
  CHECK_FALSE(fades_in(Json::object()).has_value());
  const auto changed = [&](const char* key, const Json& value) {
    auto json = good;
    json[key] = value;
    return fades_in({{"fades", {json}}});
  };
  CHECK_FALSE(changed("start_us", 3).has_value());
  CHECK_FALSE(changed("start_us", -1).has_value());
  CHECK_FALSE(changed("start_us", "now").has_value());
  CHECK_FALSE(changed("end_us", 2).has_value());
  CHECK_FALSE(changed("end_us", 61'000'000).has_value());
  CHECK_FALSE(changed("end_us", INT64_MAX).has_value());
  CHECK_FALSE(changed("slowly", true).has_value());
}
