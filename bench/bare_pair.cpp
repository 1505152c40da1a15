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

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

namespace lw::bench {
namespace {

constexpr std::size_t area_bytes = std::size_t{64} << 20U;
constexpr std::size_t run_bytes_max = 62'804;  // seven datagrams of a 9000-byte MTU
constexpr std::size_t segments_max = 64;
constexpr std::size_t send_buffer_bytes = std::size_t{4} << 20U;
constexpr std::chrono::milliseconds pair_settles{100};
// What could not be sent for longer is given up, as the flow of bench/flow_load.cpp gives up a frame that cannot be out
// 10 ms before its presentation: else the pair alone could make good in the host's fast moments what it missed in the
// slow ones.
constexpr std::chrono::duration<double> owes_at_most{0.1 - 0.01 - 1.0 / 30};

struct Receiver {
  UdpSocket socket;
  Pages area;
  std::atomic<bool> stop{false};
  std::uint64_t bytes = 0;
  double cpu_s = 0;

  void run() {
    DatagramReceiver receiver(socket);
    std::array<iovec, DatagramReceiver::batch_max> pieces{};
    std::array<std::span<iovec>, DatagramReceiver::batch_max> targets;
    std::size_t at = 0;
    while (!stop) {
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (at + DatagramReceiver::run_bytes_max > area.bytes()) at = 0;
        pieces[i] = {area.data() + at, DatagramReceiver::run_bytes_max};
        targets[i] = {&pieces[i], 1};
        at += run_bytes_max;
      }
      for (const auto& run : receiver.receive(targets)) bytes += run.bytes;
    }
    cpu_s = thread_cpu_seconds();
  }
};

}  // namespace

Result<Report> run(const BarePair& pair) {
  const auto any = Address::parse(pair.address, 0);
  if (!any) return any.error();
  Receiver receiver;
  auto in = UdpSocket::bind(*any);
  if (!in) return in.error();
  receiver.socket = std::move(*in);
  auto out = UdpSocket::bind(*any);
  if (!out) return out.error();
  const auto granted = receiver.socket.grow_receive_buffer(client_receive_buffer(BitRate::gbit(pair.gbit_per_s)));
  [[maybe_unused]] const auto sends = out->grow_send_buffer(send_buffer_bytes);
  if (const auto timed = receiver.socket.set_receive_timeout(std::chrono::milliseconds{4}); !timed)
    return timed.error();
  if (const auto connected = out->connect(receiver.socket.local_address()); !connected) return connected.error();
  const int segment = static_cast<int>(pair.datagram_bytes);
  if (setsockopt(out->fd(), IPPROTO_UDP, UDP_SEGMENT, &segment, sizeof(segment)) != 0)
    return Error{"this kernel has no UDP_SEGMENT", "use a kernel of 4.18 or newer"};
  auto source = Pages::allocate(area_bytes);
  auto area = Pages::allocate(area_bytes);
  if (!source) return source.error();
  if (!area) return area.error();
  receiver.area = std::move(*area);

  const auto run_packets = std::min(segments_max, run_bytes_max / pair.datagram_bytes);
  const std::size_t run_bytes = run_packets * pair.datagram_bytes;
  std::uint64_t sent = 0;
  double sender_cpu_s = 0;
  Nanoseconds elapsed{0};
  {
    auto taker = start_thread("bare-recv", pair.receiver_cpu, [&](const std::stop_token&) { receiver.run(); });
    auto giver = start_thread("bare-send", pair.sender_cpu, [&](const std::stop_token&) {
      using Seconds = std::chrono::duration<double>;
      const auto start = std::chrono::steady_clock::now();
      const Seconds step{pair.gbit_per_s > 0 ? static_cast<double>(run_bytes) * 8e-9 / pair.gbit_per_s : 0};
      Seconds due{0};
      std::size_t at = 0;
      for (Seconds now{0}; now < pair.duration; due += step) {
        while ((now = std::chrono::steady_clock::now() - start) < due) {
        }
        if (pair.gbit_per_s > 0 && now - due > owes_at_most) due = now;
        if (at + run_bytes > source->bytes()) at = 0;
        const auto result = ::send(out->fd(), source->data() + at, run_bytes, 0);
        if (result > 0) sent += static_cast<std::uint64_t>(result);
        at += run_bytes;
      }
      elapsed = std::chrono::steady_clock::now() - start;
      sender_cpu_s = thread_cpu_seconds();
    });
    giver.join();
    std::this_thread::sleep_for(pair_settles);
    receiver.stop = true;
  }
  const double seconds = std::chrono::duration<double>(elapsed).count();
  const double gigabytes = static_cast<double>(receiver.bytes) * 1e-9;
  return Report{{{"sent_gbit_per_s", static_cast<double>(sent) * 8e-9 / seconds},
                 {"received_gbit_per_s", static_cast<double>(receiver.bytes) * 8e-9 / seconds},
                 {"loss", sent == 0 ? 0 : 1 - static_cast<double>(receiver.bytes) / static_cast<double>(sent)},
                 {"sender_cpu_s_per_gb", sender_cpu_s / gigabytes},
                 {"receiver_cpu_s_per_gb", receiver.cpu_s / gigabytes},
                 {"receive_buffer_bytes", granted}}};
}

}  // namespace lw::bench
