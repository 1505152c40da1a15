#include "probe/measure/run_side.h"

#include "common/base/host_name.h"
#include "common/clock/kernel_clock.h"
#include "common/clock/wall_clock.h"
#include "common/host/cpu_state.h"
#include "common/host/host_facts.h"
#include "common/host/limits.h"
#include "common/metrics/exposition.h"
#include "common/metrics/registry.h"
#include "probe/loads/disk_load.h"
#include "probe/loads/layer_rates.h"
#include "probe/loads/tcp_load.h"
#include "probe/loads/udp_load.h"
#include "probe/loads/udt_load.h"
#include "probe/loads/udt_window.h"
#include "probe/loads/value_sample.h"
#include "probe/measure/delay_figures.h"
#include "probe/measure/link.h"
#include "probe/measure/run_calls.h"
#include "probe/measure/run_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace lw {
namespace {

constexpr std::size_t marks_max = 1000;

std::string_view name_of(Direction direction) { return direction == Direction::forward ? "forward" : "reverse"; }

nlohmann::json figures_json(const FlowFigures& figures) {
  auto json = nlohmann::json::object();
  for (const auto& [name, value] : figures)
    if (std::isfinite(value)) {
      if (value == std::floor(value) && std::abs(value) < 9e15)
        json[name] = static_cast<std::int64_t>(value);
      else
        json[name] = value;
    }
  return json;
}

FlowFigures difference(const FlowFigures& before, const FlowFigures& now) {
  FlowFigures out;
  for (const auto& [name, value] : now) {
    const auto old = before.find(name);
    out[name] = value - (old == before.end() ? 0 : old->second);
  }
  return out;
}

// Maxima, not counts.
bool is_level(const std::string& name) { return name.ends_with("_max"); }

double gbit_per_s(const FlowFigures& counted, double seconds) {
  const auto bytes = counted.find("bytes");
  return bytes == counted.end() || seconds <= 0 ? 0 : bytes->second * 8e-9 / seconds;
}

// Memory for frames: three for each UDP load that is sent, and as many for each flow as its receiver has buffers; and
// the values of each flow's distributions.
Result<void> check_memory(const RunSpec& run) {
  constexpr double receiver_frames = 12;
  constexpr double doubles_of_frame = 3;  // delay and its time, interval
  double needed = 0;
  for (const auto& load : run.loads) {
    needed += load.flows * doubles_of_frame * sizeof(double) * values_kept_max;
    if (load.protocol == Protocol::udp) needed += 3.0 * load.width * load.rows * (load.flows * receiver_frames + 3);
    if (load.protocol == Protocol::udt)
      needed += static_cast<double>(udt_buffer_bytes(load.window_bytes / load.flows, load.datagram_bytes)) *
                load.flows * (load.direction == Direction::both ? 2 : 1);
  }
  const auto there = read_limits().memory_available_bytes;
  if (!there || needed < 0.8 * static_cast<double>(*there)) return {};
  return Error{fmt::format("buffers of these loads need {:.1f} GB, and {:.1f} GB of memory are free", needed * 1e-9,
                           static_cast<double>(*there) * 1e-9),
               "use smaller frames or windows, or fewer flows"};
}

}  // namespace

Result<std::unique_ptr<RunSide>> RunSide::prepare(const RunSpec& run, Role role, const SideAddresses& addresses,
                                                  const std::filesystem::path& records) {
  if (const auto enough = check_memory(run); !enough) return enough.error();
  std::unique_ptr<RunSide> side(new RunSide(run));
  auto pinned = pin_ends(run, role, addresses);
  if (!pinned) return pinned.error();
  side->pinned_ = std::move(*pinned);
  if (const auto moved = side->move_interrupts(role, addresses); !moved) return moved.error();
  // Receivers first: on one host, a sender's packets would otherwise be refused.
  for (const bool sending : {false, true})
    for (const auto& load : side->run_.loads)
      for (const auto direction : {Direction::forward, Direction::reverse}) {
        if (load.direction != Direction::both && load.direction != direction) continue;
        const bool sends = (direction == Direction::forward) == (role == Role::client);
        if (sends != sending) continue;
        if (const auto added = side->add(load, direction, role, addresses, records); !added)
          return Error(added.error()).in("load " + load.name);
      }
  return side;
}

