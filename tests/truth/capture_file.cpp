#include "tests/truth/capture_file.h"

#include <boost/endian/buffers.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace lw::truth {
namespace {

using boost::endian::big_uint16_buf_t;
using boost::endian::big_uint32_buf_t;
using boost::endian::little_uint16_buf_t;
using boost::endian::little_uint32_buf_t;

constexpr std::size_t kept_bytes = 128;

struct FileHeader {
  little_uint32_buf_t magic{0xA1B23C4D};  // nanoseconds
  little_uint16_buf_t major{2}, minor{4};
  little_uint32_buf_t zone{0}, accuracy{0}, longest{65'535}, link{1};  // Ethernet
};
struct PacketHeader {
  little_uint32_buf_t seconds, nanoseconds, kept, bytes;
};
struct Headers {
  std::array<std::uint8_t, 12> ethernet_addresses{};
  big_uint16_buf_t ethernet_type{0x0800};
  std::uint8_t version_words = 0x45, service = 0;
  big_uint16_buf_t ip_bytes, id{0}, fragment{0};
  std::uint8_t hops = 64, protocol = 17;
  big_uint16_buf_t ip_check{0};
  big_uint32_buf_t from{0x0A000001}, to{0x0A000002};
  big_uint16_buf_t from_port{40'000}, to_port{50'000}, udp_bytes, udp_check{0};
};
static_assert(sizeof(FileHeader) == 24 && sizeof(PacketHeader) == 16 && sizeof(Headers) == 42);

template <class Value>
void write(std::ofstream& file, const Value& value) {
  file.write(reinterpret_cast<const char*>(&value), sizeof(Value));
}

}  // namespace

CaptureFile::CaptureFile(const std::filesystem::path& file) : file_(file, std::ios::binary) {
  write(file_, FileHeader{});
}

void CaptureFile::add(WallTime time, std::span<const std::byte> datagram) {
  constexpr std::int64_t second = 1'000'000'000;
  const auto since_1970 = time.time_since_epoch().count();
  const auto bytes = sizeof(Headers) + datagram.size();
  const auto kept = std::min(bytes, kept_bytes);
  PacketHeader packet;
  packet.seconds = static_cast<std::uint32_t>(since_1970 / second);
  packet.nanoseconds = static_cast<std::uint32_t>(since_1970 % second);
  packet.kept = static_cast<std::uint32_t>(kept);
  packet.bytes = static_cast<std::uint32_t>(bytes);
  Headers headers;
  headers.ip_bytes = static_cast<std::uint16_t>(datagram.size() + 28);
  headers.udp_bytes = static_cast<std::uint16_t>(datagram.size() + 8);
  write(file_, packet);
  write(file_, headers);
  file_.write(reinterpret_cast<const char*>(datagram.data()), static_cast<std::streamsize>(kept - sizeof(Headers)));
}

}  // namespace lw::truth
