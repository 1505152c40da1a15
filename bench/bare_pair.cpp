#include "bench/bare_pair.h"

#include "common/concurrency/pinned_thread.h"
#include "common/memory/pages.h"
#include "common/net/datagram_receiver.h"
#include "common/net/datagram_sender.h"
#include "common/net/udp_socket.h"
#include "common/plan/buffers.h"

#include <netinet/in.h>
#include <netinet/udp.h>

#include <array>
#include <atomic>
#include <cmath>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

namespace lw::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::size_t run_bytes_max = 62'804;  // seven datagrams of a 9000-byte MTU
constexpr std::size_t segments_max = 64;
constexpr std::chrono::milliseconds pair_settles{150};  // at most, until everything sent has arrived
constexpr std::chrono::milliseconds receive_timeout{4};
// Packets that could not be sent for longer are dropped, just as the flow of bench/flow_load.cpp drops a frame that
// cannot be sent 10 ms before its presentation: otherwise only the pair could catch up in the host's fast moments on
// what it missed in the slow ones.
constexpr Seconds owes_at_most{0.1 - 0.01 - 1.0 / 100};

}  // namespace

struct BareReceiver {
  UdpSocket socket;
  Pages area;
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<Clock::rep> last{0};  // when something arrived last
  std::atomic<double> cpu_s{0};

  void run(const std::stop_token& stop) {
    DatagramReceiver receiver(socket);
    std::array<iovec, DatagramReceiver::batch_max> pieces{};
    std::array<std::span<iovec>, DatagramReceiver::batch_max> targets;
    std::size_t at = 0;
    std::size_t expected = DatagramReceiver::run_bytes_max;  // length of a run: that of the previous one
    while (!stop.stop_requested()) {
      // One run after the other, like a frame's pixels.
      if (at + DatagramReceiver::batch_max * DatagramReceiver::run_bytes_max > area.bytes()) at = 0;
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        pieces[i] = {area.data() + at + i * expected, DatagramReceiver::run_bytes_max};
        targets[i] = {&pieces[i], 1};
      }
      const auto runs = receiver.receive(targets);
      std::size_t came = 0;
      for (const auto& run : runs) {
        came += run.bytes;
        expected = run.bytes;
      }
      at += came;
      if (came > 0) last = Clock::now().time_since_epoch().count();
      cpu_s = thread_cpu_seconds();
      bytes += came;
    }
  }
};

struct SentByPair {
  std::uint64_t runs_offered = 0, runs = 0, bytes = 0;
  double cpu_s = 0;
  Seconds took{0};
};

struct BareRig::Parts {
  BarePair pair;
  UdpSocket out;
  Pages source;
  std::size_t at = 0;  // within the memory
  std::size_t run_bytes = 0;
  std::size_t granted = 0;
  BareReceiver receiver;
  std::jthread thread;  // last: joined before the members it uses are destroyed

  SentByPair send(Clock::time_point start, double gbit_per_s, Seconds duration) {
    SentByPair sent;
    const Seconds step{gbit_per_s > 0 ? static_cast<double>(run_bytes) * 8e-9 / gbit_per_s : 0};
    const auto runs = gbit_per_s > 0 ? static_cast<std::uint64_t>(std::llround(duration / step)) : 0;
    Seconds now{0};
    for (; gbit_per_s > 0 ? sent.runs_offered < runs : now < duration; ++sent.runs_offered) {
      const Seconds due = step * static_cast<double>(sent.runs_offered);
      while ((now = Clock::now() - start) < due) {
      }
      if (gbit_per_s > 0 && now - due > owes_at_most) continue;
      if (at + run_bytes > source.bytes()) at = 0;
      const auto result = ::send(out.fd(), source.data() + at, run_bytes, 0);
      at += run_bytes;
      if (result <= 0) continue;
      ++sent.runs;
      sent.bytes += static_cast<std::uint64_t>(result);
    }
    sent.took = Clock::now() - start;
    sent.cpu_s = thread_cpu_seconds();
    return sent;
  }
};

