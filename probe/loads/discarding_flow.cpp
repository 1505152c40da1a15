#include "probe/loads/discarding_flow.h"

#include "common/concurrency/pinned_thread.h"
#include "common/metrics/traffic_class.h"
#include "common/plan/buffers.h"
#include "common/wall/flow_routes.h"
#include "common/wire/sequence.h"

#include <algorithm>
#include <array>

namespace lw {
namespace {

constexpr std::chrono::milliseconds discard_publish_interval{10};

}  // namespace

Result<std::unique_ptr<DiscardingFlow>> DiscardingFlow::start(const Wall& wall, const Band& band, int cpu,
                                                              ArrivalRecorder& recorder) {
  const auto local = Address::parse(wall.node_of(band.tile).address, media_port(wall, band.flow));
  if (!local) return local.error();
  auto socket = UdpSocket::bind(*local);
  if (!socket) return socket.error();
  if (const auto timed = socket->set_receive_timeout(receive_timeout); !timed) return timed.error();
  auto card = card_of(wall, *local);
  if (!card) return card.error();
  ReceiverPorts ports;
  ports.card = std::move(*card);
  ports.receive_buffer_bytes = socket->grow_receive_buffer(client_receive_buffer(band_rate_max(wall, band)));
  ports.counts_drops = DatagramReceiver::prepare(*socket, {.card_times = wall.streaming.card_times});
  ports.media = std::make_unique<SocketPort>(std::move(*socket));
  auto flow = make(wall, band, std::move(ports), recorder);
  auto runner = Runner::start({"recv-" + std::to_string(band.flow), cpu}, {flow.get()});
  if (!runner) return runner.error();
  flow->runner_ = std::move(*runner);
  return flow;
}

std::unique_ptr<DiscardingFlow> DiscardingFlow::make(const Wall& wall, const Band& band, ReceiverPorts ports,
                                                     ArrivalRecorder& recorder) {
  return std::unique_ptr<DiscardingFlow>(new DiscardingFlow(wall, band, std::move(ports), recorder));
}

DiscardingFlow::DiscardingFlow(const Wall& wall, const Band& band, ReceiverPorts&& ports, ArrivalRecorder& recorder)
    : port_(std::move(ports.media)),
      host_(std::move(ports.clock)),
      receive_buffer_bytes_(ports.receive_buffer_bytes),
      receiver_(*port_, wall.streaming.busy_poll, ports.counts_drops, std::move(ports.card)),
      scratch_(DatagramReceiver::batch_max * DatagramReceiver::run_bytes_max),
      dscp_(wall.streaming.dscp),
      source_(sending_hosts(wall, band.tile)),
      recorder_(recorder) {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    pieces_[i] = {scratch_.data() + i * DatagramReceiver::run_bytes_max, DatagramReceiver::run_bytes_max};
    targets_[i] = {&pieces_[i], 1};
  }
  counted_.flow = band.flow;
  if (receiver_.counts_drops()) counted_.kernel_drops = counted_.kernel_drops_settled = 0;
  published_.publish(counted_);
}

void DiscardingFlow::begin(Nanoseconds /*shortest_sleep*/) { counted_.cpu = current_cpu_pin(); }

Wait DiscardingFlow::step(const Moment& called) {
  const auto runs = receiver_.receive(targets_);
  const auto now = receiver_.returned_at().local;
  for (std::size_t i = 0; i < runs.size(); ++i) take_message(i, runs[i], now);
  publish(now);
  return {called.local, {}, false};  // it waits in its receive call
}

void DiscardingFlow::take_message(std::size_t message, const ReceivedRun& run, LocalTime now) {
  const KernelDrops::Streams streams{&sequences_, nullptr, nullptr};
  drops_.begin_message(run.dropped_before, streams, now);
  counted_.bytes += run.bytes;
  const auto* datagram = static_cast<const std::byte*>(pieces_[message].iov_base);
  for (std::size_t i = 0; i < run.datagrams(); ++i)
    take({datagram + i * run.datagram_bytes, run.bytes_of(i)}, run, now);
  if (run.traffic_class && source_.comes_from(run.source))
    count_traffic_class(counted_, *run.traffic_class, run.datagrams(), dscp_);
  drops_.end_message(streams);
  drops_.take_unexplained(now);  // whose they were does not matter here
}

void DiscardingFlow::take(std::span<const std::byte> datagram, const ReceivedRun& run, LocalTime now) {
  ++counted_.packets;
  MediaPacket packet;
  if (!parse_media_packet(datagram, packet).empty() || packet.resent ||
      source_.judge(run.source, packet.ssrc, now) == StreamSource::Verdict::refused) {
    ++counted_.invalid;
    return;
  }
  if (counted_.ssrc != packet.ssrc) {  // a restarted sender
    counted_.ssrc = packet.ssrc;
    sequences_.begin_stream();
    jitter_.restart();
  }
  const auto sequence = source_.unroll_sequence(packet);
  if (!sequence) {
    ++counted_.invalid;
    return;
  }
  if (sequences_.empty() || timestamp_distance(timestamp_, packet.timestamp) > 0) open_frame(packet);
  switch (sequences_.take(*sequence)) {
    case SequenceTracker::Verdict::duplicate:
    case SequenceTracker::Verdict::repaired:  // nothing is recovered here
      ++counted_.duplicates;
      return;
    case SequenceTracker::Verdict::too_old:
      ++counted_.late;
      return;
    case SequenceTracker::Verdict::in_order:
    case SequenceTracker::Verdict::reordered:
      break;
  }
  ++counted_.used;
  if (packet.begins_frame()) begin_frame(packet, run.arrival);
}

void DiscardingFlow::open_frame(const MediaPacket& packet) {
  counted_.frames_without_first += !sequences_.empty() && !first_came_;
  timestamp_ = packet.timestamp;
  first_came_ = false;
}

void DiscardingFlow::begin_frame(const MediaPacket& packet, WallTime arrival) {
  first_came_ = first_came_ || packet.timestamp == timestamp_;
  if (!packet.media_time) return;
  const auto tick = tick_of(packet);
  recorder_.add(FrameArrival{arrival, *packet.media_time, tick});
  jitter_.add(arrival, *packet.media_time, tick);
  if (const auto jitter = jitter_.microseconds()) jitter_max_us_.add(*jitter);
}

void DiscardingFlow::publish(LocalTime now) {
  if (now < next_publish_) return;
  next_publish_ = now + discard_publish_interval;
  if (recorder_.take_beginning()) sequences_.restart_run_max();
  sequences_.fill_in(counted_);
  counted_.calls = receiver_.calls();
  counted_.card_stamped = receiver_.card_stamped();
  counted_.card_error = receiver_.card_error();
  counted_.cpu_s = host_->thread_cpu_seconds();
  counted_.jitter_us = jitter_.microseconds();
  jitter_max_us_.add(counted_.jitter_us.value_or(0));
  counted_.jitter_max_us = jitter_max_us_.publish(now);
  published_.publish(counted_);
}

}  // namespace lw
