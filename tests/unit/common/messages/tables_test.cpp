// Tables that are sent as differences: the other end has what was put, whatever changed, and refuses what does not
// follow.
#include "common/messages/tables.h"

#include <catch2/catch.hpp>

#include <random>
#include <utility>

using namespace lw;

namespace {

const TableShape& shape() {
  static const TableShape one{"flows", {"flow", "lost", "shown"}, {false, false, true}};
  return one;
}

Json read(const std::string& bytes) {
  const auto json = parse_cbor(bytes, tables_depth_max);
  REQUIRE(json.has_value());
  return *json;
}

// Without events, which do not stay.
Json kept(const TableReceiver& receiver) {
  Json rows = Json::array();
  const auto* table = receiver.find("flows");
  REQUIRE(table != nullptr);
  for (const auto& row : table->rows) rows.push_back({row.id, row.cells[0], row.cells[1]});
  return rows;
}

}  // namespace

TEST_CASE("only cells that changed are sent, and the other end has all of them") {
  TableSender sender;
  TableReceiver receiver;
  sender.put(shape(), {{3, {3, 0, nullptr}}, {5, {5, 0, nullptr}}});
  CHECK_THAT(receiver.take(read(sender.take_differences("x"))).error().what, Catch::Contains("full message"));
  REQUIRE(receiver.take(read(sender.full("x"))).has_value());
  CHECK(kept(receiver) == Json({{3, 3, 0}, {5, 5, 0}}));

  sender.put(shape(), {{3, {3, 0, nullptr}}, {5, {5, 7, nullptr}}});
  const auto message = read(sender.take_differences("x"));
  CHECK(message == Json::array({"x", 2, false, {{0, nullptr, nullptr, nullptr, {5, {1, 7}}, Json::array()}}}));
  REQUIRE(receiver.take(message).has_value());
  CHECK(kept(receiver) == Json({{3, 3, 0}, {5, 5, 7}}));
  CHECK(receiver.find("flows")->changed == std::vector<std::size_t>{1});
  CHECK_FALSE(receiver.find("flows")->rows_changed);

  sender.put(shape(), {{3, {3, 0, nullptr}}, {5, {5, 7, nullptr}}});
  CHECK(read(sender.take_differences("x"))[3].empty());
}

TEST_CASE("rows come and go, cells become absent, and an event is of one message") {
  TableSender sender;
  TableReceiver receiver;
  const auto send = [&](std::vector<TableRow> rows, const std::vector<bool>& columns = {}) {
    sender.put(shape(), std::move(rows), columns);
    const bool taken = receiver.take(read(sender.take_differences("x"))).has_value();
    if (!taken) REQUIRE(receiver.take(read(sender.full("x"))).has_value());
  };
  send({{3, {3, 1, nullptr}}});
  send({{1, {1, 2, nullptr}}, {3, {3, nullptr, {{5, 0.5}}}}});
  CHECK(kept(receiver) == Json({{1, 1, 2}, {3, 3, nullptr}}));
  CHECK(receiver.find("flows")->rows[1].cells[2] == Json({{5, 0.5}}));
  send({{1, {1, 2, nullptr}}, {3, {3, nullptr, nullptr}}});
  CHECK(receiver.find("flows")->rows[1].cells[2].is_null());
  // A column that is not looked at keeps what was sent of it.
  send({{1, {1, 9, nullptr}}, {3, {3, 9, nullptr}}}, {true, false, true});
  CHECK(kept(receiver) == Json({{1, 1, 2}, {3, 3, nullptr}}));
  send({{3, {3, 9, nullptr}}});
  CHECK(kept(receiver) == Json({{3, 3, 9}}));
}

