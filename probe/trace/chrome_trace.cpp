#include "probe/trace/chrome_trace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <compare>
#include <map>
#include <string>

namespace lw {
namespace {

using Json = nlohmann::json;

// Slices of a track must not overlap: if a stage of one frame begins before that of another has ended, it goes to the
// next lane.
struct Track {
  unsigned process = 0;
  bool of_tile = false;  // false: of a flow or stripe; these come first
  unsigned part = 0;
  StageKind kind = StageKind::read;
  unsigned lane = 0;

  auto operator<=>(const Track&) const = default;
};

class Writer {
public:
  Writer(const Trace& trace, const std::function<void(std::string_view)>& write)
      : trace_(trace), write_(write), zero_(trace.begin - std::chrono::seconds{1}) {}

  void run() {
    place_stages();
    place_notes();
    number_tracks();
    head();
    name_everything();
    for (const auto& [stage, track] : slices_) slice(stage, track);
    for (const auto& note : notes_) instant(note);
    arrows();
    clock_errors();
    write_("\n]}\n");
  }

private:
  struct Note {
    Track track;
    const FrameRecord* record = nullptr;
    const char* text = "";
    WallTime time{};
  };
  using FrameOfPart = std::pair<unsigned, WallTime>;

  [[nodiscard]] double us(WallTime time) const { return static_cast<double>((time - zero_).count()) / 1000; }
  [[nodiscard]] TileIndex tile_of(const FrameRecord& record) const {
    const bool flow = record.step == FrameStep::sent || record.step == FrameStep::received;
    return flow ? trace_.wall.tile_of_flow(record.part) : TileIndex{record.part};
  }
  // The server is process 1; nodes follow in the wall's order.
  [[nodiscard]] unsigned process_of(const FrameRecord& record) const {
    if (record.step == FrameStep::read || record.step == FrameStep::sent) return 1;
    const auto& nodes = trace_.wall.nodes;
    const auto name = trace_.wall.node_of(tile_of(record)).name;
    return 2 + static_cast<unsigned>(std::ranges::find(nodes, name, &WallNode::name) - nodes.begin());
  }
  [[nodiscard]] Track track_of(StageKind kind, const FrameRecord& record) const {
    const bool read = record.step == FrameStep::read;
    return {process_of(record), record.step == FrameStep::shown, read ? record.stripe : record.part, kind, 0};
  }
  static WallTime first_of(WallTime a, WallTime b) { return a != WallTime{} ? a : b; }

  void place_stages() {
    auto stages = stages_of(trace_);
    std::ranges::stable_sort(stages, {}, &Stage::from);
    std::map<Track, WallTime> busy_until;
    for (const auto& stage : stages) {
      auto track = track_of(stage.kind, *stage.record);
      while (busy_until.contains(track) && busy_until[track] > stage.from) ++track.lane;
      busy_until[track] = std::max(stage.from, stage.to);
      tracks_[track] = 0;
      slices_.emplace_back(stage, track);
      if (stage.kind == StageKind::send || stage.kind == StageKind::assemble || stage.kind == StageKind::swap)
        index_[{stage.kind, {stage.record->part, stage.record->media_time}}] = slices_.size() - 1;
    }
  }

