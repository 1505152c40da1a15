#include "probe/capacity/capacity_packets.h"

#include <boost/endian/buffers.hpp>

#include <algorithm>
#include <cstring>

namespace lw {
namespace {

using boost::endian::big_int64_buf_t;
using boost::endian::big_uint32_buf_t;
using boost::endian::big_uint64_buf_t;

constexpr std::uint32_t magic = 0x4c574301;
constexpr std::uint64_t sequence_end = std::uint64_t{1} << 62U;
constexpr Nanoseconds held_max = std::chrono::hours{1};
constexpr std::uint32_t not_measured = UINT32_MAX;
enum class Type : std::uint8_t { hello = 1, load = 2, status = 3 };

struct Head {
  big_uint32_buf_t magic;
  std::uint8_t type;
  std::array<std::uint8_t, 3> zero;
  big_uint64_buf_t session;
};
struct Load {
  Head head;
  big_uint64_buf_t sequence;
  big_int64_buf_t sent, status_time, status_held;
};
struct Status {
  Head head;
  big_uint32_buf_t number, packets, lost, reordered, duplicates, one_way_range, round_trip_range, zero;
  big_int64_buf_t time;
};
static_assert(sizeof(Head) == hello_bytes && sizeof(Load) == load_header_bytes && sizeof(Status) == status_bytes);

Head head_of(Type type, std::uint64_t session) {
  Head head{};
  head.magic = magic;
  head.type = static_cast<std::uint8_t>(type);
  head.session = session;
  return head;
}

template <class Packet>
std::optional<Packet> packet_of(std::span<const std::byte> datagram, Type type, std::uint64_t session) {
  if (datagram.size() < sizeof(Packet)) return {};
  Head head;
  std::memcpy(&head, datagram.data(), sizeof(head));
  if (head.magic.value() != magic || head.type != static_cast<std::uint8_t>(type) || head.session.value() != session)
    return {};
  Packet packet;
  std::memcpy(&packet, datagram.data(), sizeof(packet));
  return packet;
}

std::int64_t on_the_wire(LocalTime time) { return time.time_since_epoch().count(); }
LocalTime time_of(const big_int64_buf_t& wire) { return LocalTime{Nanoseconds{wire.value()}}; }

std::uint32_t on_the_wire(const std::optional<Nanoseconds>& range) {
  if (!range) return not_measured;
  const auto us = std::chrono::duration_cast<std::chrono::microseconds>(*range).count();
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(us, 0, not_measured - 1));
}
std::optional<Nanoseconds> range_of(const big_uint32_buf_t& wire) {
  if (wire.value() == not_measured) return {};
  return std::chrono::microseconds{wire.value()};
}

}  // namespace

std::array<std::byte, hello_bytes> write_hello(std::uint64_t session) {
  const auto head = head_of(Type::hello, session);
  std::array<std::byte, hello_bytes> out;
  std::memcpy(out.data(), &head, sizeof(head));
  return out;
}

void write_load(const LoadPacket& packet, std::uint64_t session, std::span<std::byte, load_header_bytes> out) {
  Load load{};
  load.head = head_of(Type::load, session);
  load.sequence = packet.sequence;
  load.sent = on_the_wire(packet.sent);
  load.status_time = packet.status_time ? on_the_wire(*packet.status_time) : 0;
  load.status_held = packet.status_held.count();
  std::memcpy(out.data(), &load, sizeof(load));
}

std::array<std::byte, status_bytes> write_status(const StatusPacket& packet, std::uint64_t session) {
  Status status{};
  status.head = head_of(Type::status, session);
  status.number = packet.number;
  status.packets = packet.packets;
  status.lost = packet.lost;
  status.reordered = packet.reordered;
  status.duplicates = packet.duplicates;
  status.one_way_range = on_the_wire(packet.one_way_range);
  status.round_trip_range = on_the_wire(packet.round_trip_range);
  status.time = on_the_wire(packet.time);
  std::array<std::byte, status_bytes> out;
  std::memcpy(out.data(), &status, sizeof(status));
  return out;
}

bool is_hello(std::span<const std::byte> datagram, std::uint64_t session) {
  return datagram.size() == hello_bytes && packet_of<Head>(datagram, Type::hello, session).has_value();
}

std::optional<LoadPacket> read_load(std::span<const std::byte> datagram, std::uint64_t session) {
  const auto load = packet_of<Load>(datagram, Type::load, session);
  if (!load || load->sequence.value() >= sequence_end) return {};
  LoadPacket packet{load->sequence.value(), time_of(load->sent), {}, Nanoseconds{load->status_held.value()}};
  if (packet.status_held < Nanoseconds{0} || packet.status_held > held_max) return {};
  if (load->status_time.value() != 0) packet.status_time = time_of(load->status_time);
  return packet;
}

std::optional<StatusPacket> read_status(std::span<const std::byte> datagram, std::uint64_t session) {
  if (datagram.size() != status_bytes) return {};
  const auto status = packet_of<Status>(datagram, Type::status, session);
  if (!status) return {};
  return StatusPacket{status->number.value(),
                      status->packets.value(),
                      status->lost.value(),
                      status->reordered.value(),
                      status->duplicates.value(),
                      range_of(status->one_way_range),
                      range_of(status->round_trip_range),
                      time_of(status->time)};
}

}  // namespace lw
