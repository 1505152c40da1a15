// Frame records as JSON are read back unchanged; invalid ones, or of unknown flows or tiles, are not accepted.
#include "common/messages/frame_records.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace lw;

namespace {

Wall three_by_two() {
  Wall wall;
  wall.columns = 3;
  wall.rows = 2;
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
  std::vector<Json> list;
  std::vector<FrameRecord> records;
  for (const auto step : {FrameStep::read, FrameStep::sent, FrameStep::received, FrameStep::shown})
    for (const auto fate : {FrameFate::whole, FrameFate::repaired, FrameFate::incomplete, FrameFate::left_out}) {
      records.push_back(record(step, fate));
      if (step == FrameStep::shown)
        records.back().times = {WallTime{}, WallTime{}, WallTime{}, records.back().media_time};
      list.push_back(to_json(records.back(), wall));
    }
  const auto back = frame_records(list, wall);
  REQUIRE(back);
  REQUIRE(back->size() == records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    INFO(list[i].dump());
    CHECK(to_json((*back)[i], wall) == list[i]);
    CHECK((*back)[i].times == records[i].times);
    CHECK((*back)[i].media_time == records[i].media_time);
    CHECK((*back)[i].part == records[i].part);
  }
  CHECK(list[0]["tile"] == Json{2, 1});
  CHECK(list[0]["stripe"] == 3);
  CHECK(list[4]["flow"] == 5);
  CHECK(list[4]["times_ns"] == Json{-99, 7, nullptr});
}

TEST_CASE("invalid records are skipped, and too many are refused") {
  const auto wall = three_by_two();
  const auto good = to_json(record(FrameStep::sent, FrameFate::whole), wall);
  CHECK(frame_records(std::vector{good}, wall)->size() == 1);
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
    CHECK(frame_records(std::vector{wrong, good}, wall)->size() == 1);
  }
  auto tile = to_json(record(FrameStep::read, FrameFate::whole), wall);
  CHECK(frame_records(std::vector{tile}, wall)->size() == 1);
  for (const Json& wrong : {Json{3, 0}, Json{0, 2}, Json{0}, Json(5), Json{"0", 0}}) {
    tile["tile"] = wrong;
    CHECK(frame_records(std::vector{tile}, wall)->empty());
  }
  CHECK_FALSE(frame_records(std::vector(frame_records_max + 1, good), wall));
}
