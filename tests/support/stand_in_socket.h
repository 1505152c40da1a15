// Stands in for a UDP socket of the kernel on virtual time, by the kernel's rules: datagrams of one sender that come
// together and are equally long are one message (UDP_GRO: at most 64, the last may be shorter, less than 64 KiB), a
// message is scattered over the caller's pieces in their order and cut where they end (MSG_TRUNC), and control messages
// tell its arrival, what the full socket dropped before it and how long its datagrams are. One with a wrong checksum is
// never seen. KernelSocket has the kernel itself do that, for comparison.
#pragma once

#include "common/net/datagram_port.h"
#include "tests/support/timeline.h"

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace lw::truth {

class StandInSocket : public DatagramPort {
public:
  using Send = std::function<void(const Address& to, std::span<const std::byte> datagram)>;

  // `coalesces`: UDP_GRO is on. `send`: called with what the flow sends here.
  StandInSocket(Timeline& timeline, bool coalesces, Send send = {})
      : timeline_(timeline), coalesces_(coalesces), send_(std::move(send)) {}

  // It comes now, and may be joined to what came before it, if that `is_behind` it on the wire.
  void arrive(std::span<const std::byte> datagram, const Address& source, bool follows);
  // The socket is full: it is dropped and counted.
  void drop() { ++drops_; }

  int receive(std::span<mmsghdr> messages, int flags) override;
  // The streams of a flow leave by other means (stream.h).
  ssize_t send(const msghdr& /*message*/, int /*flags*/) override { return -1; }
  int send(std::span<mmsghdr> /*messages*/) override { return -1; }
  bool set(int /*level*/, int /*option*/, const void* /*value*/, socklen_t /*bytes*/) override { return false; }
  [[nodiscard]] int descriptor() const override { return -1; }
  void tell(std::span<const std::byte> /*datagram*/) override {}
  std::optional<UdpSocket::Datagram> receive_now(std::span<std::byte> buffer) override;
  void send_to(const Address& peer, std::span<const std::byte> datagram) override {
    if (send_) send_(peer, datagram);
  }
  [[nodiscard]] std::uint32_t drops() const override { return drops_; }
  [[nodiscard]] Moment now() const override { return timeline_.now(); }

protected:
  [[nodiscard]] bool has_messages() const { return !queue_.empty(); }
  struct Message {
    std::vector<std::byte> bytes;
    std::size_t datagram_bytes = 0;
    std::size_t datagrams = 1;
    WallTime arrival{};
    Address source = Address::any(false, 0);
    std::uint32_t drops = 0;  // of the socket, when it came
  };
  // Scatters the message over the caller's pieces, and says how long its datagrams are.
  virtual void scatter(const Message& message, mmsghdr& to);

private:
  Timeline& timeline_;
  const bool coalesces_;
  const Send send_;
  std::uint32_t drops_ = 0;
  std::deque<Message> queue_;
};

// The same, but each message goes through a pair of the kernel's sockets, which coalesces and scatters it.
class KernelSocket final : public StandInSocket {
public:
  KernelSocket(Timeline& timeline, bool coalesces);

protected:
  void scatter(const Message& message, mmsghdr& to) override;

private:
  UdpSocket in_;
  UdpSocket out_;
};

}  // namespace lw::truth
