// UDT over loopback, by its library.
#include "probe/loads/udt_socket.h"

#include "probe/loads/udt_window.h"
#include "tests/support/ports.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <thread>
#include <vector>

namespace lw {
namespace {

constexpr unsigned datagram_bytes = 1472;
constexpr std::size_t window_bytes = 100 * udt_packet_bytes(datagram_bytes) + 7;
constexpr UdtSettings settings{datagram_bytes, window_bytes};

Address at(const char* host, std::uint16_t port) { return Address::parse(host, port).value(); }

TEST_CASE("UDT carries bytes from a host that is admitted, and none from another") {
  const UdtLibrary library;
  const auto server = at("127.0.0.1", free_even_ports(2));
  const std::vector admitted{at("127.0.0.3", 0), at("127.0.0.1", 0)};
  const auto listener = UdtSocket::listen(server, admitted, settings);
  REQUIRE(listener.has_value());
  CHECK(UdtSocket::listen(server, {}, settings).has_error());

  const auto stranger = UdtSocket::connect(at("127.0.0.2", 0), server, settings);
  REQUIRE(stranger.has_error());
  CHECK_FALSE(stranger.error().mend.empty());

  const auto sender = UdtSocket::connect(at("127.0.0.1", 0), server, settings);
  REQUIRE(sender.has_value());
  constexpr std::size_t bytes = 3'000'000;
  std::atomic<std::size_t> received{0};
  std::optional<UdtSocket> accepted;  // its end would end the connection, and with it the sender's figures
  std::jthread receiver([&](const std::stop_token& stop) {
    const auto go_on = [&] { return !stop.stop_requested(); };
    accepted = listener->accept(go_on);
    if (!accepted) return;
    std::vector<std::byte> memory(1 << 16);
    while (received < bytes) {
      const auto got = accepted->receive(memory, go_on);
      if (got == 0) return;
      received += got;
    }
  });
  const std::vector<std::byte> memory(1 << 16);
  for (std::size_t left = bytes; left > 0;) {
    const auto sent = sender->send({memory.data(), std::min(left, memory.size())}, [] { return true; });
    REQUIRE(sent > 0);
    left -= sent;
  }
  receiver.join();
  CHECK(received == bytes);
  CHECK(accepted->receive_buffer_bytes() == window_bytes - 7);
  CHECK(sender->send_buffer_bytes() == window_bytes - 7);
  const auto state = sender->state();
  REQUIRE(state.has_value());
  CHECK(state->rtt_us > 0);
  CHECK(state->cwnd_bytes > 0);
}

TEST_CASE("a UDT receiver stops on request although no sender has called it") {
  const UdtLibrary library;
  const auto listener = UdtSocket::listen(at("127.0.0.1", free_even_ports(2)), {}, settings);
  REQUIRE(listener.has_value());
  CHECK_FALSE(listener->accept([] { return false; }).has_value());
  CHECK_FALSE(listener->state().has_value());
}

}  // namespace
}  // namespace lw
