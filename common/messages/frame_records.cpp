#include "common/messages/frame_records.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace lw {
namespace {

constexpr std::array<std::string_view, frame_step_count> steps{"read", "sent", "received", "shown"};
constexpr std::array<std::string_view, frame_fate_count> fates{"whole", "repaired", "incomplete", "left_out"};
constexpr std::array<std::size_t, frame_step_count> times_of_step{2, 3, 2, 4};
// No stage lasts longer; a longer one makes a record invalid.
constexpr std::int64_t offset_max = std::int64_t{3'600'000'000'000};

bool is_of_flow(FrameStep step) { return step == FrameStep::sent || step == FrameStep::received; }

// Which of the names it is.
template <std::size_t Size>
std::optional<std::size_t> index_of(const Json& record, const char* key,
                                    const std::array<std::string_view, Size>& names) {
  const auto value = record.find(key);
  if (value == record.end() || !value->is_string()) return std::nullopt;
  const auto found = std::ranges::find(names, value->get_ref<const std::string&>());
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

template <class Number>
bool take(const Json& value, Number& out) {
  const auto number = whole_number(value, std::numeric_limits<Number>::max());
  if (number) out = static_cast<Number>(*number);
  return number.has_value();
}

template <class Number>
bool take(const Json& record, const char* key, Number& out) {
  const auto value = record.find(key);
  return value != record.end() && take(*value, out);
}

bool take_part(const Json& record, const Wall& wall, FrameRecord& out) {
  if (is_of_flow(out.step)) return take(record, "flow", out.part) && out.part < wall.flow_count();
  const auto tile = record.find("tile");
  unsigned column = 0;
  unsigned row = 0;
  if (tile == record.end() || !tile->is_array() || tile->size() != 2 || !take((*tile)[0], column) ||
      !take((*tile)[1], row) || column >= wall.columns || row >= wall.rows)
    return false;
  out.part = static_cast<std::uint16_t>(wall.index({column, row}));
  return true;
}

bool take_times(const Json& record, FrameRecord& out) {
  const auto media = record.find("media_ns");
  const auto times = record.find("times_ns");
  if (media == record.end() || !media->is_number_integer() || times == record.end() || !times->is_array() ||
      times->size() != times_of_step[static_cast<std::size_t>(out.step)])
    return false;
  const auto media_ns = media->get<std::int64_t>();
  if (media_ns < offset_max || media_ns > std::numeric_limits<std::int64_t>::max() - offset_max) return false;
  out.media_time = WallTime{Nanoseconds{media_ns}};
  for (std::size_t i = 0; i < times->size(); ++i) {
    const auto& time = (*times)[i];
    if (time.is_null()) continue;
    if (!time.is_number_integer()) return false;
    const auto offset = time.get<std::int64_t>();
    if (offset < -offset_max || offset > offset_max) return false;
    out.times[i] = out.media_time + Nanoseconds{offset};
  }
  return true;
}

std::optional<FrameRecord> frame_record(const Json& json, const Wall& wall) {
  if (!json.is_object()) return std::nullopt;
  const auto step = index_of(json, "step", steps);
  const auto fate = index_of(json, "fate", fates);
  if (!step || !fate) return std::nullopt;
  FrameRecord record;
  record.step = static_cast<FrameStep>(*step);
  record.fate = static_cast<FrameFate>(*fate);
  if (!take_part(json, wall, record) || !take_times(json, record) || !take(json, "frame", record.frame) ||
      !take(json, "generation", record.generation) || !take(json, "tick", record.tick) ||
      !take(json, "bytes", record.bytes) || (record.step == FrameStep::read && !take(json, "stripe", record.stripe)))
    return std::nullopt;
  return record;
}

}  // namespace

Json to_json(const FrameRecord& record, const Wall& wall) {
  const auto step = static_cast<std::size_t>(record.step);
  Json times = Json::array();
  for (std::size_t i = 0; i < times_of_step[step]; ++i) {
    const auto time = record.times[i];
    times.push_back(time == WallTime{} ? Json() : Json((time - record.media_time).count()));
  }
  Json json{{"step", steps[step]},
            {"fate", fates[static_cast<std::size_t>(record.fate)]},
            {"frame", record.frame},
            {"generation", record.generation},
            {"tick", record.tick},
            {"bytes", record.bytes},
            {"media_ns", record.media_time.time_since_epoch().count()},
            {"times_ns", std::move(times)}};
  if (is_of_flow(record.step)) {
    json["flow"] = record.part;
  } else {
    const auto tile = wall.tile(record.part);
    json["tile"] = {tile.column, tile.row};
  }
  if (record.step == FrameStep::read) json["stripe"] = record.stripe;
  return json;
}

std::optional<std::vector<FrameRecord>> frame_records(std::span<const Json> list, const Wall& wall) {
  if (list.size() > frame_records_max) return std::nullopt;
  std::vector<FrameRecord> records;
  records.reserve(list.size());
  for (const auto& entry : list)
    if (const auto record = frame_record(entry, wall)) records.push_back(*record);
  return records;
}

}  // namespace lw
