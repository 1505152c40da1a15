#include "probe/capacity/capacity_spec.h"

#include "common/messages/rpc.h"
#include "probe/capacity/capacity_packets.h"

#include <fmt/format.h>

namespace lw {
namespace {

constexpr unsigned datagram_bytes_min = 64, datagram_bytes_max = 9188;
static_assert(datagram_bytes_min >= load_header_bytes);

template <class Integer>
void whole(Params& params, const char* name, std::int64_t min, std::int64_t max, Integer& value) {
  if (const auto number = params.optional_integer(name, min, max)) value = static_cast<Integer>(*number);
}
void real(Params& params, const char* name, double min, double max, double& value) {
  value = params.optional_number(name, min, max).value_or(value);
}
void delay(Params& params, const char* name, Nanoseconds& value) {
  const auto ms = params.optional_number(name, 0, 10'000);
  if (ms) value = nanoseconds_of(*ms / 1000);
}
double milliseconds_of(Nanoseconds time) { return static_cast<double>(time.count()) / 1e6; }

Result<void> check(const CapacitySpec& spec) {
  const double intervals = spec.duration_s / spec.interval_s;
  if (intervals > capacity_intervals_max || std::abs(intervals - std::round(intervals)) > 1e-6 || intervals < 1)
    return Error{fmt::format("{:g} s are not 1 to 3600 sub-intervals of {:g} s", spec.duration_s, spec.interval_s),
                 "choose a duration that is a multiple of the interval"};
  if (spec.search.delay_low > spec.search.delay_high)
    return Error{"the lower limit of the delay range is above the upper one", "exchange them"};
  if (spec.start_gbit_per_s > spec.gbit_per_s_max)
    return Error{"the first rate is above the highest", "begin with a lower one"};
  return {};
}

}  // namespace

unsigned CapacitySpec::intervals() const { return static_cast<unsigned>(std::lround(duration_s / interval_s)); }

SearchSettings CapacitySpec::search_settings() const {
  auto settings = search;
  settings.first_row = row_of_rate(BitRate::gbit(start_gbit_per_s));
  settings.last_row = row_of_rate(BitRate::gbit(gbit_per_s_max));
  return settings;
}

Result<CapacitySpec> parse_capacity(const Json& json) {
  if (!json.is_object()) return Error{"a capacity measurement is not an object", "see docs/probe.md"};
  CapacitySpec spec;
  Params params(json);
  spec.reverse = params.boolean_or("reverse", spec.reverse);
  real(params, "duration_s", 0.1, 36'000, spec.duration_s);
  real(params, "interval_s", 0.1, 60, spec.interval_s);
  real(params, "feedback_ms", 5, 250, spec.feedback_ms);
  whole(params, "datagram_bytes", datagram_bytes_min, datagram_bytes_max, spec.datagram_bytes);
  whole(params, "dscp", 0, 63, spec.dscp);
  spec.one_way = params.boolean_or("one_way", spec.one_way);
  real(params, "start_gbit_per_s", 0, rate_of_row(rate_row_last).gbit(), spec.start_gbit_per_s);
  real(params, "gbit_per_s_max", rate_of_row(0).gbit(), rate_of_row(rate_row_last).gbit(), spec.gbit_per_s_max);
  whole(params, "port", 1, UINT16_MAX, spec.port);
  whole(params, "sequence_errors", 0, 1'000'000, spec.search.sequence_errors);
  delay(params, "delay_low_ms", spec.search.delay_low);
  delay(params, "delay_high_ms", spec.search.delay_high);
  whole(params, "congested_after", 1, 100, spec.search.congested_after);
  whole(params, "fast_rows", 1, 100, spec.search.fast_rows);
  if (const auto problem = params.problem()) return Error{*problem, "see docs/probe.md"};
  if (const auto checked = check(spec); !checked) return checked.error();
  return spec;
}

Json to_json(const CapacitySpec& spec) {
  return {{"reverse", spec.reverse},
          {"duration_s", spec.duration_s},
          {"interval_s", spec.interval_s},
          {"feedback_ms", spec.feedback_ms},
          {"datagram_bytes", spec.datagram_bytes},
          {"dscp", spec.dscp},
          {"one_way", spec.one_way},
          {"start_gbit_per_s", spec.start_gbit_per_s},
          {"gbit_per_s_max", spec.gbit_per_s_max},
          {"port", spec.port},
          {"sequence_errors", spec.search.sequence_errors},
          {"delay_low_ms", milliseconds_of(spec.search.delay_low)},
          {"delay_high_ms", milliseconds_of(spec.search.delay_high)},
          {"congested_after", spec.search.congested_after},
          {"fast_rows", spec.search.fast_rows}};
}

}  // namespace lw
