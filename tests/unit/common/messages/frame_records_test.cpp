// Frame records as JSON are read back unchanged; invalid ones, or of unknown flows or tiles, are not accepted.
#include "common/messages/frame_records.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace lw;

namespace {

Wall three_by_two() {
  Wall wall;
  wall.set_grid({.columns = 3, .rows = 2});
  wall.streaming.flows_per_tile = 2;
  return wall;
}

FrameRecord record(FrameStep step, FrameFate fate) {
  const WallTime media{Nanoseconds{1'795'305'600'123'456'789}};
  FrameRecord record{.media_time = media, .times = {media - Nanoseconds{99}, media + Nanoseconds{7}}};
  record.frame = 4'000'000'000;
  record.bytes = 3'000'000'000;
  record.generation = 65'535;
  record.tick = 65'534;
  record.part = 5;
  record.stripe = step == FrameStep::read ? 3 : 0;
  record.step = step;
  record.fate = fate;
  return record;
}

}  // namespace

TEST_CASE("records of every step are read as they were written") {
  const auto wall = three_by_two();
  Json list = Json::array();
  std::vector<FrameRecord> records;
  for (const auto step : {FrameStep::read, FrameStep::sent, FrameStep::received, FrameStep::shown})
    for (const auto fate : {FrameFate::whole, FrameFate::repaired, FrameFate::incomplete, FrameFate::left_out}) {
      records.push_back(record(step, fate));
      if (step == FrameStep::shown)
        records.back().times = {WallTime{}, WallTime{}, WallTime{}, records.back().media_time};
      list.push_back(to_json(message_of(records.back(), wall)));
    }
  const auto message = read_message<FramesMessage>({{"records", list}, {"dropped", 3}});
  REQUIRE(message.has_value());
  CHECK(message->dropped == 3);
  const auto back = frame_records(message->records, wall);
  REQUIRE(back.size() == records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    INFO(list[i].dump());
    CHECK(to_json(message_of(back[i], wall)) == list[i]);
    CHECK(back[i].times == records[i].times);
    CHECK(back[i].media_time == records[i].media_time);
    CHECK(back[i].part == records[i].part);
  }
  CHECK(list[0]["tile"] == Json{2, 1});
  CHECK(list[0]["stripe"] == 3);
  CHECK(list[4]["flow"] == 5);
  CHECK(list[4]["times_ns"] == Json{-99, 7, nullptr});
}

TEST_CASE("invalid records are skipped, and too many are refused") {
  const auto wall = three_by_two();
  const auto valid = [&](const Json& records) -> std::optional<std::size_t> {
    const auto message = read_message<FramesMessage>({{"records", records}, {"dropped", 0}});
    if (!message) return std::nullopt;
    return frame_records(message->records, wall).size();
  };
  const auto good = to_json(message_of(record(FrameStep::sent, FrameFate::whole), wall));
  CHECK(valid(Json::array({good})) == 1);
  for (const auto& [pointer, value] : {std::pair<const char*, Json>{"/step", "flown"},
                                       {"/step", 1},
                                       {"/step", "shown"},  // has four times, and a tile
                                       {"/fate", "eaten"},
                                       {"/flow", 12},
                                       {"/flow", -1},
                                       {"/flow", "0"},
                                       {"/frame", 1.5},
                                       {"/frame", 4'294'967'296},
                                       {"/tick", 65'536},
                                       {"/bytes", nullptr},
                                       {"/media_ns", 0},
                                       {"/media_ns", INT64_MAX},
                                       {"/media_ns", "now"},
                                       {"/times_ns", Json::array({1, 2})},
                                       {"/times_ns/0", 1.5},
                                       {"/times_ns/0", INT64_MIN},
                                       {"/times_ns/2", 3'600'000'000'001}}) {
    INFO(pointer << " = " << value.dump());
    auto wrong = good;
    wrong[Json::json_pointer(pointer)] = value;
    CHECK(valid(Json::array({wrong, good})) == 1);
  }
  auto tile = to_json(message_of(record(FrameStep::read, FrameFate::whole), wall));
  CHECK(valid(Json::array({tile})) == 1);
  for (const Json& wrong : {Json{3, 0}, Json{0, 2}, Json{0}, Json(5), Json{"0", 0}}) {
    tile["tile"] = wrong;
    CHECK(valid(Json::array({tile})) == 0);
  }
  CHECK_FALSE(valid(Json(Json::array_t(frame_records_max + 1, good))));
  CHECK_FALSE(valid(Json::array({good, 1})));
  CHECK_FALSE(valid(good));
}
