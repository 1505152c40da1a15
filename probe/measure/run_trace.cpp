#include "probe/measure/run_trace.h"

#include "probe/loads/udp_load.h"
#include "probe/measure/clock_bound.h"
#include "probe/measure/run_frames.h"

#include <algorithm>

namespace lw {
namespace {

Error not_understood() {
  return {"cannot read the peer's frame records", "run the same version of wall-probe on both hosts"};
}

}  // namespace

RunTrace::RunTrace(const LoadSpec& load) : from_client_(load.direction == Direction::forward) {
  trace_.wall = udp_wall(load, {});
  trace_.sender_is = "sender";
  trace_.receiver_is = "receiver";
  trace_.hosts = {{"", true, 0, {}}, {"", false, 0, {}}};
}

Result<void> RunTrace::add(const Json& json) {
  const auto frames = read_message<RunFrames>(json);
  if (!frames) return not_understood();
  const auto records = frame_records(frames->records, trace_.wall);
  if (records.size() != frames->records.size()) return not_understood();
  trace_.records.insert(trace_.records.end(), records.begin(), records.end());
  trace_.hosts[frames->sends ? 0 : 1].dropped = frames->dropped;
  return {};
}

Result<Trace> RunTrace::finish(const Json& result) {
  if (trace_.records.empty()) return Error{"no frame was sent or received", "measure for longer"};
  const auto [first, last] = std::ranges::minmax(trace_.records, {}, &FrameRecord::media_time);
  trace_.begin = first.media_time;
  trace_.end = last.media_time + trace_.wall.frame_rate.duration_of(1);
  try {
    name_hosts(result.at("hosts"));
  } catch (const Json::exception&) {
    return not_understood();
  }
  return std::move(trace_);
}

void RunTrace::name_hosts(const Json& hosts) {
  const auto& client = hosts.at("client");
  const auto& server = hosts.contains("server") ? hosts["server"] : client;  // both in one program
  const auto& sender = from_client_ ? client : server;
  const auto& receiver = from_client_ ? server : client;
  trace_.hosts[0].name = trace_.wall.coordinator().name = sender.value("name", "");
  trace_.hosts[1].name = trace_.wall.nodes.front().name = receiver.value("name", "");
  if (const auto error = clocks_apart_us(sender, receiver)) trace_.hosts[1].clock_error_us = {{trace_.begin, *error}};
}

}  // namespace lw