BareRig::BareRig(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
BareRig::~BareRig() = default;

Result<std::unique_ptr<BareRig>> BareRig::start(const BarePair& pair) {
  auto parts = std::make_unique<Parts>();
  parts->pair = pair;
  const auto any = Address::parse(pair.address, 0);
  if (!any) return any.error();
  auto in = UdpSocket::bind(*any);
  if (!in) return in.error();
  auto& receiver = parts->receiver;
  receiver.socket = std::move(*in);
  auto out = UdpSocket::bind(*any);
  if (!out) return out.error();
  parts->out = std::move(*out);
  const double buffers_for = pair.buffers_for_gbit_per_s > 0 ? pair.buffers_for_gbit_per_s : pair.gbit_per_s;
  parts->granted = receiver.socket.grow_receive_buffer(client_receive_buffer(BitRate::gbit(buffers_for)));
  [[maybe_unused]] const auto sends = parts->out.grow_send_buffer(server_send_buffer);
  if (const auto timed = receiver.socket.set_receive_timeout(receive_timeout); !timed) return timed.error();
  if (const auto connected = parts->out.connect(receiver.socket.local_address()); !connected) return connected.error();
  const int segment = static_cast<int>(pair.datagram_bytes);
  if (setsockopt(parts->out.fd(), IPPROTO_UDP, UDP_SEGMENT, &segment, sizeof(segment)) != 0)
    return Error{"this kernel has no UDP_SEGMENT", "use kernel 4.18 or newer"};
  auto source = Pages::allocate(pair.source_bytes);
  if (!source) return source.error();
  auto area = Pages::allocate(pair.area_bytes);
  if (!area) return area.error();
  parts->source = std::move(*source);
  receiver.area = std::move(*area);
  parts->run_bytes = std::min(segments_max, run_bytes_max / pair.datagram_bytes) * pair.datagram_bytes;
  parts->thread =
      start_thread("bare-recv", pair.receiver_cpu, [&receiver](const std::stop_token& stop) { receiver.run(stop); });
  return std::unique_ptr<BareRig>(new BareRig(std::move(parts)));
}

Report BareRig::facts() const {
  return Report{{{"source_bytes", parts_->source.bytes()},
                 {"area_bytes", parts_->receiver.area.bytes()},
                 {"receive_buffer_bytes", parts_->granted}}};
}

Result<Report> BareRig::measure(double gbit_per_s, std::chrono::milliseconds duration) {
  auto& receiver = parts_->receiver;
  const auto bytes_before = receiver.bytes.load();
  const auto cpu_before = receiver.cpu_s.load();
  const auto start = Clock::now() + std::chrono::milliseconds{1};
  SentByPair sent;
  start_thread("bare-send", parts_->pair.sender_cpu, [&](const std::stop_token&) {
    sent = parts_->send(start, gbit_per_s, duration);
  }).join();
  const auto came = [&] { return receiver.bytes.load() - bytes_before; };
  for (const auto until = Clock::now() + pair_settles; came() < sent.bytes && Clock::now() < until;)
    std::this_thread::sleep_for(receive_timeout);
  std::this_thread::sleep_for(2 * receive_timeout);  // for its CPU time

  const auto received = came();
  const double gigabytes = static_cast<double>(received) * 1e-9;
  const Seconds taken = Clock::time_point(Clock::duration(receiver.last.load())) - start;
  const Seconds planned = gbit_per_s > 0
                              ? Seconds(static_cast<double>(sent.runs_offered * parts_->run_bytes) * 8e-9 / gbit_per_s)
                              : sent.took;
  Report report = facts();
  report.figures["target_gbit_per_s"] = gbit_per_s;
  report.figures["frames_offered"] = sent.runs_offered;
  report.figures["frames_sent"] = sent.runs;
  report.figures["sent_gbit_per_s"] = static_cast<double>(sent.bytes) * 8e-9 / planned.count();
  report.figures["received_gbit_per_s"] = taken.count() > 0 ? gigabytes * 8 / taken.count() : 0.0;
  report.figures["loss"] = sent.bytes == 0 ? 0 : 1 - static_cast<double>(received) / static_cast<double>(sent.bytes);
  report.figures["behind_ms"] = std::max(0.0, (taken - planned).count() * 1000);
  report.figures["sender_cpu_s_per_gb"] = gigabytes > 0 ? sent.cpu_s / gigabytes : 0.0;
  report.figures["receiver_cpu_s_per_gb"] = gigabytes > 0 ? (receiver.cpu_s.load() - cpu_before) / gigabytes : 0.0;
  return report;
}

Result<Report> run(const BarePair& pair) {
  auto rig = BareRig::start(pair);
  if (!rig) return rig.error();
  if (const auto warm = (*rig)->measure(pair.gbit_per_s, warm_up); !warm) return warm.error();
  return (*rig)->measure(pair.gbit_per_s, pair.duration);
}

}  // namespace lw::bench
