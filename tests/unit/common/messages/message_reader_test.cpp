// Members of each kind: what is accepted, how it is written, and the error for each wrong one.
#include "common/messages/message.h"

#include <catch2/catch.hpp>

#include <cmath>

#include "tests/unit/common/messages/told.h"

namespace {

using namespace lw;
using namespace lw::test;

enum class Colour : std::uint8_t { red, green };

struct Inner {
  std::string name;
  static constexpr bool closed = true;
  static void members(auto& message, auto& visit) { visit("name", message.name, Text{4}); }
  bool operator==(const Inner&) const = default;
};

struct Sample {
  bool on = false;
  std::int64_t least = 0;
  std::uint64_t most = 0;
  unsigned frame = 0;
  double rate = 1;
  double any = 0;
  Colour colour = Colour::red;
  GridCell tile;
  Inner inner;
  std::vector<Inner> list;
  std::vector<std::string> names;
  std::optional<std::uint32_t> perhaps;
  std::vector<unsigned> numbers;
  bool usual = true;
  double tolerated = 3;

  static constexpr bool closed = true;
  static void members(auto& message, auto& visit) {
    visit("on", message.on);
    visit("least", message.least);
    visit("most", message.most);
    visit("frame", message.frame, Whole{1, 10});
    visit("rate", message.rate, Within{-8, 8});
    visit("any", message.any);
    visit("colour", message.colour, Names{"red", "green"});
    visit("tile", message.tile);
    visit("inner", message.inner);
    visit("list", message.list, AtMost{2});
    visit("names", message.names, Text{5});
    visit("perhaps", message.perhaps);
    visit("numbers", message.numbers, AbsentIfEmpty{});
    visit("usual", message.usual, MayBeAbsent{});
    visit("tolerated", message.tolerated, Tolerated{});
  }
  bool operator==(const Sample&) const = default;
};

Sample full() {
  return {true,           INT64_MIN,      INT64_MAX, 10,     -8,    1e300, Colour::green, {3, 1023}, {"abcd"},
          {{"a"}, {"b"}}, {"x", "12345"}, 7,         {1, 2}, false, 2.5};
}

std::string with(const char* place, const Json& value) { return problem_with<Sample>(to_json(full()), place, value); }

}  // namespace

TEST_CASE("a message of all kinds of members comes back as it was written") {
  const auto json = to_json(full());
  CHECK(json["colour"] == "green");
  CHECK(json["tile"] == Json{3, 1023});
  const auto read = read_message<Sample>(json);
  REQUIRE(read.has_value());
  CHECK(*read == full());
}

TEST_CASE("an optional member keeps its value, and is not written if it is empty") {
  auto json = to_json(full());
  for (const char* key : {"perhaps", "numbers", "usual", "tolerated"}) json.erase(key);
  const auto read = read_message<Sample>(json);
  REQUIRE(read.has_value());
  CHECK_FALSE(read->perhaps);
  CHECK(read->usual);
  CHECK(read->tolerated == 3);
  auto none = full();
  none.perhaps.reset();
  none.numbers.clear();
  CHECK_FALSE(to_json(none).contains("perhaps"));
  CHECK_FALSE(to_json(none).contains("numbers"));
  CHECK(read_message<Sample>([&] {
          auto odd = json;
          odd["tolerated"] = "odd";
          return odd;
        }())
            ->tolerated == 3);
}

TEST_CASE("each missing member is named") {
  for (const char* key : {"on", "least", "most", "frame", "rate", "any", "colour", "tile", "inner", "list", "names"}) {
    auto json = to_json(full());
    json.erase(key);
    CHECK(problem_of<Sample>(json) == std::string(key) + " is missing");
  }
}

TEST_CASE("each invalid member is named, with what it must be") {
  CHECK(with("/on", 1) == "on must be true or false");
  CHECK(with("/least", 1.5) == "least must be a whole number from -9223372036854775808 to 9223372036854775807");
  CHECK(with("/most", -1) == "most must be a whole number from 0 to 9223372036854775807");
  CHECK(with("/most", UINT64_MAX) == "most must be a whole number from 0 to 9223372036854775807");
  for (const Json& wrong : {Json(0), Json(11), Json(-1), Json("5"), Json(5.0), Json(UINT64_MAX), Json(nullptr)})
    CHECK(with("/frame", wrong) == "frame must be a whole number from 1 to 10");
  for (const Json& wrong : {Json(-8.001), Json(9), Json("1"), Json(true)})
    CHECK(with("/rate", wrong) == "rate must be a number from -8 to 8");
  CHECK(with("/any", "much") == "any must be a number");
  CHECK(with("/any", std::nan("")) == "any must be a number");
  CHECK(with("/colour", "blue") == "colour must be red or green");
  CHECK(with("/colour", 1) == "colour must be red or green");
  for (const Json& wrong : {Json{1}, Json{1, 1024}, Json{1, -1}, Json{1.5, 1}, Json{1, 2, 3}, Json("1,1")})
    CHECK(with("/tile", wrong) == "tile must be [column, row]");
  CHECK(with("/inner", 3) == "inner must be an object");
  CHECK(with("/inner/name", "12345") == "inner: name must be a string of at most 4 bytes");
  CHECK(with("/inner/other", 1) == "inner: unknown member 'other'; this method takes name");
  CHECK(with("/list/1/name", 3) == "list, number 2: name must be a string of at most 4 bytes");
  CHECK(with("/list/1", 3) == "list must be an array of objects");
  CHECK(with("/list", Json::array({Json::object(), Json::object(), Json::object()})) ==
        "list must be an array of at most 2");
  CHECK(with("/names", 3) == "names must be an array of strings of at most 5 bytes");
  CHECK(with("/names/0", "123456") == "names must be an array of strings of at most 5 bytes");
  CHECK(with("/perhaps", -1) == "perhaps must be a whole number from 0 to 4294967295");
  CHECK(with("/numbers", Json{1, -1}) == "numbers must be an array of whole numbers");
  CHECK(with("/usual", "yes") == "usual must be true or false");
}

TEST_CASE("members that a message does not have are named, cut short") {
  CHECK(with("/what", 1) ==
        "unknown member 'what'; this method takes on, least, most, frame, rate, any, colour, tile, inner, list, names, "
        "perhaps, numbers, usual, tolerated");
  const auto problem = with(("/" + std::string(500, 'x')).c_str(), 1);
  CHECK(problem.starts_with("unknown member 'xxx"));
  CHECK(problem.size() < 250);
}
