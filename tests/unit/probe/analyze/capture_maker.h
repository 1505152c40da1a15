// Makes captures byte by byte: an Ethernet frame with a UDP datagram for each packet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lw::test {

using Bytes = std::vector<std::byte>;

inline void put(Bytes& bytes, std::uint64_t value, unsigned count, bool big = true) {
  for (unsigned i = 0; i < count; ++i) bytes.push_back(static_cast<std::byte>(value >> 8U * (big ? count - 1 - i : i)));
}

struct Rtp {
  std::uint16_t sequence = 0;
  std::uint32_t timestamp = 0;
  bool marker = false;
  std::uint32_t ssrc = 0x1234;
  std::uint8_t payload_type = 33;
};
inline Bytes rtp_bytes(const Rtp& rtp, std::size_t payload = 100) {
  Bytes bytes;
  put(bytes, 0x80, 1);
  put(bytes, rtp.payload_type | (rtp.marker ? 0x80U : 0U), 1);
  put(bytes, rtp.sequence, 2);
  put(bytes, rtp.timestamp, 4);
  put(bytes, rtp.ssrc, 4);
  bytes.resize(bytes.size() + payload);
  return bytes;
}

inline Bytes ip_bytes(const Bytes& payload, bool ipv6 = false) {
  Bytes bytes;
  const auto udp = payload.size() + 8;
  if (ipv6) {
    put(bytes, 0x60000000, 4);
    put(bytes, udp, 2);
    put(bytes, 17, 1);
    put(bytes, 64, 1);
    for (const unsigned host : {1U, 2U}) {
      put(bytes, 0x20010db8, 4);
      put(bytes, 0, 8);
      put(bytes, host, 4);
    }
  } else {
    put(bytes, 0x4500, 2);
    put(bytes, udp + 20, 2);
    put(bytes, 0, 4);
    put(bytes, 64, 1);
    put(bytes, 17, 1);
    put(bytes, 0, 2);
    put(bytes, 0x0a000001, 4);
    put(bytes, 0x0a000002, 4);
  }
  put(bytes, 40000, 2);
  put(bytes, 50000, 2);
  put(bytes, udp, 2);
  put(bytes, 0, 2);
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  return bytes;
}

// `tags`: VLAN tags before the type.
inline Bytes ethernet_bytes(const Bytes& payload, unsigned tags = 0, bool ipv6 = false) {
  Bytes bytes(12);
  for (unsigned i = 0; i < tags; ++i) put(bytes, 0x81000007, 4);
  put(bytes, ipv6 ? 0x86dd : 0x0800, 2);
  const auto ip = ip_bytes(payload, ipv6);
  bytes.insert(bytes.end(), ip.begin(), ip.end());
  return bytes;
}

class Pcap {
public:
  explicit Pcap(bool big = false, bool nanoseconds = false, std::uint32_t link_type = 1)
      : big_(big), nanoseconds_(nanoseconds) {
    put(bytes_, nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4, 4, big_);
    put(bytes_, big_ ? 0x00020004 : 0x00040002, 4, big_);
    put(bytes_, 0, 8);
    put(bytes_, 65535, 4, big_);
    put(bytes_, link_type, 4, big_);
  }
  void add(std::int64_t time_ns, const Bytes& frame, std::size_t cut = 0) {
    put(bytes_, static_cast<std::uint64_t>(time_ns / 1'000'000'000), 4, big_);
    put(bytes_, static_cast<std::uint64_t>(time_ns % 1'000'000'000 / (nanoseconds_ ? 1 : 1000)), 4, big_);
    put(bytes_, frame.size() - cut, 4, big_);
    put(bytes_, frame.size(), 4, big_);
    bytes_.insert(bytes_.end(), frame.begin(), frame.end() - static_cast<std::ptrdiff_t>(cut));
  }
  [[nodiscard]] const Bytes& bytes() const { return bytes_; }

private:
  bool big_, nanoseconds_;
  Bytes bytes_;
};

// One section, one interface with the given resolution (the option's octet; 6: microseconds, omitted).
class PcapNg {
public:
  explicit PcapNg(bool big = false, unsigned resolution = 6, std::int64_t offset_s = 0) : big_(big) {
    block(0x0a0d0d0a, [&](Bytes& body) {
      put(body, 0x1a2b3c4d, 4, big_);
      put(body, big_ ? 0x00010000 : 0x00000001, 4, big_);
      put(body, ~std::uint64_t{0}, 8);
    });
    block(1, [&](Bytes& body) {
      put(body, 1, 2, big_);
      put(body, 0, 6);
      if (resolution != 6) {
        put(body, 9, 2, big_);
        put(body, 1, 2, big_);
        put(body, resolution, 1);
        put(body, 0, 3);
      }
      if (offset_s != 0) {
        put(body, 14, 2, big_);
        put(body, 8, 2, big_);
        put(body, static_cast<std::uint64_t>(offset_s), 8, big_);
      }
      put(body, 0, 4);
    });
  }
  void add(std::uint64_t units, const Bytes& frame) {
    block(6, [&](Bytes& body) {
      put(body, 0, 4);
      put(body, units >> 32U, 4, big_);
      put(body, units & 0xffffffffU, 4, big_);
      put(body, frame.size(), 4, big_);
      put(body, frame.size(), 4, big_);
      body.insert(body.end(), frame.begin(), frame.end());
    });
  }
  void add_simple(const Bytes& frame) {
    block(3, [&](Bytes& body) {
      put(body, frame.size(), 4, big_);
      body.insert(body.end(), frame.begin(), frame.end());
    });
  }
  [[nodiscard]] const Bytes& bytes() const { return bytes_; }

private:
  template <class Fill>
  void block(std::uint32_t type, const Fill& fill) {
    Bytes body;
    fill(body);
    body.resize((body.size() + 3) / 4 * 4);
    put(bytes_, type, 4, big_);
    put(bytes_, body.size() + 12, 4, big_);
    bytes_.insert(bytes_.end(), body.begin(), body.end());
    put(bytes_, body.size() + 12, 4, big_);
  }
  bool big_;
  Bytes bytes_;
};

}  // namespace lw::test
