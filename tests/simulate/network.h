// The network between the simulated hosts: each pair of hosts has a link in each direction that delays, loses (alone
// and in bursts), duplicates, reorders and changes packets, has a rate and may be cut. Everything is drawn from the
// seed.
#pragma once

#include "common/net/datagram_port.h"
#include "tests/simulate/host.h"
#include "tests/support/network.h"
#include "tests/support/stand_in_socket.h"
#include "tests/support/zero_copy_card.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace lw::simulate {

// The link to a node and back.
struct LinkState {
  Nanoseconds delay{std::chrono::microseconds{200}};
  Nanoseconds jitter{0};
  double loss = 0;   // of packets
  double burst = 0;  // probability that a burst of losses begins
  double doubled = 0;
  double reordered = 0;    // arrives some milliseconds later than its neighbours
  double changed = 0;      // some bits of its header, which its check finds
  double bytes_per_s = 0;  // 0: no bottleneck
  bool cut = false;
  bool refuses_segments = false;  // of what leaves the server
};

class Network;

// A socket of a simulated host. It never waits.
class SimPort final : public truth::StandInSocket, public Readable {
public:
  SimPort(Network& network, Host& host, Address local, std::optional<Address> peer, bool coalesces);
  // Also receives what is sent to this address.
  void listen_at(const Address& second);
  ~SimPort() override;

  int receive(std::span<mmsghdr> messages, int flags) override {
    if ((flags & MSG_ERRQUEUE) != 0) return card_.give_notice(messages);
    queued_bytes_ = 0;
    return StandInSocket::receive(messages, flags);
  }
  std::optional<UdpSocket::Datagram> receive_now(std::span<std::byte> buffer) override {
    auto datagram = StandInSocket::receive_now(buffer);
    queued_bytes_ -= datagram ? std::min(queued_bytes_, datagram->bytes) : queued_bytes_;
    return datagram;
  }
  ssize_t send(const msghdr& message, int flags) override;
  int send(std::span<mmsghdr> messages) override;
  bool set(int level, int option, const void* value, socklen_t bytes) override;
  void send_to(const Address& peer, std::span<const std::byte> datagram) override;
  void tell(std::span<const std::byte> datagram) override;
  [[nodiscard]] Moment now() const override { return host_.now(); }
  [[nodiscard]] std::optional<Nanoseconds> wall_clock_error() const override {
    return host_.clocks.kept().error_at(host_.clocks.counter());
  }

  // From the network.
  void take(std::span<const std::byte> datagram, const Address& source);
  [[nodiscard]] bool is_readable() const override { return has_messages(); }
  [[nodiscard]] int descriptor() const override { return descriptor_; }

protected:
  [[nodiscard]] SystemTime stamp(WallTime arrival) const override { return host_.clocks.system_at(arrival); }
  [[nodiscard]] WallTime wall_time(SystemTime stamp) const override { return host_.clocks.kept().to_wall(stamp); }

private:
  static constexpr std::size_t buffer_bytes = 400'000;  // beyond this the kernel drops

  void send_cut(std::vector<std::byte> bytes, std::size_t segment);

  Network& network_;
  Host& host_;
  const Address local_;
  std::optional<Address> second_;
  const std::optional<Address> peer_;
  std::size_t segment_ = 0;
  bool has_segmented_ = false;  // streams of sound never do
  unsigned unsegmented_ = 0;    // successive sends that the path would have accepted segmented
  std::size_t queued_bytes_ = 0;
  truth::ZeroCopyCard card_;  // reads what is sent with MSG_ZEROCOPY
  truth::Random reads_after_;
  const int descriptor_;
};

class Network {
public:
  using Break = std::function<void(const std::string& law)>;

  Network(Timeline& timeline, Random& random, Break on_break)
      : timeline_(timeline), random_(random), on_break_(std::move(on_break)) {}

  // The link for packets from and to this host.
  void place(const Address& host, std::size_t link) { link_of_[host_of(host)] = link; }
  std::vector<LinkState> links;

  void add(const Address& at, SimPort& port) { ports_[key_of(at)] = &port; }
  void remove(const Address& at, const SimPort& port) {
    const auto found = ports_.find(key_of(at));
    if (found != ports_.end() && found->second == &port) ports_.erase(found);
  }
  [[nodiscard]] bool refuses_segments(const Address& from, const Address& to) const {
    return links[link_between(host_of(from), host_of(to))].refuses_segments;
  }
  void breaks(const std::string& law) const { on_break_(law); }
  void carry(const Address& from, const Address& to, std::vector<std::byte> datagram);
  [[nodiscard]] Timeline& timeline() { return timeline_; }
  [[nodiscard]] std::uint64_t carried() const { return carried_; }
  [[nodiscard]] std::uint64_t lost() const { return lost_; }
  // How often a flow changed between a format whose frames vary in length and another one.
  [[nodiscard]] std::uint64_t changes_of_length() const { return changes_of_length_; }

private:
  [[nodiscard]] bool chance(double share) {
    return share > 0 && static_cast<double>(random_.below(1'000'000)) < share * 1e6;
  }
  void deliver(const Address& from, const Address& to, std::vector<std::byte> datagram, Nanoseconds delay);
  [[nodiscard]] std::size_t link_between(std::uint32_t from, std::uint32_t to) const;
  static std::uint32_t host_of(const Address& address);  // IPv4
  static bool is_sound(std::span<const std::byte> datagram);
  void note_format(const Address& to, std::span<const std::byte> datagram);
  static std::uint64_t key_of(const Address& address) {
    return std::uint64_t{host_of(address)} << 16U | address.port();
  }

  Timeline& timeline_;
  Random& random_;
  const Break on_break_;
  struct Way {           // from one host to another
    WallTime free_at{};  // when the previous packet has passed
    unsigned burst_left = 0;
  };
  std::unordered_map<std::uint32_t, std::size_t> link_of_;
  std::unordered_map<std::uint64_t, SimPort*> ports_;
  std::unordered_map<std::uint64_t, Way> ways_;
  std::uint64_t carried_ = 0;
  std::uint64_t lost_ = 0;
  std::unordered_map<std::uint64_t, bool> varies_;  // by the address of a flow
  std::uint64_t changes_of_length_ = 0;
};

}  // namespace lw::simulate
