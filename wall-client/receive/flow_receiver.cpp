#include "wall-client/receive/flow_receiver.h"

#include "common/concurrency/pinned_thread.h"
#include "common/plan/buffers.h"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace lw {
namespace {

constexpr std::chrono::milliseconds receive_timeout{4};  // bounds how late a deadline is noticed when nothing arrives
// Often, so that a rate made of two readings is true; the percentiles, which cost a sort, less often.
constexpr std::chrono::milliseconds publish_interval{10};
constexpr unsigned publishes_per_percentiles = 10;
constexpr std::chrono::seconds receiving_within{1};
// A band that is not whole this long before its presentation is given up, so that the presenter can conceal in time.
constexpr std::chrono::milliseconds give_up_before{6};

std::string canonical_name(const std::string& role) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return role + "@" + host.data();
}

unsigned buffers_for(const Wall& wall) {
  static_assert(client_bands_open == BandAssembler::open_max);
  return static_cast<unsigned>(client_bands_per_flow(wall.streaming.playout_delay, wall.frame_rate));
}

}  // namespace

Result<std::unique_ptr<FlowReceiver>> FlowReceiver::start(const Wall& wall, const Band& band, int cpu) {
  const auto port = media_port(wall, band.flow);
  const auto& node_address = wall.node_of(band.tile).address;
  const auto open = [&](std::uint16_t local_port) -> Result<UdpSocket> {
    const auto local = Address::parse(node_address, local_port);
    if (!local) return local.error();
    return UdpSocket::bind(*local);
  };
  auto media = open(port);
  if (!media) return media.error();
  auto control = open(static_cast<std::uint16_t>(port + 1));
  if (!control) return control.error();
  if (const auto timed = media->set_receive_timeout(receive_timeout); !timed) return timed.error();

  std::vector<Address> servers;
  for (const auto& interface : wall.server.interfaces)
    if (const auto address = Address::parse(interface, 0)) servers.push_back(*address);
  std::unique_ptr<FlowReceiver> receiver(
      new FlowReceiver(wall, band, std::move(*media), std::move(*control), std::move(servers)));
  if (const auto allocated = receiver->allocate(buffers_for(wall)); !allocated) return allocated.error();
  receiver->thread_ = start_thread("recv-" + std::to_string(band.flow), cpu,
                                   [raw = receiver.get()](const std::stop_token& stop) { raw->run(stop); });
  return receiver;
}

FlowReceiver::FlowReceiver(const Wall& wall, const Band& band, UdpSocket media, UdpSocket control,
                           std::vector<Address> servers)
    : geometry_{band.flow, wall.tile_width, band.first_row, band.rows},
      playout_delay_(wall.streaming.playout_delay),
      socket_(std::move(media)),
      receive_buffer_bytes_(socket_.grow_receive_buffer(client_receive_buffer)),
      receiver_(socket_),
      rtcp_(std::move(control), canonical_name(wall.node_of(band.tile).name)),
      source_(std::move(servers)),
      finished_(buffers_for(wall)),
      returned_(buffers_for(wall)) {
  counted_.flow = band.flow;
  published_.publish(counted_);
}

Result<void> FlowReceiver::allocate(unsigned buffers) {
  auto pages = Pages::allocate(BandAssembler::band_bytes_max(geometry_) * buffers);
  if (!pages) return pages.error();
  memory_ = std::move(*pages);
  assembler_ = std::make_unique<BandAssembler>(geometry_, memory_.data(), buffers);
  return {};
}

FlowReceiver::~FlowReceiver() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void FlowReceiver::give_back(unsigned buffer) {
  // Never full: it holds as many as there are buffers.
  [[maybe_unused]] const bool pushed = returned_.try_push(buffer);
}

void FlowReceiver::run(const std::stop_token& stop) {
  counted_.cpu = current_cpu_pin();
  while (!stop.stop_requested()) {
    const auto runs = receiver_.receive();
    for (const auto& run : runs) take_run(run);
    const auto now = WallClock::now();
    unsigned buffer = 0;
    while (returned_.try_pop(buffer)) assembler_->give_back(buffer);
    // A full batch means that more waits in the socket: after a stall of this thread a band must not be given up while
    // the packets it misses lie there.
    hand_out(now, runs.size() < DatagramReceiver::batch);
    if (const auto ssrc = source_.ssrc()) rtcp_.step(now, sequences_, *ssrc, jitter_.rtp_units());
    publish(now);
  }
  rtcp_.say_goodbye();
}

