// Replaces a kernel UDP socket on virtual time, by the kernel's rules: datagrams of one sender that arrive together and
// have the same length form one message (UDP_GRO: at most 64, the last may be shorter, less than 64 KiB). A message is
// scattered over the caller's pieces in order and cut where they end (MSG_TRUNC). Control messages contain its arrival,
// the drops of the full socket before it and the length of its datagrams. Datagrams with a wrong checksum are never
// seen. KernelSocket lets the kernel itself do this, for comparison.
#pragma once

#include "common/net/datagram_port.h"
#include "tests/support/timeline.h"

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace lw::truth {

// The bytes of a message, from all its pieces.
std::vector<std::byte> gathered(const msghdr& message);

class StandInSocket : public DatagramPort {
public:
  using Send = std::function<void(const Address& to, std::span<const std::byte> datagram)>;

  // `coalesces`: UDP_GRO is on. `send`: called with each datagram that the flow sends here.
  StandInSocket(Timeline& timeline, bool coalesces, Send send = {})
      : timeline_(timeline), coalesces_(coalesces), send_(std::move(send)) {}

  // A datagram arrives; it may be coalesced with the previous one if it `follows` that directly on the wire.
  void arrive(std::span<const std::byte> datagram, const Address& source, bool follows);
  // The socket is full: drops and counts a datagram.
  void drop() { ++drops_; }

  int receive(std::span<mmsghdr> messages, int flags) override;
  // The streams of a flow leave in another way (stream.h).
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
  // By the host's clocks: the kernel's stamp of a packet that arrived at this time, and the wall's time of a stamp.
  [[nodiscard]] virtual SystemTime stamp(WallTime arrival) const { return SystemTime{arrival.time_since_epoch()}; }
  [[nodiscard]] virtual WallTime wall_time(SystemTime stamp) const { return WallTime{stamp.time_since_epoch()}; }
  struct Message {
    std::vector<std::byte> bytes;
    std::size_t datagram_bytes = 0;
    std::size_t datagrams = 1;
    WallTime arrival{};
    Address source = Address::any(false, 0);
    std::uint32_t drops = 0;  // of the socket, at its arrival
  };
  // Scatters the message over the caller's pieces, and returns the length of its datagrams.
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
