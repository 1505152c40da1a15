#include "server/send/flow_sender.h"

#include "common/base/timespec.h"
#include "common/concurrency/pinned_thread.h"
#include "common/wall/burst.h"
#include "common/wall/flow_routes.h"
#include "common/wall/send_window.h"

#include <algorithm>
#include <thread>

namespace lw {
namespace {

constexpr std::size_t frames_queued_max = 32;
constexpr std::chrono::milliseconds publish_interval{20};
constexpr unsigned publishes_per_percentiles = 10;  // because they need a sort
// Sleeping for less than a wake-up takes does not even out packets, and costs as much as a run. Bounds for that.
constexpr std::chrono::microseconds sleep_least{20};
constexpr std::chrono::microseconds sleep_most{100};

// How long before its time a run is handed to the queueing discipline: a few sleeps of this thread, and well below the
// discipline's limit of packets.
constexpr std::chrono::milliseconds departures_ahead{2};

constexpr std::chrono::seconds parity_after_loss{10};   // how long parity is sent
constexpr std::chrono::seconds gap_reported_within{2};  // a receiver reports losses every second

// With zero copy: how often the kernel is asked whether it is done with a frame, and for how long at the end.
constexpr std::chrono::microseconds zero_copy_check{200};
constexpr std::chrono::milliseconds last_patience{200};

// From the wall clock to another clock: changes when one of them is stepped or slewed.
Nanoseconds offset_of(clockid_t clock, WallTime now) {
  timespec there{};
  clock_gettime(clock, &there);
  return from_timespec(there) - now.time_since_epoch();
}

std::vector<std::unique_ptr<FlowPath>> paths_of(SenderPorts&& ports, const Wall& wall,
                                                const std::optional<MediaKey>& key) {
  std::vector<std::unique_ptr<FlowPath>> paths;
  const FlowPath* group = nullptr;
  for (auto& path : ports.paths) {
    if (path.end != PathEnd::member) group = nullptr;
    paths.push_back(
        std::make_unique<FlowPath>(std::move(path), wall, ports.numbers.ssrc, canonical_name("server"), key, group));
    if (paths.back()->end == PathEnd::group) group = paths.back().get();
  }
  return paths;
}

}  // namespace

Result<std::unique_ptr<FlowSender>> FlowSender::start(const Wall& wall, const Band& band, int cpu) {
  auto ports = open_sender_ports(wall, wall.server_of(band.tile), band);
  if (!ports) return ports.error();
  auto sender = make(wall, band, std::move(*ports));
  if (!sender) return sender;
  auto& flow = **sender;
  auto runner =
      Runner::start({"flow-" + std::to_string(band.flow), cpu, wall.streaming.realtime_priority, flow.spin_}, {&flow});
  if (!runner) return runner.error();
  flow.runner_ = std::move(*runner);
  return sender;
}

Result<std::unique_ptr<FlowSender>> FlowSender::make(const Wall& wall, const Band& band, SenderPorts ports) {
  const auto key = load_media_key(wall.streaming.srtp_key_file);
  if (!key) return key.error();
  // An impossible MTU must be an error here, not a silent flow later.
  const auto format = wall.streaming.pixel_format;
  if (const auto layout = PacketTemplates::lay_out(format, wall.tile(band.tile).place.width, band.rows_in(format).count,
                                                   packet_cut(wall, band.tile), 0);
      !layout)
    return layout.error();
  return std::unique_ptr<FlowSender>(new FlowSender(wall, band, std::move(ports), *key));
}

FlowSender::FlowSender(const Wall& wall, const Band& band, SenderPorts ports, const std::optional<MediaKey>& key)
    : band_(band),
      burst_packets_(burst_packets(wall, band)),
      resend_percent_(wall.streaming.resend_percent),
      fec_(wall.streaming.fec),
      of_several_(wall.servers.size() > 1),
      measures_(wall.streaming.measure),
      spin_(wall.streaming.pace_spin),
      departure_clock_(ports.departure_clock),
      server_(ports.server),
      numbers_(ports.numbers),
      paths_(paths_of(std::move(ports), wall, key)),
      sealer_(key ? std::optional<PacketSealer>(std::in_place, *key) : std::nullopt),
      growth_(key ? PacketSealer::media_growth : 0),
      sender_(paths_.front()->sender),
      host_(std::move(ports.clock)),
      schedule_(wall),
      packets_(wall, band, packet_cut(wall, band.tile), numbers_, wall.streaming.zero_copy && !key),
      signalling_(wall, paths_, numbers_, sealer_ ? &*sealer_ : nullptr),
      sequence_(numbers_.first_sequence),
      inbox_(frames_queued_max) {
  for (std::size_t site = 0; site < wall.sites.size(); ++site)
    sites_.push_back(std::make_unique<Snapshot<SiteStats>>());
  if (wall.streaming.zero_copy && !sealer_) trials_.emplace();  // encrypted packets are copies
  for (const auto& path : paths_)
    if (departure_clock_ && path->is_to_node() && !path->sender.carry_departures(*departure_clock_))
      departure_clock_.reset();
  if (departure_clock_) schedule_.hand_over_ahead(departures_ahead);
  counted_.flow = band.flow;
  counted_.ssrc = numbers_.ssrc;
  published_.publish(counted_);
}

bool FlowSender::offer(const FrameToSend& frame) {
  if (!queue(frame)) return false;
  bell().ring();
  return true;
}

bool FlowSender::queue(const FrameToSend& frame) {
  FrameToSend copy = frame;
  return inbox_.try_push(copy);
}

void FlowSender::commit(const TickSet& committed, std::size_t place) {
  signalling_.commit(place, committed);
  bell().ring();
}

void FlowSender::begin(Nanoseconds shortest_sleep) {
  if (spin_ == Nanoseconds{0}) early_ = std::clamp<Nanoseconds>(shortest_sleep, sleep_least, sleep_most);
  counted_.cpu = current_cpu_pin();
  published_.publish(counted_);
}

// CPU time of other flows on this thread is not the frame's.
Wait FlowSender::step(const Moment& now) {
  const bool leaves_out = trials_ && !alone_;
  if (leaves_out && phase_ != Phase::idle) cpu_before_ += host_->thread_cpu_seconds() - cpu_left_;
  const auto wait = go_on(now);
  if (leaves_out && phase_ != Phase::idle) cpu_left_ = host_->thread_cpu_seconds();
  return wait;
}

Wait FlowSender::go_on(const Moment& now) {
  if (phase_ == Phase::idle) {
    if (!inbox_.try_pop(frame_)) return rest(now);
    take(now);
  }
  if (phase_ == Phase::held) {
    let_go();
    if (packets_.free_for(frame_.format, *frame_.buffer)) {
      if (begin_frame(now))
        phase_ = Phase::sending;
      else
        finish(false);
    } else if (now.local > patience_) {
      finish(false);
    } else {
      return {.until = now.local + zero_copy_check, .hears_bell = false};
    }
  }
  return phase_ == Phase::sending ? send_next(now) : Wait{now.local};
}

// Sends the current frame to its end.
void FlowSender::end() {
  while (phase_ != Phase::idle) {
    const auto now = host_->now();
    const auto wait = go_on(now);
    if (phase_ != Phase::idle && wait.until > now.local) std::this_thread::sleep_for(wait.until - now.local);
  }
  FrameToSend frame;
  while (inbox_.try_pop(frame)) frame.buffer->release();
  signalling_.forget_frames();
  const auto until = LocalClock::now() + last_patience;
  for (let_go(); !packets_.all_free() && LocalClock::now() < until; let_go())
    std::this_thread::sleep_for(zero_copy_check);
  signalling_.say_goodbye(host_->now().wall, packets_of_streams(), payload_of_streams());
}

// While frames are kept, listens for requests for their packets; for clock requests always. Not at once after a frame,
// whose end has done so: what came since wakes the flow.
Wait FlowSender::rest(const Moment& now) {
  const bool kept = signalling_.keeps_frames();
  if (!kept && !signalling_.always_listens()) {
    if (changed_) next_publish_ = WallTime{};  // the last figures before what may be a long sleep
    publish(now);
    return {};
  }
  if (!std::exchange(served_, false)) {
    signalling_.serve(now, packets_, true, may_read());
    report(now.wall);
  }
  if (kept && !signalling_.keeps_frames()) next_publish_ = WallTime{};
  publish(now);
  const auto heard = signalling_.listen(now.local);
  auto until = std::min(signalling_.next_upkeep(now, packets_of_streams()), heard.until);
  if (changed_) until = std::min(until, local_of(next_publish_, now));
  return {until, heard.descriptors};
}

void FlowSender::take(const Moment& now) {
  phase_ = Phase::held;
  const Nanoseconds patience = frame_.format == packets_.format() ? frame_.interval : Nanoseconds{last_patience};
  patience_ = now.local + patience;
  first_sent_ = WallTime{};
  bytes_sent_ = 0;
  next_ = 0;
  waits_ = false;
  if (frame_.start != nullptr && frame_.start != start_) begin_streams(*frame_.start, now.wall);
  bytes_before_ = counted_.bytes;
  if (!trials_) return;
  sender_.set_zero_copy(trial().zero_copy());
  cpu_before_ = host_->thread_cpu_seconds();
}

// Another start of the wall, or the first frame: receivers see new streams.
void FlowSender::begin_streams(const WallStart& start, WallTime now) {
  if (begun_) signalling_.say_goodbye(now, packets_of_streams(), payload_of_streams());
  start_ = &start;
  numbers_ = StreamNumbers::of(start, band_.flow, server_);
  sequence_ = numbers_.first_sequence;
  begun_ = false;
  packets_before_frame_ = 0;
  packets_before_ = counted_.packets;
  payload_bytes_before_ = counted_.payload_bytes;
  packets_.begin_streams(numbers_);
  signalling_.begin_streams(numbers_);
  counted_.ssrc = numbers_.ssrc;
  changed_ = true;
}

// Packets of frames that were due, but are not sent, also have numbers: another server may send them.
void FlowSender::number_frame(WallTime now) {
  if (frame_.start != nullptr) {
    const auto sequence = numbers_.first_sequence + packets_.media_numbers(frame_.before);
    if (begun_ && sequence != sequence_) {
      const auto packets = not_sent_between(sequence - sequence_);
      counted_.not_sent += packets;
      packets_before_frame_ += packets;
      gap_ = now;
    }
    sequence_ = sequence;
  }
  begun_ = true;
  // Other servers of the tile may have sent others.
  if (frame_.stamp.used > 0) frame_.stamp.packets_before = of_several_ ? 0 : packets_before_frame_ + 1;
}

// Frames that were not read are counted with the length of this one, as nodes do.
std::uint32_t FlowSender::not_sent_between(std::uint32_t numbers) const {
  if (frame_.stamp.used == 0) return numbers;
  const auto of_frame = static_cast<std::uint32_t>(packets_.numbers());
  return numbers / of_frame * static_cast<std::uint32_t>(packets_.templates().packets_of(frame_.stamp)) +
         numbers % of_frame;
}

// False if the frame is not sent.
bool FlowSender::begin_frame(const Moment& now) {
  if (frame_.format != packets_.format()) {
    signalling_.forget_frames();  // their packets were cut differently
    if (!packets_.lay_out(frame_.format)) return false;
    limited_for_ = Nanoseconds{0};
    for (const auto& path : paths_)
      if (path->carries_frames()) path->sender.set_datagram_bytes(packets_.templates().datagram_bytes() + growth_);
  }
  const auto give_up = SendSchedule::give_up_time(frame_.stamp.media_time, frame_.interval, signalling_.delay(),
                                                  signalling_.round_trip());
  if (now.wall > give_up - frame_.interval) return false;
  frame_.stamp.used = packets_.used_of(*frame_.buffer);
  number_frame(now.wall);
  packets_.begin(*frame_.buffer, frame_.stamp, sequence_, parity_of_frame(now.wall));
  schedule_.begin(frame_.stamp.media_time, frame_.interval, packets_.total(), give_up);
  limit_rate(frame_.interval, packets_.total_max());
  if (departure_clock_) {
    const auto offset = offset_of(*departure_clock_, host_->now().wall);
    for (const auto& path : paths_) path->sender.set_departure_offset(offset);
  }
  return true;
}

// For some time after a loss that resends could not recover: a lost packet is noticed when the next frame begins, at
// the latest, and its resend may also be lost.
bool FlowSender::resends_too_late(WallTime now) const {
  const auto seen = signalling_.loss_seen();
  if (!seen || now - *seen > parity_after_loss) return false;
  if (gap_ && *seen >= *gap_ && *seen - *gap_ < gap_reported_within)
    return false;  // the receiver misses what was not sent
  if (!signalling_.resends()) return true;
  const auto there_and_back = signalling_.round_trip();
  return !there_and_back ||
         2 * *there_and_back + frame_.interval + arrival_margin > signalling_.delay().at(frame_.stamp.media_time);
}

// Of several servers, the coordinator decides which frames have parity, and each parity packet has its number whether
// it is sent or not: another server may send it. A server by itself decides for its flow, at once.
FramePackets::Parity FlowSender::parity_of_frame(WallTime now) {
  const bool wanted = fec_ == FecUse::always || (fec_ == FecUse::needed && resends_too_late(now));
  if (!of_several_ || frame_.start == nullptr) return {wanted, std::nullopt};
  ParitySwitch decided{true, {}, {}};
  if (fec_ == FecUse::needed) {
    wants_parity_.store(wanted, std::memory_order_relaxed);
    decided = parity_.read();
  }
  if (fec_ == FecUse::never || !decided.has_parity(frame_.before)) return {};
  const auto numbered = packets_.parity_numbers(decided.numbered(frame_.before));
  return {true, static_cast<std::uint16_t>(numbers_.first_parity + numbered)};
}

// Packets of the next run. Media and parity never share a run; the loss of a complete run can be recovered.
std::size_t FlowSender::run_length() const {
  std::size_t most = sender_.run_packets(burst_packets_);
  if (const auto longest = packets_.longest_run()) most = std::clamp<std::size_t>(*longest, 1, most);
  return std::min(most, packets_.run_most(next_));
}

Wait FlowSender::send_next(const Moment& now) {
  const auto count = run_length();
  const auto turn = schedule_.turn(next_, count, now.wall, early_);
  switch (turn.verdict) {
    case SendSchedule::Verdict::give_up:
      finish(false);
      return after_frame();
    case SendSchedule::Verdict::wait:
      return wait_until(turn.at, now);
    case SendSchedule::Verdict::send:
      send_run(now, turn.due, count);
      if (next_ == packets_.total()) {
        finish(true);
        return after_frame();
      }
      // At once: asking again costs as much as a step, for every run.
      if (const auto at = schedule_.waits_until(next_, now.wall, early_)) return wait_until(*at, now);
      break;
  }
  return {now.local};
}

// Rests in the same step: another one would cost as much as a short frame.
Wait FlowSender::after_frame() {
  const auto now = host_->now();
  return inbox_.empty() ? rest(now) : Wait{now.local};
}

Wait FlowSender::wait_until(WallTime at, const Moment& now) {
  const auto until = local_of(at, now);
  if (!signalling_.listens()) return {.until = until, .hears_bell = false};
  // Woken early: a report came, or there is something to send.
  if (std::exchange(waits_, true)) signalling_.serve(now, packets_, true, may_read());
  const auto heard = signalling_.listen(now.local);
  return {std::min(until, heard.until), heard.descriptors};
}

void FlowSender::send_run(const Moment& now, WallTime due, std::size_t count) {
  waits_ = false;
  if (next_ == 0) {
    first_sent_ = now.wall;
    // Only now: it takes the place of one whose packets may still be requested.
    signalling_.begin_frame(frame_.buffer, frame_.stamp, sequence_);
  }
  const bool is_media = next_ < packets_.media_count();
  if (trials_ && !is_media) sender_.set_zero_copy(false);  // parity is written into the same memory with the next frame
  const auto run = packets_.run(next_, count);
  const unsigned sent = send_by_all_paths(run, std::max(due, now.wall + sender_.departure_margin()));
  if (is_media) {
    counted_.packets += sent;
    counted_.send_errors += count - sent;
    const auto octets = packets_.templates().octets(next_, sent);
    counted_.bytes += octets.datagrams + sent * growth_;
    counted_.payload_bytes += octets.payload;
    bytes_sent_ += static_cast<std::uint32_t>(octets.pixels);
  } else {
    counted_.parity += sent;
    counted_.parity_errors += count - sent;
    counted_.parity_bytes += sent * (run.front().bytes() + growth_);
  }
  next_ += count;
  changed_ = true;
  packets_.sent(next_);
  if (is_media) signalling_.sent(next_);
  if (signalling_.listens()) signalling_.serve(now, packets_, false, may_read());
}

// How many of the run's datagrams left by at least one path to the node.
unsigned FlowSender::send_by_all_paths(std::span<const DatagramPieces> run, WallTime departure) {
  if (sealer_) run = sealer_->seal(run);
  if (run.empty()) return 0;
  unsigned sent = 0;
  for (const auto& path : paths_) {
    if (!path->carries_frames()) continue;
    const auto left = path->sender.send(run, departure.time_since_epoch());
    if (path->is_to_node())
      sent = std::max(sent, left);
    else
      path->send_errors += run.size() - left;
  }
  return sent;
}

// The frame is sent or dropped: counts it and releases its buffer, at once or when the kernel no longer reads it.
void FlowSender::finish(bool sent) {
  // All packets of the runs that left have numbers: those that the kernel refused count as lost, also at the
  // receiver.
  if (phase_ == Phase::sending) {
    const auto left = std::min(next_, packets_.media_count());
    const auto of_none = packets_.numbers() - packets_.media_count();
    sequence_ += static_cast<std::uint32_t>(left + of_none);
    packets_before_frame_ += static_cast<std::uint32_t>(left);
  }
  const auto now = host_->now();
  record(sent, now.wall);
  auto& zero_copy = sender_.zero_copy();
  if (trials_ && phase_ == Phase::sending) {
    auto& trial = this->trial();
    packets_.hold(frame_.buffer, zero_copy.sent());
    let_go();
    trial.add_frame(host_->thread_cpu_seconds() - cpu_before_, counted_.bytes - bytes_before_, zero_copy.copied() > 0);
  } else {
    frame_.buffer->release();
  }
  phase_ = Phase::idle;
  signalling_.serve(now, packets_, false, may_read());
  served_ = true;
  report(now.wall);
  publish(now);
}

// Counts the frame and records its times.
void FlowSender::record(bool sent, WallTime now) {
  ++(sent ? counted_.frames : counted_.frames_skipped);
  changed_ = true;
  if (!measures_) return;
  const auto last_sent = first_sent_ != WallTime{} ? now : WallTime{};
  read_times_.add(frame_.read_asked, frame_.in_memory, histograms_.read);
  queue_times_.add(frame_.in_memory, first_sent_, histograms_.queue);
  if (sent) send_times_.add(first_sent_, last_sent, histograms_.send);
  records_.add({.media_time = frame_.stamp.media_time,
                .times = {frame_.in_memory, first_sent_, last_sent},
                .frame = frame_.stamp.frame,
                .bytes = bytes_sent_,
                .generation = frame_.stamp.generation,
                .tick = frame_.stamp.tick,
                .part = static_cast<std::uint16_t>(band_.flow),
                .stripe = 0,
                .step = FrameStep::sent,
                .fate = sent ? FrameFate::whole : FrameFate::left_out});
}

// Limits what the flow may send besides its frames. If the interface has an fq queueing discipline, also sets a safety
// limit below the pacing (no effect with other disciplines): the card never sees more than the rate at which this flow
// may catch up.
void FlowSender::limit_rate(Nanoseconds interval, std::size_t total) {
  if (interval == limited_for_ && total == limited_total_) return;
  limited_for_ = interval;
  limited_total_ = total;
  const auto rate_over = [&](Nanoseconds time) {
    return BitRate{static_cast<double>((packets_.templates().datagram_bytes() + growth_) * total) * 8 /
                   std::chrono::duration<double>(time).count()};
  };
  signalling_.set_resend_budget(rate_over(interval), packets_.templates().datagram_bytes() + growth_);
  const auto frame = schedule_.pace().least_gap(total);
  if (frame <= Nanoseconds{0}) return;
  const double repairs = signalling_.resends() ? 1 + resend_percent_ / 100.0 : 1;
  const auto bytes_per_s = static_cast<std::uint64_t>((rate_over(frame) * repairs).bits_per_second / 8);
  for (const auto& path : paths_) path->media->set(SOL_SOCKET, SO_MAX_PACING_RATE, &bytes_per_s, sizeof(bytes_per_s));
}

void FlowSender::publish(const Moment& now) {
  if (!is_due(next_publish_, now.wall, publish_interval)) return;
  counted_.calls = 0;
  for (const auto& path : paths_) counted_.calls += path->sender.calls();
  signalling_.fill_in(counted_, now.local);
  signalling_.publish_sites(now.local, sites_);
  late_max_.add(schedule_.take_late_max());
  counted_.late_max = late_max_.publish(now.local);
  counted_.zero_copy_calls = sender_.zero_copy().sent();
  if (const auto used = charged_cpu_s()) counted_.cpu_s = *used;
  if (measures_ && publishes_++ % publishes_per_percentiles == 0) {
    counted_.read = read_times_.quantiles();
    counted_.queue = queue_times_.quantiles();
    counted_.send = send_times_.quantiles();
  }
  published_.publish(counted_);
  next_publish_ = now.wall + publish_interval;
  changed_ = false;
}

std::vector<std::vector<SiteStats>> site_totals(const Wall& wall, std::span<const std::unique_ptr<FlowSender>> flows) {
  std::vector<std::vector<SiteStats>> stats;
  for (std::size_t site = 0; site < wall.sites.size(); ++site) {
    const auto& nodes = wall.sites[site].nodes;
    auto& of_nodes = stats.emplace_back(nodes.size());
    for (const auto& flow : flows) {
      const auto node = static_cast<std::size_t>(&node_showing(nodes, flow->tile()) - nodes.data());
      of_nodes[node] += flow->site_stats(site);
      ++of_nodes[node].flows;
    }
  }
  return stats;
}

}  // namespace lw