  void place_notes() {
    const auto add = [&](StageKind kind, const FrameRecord& record, const char* text, WallTime time) {
      notes_.push_back({track_of(kind, record), &record, text, time});
      tracks_[notes_.back().track] = 0;
    };
    for (const auto& record : trace_.records) {
      const auto& times = record.times;
      if (record.step == FrameStep::read && record.fate == FrameFate::left_out)
        add(StageKind::read, record, "not read", times[1]);
      if (record.step == FrameStep::sent && record.fate == FrameFate::left_out)
        add(StageKind::send, record, times[1] != WallTime{} ? "not sent wholly" : "not sent",
            first_of(times[2], times[0]));
      if (record.step == FrameStep::received && record.fate == FrameFate::incomplete)
        add(StageKind::assemble, record, "packets missing", times[0]);
      if (record.step == FrameStep::received && record.fate == FrameFate::left_out)
        add(StageKind::assemble, record, "no room", times[0]);
      if (record.step == FrameStep::shown && record.fate == FrameFate::incomplete)
        add(StageKind::swap, record, "concealed", times[3]);
      if (record.step == FrameStep::shown && record.fate == FrameFate::left_out)
        add(StageKind::swap, record, "not shown", first_of(times[0], record.media_time));
    }
    for (const auto* record : vanished(trace_)) {
      auto track = track_of(StageKind::assemble, *record);
      FrameRecord there = *record;
      there.step = FrameStep::received;
      track.process = process_of(there);
      notes_.push_back({track, record, "nothing arrived", record->times[1]});
      tracks_[track] = 0;
    }
  }

  void number_tracks() {
    unsigned next = 0;
    for (auto& [track, number] : tracks_) number = ++next;
  }

  void head() {
    Json hosts = Json::array();
    for (const auto& host : trace_.hosts) {
      Json entry{{"name", host.name},
                 {"role", host.server ? trace_.sender_is : trace_.receiver_is},
                 {"records_dropped", host.dropped}};
      if (!host.clock_error_us.empty())
        entry["clock_error_us_max"] =
            std::ranges::max(host.clock_error_us, {}, &std::pair<WallTime, double>::second).second;
      hosts.push_back(std::move(entry));
    }
    const Json other{{"program", "wall-probe"},
                     {"version", LW_VERSION},
                     {"zero_ns", zero_.time_since_epoch().count()},
                     {"clock", "the wall's, as each host knows it; ts 0 is zero_ns nanoseconds after 1970 UTC"},
                     {"media_begin_us", us(trace_.begin)},
                     {"media_end_us", us(trace_.end)},
                     {"records_missed", trace_.missed},
                     {"hosts", std::move(hosts)}};
    write_("{\"displayTimeUnit\":\"ms\",\"otherData\":" + other.dump() + ",\"traceEvents\":[");
  }

  void event(const Json& json) {
    write_((first_ ? "\n" : ",\n") + json.dump(-1, ' ', false, Json::error_handler_t::replace));
    first_ = false;
  }

