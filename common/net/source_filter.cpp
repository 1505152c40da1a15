#include "common/net/source_filter.h"

#include <linux/filter.h>
#include <sys/socket.h>
#include <boost/endian/conversion.hpp>

#include <vector>

namespace lw {
namespace {

constexpr std::uint32_t everything = 0xffffffff;

// The offset of the source address in the IP header.
std::uint32_t source_offset(const Address& host) {
  return static_cast<std::uint32_t>(SKF_NET_OFF) + (host.is_ipv6() ? 8U : 12U);
}

// Compares four bytes at a time; a mismatch continues after these instructions.
void admit(const Address& host, std::vector<sock_filter>& program) {
  const auto bytes = host.host_bytes();
  const auto words = bytes.size() / 4;
  for (std::size_t word = 0; word < words; ++word) {
    const auto rest = static_cast<std::uint8_t>(2 * (words - word) - 1);
    const auto value = boost::endian::load_big_u32(reinterpret_cast<const unsigned char*>(bytes.data()) + 4 * word);
    program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, source_offset(host) + static_cast<std::uint32_t>(4 * word)));
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, rest));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, everything));
}

}  // namespace

bool admit_only(const UdpSocket& socket, std::span<const Address> hosts) {
  std::vector<sock_filter> program;
  for (const auto& host : hosts) admit(host, program);
  program.push_back(BPF_STMT(BPF_RET | BPF_K, 0));
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  return setsockopt(socket.fd(), SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter)) == 0;
}

}  // namespace lw
