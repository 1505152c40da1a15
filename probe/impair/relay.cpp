#include "probe/impair/relay.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace lw {
namespace {

constexpr std::size_t socket_buffer_bytes = std::size_t{32} << 20U;
constexpr std::uint64_t seed_step = 0x9e37'79b9'7f4a'7c15;  // gives each lane another random sequence

Result<void> set_traffic_class(const UdpSocket& socket, std::uint8_t traffic_class, bool ipv6) {
  const int value = traffic_class;
  if (setsockopt(socket.fd(), ipv6 ? IPPROTO_IPV6 : IPPROTO_IP, ipv6 ? IPV6_TCLASS : IP_TOS, &value, sizeof(value)) !=
      0)
    return Error{std::string("cannot set the traffic class of packets: ") + std::strerror(errno), ""};
  return {};
}

}  // namespace

Result<std::unique_ptr<Relay>> Relay::start(const RelaySettings& settings) {
  std::unique_ptr<Relay> relay(new Relay);
  for (unsigned i = 0; i < settings.ports; ++i) {
    auto port = relay->open(settings, i);
    if (!port) return port.error();
    relay->ports_.push_back(std::move(*port));
  }
  return relay;
}

Result<std::unique_ptr<Relay::Port>> Relay::open(const RelaySettings& settings, unsigned index) {
  const auto numbered = [&](std::uint16_t first) { return static_cast<std::uint16_t>(first == 0 ? 0 : first + index); };
  const auto listen = Address::parse(settings.listen, numbered(settings.listen_port));
  const auto target = Address::parse(settings.target, numbered(settings.target_port));
  const auto from =
      Address::parse(settings.from.empty() ? settings.listen : settings.from, numbered(settings.from_port));
  for (const auto* address : {&listen, &target, &from})
    if (!*address) return address->error();

  auto port = std::make_unique<Port>();
  for (const auto& [socket, address] : {std::pair{&port->front, &*listen}, std::pair{&port->back, &*from}}) {
    auto bound = UdpSocket::bind(*address);
    if (!bound) return bound.error();
    *socket = std::move(*bound);
    [[maybe_unused]] const auto received = socket->grow_receive_buffer(socket_buffer_bytes);
    [[maybe_unused]] const auto sent = socket->grow_send_buffer(socket_buffer_bytes);
  }
  if (const auto connected = port->back.connect(*target); !connected) return connected.error();

  if (auto set = set_traffic_class(port->back, settings.forward_class, from->is_ipv6()); !set) return set.error();
  if (auto set = set_traffic_class(port->front, settings.backward_class, listen->is_ipv6()); !set) return set.error();

  auto* raw = port.get();
  const auto on_source = [raw](const Address& source) {
    const std::lock_guard lock(raw->mutex);
    raw->source = source;
  };
  const auto last_source = [raw]() -> std::optional<Address> {
    const std::lock_guard lock(raw->mutex);
    return raw->source;
  };
  const auto slots = std::max<std::size_t>(64, settings.memory_bytes / PacketStore::slot_bytes);
  const auto name = std::to_string(index);
  port->forward = std::make_unique<RelayLane>("relay-" + name, RelayLane::Ends{&raw->front, &raw->back, {}, on_source},
                                              settings.forward, settings.seed + 2 * index * seed_step, slots,
                                              settings.share_rate ? &forward_link_ : nullptr);
  port->backward = std::make_unique<RelayLane>(
      "back-" + name, RelayLane::Ends{&raw->back, &raw->front, last_source, {}}, settings.backward,
      settings.seed + (2 * index + 1) * seed_step, slots, settings.share_rate ? &backward_link_ : nullptr);
  return port;
}

RelayTimes Relay::forward_times() const {
  RelayTimes sum;
  for (const auto& port : ports_) port->forward->add_times(sum);
  return sum;
}

RelayTimes Relay::backward_times() const {
  RelayTimes sum;
  for (const auto& port : ports_) port->backward->add_times(sum);
  return sum;
}

void Relay::change(const Impairment& forward, const Impairment& backward) {
  for (auto& port : ports_) {
    port->forward->change(forward);
    port->backward->change(backward);
  }
}

RelayCounts Relay::forward_counts() const {
  RelayCounts sum;
  for (const auto& port : ports_) sum += port->forward->counts();
  return sum;
}

RelayCounts Relay::backward_counts() const {
  RelayCounts sum;
  for (const auto& port : ports_) sum += port->backward->counts();
  return sum;
}

}  // namespace lw