void FlowReceiver::take_run(const ReceivedRun& run) {
  for (std::size_t at = 0; at < run.bytes.size(); at += run.datagram_bytes)
    take_packet(run.bytes.subspan(at, std::min(run.datagram_bytes, run.bytes.size() - at)), run);
  if (run.bytes.empty()) {  // an empty datagram is one, too
    ++counted_.packets;
    ++counted_.invalid;
  }
}

void FlowReceiver::take_packet(std::span<const std::byte> datagram, const ReceivedRun& run) {
  ++counted_.packets;
  counted_.bytes += datagram.size();
  MediaPacket packet;
  if (!parse_media_packet(datagram, packet).empty()) {
    ++counted_.invalid;
    return;
  }
  switch (source_.judge(run.source, packet.ssrc, run.arrival)) {
    case StreamSource::Verdict::refused:
      ++counted_.invalid;
      return;
    case StreamSource::Verdict::changed:
      counted_.ssrc = packet.ssrc;
      lost_before_ += sequences_.lost();
      runs_before_ += sequences_.runs();
      reordered_before_ += sequences_.reordered();
      counted_.loss_run_max = std::max(counted_.loss_run_max, sequences_.run_max());
      sequences_ = SequenceTracker{};
      assembler_->reset();
      rtcp_.restart();
      jitter_.restart();
      last_tick_.reset();
      break;
    case StreamSource::Verdict::ours:
      break;
  }
  switch (sequences_.take(source_.unroll_sequence(packet))) {
    case SequenceTracker::Verdict::duplicate:
      ++counted_.duplicates;
      return;
    case SequenceTracker::Verdict::too_old:
      ++counted_.late;
      return;
    case SequenceTracker::Verdict::in_order:
    case SequenceTracker::Verdict::reordered:
      break;
  }
  PacketFate fate = assembler_->place(packet, run.arrival);
  if (assembler_->must_make_room()) {
    hand_out(run.arrival, false);
    fate = assembler_->place(packet, run.arrival);
  }
  counted_.used += fate == PacketFate::used;
  counted_.late += fate == PacketFate::late;
  counted_.invalid += fate == PacketFate::invalid;
  if (assembler_->opened_band()) count_new_frame(packet, run.arrival);
}

// Jitter and delay are of first packets only: see common/metrics/jitter.h.
void FlowReceiver::count_new_frame(const MediaPacket& packet, WallTime arrival) {
  if (!packet.media_time) return;
  if (packet.stamp) {
    // After a gap the transit times of two frames far apart are no jitter of the network.
    if (last_tick_ && static_cast<std::uint16_t>(packet.stamp->tick - *last_tick_) > 4) jitter_.restart();
    last_tick_ = packet.stamp->tick;
  }
  jitter_.add(arrival, *packet.media_time);
  if (const auto jitter = jitter_.microseconds()) counted_.jitter_max_us = std::max(counted_.jitter_max_us, *jitter);
  delays_us_.add(static_cast<double>((arrival - *packet.media_time).count()) / 1000);
}

void FlowReceiver::hand_out(WallTime now, bool give_up_overdue) {
  const auto deadline_passed = [&](WallTime media_time) {
    return give_up_overdue && now > media_time + playout_delay_ - give_up_before;
  };
  while (auto band = assembler_->take_finished(deadline_passed)) {
    const unsigned buffer = band->buffer;
    if (!finished_.try_push(*band)) assembler_->give_back(buffer);
  }
}

void FlowReceiver::publish(WallTime now) {
  if (now < next_publish_) return;
  next_publish_ = now + publish_interval;
  counted_.lost = lost_before_ + sequences_.lost();
  counted_.loss_runs = runs_before_ + sequences_.runs();
  counted_.loss_run_max = std::max(counted_.loss_run_max, sequences_.run_max());
  counted_.reordered = reordered_before_ + sequences_.reordered();
  counted_.kernel_drops = receiver_.kernel_drops();
  counted_.bands_whole = assembler_->bands_whole();
  counted_.bands_incomplete = assembler_->bands_incomplete();
  counted_.bands_dropped = assembler_->bands_dropped();
  counted_.jitter_us = jitter_.microseconds();
  if (++publishes_ % publishes_per_percentiles == 0) {
    counted_.delay_us_min = delays_us_.quantile(0);
    counted_.delay_us_p50 = delays_us_.quantile(0.5);
    counted_.delay_us_p99 = delays_us_.quantile(0.99);
    counted_.jitter_max_us = jitter_.microseconds().value_or(0);
  }
  counted_.receiving = source_.ssrc() && now - source_.last_heard() < receiving_within;
  published_.publish(counted_);
}

}  // namespace lw