TEST_CASE("whatever is put, differences give what a full message gives") {
  std::mt19937 random(11);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  for (unsigned round = 0; round < 30; ++round) {
    TableSender sender;
    TableReceiver by_differences;
    for (unsigned message = 0; message < 40; ++message) {
      std::vector<TableRow> rows;
      for (std::uint32_t id = 0; id < 12; ++id)
        if (below(5) != 0)
          rows.push_back({id, {id, below(3) == 0 ? Json() : Json(below(4)), below(2) == 0 ? Json() : Json("now")}});
      sender.put(shape(), std::move(rows), below(3) == 0 ? std::vector<bool>{true, false, true} : std::vector<bool>{});
      const auto differences = read(sender.take_differences("x"));
      const auto full = read(sender.full("x"));
      TableReceiver by_full;
      REQUIRE(by_full.take(full).has_value());
      if (by_differences.lost())
        REQUIRE(by_differences.take(full).has_value());
      else
        REQUIRE(by_differences.take(differences).has_value());
      REQUIRE(kept(by_differences) == kept(by_full));
    }
  }
}

TEST_CASE("a message that is missed or invalid is an error, until a full message comes") {
  TableSender sender;
  TableReceiver receiver;
  const auto put = [&](int value) {
    sender.put(shape(), {{3, {3, value, nullptr}}});
    return read(sender.take_differences("x"));
  };
  put(1);
  REQUIRE(receiver.take(read(sender.full("x"))).has_value());
  const auto good = put(2);
  const auto differences = [](const Json& table) { return Json::array({"x", 2, false, Json::array({table})}); };
  const std::pair<Json, const char*> all_bad[] = {
      {Json::array({"x", 2, false}), "it must be [name"},
      {Json::array({"x", 4, false, Json::array()}), "number 4 does not follow 1"},
      {differences({1, nullptr, nullptr, nullptr, Json::array(), Json::array()}), "must have its name"},
      {differences({0, "flows", {"a"}, {false}, Json::array(), Json::array()}), "must have its name"},
      {differences({0, nullptr, nullptr, nullptr, {3}, Json::array()}), "without cells"},
      {differences({0, nullptr, nullptr, nullptr, {3, {9, 1}}, Json::array()}), "without a column"},
      {differences({0, nullptr, nullptr, nullptr, {4, {0, 1}, 3, {0, 1}}, Json::array()}), "must ascend"},
      {differences({0, nullptr, nullptr, nullptr, Json::array(), {8}}), "does not exist"}};
  for (const auto& [bad, why] : all_bad) {
    INFO(bad.dump());
    auto copy = receiver;
    const auto refused = copy.take(read(to_cbor(bad)));
    REQUIRE_FALSE(refused.has_value());
    CHECK_THAT(refused.error().what, Catch::Contains(why));
    CHECK(copy.lost());
    CHECK_FALSE(copy.take(good).has_value());
    CHECK(copy.take(read(sender.full("x"))).has_value());
  }
}

TEST_CASE("rows of a message cannot claim more memory than is sensible") {
  TableReceiver receiver;
  const std::vector<std::string> columns(256, "c");
  Json rows = Json::array();
  for (unsigned id = 0; id < 4000; ++id) {
    rows.push_back(id);
    rows.push_back(Json::array());
  }
  const Json table = Json::array({0, "t", columns, std::vector<bool>(256), rows, Json::array()});
  const auto error = receiver.take(read(to_cbor(Json::array({"x", 1, true, Json::array({table})}))));
  REQUIRE_FALSE(error.has_value());
  CHECK_THAT(error.error().what, Catch::Contains("too many rows"));
}

TEST_CASE("CBOR with maps, bytes or deep lists is refused") {
  CHECK(parse_cbor(to_cbor(Json::array({1, -2, 1.5, "a", true, nullptr, Json::array({3})})), 2).has_value());
  CHECK_FALSE(parse_cbor(to_cbor(Json{{"a", 1}}), 8).has_value());
  CHECK_FALSE(parse_cbor(to_cbor(Json::array({Json{{"a", 1}}})), 8).has_value());
  CHECK_FALSE(parse_cbor(to_cbor(Json::array({Json::binary({1, 2})})), 8).has_value());
  CHECK_FALSE(parse_cbor(std::string(1'000'000, '\x81'), 8).has_value());
  CHECK_FALSE(parse_cbor("", 8).has_value());
  CHECK_FALSE(parse_cbor(to_cbor(Json::array({1})) + "x", 8).has_value());
  CHECK(is_cbor(to_cbor(Json::array())));
  CHECK_FALSE(is_cbor("{}"));
  CHECK_FALSE(is_cbor(""));
}
