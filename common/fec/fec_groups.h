// How a frame's packets are grouped for forward error correction. Each group has at most `data` packets and gets
// `parity` packets; any `parity` packets of a group may be lost. Groups are interleaved: packet i of a frame belongs to
// group i mod count, so that a run of lost packets is distributed evenly, and a run of count * parity is recovered.
#pragma once

#include <cstddef>

namespace lw {

struct FecStrength {
  unsigned data = 0;  // 1..254 packets of a group; together with parity at most 255
  unsigned parity = 0;
  bool operator==(const FecStrength&) const = default;
};

class FecGroups {
public:
  FecGroups() = default;
  FecGroups(std::size_t packets, FecStrength strength)
      : packets_(packets), count_((packets + strength.data - 1) / strength.data), parity_(strength.parity) {}

  [[nodiscard]] std::size_t packets() const { return packets_; }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t group_of(std::size_t packet) const { return packet % count_; }
  // Data packets of a group; the first groups have one more.
  [[nodiscard]] std::size_t size(std::size_t group) const {
    return packets_ / count_ + (group < packets_ % count_ ? 1 : 0);
  }
  [[nodiscard]] std::size_t packet(std::size_t group, std::size_t position) const { return group + position * count_; }

  // Parity packets follow the frame's own packets and continue the rotation of groups: all packets of a group are
  // count() apart.
  [[nodiscard]] std::size_t parity_packets() const { return count_ * parity_; }
  [[nodiscard]] std::size_t parity_number(std::size_t group, std::size_t row) const {
    return row * count_ + (group + count_ - packets_ % count_) % count_;
  }
  // How many packets in a row can be recovered if no other packets are lost.
  [[nodiscard]] std::size_t longest_run() const { return count_ * parity_; }

private:
  std::size_t packets_ = 0;
  std::size_t count_ = 0;
  unsigned parity_ = 0;
};

}  // namespace lw