Result<void> RunSide::add(const LoadSpec& load, Direction direction, Role role, const SideAddresses& addresses,
                          const std::filesystem::path& records) {
  End end;
  end.load = &load;
  end.direction = direction;
  end.sends = (direction == Direction::forward) == (role == Role::client);
  if (load.protocol == Protocol::disk && !end.sends) return {};
  auto spec = load;
  if (direction == Direction::reverse) {
    spec.base_port = spec.port_of(spec.flows);
    spec.source_port = static_cast<std::uint16_t>(spec.source_port + 2 * spec.flows);
  }
  auto& cpus = end.sends ? spec.sender_cpus : spec.receiver_cpus;
  if (const auto pinned = pinned_.find({load.name, direction, end.sends}); pinned != pinned_.end())
    cpus = pinned->second;
  end.cpus = cpus;
  end.between = end_addresses(load, direction, role, addresses);
  const auto& between = end.between;
  const auto host = load.first_flow > 0 ? fmt::format("-{}", load.first_flow / load.flows + 1) : "";
  const auto file = records / fmt::format("{}-{}{}.npy", load.name, name_of(direction), host);
  auto made = [&] {
    switch (load.protocol) {
      case Protocol::disk:
        return make_disk_reader(spec);
      case Protocol::udt:
        return end.sends ? make_udt_sender(spec, between) : make_udt_receiver(spec, between);
      case Protocol::tcp:
        return end.sends ? make_tcp_sender(spec, between) : make_tcp_receiver(spec, between);
      case Protocol::udp:
        break;
    }
    return end.sends ? make_udp_sender(spec, between) : make_udp_receiver(spec, between, file);
  }();
  if (!made) return made.error();
  end.end = std::move(*made);
  ends_.push_back(std::move(end));
  return {};
}

Result<void> RunSide::move_interrupts(Role role, const SideAddresses& addresses) {
  if (std::ranges::all_of(run_.loads, [](const LoadSpec& load) { return load.receiver_interrupt_cpu < 0; })) return {};
  const auto cpus = interrupt_cpus(run_, role, addresses, interface_addresses());
  if (!cpus) return cpus.error();
  if (cpus->empty()) return {};
  auto moved = InterruptCore::move(*cpus);
  if (!moved) return moved.error();
  interrupts_ = std::move(*moved);
  return {};
}

RunSide::~RunSide() { thread_ = {}; }

Result<void> RunSide::start() {
  for (auto& end : ends_)
    if (const auto started = end.end->start(); !started) return Error(started.error()).in("load " + end.load->name);
  thread_ = std::jthread([this](const std::stop_token& stop) { measure(stop); });
  return {};
}