  void name_everything() {
    const auto meta = [&](const char* what, unsigned process, unsigned thread, Json args) {
      event({{"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"ts", 0}, {"args", std::move(args)}});
    };
    const auto process = [&](unsigned number, const std::string& name) {
      meta("process_name", number, 0, {{"name", name}});
      meta("process_sort_index", number, 0, {{"sort_index", number}});
    };
    process(1, trace_.sender_is + " " + trace_.wall.coordinator().name);
    for (unsigned i = 0; i < trace_.wall.nodes.size(); ++i)
      process(2 + i, trace_.receiver_is + " " + trace_.wall.nodes[i].name);
    for (const auto& [track, number] : tracks_) {
      meta("thread_name", track.process, number, {{"name", name(track)}});
      meta("thread_sort_index", track.process, number, {{"sort_index", number}});
    }
  }

  [[nodiscard]] std::string name(const Track& track) const {
    const auto lane = track.lane > 0 ? fmt::format(" +{}", track.lane) : "";
    if (track.kind == StageKind::read) return fmt::format("stripe {} read{}", track.part, lane);
    const auto tile = track.of_tile ? TileIndex{track.part} : trace_.wall.tile_of_flow(track.part);
    const auto number = trace_.wall.tile(tile).number();
    if (track.of_tile) return fmt::format("tile {} {}{}", number, name_of(track.kind), lane);
    return fmt::format("flow {} (tile {}) {}{}", track.part, number, name_of(track.kind), lane);
  }

  [[nodiscard]] Json args(const FrameRecord& record) const {
    Json out{{"frame", record.frame},           {"tick", record.tick},
             {"generation", record.generation}, {"tile", trace_.wall.tile(tile_of(record)).number()},
             {"bytes", record.bytes},           {"media_us", us(record.media_time)}};
    if (record.step == FrameStep::sent || record.step == FrameStep::received) out["flow"] = record.part;
    if (record.step == FrameStep::read) out["stripe"] = record.stripe;
    if (record.fate == FrameFate::repaired) out["repaired"] = true;
    return out;
  }

  void slice(const Stage& stage, const Track& track) {
    auto details = args(*stage.record);
    const double duration = static_cast<double>((stage.to - stage.from).count()) / 1000;
    if (stage.kind == StageKind::flight) {
      details["flight_us"] = duration;
      const auto& name = trace_.wall.nodes[track.process - 2].name;
      const auto host = std::ranges::find_if(
          trace_.hosts, [&](const TracedHost& known) { return !known.server && known.name == name; });
      if (host != trace_.hosts.end() && !host->clock_error_us.empty())
        details["clock_error_us"] = host->clock_error_us.back().second;
    }
    event({{"ph", "X"},
           {"name", name_of(stage.kind)},
           {"cat", "frame"},
           {"pid", track.process},
           {"tid", tracks_.at(track)},
           {"ts", us(stage.from)},
           {"dur", std::max(0.0, duration)},  // two clocks may differ by more than the time of flight
           {"args", std::move(details)}});
  }

  void instant(const Note& note) {
    event({{"ph", "i"},
           {"name", note.text},
           {"cat", "trouble"},
           {"s", "t"},
           {"pid", note.track.process},
           {"tid", tracks_.at(note.track)},
           {"ts", us(note.time)},
           {"args", args(*note.record)}});
  }

  void arrow(const char* phase, unsigned id, std::size_t slice) {
    const auto& [stage, track] = slices_[slice];
    Json json{{"ph", phase},          {"name", "frame"},          {"cat", "way"},        {"id", id},
              {"pid", track.process}, {"tid", tracks_.at(track)}, {"ts", us(stage.from)}};
    if (*phase == 'f') json["bp"] = "e";
    event(json);
  }

  // From the sending of a band, through its arrival, to the swap of its frame.
  void arrows() {
    unsigned id = 0;
    for (const auto& [key, at] : index_) {
      const auto& [kind, frame] = key;
      if (kind != StageKind::send) continue;
      const auto arrived = index_.find({StageKind::assemble, frame});
      if (arrived == index_.end()) continue;
      const auto tile = frame.first / trace_.wall.streaming.flows_per_tile;
      const auto shown = index_.find({StageKind::swap, {tile, frame.second}});
      arrow("s", ++id, at);
      arrow(shown != index_.end() ? "t" : "f", id, arrived->second);
      if (shown != index_.end()) arrow("f", id, shown->second);
    }
  }

  void clock_errors() {
    for (const auto& host : trace_.hosts) {
      const auto node = std::ranges::find(trace_.wall.nodes, host.name, &WallNode::name);
      if (host.server || node == trace_.wall.nodes.end()) continue;
      for (const auto& [time, error] : host.clock_error_us)
        event({{"ph", "C"},
               {"name", "clock error bound"},
               {"pid", 2 + (node - trace_.wall.nodes.begin())},
               {"ts", us(time)},
               {"args", {{"us", error}}}});
    }
  }

  const Trace& trace_;
  const std::function<void(std::string_view)>& write_;
  const WallTime zero_;
  std::vector<std::pair<Stage, Track>> slices_;
  std::map<std::pair<StageKind, FrameOfPart>, std::size_t> index_;  // of slices that arrows connect
  std::vector<Note> notes_;
  std::map<Track, unsigned> tracks_;
  bool first_ = true;
};

}  // namespace

void write_chrome_trace(const Trace& trace, const std::function<void(std::string_view)>& write) {
  Writer(trace, write).run();
}

}  // namespace lw
