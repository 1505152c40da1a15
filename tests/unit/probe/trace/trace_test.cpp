// Stages from records, and the file that trace viewers read: nothing that was not measured, no slices of a track that
// overlap, incidents marked where they happened.
#include "probe/trace/trace.h"

#include "probe/trace/chrome_trace.h"

#include <nlohmann/json.hpp>

#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr WallTime start{1000s};

Trace two_tiles() {
  Trace trace;
  trace.wall.set_grid({.columns = 2, .rows = 1});
  trace.wall.coordinator().name = "desk";
  trace.wall.nodes = {{"left", "", {{{0}, {}, 0, 0}}}, {"right", "", {{{1}, {}, 0, 0}}}};
  trace.begin = start;
  trace.end = start + 5s;
  trace.hosts = {{"desk", true, 0, {}}, {"left", false, 2, {{start, 30.0}, {start + 1s, 40.0}}}};
  return trace;
}

// Times in ms after the media time; 0 is none.
FrameRecord record(FrameStep step, unsigned part, std::uint32_t frame, std::vector<int> times_ms,
                   FrameFate fate = FrameFate::whole) {
  FrameRecord record{.media_time = start + 33ms * frame, .frame = frame, .bytes = 100};
  record.part = static_cast<std::uint16_t>(part);
  record.step = step;
  record.fate = fate;
  for (std::size_t i = 0; i < times_ms.size(); ++i)
    if (times_ms[i] != 0) record.times[i] = record.media_time + std::chrono::milliseconds{times_ms[i]};
  return record;
}

std::vector<FrameRecord> whole_frame(unsigned tile, std::uint32_t frame) {
  return {record(FrameStep::read, tile, frame, {-100, -98}), record(FrameStep::sent, tile, frame, {-98, 1, 20}),
          record(FrameStep::received, tile, frame, {5, 25, 5}),
          record(FrameStep::shown, tile, frame, {25, 30, 32, 80})};
}

void add(Trace& trace, const std::vector<FrameRecord>& records) {
  trace.records.insert(trace.records.end(), records.begin(), records.end());
}

std::map<std::string, double> durations_ms(const Trace& trace) {
  std::map<std::string, double> found;
  for (const auto& stage : stages_of(trace))
    found[name_of(stage.kind)] = std::chrono::duration<double, std::milli>(stage.to - stage.from).count();
  return found;
}

nlohmann::json chrome(const Trace& trace) {
  std::string text;
  write_chrome_trace(trace, [&](std::string_view piece) { text += piece; });
  return nlohmann::json::parse(text);
}

std::vector<nlohmann::json> events(const nlohmann::json& json, const std::string& phase) {
  std::vector<nlohmann::json> found;
  for (const auto& event : json["traceEvents"])
    if (event["ph"] == phase) found.push_back(event);
  return found;
}

}  // namespace

TEST_CASE("the stages of a frame follow each other, from the read to the swap") {
  auto trace = two_tiles();
  add(trace, whole_frame(1, 3));
  CHECK(durations_ms(trace) == std::map<std::string, double>{{"read", 2.0},
                                                             {"queue", 99.0},
                                                             {"send", 19.0},
                                                             {"flight", 4.0},
                                                             {"assemble", 20.0},
                                                             {"wait", 5.0},
                                                             {"upload", 2.0},
                                                             {"swap", 48.0}});
}

TEST_CASE("a stage that was not measured is omitted") {
  auto trace = two_tiles();
  add(trace, {record(FrameStep::sent, 0, 1, {-100, 0, 0}, FrameFate::left_out),
              record(FrameStep::received, 1, 1, {5, 0}, FrameFate::incomplete),
              record(FrameStep::shown, 1, 1, {0, 30, 0, 80}, FrameFate::incomplete)});  // headless
  CHECK(durations_ms(trace) == std::map<std::string, double>{{"swap", 50.0}});
  trace.records = {record(FrameStep::received, 0, 1, {5, 4, 5}), record(FrameStep::sent, 0, 1, {-1, 6, 9})};
  // A clock was set back between the first times; of the flight's there are two.
  CHECK(durations_ms(trace) == std::map<std::string, double>{{"queue", 7.0}, {"send", 3.0}, {"flight", -1.0}});
}

TEST_CASE("a flight is of the packet sent first, and missing if that was lost") {
  auto trace = two_tiles();
  trace.records = {record(FrameStep::sent, 0, 1, {-9, 1, 2}), record(FrameStep::received, 0, 1, {22, 30, 0})};
  CHECK(durations_ms(trace) == std::map<std::string, double>{{"queue", 10.0}, {"send", 1.0}, {"assemble", 8.0}});
  trace.records = {record(FrameStep::sent, 0, 1, {-9, 1, 2}), record(FrameStep::received, 0, 1, {4, 30, 6})};
  CHECK(durations_ms(trace) ==
        std::map<std::string, double>{{"queue", 10.0}, {"send", 1.0}, {"flight", 5.0}, {"assemble", 26.0}});
}