bool RunSide::wait_until(LocalTime time, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  wake_.wait_until(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

std::optional<unsigned> RunSide::bursts_left() const {
  std::optional<unsigned> left;
  for (const auto& end : ends_)
    if (end.sends && end.load->bursts > 0) left = left.value_or(0) + end.end->bursts_left();
  return left;
}

// Only short bursts fit into the time: their durations alone would look too good.
void RunSide::check_bursts() {
  for (const auto& end : ends_) {
    const auto left = end.sends ? end.end->bursts_left() : 0;
    const std::lock_guard lock(mutex_);
    if (left > 0 && !failure_)
      failure_ = Error{fmt::format("load {}: {:g} s were too short for {} of {} bursts", end.load->name,
                                   run_.duration_s, left, end.load->bursts),
                       "measure for longer"};
  }
}

void RunSide::measure(const std::stop_token& stop) {
  const auto seconds = [](double s) {
    return std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(s));
  };
  if (!wait_until(LocalClock::now() + seconds(run_.warm_up_s), stop)) return;
  before_ = read_host_counters();
  look_for_clock_step(0);
  look_at_clock_error();
  const LocalTime begin = LocalClock::now();
  for (auto& end : ends_) {
    end.end->begin_to_measure();
    auto now = end.end->read();
    const std::lock_guard lock(mutex_);
    end.first = end.before = end.last = std::move(now);
  }
  const auto since_begin = [&] { return std::chrono::duration<double>(LocalClock::now() - begin).count(); };
  double interval_began = 0;
  for (unsigned i = 1; interval_began < run_.duration_s; ++i) {
    const double until = std::min(run_.interval_s * i, run_.duration_s);
    const bool goes_on = wait_until(begin + seconds(until), stop);
    if (!goes_on || until >= run_.duration_s) end_to_measure();
    const double now = since_begin();
    end_interval(interval_began, now);
    look_for_clock_step(now);
    look_at_clock_error();
    interval_began = now;
    if (goes_on && until >= run_.duration_s) check_bursts();
    if (!goes_on || failure_ || until >= run_.duration_s) break;
  }
  end_to_measure();  // after a failure
  after_ = read_host_counters();
  measured_s_ = interval_began;
  for (auto& end : ends_) end.at_end = end.last;
  const std::lock_guard lock(mutex_);
  done_ = true;
}

void RunSide::end_to_measure() {
  for (auto& end : ends_) end.end->end_to_measure();
}

void RunSide::end_interval(double begin_s, double end_s) {
  for (auto& end : ends_) {
    auto now = end.end->read();
    const auto failed = end.end->failure();
    const std::lock_guard lock(mutex_);
    if (failed && !failure_) failure_ = Error(*failed).in("load " + end.load->name);
    for (std::size_t flow = 0; flow < now.size(); ++flow) {
      const auto counted = difference(end.before[flow].totals, now[flow].totals);
      auto interval = figures_json(counted);
      interval.update(figures_json(now[flow].gauges));
      interval.erase("bytes");
      interval["gbit_per_s"] = gbit_per_s(counted, end_s - begin_s);
      interval["begin_s"] = begin_s;
      interval["end_s"] = end_s;
      intervals_.add({{"load", end.load->name},
                      {"direction", name_of(end.direction)},
                      {"sends", end.sends},
                      {"flow", end.load->first_flow + flow},
                      {"interval", std::move(interval)}});
    }
    end.before = now;
    end.last = std::move(now);
  }
}

void RunSide::look_at_clock_error() {
  const auto now = system_clock_error();
  if (!clock_looked_at_)
    clock_error_ = now;
  else
    clock_error_ = clock_error_ && now ? std::optional(std::max(*clock_error_, *now)) : std::nullopt;
  clock_looked_at_ = true;
}

// The kernel's arrival times and the senders' stamps use the system clock: measurements across a step are void.
void RunSide::look_for_clock_step(double at_s) {
  constexpr double slew_max = 1e-3;  // adjtimex(2) slews by 500 ppm at most
  constexpr std::chrono::milliseconds tolerance{1};
  const auto reading = read_clocks();
  if (!reading) return;
  const auto now = reading->system_less_raw();
  const LocalTime read = LocalClock::now();
  if (clocks_) {
    const auto moved = now - *clocks_;
    const auto allowed =
        tolerance +
        Nanoseconds{static_cast<std::int64_t>(static_cast<double>((read - clocks_read_).count()) * slew_max)};
    const std::lock_guard lock(mutex_);
    if ((moved > allowed || moved < -allowed) && marks_.size() < marks_max) {
      marks_.push_back({{"what", "clock_stepped"},
                        {"at_s", at_s},
                        {"note", fmt::format("the system's clock was stepped by {:.6f} s",
                                             std::chrono::duration<double>(moved).count())}});
    }
  }
  clocks_ = now;
  clocks_read_ = read;
}

// The oldest records; the rest with the next call. Null if no load is traced.
nlohmann::json RunSide::frames_json() {
  const auto end = std::ranges::find_if(
      ends_, [](const End& one) { return one.load->trace && one.load->protocol == Protocol::udp; });
  if (end == ends_.end()) return nullptr;
  // Records that a client does not fetch stay in a bounded buffer, and are counted.
  if (frames_.size() < frame_records_max) frames_dropped_ = end->end->take_frames(frames_);
  const auto wall = udp_wall(*end->load, {});
  const auto told = std::min(frames_.size(), frame_records_max);
  const RunFrames frames{end->sends, messages_of(std::span(frames_).first(told), wall), frames_dropped_};
  frames_.erase(frames_.begin(), frames_.begin() + static_cast<std::ptrdiff_t>(told));
  return to_json(frames);
}

// Like frames_json(). Null on the receiving side, whose calls depend on when packets arrive.
nlohmann::json RunSide::calls_json() {
  const auto end = std::ranges::find_if(
      ends_, [](const End& one) { return one.load->trace && one.sends && one.load->protocol == Protocol::tcp; });
  if (end == ends_.end()) return nullptr;
  if (calls_.size() < call_records_max) calls_dropped_ = end->end->take_calls(calls_);
  const auto told = std::min(calls_.size(), call_records_max);
  const auto message = run_calls(std::span(calls_).first(told), calls_dropped_);
  calls_.erase(calls_.begin(), calls_.begin() + static_cast<std::ptrdiff_t>(told));
  return to_json(message);
}

void RunSide::add_records(nlohmann::json& json) {
  if (auto frames = frames_json(); !frames.is_null()) json["frames"] = std::move(frames);
  if (auto calls = calls_json(); !calls.is_null()) json["calls"] = std::move(calls);
}

nlohmann::json RunSide::progress(std::size_t intervals_max) {
  nlohmann::json json;
  add_records(json);
  const std::lock_guard lock(mutex_);
  auto intervals = intervals_.take(intervals_max);
  json.update({{"intervals", std::move(intervals)}, {"done", done_ && intervals_.empty()}});
  if (const auto left = bursts_left()) json["bursts_done"] = *left == 0;
  if (failure_) json["failure"] = failure_->text();
  return json;
}

void RunSide::stop_sending() {
  thread_ = {};
  for (auto& end : ends_) {
    if (end.first.empty()) continue;
    if (end.sends) end.figures = end.end->finish();
  }
}

nlohmann::json RunSide::finish() {
  stop_sending();
  auto json = nlohmann::json{{"ends", nlohmann::json::array()}, {"host", host_json()}};
  add_records(json);
  // Records that did not fit into this last message are dropped.
  for (const auto& [name, left] : {std::pair{"frames", frames_.size()}, std::pair{"calls", calls_.size()}})
    if (json.contains(name)) json[name]["dropped"] = json[name]["dropped"].get<std::uint64_t>() + left;
  for (auto& end : ends_) {
    if (end.first.empty()) continue;
    const auto final = end.end->read();  // including what came after the time was over
    if (!end.sends) end.figures = end.end->finish();
    const auto frame_times = end.end->frame_times();
    auto flows = nlohmann::json::array();
    for (std::size_t i = 0; i < final.size(); ++i) {
      auto totals = difference(end.first[i].totals, final[i].totals);
      for (auto& [name, value] : totals)
        if (is_level(name)) value = final[i].totals.at(name);
      const auto in_time = difference(end.first[i].totals, end.at_end[i].totals);
      nlohmann::json flow{{"totals", figures_json(totals)},
                          {"gauges", figures_json(end.at_end[i].gauges)},
                          {"figures", figures_json(end.figures[i])},
                          {"ever", figures_json(final[i].totals)}};
      if (!end.cpus.empty()) flow["cpu"] = cpu_of(end.cpus, static_cast<unsigned>(i));
      if (i < frame_times.size()) flow["frame_times"] = frame_times_json(frame_times[i]);
      if (measured_s_ > 0) {
        flow["gbit_per_s"] = gbit_per_s(in_time, measured_s_);
        flow["measured_s"] = measured_s_;
        if (end.load->protocol == Protocol::udp) flow["layers_gbit_per_s"] = layers_json(end, i, in_time);
        // Of the messages whose times are in the distributions.
        if (const auto messages = end.figures[i].find("messages"); messages != end.figures[i].end())
          flow["messages_per_s"] = messages->second / measured_s_;
      }
      flows.push_back(std::move(flow));
    }
    json["ends"].push_back({{"load", end.load->name},
                            {"direction", name_of(end.direction)},
                            {"sends", end.sends},
                            {"first_flow", end.load->first_flow},
                            {"flows", std::move(flows)}});
  }
  if (const auto file = interrupts_ ? interrupts_->overwritten() : std::nullopt)
    marks_.push_back({{"what", "interrupts_moved"},
                      {"at_s", measured_s_},
                      {"note", *file + " was changed by another program (irqbalance?) during the measurement"}});
  interrupts_.reset();
  json["marks"] = marks_;
  if (intervals_.left_out() > 0)
    json["marks"].push_back({{"what", "intervals_left_out"},
                             {"at_s", measured_s_},
                             {"note", fmt::format("{} intervals of flows were not fetched in time and are missing",
                                                  intervals_.left_out())}});
  if (failure_) json["failure"] = failure_->text();
  return json;
}

nlohmann::json RunSide::layers_json(const End& end, std::size_t flow, const FlowFigures& counted) const {
  const auto& [from, to, from_peer] = end.between;
  const auto next = !end.load->via.empty() ? split_host_port(end.load->via)->host : to;
  const auto own = !end.sends     ? std::optional(to)
                   : from.empty() ? address_towards(next)
                                  : std::optional(from[flow % from.size()]);
  const auto link = own ? link_of(*own) : std::nullopt;
  const PathLayers path{next.find(':') != std::string::npos, link ? link->mtu : std::nullopt};
  const auto frame = frame_bytes_of(*end.load, path);
  const auto count = [&](const char* name) { return counted.count(name) > 0 ? counted.at(name) : 0; };
  auto json = nlohmann::json::object();
  if (!frame || frame->packets == 0 || end.load->source != "memory") return json;
  const auto rate = [&](double bytes) { return bytes * 8e-9 / measured_s_; };
  const auto with_headers = [&](double of_frame) {
    return rate(count("bytes") + count("packets") * (of_frame - frame->udp) / frame->packets);
  };
  json["media"] = rate(count(end.sends ? "packets" : "used") * frame->media / frame->packets);
  json["ip"] = with_headers(frame->ip);
  if (link && link->ethernet) json["ethernet"] = with_headers(frame->ethernet);
  return json;
}

nlohmann::json RunSide::host_json() const {
  auto json = counted_between(before_, after_);
  const auto facts = read_host_facts({});
  json["name"] = host_name();
  json["facts"] = lw::host_json(facts);
  if (const auto cpus = read_cpu_state(); !cpus.governors.empty()) json["facts"]["governors"] = cpus.governors;
  if (clock_error_) json["clock_error_us"] = static_cast<double>(clock_error_->count()) / 1000;
  json["boot_id"] = boot_id();
  return json;
}

std::string RunSide::metrics_text() const {
  const std::lock_guard lock(mutex_);
  std::string text;
  for (const auto& end : ends_) {
    const std::span<const Metric> metrics =
        end.sends ? std::span<const Metric>(metrics_of<SenderFlowStats>) : metrics_of<ReceiverFlowStats>;
    for (const auto& metric : metrics)
      for (std::size_t flow = 0; flow < end.last.size(); ++flow) {
        const auto& reading = end.last[flow];
        const auto& from = metric.counts() ? reading.totals : reading.gauges;
        const auto found = from.find(std::string(metric.key));
        if (found == from.end()) continue;
        if (flow == 0)
          text += fmt::format("# HELP lambdawall_{0} {1}\n# TYPE lambdawall_{0} {2}\n", metric.prometheus, metric.help,
                              metric.prometheus_type());
        text +=
            fmt::format("lambdawall_{}{{load=\"{}\",direction=\"{}\",flow=\"{}\"}} {}\n", metric.prometheus,
                        escaped_label(end.load->name), name_of(end.direction), flow, found->second * metric.scale());
      }
  }
  return text;
}

}  // namespace lw
