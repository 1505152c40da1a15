// Receives the sound of a node and plays it at its time: the media time and the playout delay on the wall's clock, as
// for frames; earlier by what the output needs until it is heard, as far as the playout delay allows. A packet that has
// not come by then is silence, and counted.
//
// An agent. Threads: stats() and set_gain() are for any thread, everything else for the thread that steps.
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
#include "wall-client/sound/sound_sources.h"

#include <array>
#include <atomic>
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
  // A factor for the samples, 0 to 1, to which it goes over some milliseconds, without a click. 1 changes no sample.
  void set_gain(double gain) { gain_wanted_.store(gain, std::memory_order_relaxed); }

private:
  void receive(const Moment& now);
  void take(std::span<std::byte> datagram, const Address& from, const Moment& now);
  [[nodiscard]] bool is_due_again(std::int64_t number, WallTime now) const;
  void play(const Moment& now);
  void end_stream();
  void hand_over(std::int64_t number, WallTime pts, WallTime now);
  // The samples as loud as wanted; valid until the next call.
  [[nodiscard]] std::span<const std::int32_t> with_gain(std::span<const std::int32_t> samples);
  void measure(std::int64_t number, std::span<const std::int32_t> samples);
  [[nodiscard]] WallTime pts_of(std::int64_t number) const;
  [[nodiscard]] Nanoseconds lead_at(WallTime media_time) const;
  [[nodiscard]] WallTime due(std::int64_t number) const;

  Ports ports_;
  SoundOutput& output_;
  std::optional<PacketOpener> opener_;
  SoundBuffer buffer_;
  SoundSources sources_;
  PlayoutRamp delay_;
  std::optional<std::int64_t> next_;  // number of the next packet to play; empty: no stream plays
  std::int64_t begun_ = 0;            // of the first packet of the stream that plays
  unsigned channels_ = 0;             // of the newest packet that was played
  LocalTime heard_{};                 // when the newest packet came
  std::atomic<double> gain_wanted_{1};
  double gain_ = 1;
  std::array<std::int32_t, static_cast<std::size_t>(sound_packet_samples) * sound_channels_max> louder_{};
  std::int64_t tenth_ = 0;  // of a second, whose loudest sample is measured
  std::uint32_t loudest_ = 0, loudest_before_ = 0;
  int descriptor_ = -1;
  std::array<std::byte, 2048> datagram_{};
  SoundNodeStats counted_;
  Snapshot<SoundNodeStats> published_;
};

}  // namespace lw
