// Records when the frames of a flow (and on request all packets) arrived, for measurements. Filled by the flow's
// thread, emptied by one other thread; what does not fit is counted and dropped.
#pragma once

#include "common/base/units.h"
#include "common/concurrency/spsc_ring.h"
#include "common/wire/media_packet.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace lw {

// The first packet of a frame.
struct FrameArrival {
  WallTime arrival{};
  WallTime media_time{};
  std::optional<std::uint16_t> tick{};  // of its stamp, if it has one
};
inline std::optional<std::uint16_t> tick_of(const MediaPacket& packet) {
  return packet.stamp ? std::optional(packet.stamp->tick) : std::nullopt;
}

// The layout in a file of records (docs/probe.md): little-endian, 24 bytes.
struct PacketRecord {
  std::int64_t arrival_ns = 0;  // since 1970, by the kernel; for a coalesced run, that of its first packet
  std::uint32_t sequence = 0;   // RTP, extended to 32 bits
  std::uint32_t timestamp = 0;  // RTP
  std::uint32_t flow = 0;
  std::uint16_t bytes = 0;   // UDP payload
  std::uint16_t marker = 0;  // 1: RTP marker, the last packet of a frame; known only for packets read one by one
};
static_assert(sizeof(PacketRecord) == 24);

class ArrivalRecorder {
public:
  // `packets`: the number of packets to keep; 0: frames only.
  ArrivalRecorder(std::size_t frames, std::size_t packets)
      : frames_(frames), packets_(packets == 0 ? 1 : packets), takes_packets_(packets > 0) {}

  // Another thread: the warm-up has ended.
  void begin_to_measure() { begins_ = true; }
  // The flow's thread: whether the warm-up has ended since the last call.
  bool take_beginning() { return begins_.load(std::memory_order_relaxed) && begins_.exchange(false); }

  [[nodiscard]] bool takes_packets() const { return takes_packets_; }
  void add(const FrameArrival& frame) { left_out_ += frames_.try_push(FrameArrival(frame)) ? 0 : 1; }
  void add(const PacketRecord& packet) { left_out_ += packets_.try_push(PacketRecord(packet)) ? 0 : 1; }

  bool take(FrameArrival& out) { return frames_.try_pop(out); }
  bool take(PacketRecord& out) { return packets_.try_pop(out); }
  // Call after the flow's thread has ended.
  [[nodiscard]] std::uint64_t left_out() const { return left_out_; }

private:
  SpscRing<FrameArrival> frames_;
  SpscRing<PacketRecord> packets_;
  const bool takes_packets_;
  std::atomic<bool> begins_{false};
  std::uint64_t left_out_ = 0;
};

}  // namespace lw