TEST_CASE("a frame of which nothing arrived is found between those that did") {
  auto trace = two_tiles();
  for (std::uint32_t frame = 0; frame < 6; ++frame) {
    add(trace, {record(FrameStep::sent, 0, frame, {-9, 1, 2}), record(FrameStep::sent, 1, frame, {-9, 1, 2})});
    if (frame == 2 || frame == 4) add(trace, {record(FrameStep::received, 0, frame, {5, 6})});
    add(trace, {record(FrameStep::received, 1, frame, {5, 6})});
  }
  const auto gone = vanished(trace);
  REQUIRE(gone.size() == 1);
  CHECK(gone[0]->frame == 3);
  CHECK(gone[0]->part == 0);
  const auto notes = events(chrome(trace), "i");
  REQUIRE(notes.size() == 1);
  CHECK(notes[0]["name"] == "nothing arrived");
  CHECK(notes[0]["pid"] == 2);
  trace.missed = 1;  // then it may be that record that is missing
  CHECK(vanished(trace).empty());
}

TEST_CASE("the file has a process for each host, a track for each stage of a part, and arrows between them") {
  auto trace = two_tiles();
  for (std::uint32_t frame = 0; frame < 4; ++frame) {
    add(trace, whole_frame(0, frame));
    add(trace, whole_frame(1, frame));
  }
  const auto json = chrome(trace);
  std::map<int, std::string> processes;
  std::map<std::pair<int, int>, std::string> tracks;
  for (const auto& event : events(json, "M")) {
    if (event["name"] == "process_name") processes[event["pid"]] = event["args"]["name"];
    if (event["name"] == "thread_name") tracks[{event["pid"], event["tid"]}] = event["args"]["name"];
  }
  CHECK(processes == std::map<int, std::string>{{1, "server desk"}, {2, "node left"}, {3, "node right"}});
  std::map<std::string, std::vector<std::pair<double, double>>> slices;
  for (const auto& event : events(json, "X"))
    slices[tracks.at({event["pid"], event["tid"]})].emplace_back(event["ts"], event["dur"]);
  CHECK(slices.contains("stripe 0 read"));
  CHECK(slices.contains("stripe 0 read +1"));            // both tiles lie there and are read at once
  CHECK(slices.contains("flow 1 (tile 1,0) queue +2"));  // a frame is queued for three intervals
  CHECK(slices["tile 0,0 swap"].size() + slices["tile 0,0 swap +1"].size() == 4);
  for (const auto& [track, spans] : slices) {
    INFO(track);
    for (std::size_t i = 1; i < spans.size(); ++i)
      CHECK(spans[i - 1].first + spans[i - 1].second <= Approx(spans[i].first));
  }
  CHECK(events(json, "s").size() == 8);
  CHECK(events(json, "t").size() == 8);
  CHECK(events(json, "f").size() == 8);
  const auto errors = events(json, "C");
  REQUIRE(errors.size() == 2);
  CHECK(errors[0]["pid"] == 2);
  CHECK(errors[1]["args"]["us"] == 40.0);
  CHECK(errors[1]["ts"] == 2e6);
  CHECK(json["otherData"]["zero_ns"] == 999'000'000'000);
  CHECK(json["otherData"]["hosts"][1]["clock_error_us_max"] == 40.0);
  CHECK(json["otherData"]["hosts"][1]["records_dropped"] == 2);
  CHECK(events(json, "i").empty());
}

TEST_CASE("a flight that two clocks make negative has no length, but keeps its figure") {
  auto trace = two_tiles();
  add(trace, {record(FrameStep::sent, 0, 1, {-9, 6, 9}), record(FrameStep::received, 0, 1, {5, 7, 5})});
  for (const auto& event : events(chrome(trace), "X")) {
    if (event["name"] != "flight") continue;
    CHECK(event["dur"] == 0.0);
    CHECK(event["args"]["flight_us"] == -1000.0);
    CHECK(event["args"]["clock_error_us"] == 40.0);
  }
}

TEST_CASE("incidents are marked on the track where they happened") {
  auto trace = two_tiles();
  add(trace, {record(FrameStep::read, 1, 1, {-100, -90}, FrameFate::left_out),
              record(FrameStep::sent, 1, 1, {-90, 0, 0}, FrameFate::left_out),
              record(FrameStep::sent, 1, 2, {-90, 3, 70}, FrameFate::left_out),
              record(FrameStep::received, 1, 2, {9, 0}, FrameFate::incomplete),
              record(FrameStep::received, 1, 3, {9, 10}, FrameFate::left_out),
              record(FrameStep::shown, 1, 2, {0, 60, 0, 80}, FrameFate::incomplete),
              record(FrameStep::shown, 1, 3, {}, FrameFate::left_out)});
  std::map<std::string, double> notes;
  for (const auto& event : events(chrome(trace), "i")) notes[event["name"]] = event["ts"].get<double>() / 1000 - 1000;
  const auto ms = [](std::uint32_t frame, int after) { return Approx(33.0 * frame + after); };
  REQUIRE(notes.size() == 7);
  CHECK(notes["not read"] == ms(1, -90));
  CHECK(notes["not sent"] == ms(1, -90));
  CHECK(notes["not sent wholly"] == ms(2, 70));
  CHECK(notes["packets missing"] == ms(2, 9));
  CHECK(notes["no room"] == ms(3, 9));
  CHECK(notes["concealed"] == ms(2, 80));
  CHECK(notes["not shown"] == ms(3, 0));
}
