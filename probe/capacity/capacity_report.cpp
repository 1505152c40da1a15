#include "probe/capacity/capacity_report.h"

#include "common/messages/rpc.h"
#include "probe/capacity/capacity_spec.h"

namespace lw {
namespace {

constexpr std::int64_t count_max = std::int64_t{1} << 53U;  // exact in JSON
constexpr double microseconds_max = 1e10, gbit_max = 1e6;

std::uint64_t count_of(Params& params, const char* name) {
  return static_cast<std::uint64_t>(params.integer(name, 0, count_max));
}

Error unreadable(const std::string& problem) {
  return Error{"the other side's report cannot be read: " + problem,
               "run the same version of wall-probe on both hosts"};
}

std::vector<double> numbers_of(Params& params, const Json& json, const char* name,
                               std::optional<std::string>& problem) {
  params.known(name);
  std::vector<double> numbers;
  const auto found = json.find(name);
  if (found == json.end() || !found->is_array() || found->size() > capacity_intervals_max) {
    problem = std::string(name) + " is not a list of numbers";
    return numbers;
  }
  for (const auto& entry : *found) {
    const double number = entry.is_number() ? entry.get<double>() : -1;
    if (!(number >= 0 && number <= gbit_max)) problem = std::string(name) + " has an impossible number";
    numbers.push_back(number);
  }
  return numbers;
}

Result<CapacityReceived::Interval> parse_interval(const Json& json) {
  Params params(json);
  CapacityReceived::Interval interval;
  interval.sent = count_of(params, "sent");
  interval.received = count_of(params, "received");
  interval.lost = count_of(params, "lost");
  interval.reordered = count_of(params, "reordered");
  interval.duplicates = count_of(params, "duplicates");
  interval.round_trip_us_min = params.optional_number("round_trip_us_min", 0, microseconds_max);
  interval.round_trip_us_max = params.optional_number("round_trip_us_max", 0, microseconds_max);
  interval.one_way_range_us = params.optional_number("one_way_range_us", 0, microseconds_max);
  if (const auto problem = params.problem()) return unreadable(*problem);
  return interval;
}

}  // namespace

Json to_json(const CapacitySent& sent) {
  return {{"ended", sent.ended},
          {"packets", sent.packets},
          {"send_errors", sent.send_errors},
          {"skipped", sent.skipped},
          {"statuses", sent.statuses},
          {"statuses_lost", sent.statuses_lost},
          {"congested", sent.congested},
          {"offered_gbit_per_s", sent.offered_gbit_per_s}};
}

Json to_json(const CapacityReceived& received) {
  auto intervals = Json::array();
  for (const auto& interval : received.intervals) {
    Json json{{"sent", interval.sent},
              {"received", interval.received},
              {"lost", interval.lost},
              {"reordered", interval.reordered},
              {"duplicates", interval.duplicates}};
    if (interval.round_trip_us_min) json["round_trip_us_min"] = *interval.round_trip_us_min;
    if (interval.round_trip_us_max) json["round_trip_us_max"] = *interval.round_trip_us_max;
    if (interval.one_way_range_us) json["one_way_range_us"] = *interval.one_way_range_us;
    intervals.push_back(std::move(json));
  }
  Json json{{"ended", received.ended}, {"intervals", std::move(intervals)}, {"strange", received.strange}};
  if (received.kernel_drops) json["kernel_drops"] = *received.kernel_drops;
  return json;
}

Result<CapacitySent> parse_capacity_sent(const Json& json) {
  if (!json.is_object()) return unreadable("it is not an object");
  Params params(json);
  CapacitySent sent;
  std::optional<std::string> wrong;
  sent.ended = params.text("ended");
  sent.packets = count_of(params, "packets");
  sent.send_errors = count_of(params, "send_errors");
  sent.skipped = count_of(params, "skipped");
  sent.statuses = count_of(params, "statuses");
  sent.statuses_lost = count_of(params, "statuses_lost");
  sent.congested = params.boolean("congested");
  sent.offered_gbit_per_s = numbers_of(params, json, "offered_gbit_per_s", wrong);
  if (const auto problem = params.problem()) return unreadable(*problem);
  if (wrong) return unreadable(*wrong);
  return sent;
}

Result<CapacityReceived> parse_capacity_received(const Json& json) {
  if (!json.is_object()) return unreadable("it is not an object");
  Params params(json);
  CapacityReceived received;
  received.ended = params.text("ended");
  received.strange = count_of(params, "strange");
  if (const auto drops = params.optional_integer("kernel_drops", 0, count_max))
    received.kernel_drops = static_cast<std::uint64_t>(*drops);
  const auto intervals = params.optional_objects("intervals");
  if (const auto problem = params.problem()) return unreadable(*problem);
  if (!intervals || intervals->size() > capacity_intervals_max)
    return unreadable("intervals is not a list of up to 3600");
  for (const auto& entry : *intervals) {
    const auto interval = parse_interval(entry);
    if (!interval) return interval.error();
    received.intervals.push_back(*interval);
  }
  return received;
}

}  // namespace lw
