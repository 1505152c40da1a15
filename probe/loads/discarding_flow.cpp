#include "probe/loads/discarding_flow.h"

#include "common/concurrency/pinned_thread.h"
#include "common/plan/buffers.h"
#include "common/wire/sequence.h"

#include <algorithm>
#include <array>

namespace lw {
namespace {

constexpr std::chrono::milliseconds receive_timeout{4};
constexpr std::chrono::milliseconds discard_publish_interval{10};

}  // namespace

Result<std::unique_ptr<DiscardingFlow>> DiscardingFlow::start(const Wall& wall, const Band& band, int cpu,
                                                              ArrivalRecorder& recorder) {
  const auto local = Address::parse(wall.node_of(band.tile).address, media_port(wall, band.flow));
  if (!local) return local.error();
  auto socket = UdpSocket::bind(*local);
  if (!socket) return socket.error();
  if (const auto timed = socket->set_receive_timeout(receive_timeout); !timed) return timed.error();
  std::unique_ptr<DiscardingFlow> flow(
      new DiscardingFlow(wall, band, std::move(*socket), sending_hosts(wall, band.tile), recorder));
  flow->thread_ = start_thread("recv-" + std::to_string(band.flow), cpu,
                               [raw = flow.get()](const std::stop_token& stop) { raw->run(stop); });
  return flow;
}

DiscardingFlow::DiscardingFlow(const Wall& wall, const Band& band, UdpSocket socket, std::vector<Address> servers,
                               ArrivalRecorder& recorder)
    : socket_(std::move(socket)),
      receive_buffer_bytes_(socket_.grow_receive_buffer(client_receive_buffer(band_rate_max(wall, band)))),
      receiver_(socket_),
      scratch_(DatagramReceiver::batch_max * DatagramReceiver::run_bytes_max),
      source_(std::move(servers)),
      recorder_(recorder) {
  counted_.flow = band.flow;
  if (receiver_.counts_drops()) counted_.kernel_drops = 0;
  published_.publish(counted_);
}

DiscardingFlow::~DiscardingFlow() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void DiscardingFlow::run(const std::stop_token& stop) {
  counted_.cpu = current_cpu_pin();
  std::array<iovec, DatagramReceiver::batch_max> pieces{};
  std::array<std::span<iovec>, DatagramReceiver::batch_max> targets;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    pieces[i] = {scratch_.data() + i * DatagramReceiver::run_bytes_max, DatagramReceiver::run_bytes_max};
    targets[i] = {&pieces[i], 1};
  }
  while (!stop.stop_requested()) {
    const auto runs = receiver_.receive(targets);
    const auto now = LocalClock::now();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto& run = runs[i];
      const auto lost_before = sequences_.lost();
      counted_.bytes += run.bytes;
      const auto* datagram = static_cast<const std::byte*>(pieces[i].iov_base);
      for (std::size_t k = 0; k < run.datagrams(); ++k)
        take({datagram + k * run.datagram_bytes, run.bytes_of(k)}, run, now);
      // A dropped message of several packets counts once: only sequence numbers show how many there were.
      if (run.dropped_before > 0 && counted_.kernel_drops)
        *counted_.kernel_drops += sequences_.lost() > lost_before ? sequences_.lost() - lost_before : 0;
    }
    publish(now);
  }
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
  recorder_.add(FrameArrival{arrival, *packet.media_time});
  jitter_.add(arrival, *packet.media_time);
  if (const auto jitter = jitter_.microseconds()) jitter_max_us_.add(*jitter);
}

void DiscardingFlow::publish(LocalTime now) {
  if (now < next_publish_) return;
  next_publish_ = now + discard_publish_interval;
  if (recorder_.take_beginning()) sequences_.restart_run_max();
  sequences_.fill_in(counted_);
  counted_.calls = receiver_.calls();
  counted_.cpu_s = thread_cpu_seconds();
  counted_.jitter_us = jitter_.microseconds();
  jitter_max_us_.add(counted_.jitter_us.value_or(0));
  counted_.jitter_max_us = jitter_max_us_.publish(now);
  published_.publish(counted_);
}

}  // namespace lw
