#include "server/send/flow_sender.h"

#include "common/base/timespec.h"
#include "common/clock/wall_clock.h"
#include "common/concurrency/pinned_thread.h"
#include "common/plan/buffers.h"
#include "common/wall/send_window.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>

namespace lw {
namespace {

constexpr std::size_t frames_queued_max = 32;
constexpr std::chrono::milliseconds publish_interval{20};
constexpr unsigned publishes_per_percentiles = 10;  // which cost sorts
// Sleeping for less than waking up takes evens nothing out, and costs what sending a run does. Within these bounds.
constexpr std::chrono::microseconds sleep_least{20};
constexpr std::chrono::microseconds sleep_most{100};

// No frame is handed over longer before its packets are due.
constexpr std::chrono::seconds due_within{1};

// How long before its time a run is handed to the queueing discipline: some sleeps of this thread, and well below its
// limit of packets.
constexpr std::chrono::milliseconds departures_ahead{2};

// How often the flow looks for requests while it is too busy to wait for them, and how long it waits for one at a time
// when it has no frame to send.
constexpr std::chrono::milliseconds serve_interval{1};
constexpr std::chrono::milliseconds idle_interval{10};  // the same while it keeps no frames
// What is committed is told so often, so far apart.
constexpr unsigned tells_again = 8;
constexpr std::chrono::milliseconds tell_interval{4};
// The playout delay is told so often until it begins to change, and then for those who come later.
constexpr std::chrono::milliseconds tell_change_interval{20};
constexpr std::chrono::milliseconds tell_delay_interval{100};

constexpr std::chrono::seconds parity_after_loss{10};  // for so long it goes along

// With zero copy: how often the kernel is asked whether it is done with a frame, and how long at the end.
constexpr std::chrono::microseconds zero_copy_check{200};
constexpr std::chrono::milliseconds last_patience{200};

// From the wall clock to another: it moves when the clock is stepped or slewed.
Nanoseconds offset_of(clockid_t clock) {
  timespec there{};
  clock_gettime(clock, &there);
  return from_timespec(there) - WallClock::now().time_since_epoch();
}

}  // namespace

Result<std::unique_ptr<FlowSender>> FlowSender::start(const Wall& wall, const Band& band, int cpu,
                                                      std::optional<clockid_t> departure_clock) {
  const auto ssrc = static_cast<std::uint32_t>(std::random_device{}());
  const auto key = load_media_key(wall.streaming.srtp_key_file);
  if (!key) return key.error();
  auto paths = FlowPath::open_all(wall, band, ssrc, *key);
  if (!paths) return paths.error();
  std::unique_ptr<FlowSender> sender(new FlowSender(wall, band, std::move(*paths), ssrc, *key));
  if (departure_clock && sender->sender_.carry_departures(*departure_clock)) sender->departure_clock_ = departure_clock;
  // An impossible MTU must be an error here, not a silent flow later.
  if (const auto layout = PacketTemplates::lay_out(wall.streaming.pixel_format, wall.tile_width, band.rows,
                                                   sender->udp_payload_bytes_, 0);
      !layout)
    return layout.error();
  sender->thread_ = start_thread(
      "flow-" + std::to_string(band.flow), cpu, [raw = sender.get()](const std::stop_token& stop) { raw->run(stop); },
      wall.streaming.realtime_priority);
  sender->cpu_ = cpu;
  return sender;
}

FlowSender::FlowSender(const Wall& wall, const Band& band, std::vector<std::unique_ptr<FlowPath>> paths,
                       std::uint32_t ssrc, const std::optional<MediaKey>& key)
    : band_(band),
      width_(wall.tile_width),
      burst_packets_(wall.streaming.burst_packets),
      udp_payload_bytes_(media_datagram_max(wall, band.tile)),
      pace_spin_(wall.streaming.pace_spin),
      pacer_(wall),
      resend_percent_(wall.streaming.resend_percent),
      fec_(wall.streaming.fec),
      tells_time_(wall.clock == ClockSource::wall),
      in_step_(wall.sync.mode == SyncMode::wall),
      adapts_(wall.streaming.adapts_playout_delay()),
      listens_(tells_time_ || in_step_ || adapts_),
      measures_(wall.streaming.measure),
      ssrc_(ssrc),
      paths_(std::move(paths)),
      growth_(key ? PacketSealer::media_growth : 0),
      sender_(paths_.front()->sender),
      sequence_(std::random_device{}() & 0xffffU),
      inbox_(frames_queued_max) {
  if (key) sealer_.emplace(*key);
  if (wall.streaming.resend)
    resender_.emplace(resend_frames(wall.streaming, wall.frame_rate), wall.streaming.longest_playout_delay(),
                      sealer_ ? &*sealer_ : nullptr);
  if (wall.streaming.fec != FecUse::never) parity_.emplace(wall.streaming.fec_strength);
  if (wall.streaming.zero_copy && !sealer_) trial_.emplace();  // what is sealed is no frame's memory
  delay_.publish(PlayoutRamp::constant(wall.streaming.playout_delay));
  counted_.flow = band.flow;
  counted_.ssrc = ssrc_;
  published_.publish(counted_);
}

FlowSender::~FlowSender() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

Result<void> FlowSender::move_to(int cpu) {
  if (auto moved = move_thread(thread_, cpu); !moved) return moved;
  cpu_ = cpu;
  was_moved_ = true;
  return {};
}

bool FlowSender::offer(const FrameToSend& frame) {
  FrameToSend copy = frame;
  if (!inbox_.try_push(copy)) return false;
  bell_.ring();
  return true;
}

void FlowSender::run(const std::stop_token& stop) {
  counted_.cpu = current_cpu_pin();
  published_.publish(counted_);
  sleep_min_ = std::clamp<Nanoseconds>(shortest_sleep(), sleep_least, sleep_most);
  const std::stop_callback wake(stop, [this] { bell_.ring(); });
  while (!stop.stop_requested()) {
    turns_.fetch_add(1, std::memory_order_relaxed);
    const auto seen = bell_.count();
    FrameToSend frame;
    if (!inbox_.try_pop(frame)) {
      wait_for_frame(seen);
      continue;
    }
    take(frame);
    const auto now = WallClock::now();
    serve(now);
    step_rtcp(now);
    publish(now);
  }
  if (resender_) resender_->sent().forget();
  for (auto& packets : packets_) let_go_within(packets, last_patience);
  for (const auto& path : paths_) path->rtcp.say_goodbye(WallClock::now(), counted_.packets, counted_.payload_bytes);
}

// Until the bell rings; while frames are kept, requests for their packets are heard, too, and for the time always.
void FlowSender::wait_for_frame(std::uint32_t bell_seen) {
  const bool keeps_frames = resender_ && !resender_->sent().empty();
  if (!keeps_frames && !listens_) {
    next_publish_ = WallTime{};  // the last figures before what may be a long sleep
    publish(WallClock::now());
    return bell_.wait(bell_seen);
  }
  listen_until(WallClock::now() + (keeps_frames ? serve_interval : idle_interval));
  const auto now = WallClock::now();
  serve(now);
  step_rtcp(now);
  if (keeps_frames && resender_->sent().empty()) next_publish_ = WallTime{};  // the last figures before a long sleep
  publish(now);
}

void FlowSender::step_rtcp(WallTime now) {
  if (counted_.packets == 0) return;  // before the first packet there is nothing to report about
  for (const auto& path : paths_) path->rtcp.step(now, counted_.packets, counted_.payload_bytes);
}

// Sleeps, but not through a request.
void FlowSender::listen_until(WallTime until) {
  for (auto now = WallClock::now(); now < until; now = WallClock::now()) {
    if (until - now > due_within) return;  // the clock was set back
    // What the budget holds back is tried again soon.
    const bool has_work = resender_ && resender_->has_work();
    const auto wait = has_work ? std::min<Nanoseconds>(until - now, serve_interval) : until - now;
    if (wait_for_report(wait) || has_work) {
      next_serve_ = WallTime{};
      serve(WallClock::now());
    }
  }
}

// True where one may have come. A flood does not wake the flow more often than it would look by itself.
bool FlowSender::wait_for_report(Nanoseconds at_most) {
  if (std::ranges::any_of(paths_, [](const auto& path) { return path->rtcp.flooded(); })) {
    std::this_thread::sleep_for(std::min<Nanoseconds>(at_most, serve_interval));
    return true;
  }
  const auto timeout = to_timespec(at_most);
  std::array<pollfd, 2> ready{};
  for (std::size_t i = 0; i < paths_.size(); ++i) ready[i] = {paths_[i]->rtcp.fd(), POLLIN, 0};
  return ppoll(ready.data(), paths_.size(), &timeout, nullptr) > 0;
}

// Takes in reports and requests, and sends again what may go now.
void FlowSender::serve(WallTime now) {
  if (!is_due(next_serve_, now, serve_interval)) return;
  next_serve_ = now + serve_interval;
  for (const auto& path : paths_) {
    const auto missing = path->rtcp.receive();
    if (!resender_) continue;
    for (const auto sequence : missing) resender_->want(sequence);
    // By the path that it was asked for by: that one is alive.
    if (format_) resender_->step(path->sender, sending_->templates, row_bytes(*format_, width_) * band_.first_row, now);
  }
  if (!in_step_ && !adapts_) return;
  hear_feedback();
  const auto local_now = LocalClock::now();
  if (in_step_) tell_committed(local_now);
  if (adapts_) tell_delay(now, local_now);
}

// Of two paths that one counts which was heard last.
void FlowSender::hear_feedback() {
  FlowFeedback newest;
  for (const auto& path : paths_) {
    auto feedback = path->rtcp.feedback();
    feedback.round_trip = path->rtcp.round_trip_time();
    if (feedback.heard >= newest.heard) newest = feedback;
  }
  feedback_.publish(newest);
}

// What is to be shown is told again, since it may be lost.
void FlowSender::tell_committed(LocalTime now) {
  const auto committed = committed_.read();
  if (committed == told_ && now < next_tell_) return;
  if (committed != told_) tell_again_ = tells_again;
  told_ = committed;
  if (tell_again_ == 0) return;
  --tell_again_;
  next_tell_ = now + tell_interval;
  for (const auto& path : paths_) path->rtcp.tell_committed(committed);
}

void FlowSender::tell_delay(WallTime now, LocalTime local_now) {
  const auto delay = delay_.read();
  if (delay == told_delay_ && local_now < next_tell_delay_) return;
  told_delay_ = delay;
  next_tell_delay_ = local_now + (now < delay.start ? tell_change_interval : tell_delay_interval);
  for (const auto& path : paths_) path->rtcp.tell_delay(delay);
}

// Sends the frame and gives its buffer back, at once or when the kernel no longer reads it.
void FlowSender::take(const FrameToSend& frame) {
  sending_ = free_packets(frame.interval);
  if (sending_ == nullptr) {
    sending_ = &packets_[0];
    first_sent_ = WallTime{};
    bytes_sent_ = 0;
    record(frame, false);
    return frame.buffer->release();
  }
  if (!trial_) {
    send_frame(frame);
    return frame.buffer->release();
  }
  sender_.set_zero_copy(trial_->zero_copy());
  auto& zero_copy = sender_.zero_copy();
  const double cpu_before = thread_cpu_seconds();
  const auto bytes_before = counted_.bytes;
  send_frame(frame);
  sending_->held = frame.buffer;
  sending_->held_until = zero_copy.sent();
  let_go(*sending_);
  trial_->add_frame(thread_cpu_seconds() - cpu_before, counted_.bytes - bytes_before, zero_copy.copied() > 0);
}

// Packets that the kernel does not read any more; nullptr where it reads all of them for longer than `patience`.
FlowSender::Packets* FlowSender::free_packets(Nanoseconds patience) {
  for (auto& packets : packets_)
    if (let_go(packets)) return &packets;
  return let_go_within(packets_[0], patience) ? &packets_[0] : nullptr;
}

bool FlowSender::let_go(Packets& packets) {
  if (packets.held == nullptr) return true;
  if (sender_.zero_copy().done() < packets.held_until) return false;
  std::exchange(packets.held, nullptr)->release();
  return true;
}

bool FlowSender::let_go_within(Packets& packets, Nanoseconds patience) {
  for (const auto until = LocalClock::now() + patience; !let_go(packets);) {
    if (LocalClock::now() > until) return false;
    std::this_thread::sleep_for(zero_copy_check);
  }
  return true;
}

void FlowSender::send_frame(const FrameToSend& frame) {
  first_sent_ = WallTime{};
  bytes_sent_ = 0;
  record(frame, send_packets(frame));
}

// False where they were not sent, or not all of them.
bool FlowSender::send_packets(const FrameToSend& frame) {
  if (frame.format != format_ && !lay_out(frame.format)) return false;
  give_up_ = give_up_time(frame);
  if (WallClock::now() > give_up_ - frame.interval) return false;
  if (resender_) resender_->sent().add({frame.buffer, frame.stamp, sequence_, 0});

  parity_on_ = parity_wanted(frame);
  std::size_t run_packets = sender_.run_packets(burst_packets_);
  std::size_t total = sending_->templates.packets().size();
  if (parity_on_) {
    if (!std::exchange(parity_laid_out_, true)) parity_->lay_out(sending_->templates, ssrc_);
    parity_->begin(frame.stamp, sequence_, frame.buffer->data + row_bytes(frame.format, width_) * band_.first_row);
    total += parity_->datagrams().size();
    // The loss of a whole run can be made good.
    run_packets = std::clamp<std::size_t>(parity_->groups().longest_run(), 1, run_packets);
  }
  limit_rate(frame.interval, total);
  clock_offset_ = departure_clock_ ? offset_of(*departure_clock_) : Nanoseconds{0};
  return send_media(frame, run_packets, total) && (!parity_on_ || send_parity(frame, run_packets, total));
}

// When what is left of a frame is given up: when it cannot come before its presentation any more. So a core, disk or
// network card may stall for almost the playout delay. Two intervals in any case, for receivers that keep what is late.
WallTime FlowSender::give_up_time(const FrameToSend& frame) const {
  const auto media_time = frame.stamp.media_time;
  const auto of_use = delay_.read().at(media_time) - arrival_margin - round_trip().value_or(Nanoseconds{0}) / 2;
  return media_time + std::max(std::min<Nanoseconds>(of_use, behind_most), 2 * frame.interval);
}

// Of the path that takes longer; none before a receiver reported.
std::optional<Nanoseconds> FlowSender::round_trip() const {
  std::optional<Nanoseconds> longest;
  for (const auto& path : paths_) longest = std::max(longest, path->rtcp.round_trip_time());
  return longest;
}

// Counts the frame, and keeps its times.
void FlowSender::record(const FrameToSend& frame, bool sent) {
  ++(sent ? counted_.frames : counted_.frames_skipped);
  if (!measures_) return;
  const auto last_sent = first_sent_ != WallTime{} ? WallClock::now() : WallTime{};
  read_times_.add(frame.read_asked, frame.in_memory);
  queue_times_.add(frame.in_memory, first_sent_);
  if (sent) send_times_.add(first_sent_, last_sent);
  records_.add({.media_time = frame.stamp.media_time,
                .times = {frame.in_memory, first_sent_, last_sent},
                .frame = frame.stamp.frame,
                .bytes = bytes_sent_,
                .generation = frame.stamp.generation,
                .tick = frame.stamp.tick,
                .part = static_cast<std::uint16_t>(band_.flow),
                .stripe = 0,
                .step = FrameStep::sent,
                .fate = sent ? FrameFate::whole : FrameFate::left_out});
}

// Parity goes along when the wall file says so, or for some time after a loss that resends could not make good: a
// packet is missed when the next frame begins, at the latest, and its resend may be lost, too.
bool FlowSender::parity_wanted(const FrameToSend& frame) const {
  if (!parity_ || fec_ == FecUse::always) return parity_.has_value();
  std::optional<WallTime> seen;
  for (const auto& path : paths_) seen = std::max(seen, path->rtcp.loss_seen());
  if (!seen || WallClock::now() - *seen > parity_after_loss) return false;
  if (!resender_) return true;
  const auto there_and_back = round_trip();
  return !there_and_back ||
         2 * *there_and_back + frame.interval + arrival_margin > delay_.read().at(frame.stamp.media_time);
}

bool FlowSender::send_media(const FrameToSend& frame, std::size_t run_packets, std::size_t total) {
  const auto packets = sending_->templates.packets().size();
  for (std::size_t first = 0; first < packets; first += run_packets) {
    const std::size_t count = std::min(run_packets, packets - first);
    if (!wait_for_turn(frame, first, count, total)) return false;
    send_run(frame, first, count);
    if (parity_on_) parity_->encode_for(first + count);
    if (resender_) resender_->sent().set_packets(static_cast<std::uint32_t>(first + count));
    if (resender_ || listens_) serve(WallClock::now());
  }
  return true;
}

bool FlowSender::send_parity(const FrameToSend& frame, std::size_t run_packets, std::size_t total) {
  const auto datagrams = parity_->datagrams();
  const auto before = total - datagrams.size();
  if (trial_) sender_.set_zero_copy(false);  // parity is made anew in the same memory with the next frame
  for (std::size_t first = 0; first < datagrams.size(); first += run_packets) {
    const std::size_t count = std::min(run_packets, datagrams.size() - first);
    if (!wait_for_turn(frame, before + first, count, total)) return false;
    const unsigned sent = send_by_all_paths(datagrams.subspan(first, count));
    counted_.send_errors += count - sent;
    counted_.parity += sent;
    counted_.parity_bytes += sent * datagrams.front().bytes();
  }
  return true;
}

// Until the run of `count` packets from `number` on (of `total` of the frame) may leave. False when that is too late.
bool FlowSender::wait_for_turn(const FrameToSend& frame, std::size_t number, std::size_t count, std::size_t total) {
  // A run is handed over a little ahead of its time where a queueing discipline keeps that.
  const auto ahead = departure_clock_ ? Nanoseconds{departures_ahead} : Nanoseconds{0};
  const auto due = pacer_.due(frame.stamp.media_time, frame.interval, number, total);
  // After the clock was set back.
  if (due - WallClock::now() > due_within) return false;
  if (not_before_ - due > due_within) not_before_ = due;
  const auto now = wait_for(std::max(due - ahead, not_before_));
  counted_.late_max = std::max(counted_.late_max, now - due);
  not_before_ = pacer_.not_before(not_before_, now, frame.interval, count, total);
  departure_ = due.time_since_epoch() + clock_offset_;
  if (now > give_up_) return false;
  if (number == 0) first_sent_ = now;
  return true;
}

// What the flow may send beside its frames; and a net below the pacing where the interface has an fq queueing
// discipline (nothing happens where it has another): its card does not see more than the rate at which this flow may
// catch up.
void FlowSender::limit_rate(Nanoseconds interval, std::size_t total) {
  if (interval == limited_for_ && total == limited_total_) return;
  limited_for_ = interval;
  limited_total_ = total;
  const auto rate_over = [&](Nanoseconds time) {
    return BitRate{static_cast<double>((sending_->templates.datagram_bytes() + growth_) * total) * 8 /
                   std::chrono::duration<double>(time).count()};
  };
  if (resender_) resender_->set_budget(rate_over(interval) * (resend_percent_ / 100.0));
  const auto frame = pacer_.least_gap(interval, 1, 1);
  if (frame <= Nanoseconds{0}) return;
  const double repairs = resender_ ? 1 + resend_percent_ / 100.0 : 1;
  const auto bytes_per_s = static_cast<std::uint64_t>((rate_over(frame) * repairs).bits_per_second / 8);
  for (const auto& path : paths_)
    setsockopt(path->media.fd(), SOL_SOCKET, SO_MAX_PACING_RATE, &bytes_per_s, sizeof(bytes_per_s));
}

// Until `due`; the time that it is then.
WallTime FlowSender::wait_for(WallTime due) {
  auto now = WallClock::now();
  if (due - now > pace_spin_ + sleep_min_) {
    if (resender_ || listens_)
      listen_until(due - pace_spin_);
    else
      sleep_until(due - pace_spin_);
    now = WallClock::now();
  }
  if (pace_spin_ > Nanoseconds{0})
    for (; now < due; now = WallClock::now()) relax_cpu();
  return now;
}

bool FlowSender::lay_out(PixelFormat format) {
  if (resender_) resender_->sent().forget();  // their packets were cut otherwise
  for (auto& packets : packets_) {
    // Their headers go.
    if (!let_go_within(packets, last_patience)) return false;
    auto templates = PacketTemplates::lay_out(format, width_, band_.rows, udp_payload_bytes_, ssrc_);
    if (!templates) return false;
    packets.templates = std::move(*templates);
    if (!trial_) break;  // one set is enough
  }
  format_ = format;
  limited_for_ = Nanoseconds{0};
  parity_laid_out_ = false;
  for (const auto& path : paths_) path->sender.set_datagram_bytes(packets_[0].templates.datagram_bytes() + growth_);
  return true;
}

void FlowSender::send_run(const FrameToSend& frame, std::size_t first, std::size_t count) {
  const std::byte* band = frame.buffer->data + row_bytes(frame.format, width_) * band_.first_row;
  auto& templates = sending_->templates;
  templates.stamp(frame.stamp, sequence_, first, count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& packet = templates.packets()[first + i];
    auto& datagram = run_[i];
    datagram.pieces[0] = piece_of(templates.header(packet), packet.header_bytes);
    datagram.pieces[1] = piece_of(band + packet.pixel_offset, packet.pixel_bytes);
    datagram.pieces[2] = piece_of(templates.padding(packet), packet.padding_bytes);
    datagram.count = packet.padding_bytes > 0 ? 3 : 2;
  }
  const unsigned sent = send_by_all_paths(std::span(run_).first(count));
  counted_.send_errors += count - sent;
  counted_.packets += sent;
  for (std::size_t i = 0; i < sent; ++i) {
    const auto& packet = templates.packets()[first + i];
    counted_.bytes += packet.bytes() + growth_;
    bytes_sent_ += static_cast<std::uint32_t>(packet.pixel_bytes);
    counted_.payload_bytes += packet.bytes() - (wire::fixed_bytes - 2) - packet.padding_bytes;
  }
  // Sequence numbers were given to all: what the kernel refused is lost on the way, and the receiver sees it so.
  sequence_ += static_cast<std::uint32_t>(count);
}

// How many of the run's datagrams left by one path at least.
unsigned FlowSender::send_by_all_paths(std::span<const DatagramPieces> run) {
  if (sealer_) run = sealer_->seal(run);
  if (run.empty()) return 0;
  unsigned sent = 0;
  for (const auto& path : paths_) sent = std::max(sent, path->sender.send(run, departure_));
  return sent;
}

void FlowSender::publish(WallTime now) {
  if (!is_due(next_publish_, now, publish_interval)) return;
  counted_.calls = 0;
  counted_.rtcp_refused = 0;
  for (const auto& path : paths_) {
    counted_.calls += path->sender.calls();
    counted_.rtcp_refused += path->rtcp.refused();
    if (const auto rtt = path->rtcp.round_trip_time()) counted_.round_trip = *rtt;
  }
  if (resender_) {
    counted_.resent = resender_->totals().packets;
    counted_.resent_bytes = resender_->totals().bytes;
    counted_.resends_refused = resender_->totals().refused;
  }
  counted_.zero_copy_calls = sender_.zero_copy().sent();
  counted_.cpu_s = thread_cpu_seconds();
  if (measures_ && publishes_++ % publishes_per_percentiles == 0) {
    counted_.read = read_times_.quantiles();
    counted_.queue = queue_times_.quantiles();
    counted_.send = send_times_.quantiles();
  }
  if (was_moved_.load(std::memory_order_relaxed) && was_moved_.exchange(false)) counted_.cpu = current_cpu_pin();
  published_.publish(counted_);
  counted_.late_max = Nanoseconds{0};
  next_publish_ = now + publish_interval;
}

}  // namespace lw
