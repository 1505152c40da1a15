// Receives the sound of a node and plays it at its time: the media time and the playout delay on the wall's clock, as
// for frames. A packet that has not come by then is silence, and counted.
//
// An agent. Threads: stats() is for any thread, everything else for the thread that steps.
#pragma once

#include "common/base/result.h"
#include "common/concurrency/agent.h"
#include "common/concurrency/snapshot.h"
#include "common/metrics/sound_stats.h"
#include "common/net/datagram_port.h"
#include "common/srtp/media_key.h"
#include "common/srtp/packet_opener.h"
#include "common/wall/sound_routes.h"
#include "common/wall/wall_file.h"
#include "common/wire/playout_ramp.h"
#include "wall-client/sound/sound_buffer.h"
#include "wall-client/sound/sound_output.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>

namespace lw {

class SoundReceiver final : public Agent {
public:
  // `delay`: the playout delay that the node's frames have.
  struct Ports {
    std::unique_ptr<DatagramPort> media;
    std::function<PlayoutRamp()> delay;
  };
  // The kernel's socket at the stream's port, for the addresses of the node.
  static Result<std::unique_ptr<DatagramPort>> open_port(const Wall& wall, const SoundStream& sound);

  // `output` must outlive this object.
  SoundReceiver(const Wall& wall, Ports ports, SoundOutput& output, const std::optional<MediaKey>& key);

  Wait step(const Moment& now) override;
  [[nodiscard]] SoundNodeStats stats() const { return published_.read(); }

private:
  void receive(const Moment& now);
  void take(std::span<std::byte> datagram, const Moment& now);
  void play(const Moment& now);
  void hand_over(std::int64_t number, WallTime pts, WallTime now);
  [[nodiscard]] WallTime pts_of(std::int64_t number) const;

  Ports ports_;
  SoundOutput& output_;
  std::optional<PacketOpener> opener_;
  SoundBuffer buffer_;
  PlayoutRamp delay_;
  std::optional<std::int64_t> next_;  // number of the next packet to play; empty: no stream plays
  unsigned channels_ = 0;             // of the newest packet that was played
  LocalTime heard_{};                 // when the newest packet came
  int descriptor_ = -1;
  std::array<std::byte, 2048> datagram_{};
  SoundNodeStats counted_;
  Snapshot<SoundNodeStats> published_;
};

}  // namespace lw
