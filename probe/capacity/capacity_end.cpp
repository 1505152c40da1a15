#include "probe/capacity/capacity_end.h"

#include "common/concurrency/pinned_thread.h"
#include "probe/capacity/capacity_receiver.h"
#include "probe/capacity/capacity_sender.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>

namespace lw {
namespace {

// Waits for a datagram that `wanted` takes. `speak`: is called every now and then meanwhile.
template <class Wanted, class Speak>
bool await(const UdpSocket& socket, const std::stop_token& stop, Wanted wanted, Speak speak) {
  const auto until = LocalClock::now() + capacity_begins_within;
  std::array<std::byte, status_bytes + 1> buffer;
  while (!stop.stop_requested() && LocalClock::now() < until) {
    speak();
    pollfd waited{socket.fd(), POLLIN, 0};
    ::poll(&waited, 1, static_cast<int>(capacity_hello_interval.count()));
    while (const auto datagram = socket.receive_now(buffer))
      if (wanted(*datagram, std::span<const std::byte>(buffer).first(datagram->bytes))) return true;
  }
  return false;
}

// The server's side: a hello says where the client is.
bool await_client(const UdpSocket& socket, const CapacityEnd::Where& where, const std::stop_token& stop) {
  const auto is_client = [&](const UdpSocket::Datagram& datagram, std::span<const std::byte> bytes) {
    const bool may = !where.client || datagram.source.same_host(*where.client);
    return may && is_hello(bytes, where.session) && socket.connect(datagram.source).has_value();
  };
  return await(socket, stop, is_client, [] {});
}

// The client's side, where it sends: the receiver's first status says that it is there.
bool call_receiver(const UdpSocket& socket, std::uint64_t session, const std::stop_token& stop) {
  const auto is_status = [&](const UdpSocket::Datagram&, std::span<const std::byte> bytes) {
    return read_status(bytes, session).has_value();
  };
  const auto hello = write_hello(session);
  return await(socket, stop, is_status,
               [&] { [[maybe_unused]] const auto sent = ::send(socket.fd(), hello.data(), hello.size(), 0); });
}

}  // namespace

Result<std::unique_ptr<CapacityEnd>> CapacityEnd::start(const CapacitySpec& spec, Where where) {
  auto socket = UdpSocket::bind(where.local);
  if (!socket) return Error{socket.error().what, "choose another port (--port)"};
  socket->stamp_arrivals();
  if (const auto set = socket->set_dscp(spec.dscp, where.local.is_ipv6()); !set) return set.error();
  if (where.peer)
    if (const auto connected = socket->connect(*where.peer); !connected)
      return Error{connected.error().what, "check the address and the routes (ip route)"};
  return std::unique_ptr<CapacityEnd>(new CapacityEnd(spec, where, std::move(*socket)));
}

CapacityEnd::CapacityEnd(const CapacitySpec& spec, const Where& where, UdpSocket socket)
    : spec_(spec), where_(where), socket_(std::move(socket)) {
  thread_ = start_thread("capacity", -1, [this](const std::stop_token& stop) { run(stop); });
}

CapacityEnd::~CapacityEnd() = default;

void CapacityEnd::run(const std::stop_token& stop) {
  const bool calls = where_.peer.has_value();
  const bool sends = calls != spec_.reverse;
  const bool met = calls ? !sends || call_receiver(socket_, where_.session, stop) : await_client(socket_, where_, stop);
  if (sends)
    report_ = to_json(met ? CapacitySender(spec_, where_.session, socket_).run(stop)
                          : CapacitySent{.ended = "the receiver did not answer", .offered_gbit_per_s = {}});
  else
    report_ = to_json(met ? CapacityReceiver(spec_, where_.session, socket_, calls).run(stop)
                          : CapacityReceived{.ended = "the sender did not call", .intervals = {}});
  done_ = true;
}

Json CapacityEnd::finish() {
  thread_ = {};
  return std::move(report_);
}

}  // namespace lw
