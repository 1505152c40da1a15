// Sends the sound of what plays to the nodes that have an output for it: one RTP stream each, a packet every
// millisecond, made from the line as frames are (server/play/sound_line.h). All streams have the same samples. Packets
// are a function of the line, the fades and the time: a server and its standby make the same ones. Where the line has
// no sound (paused, another rate, ended), packets are silent; without a visualization that has sound, there are none.
//
// An agent. Threads: post(), fade(), send(), hold() and go_on() belong to the control thread, stats() to any thread,
// everything else to the thread that steps.
#pragma once

#include "common/base/result.h"
#include "common/concurrency/agent.h"
#include "common/concurrency/runner.h"
#include "common/concurrency/snapshot.h"
#include "common/concurrency/spsc_ring.h"
#include "common/metrics/sound_stats.h"
#include "common/srtp/media_key.h"
#include "common/srtp/packet_sealer.h"
#include "common/wall/sound_routes.h"
#include "common/wall/wall_file.h"
#include "common/wire/fade.h"
#include "common/wire/rtcp.h"
#include "common/wire/sound_packet.h"
#include "server/play/line.h"
#include "server/read/open_store.h"
#include "server/read/sound_reader.h"
#include "server/send/sender_ports.h"
#include "server/send/stream_numbers.h"

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace lw {

// Plays this line from the store, from the line's first tick on. Replaces lines that begin then or later.
struct SoundCue {
  Line line;
  std::shared_ptr<const OpenStore> store;  // null if nothing plays
  std::optional<WallStart> start = {};     // whose streams; empty: those that the sender has
};

class SoundSender final : public Agent {
public:
  struct Stream {
    SoundStream sound;
    SenderPorts ports;
  };
  // Binds the streams' ports and starts a thread; null if no node of this server gets sound.
  static Result<std::unique_ptr<SoundSender>> start(const Wall& wall, const WallServer& server);
  // Starts no thread: the caller steps it. `alone`: no other server decides what plays.
  SoundSender(std::vector<Stream> streams, const std::optional<MediaKey>& key, bool alone);
  ~SoundSender() override = default;

  // False if so many are waiting that the thread does not seem to run.
  bool post(SoundCue cue);
  // The clock was set: all lines begin later by this time.
  bool shift(Nanoseconds by);
  void fade(const Fades& fades) { fades_.publish(fades); }
  void send(bool sends) { sends_.store(sends, std::memory_order_relaxed); }
  // Sends nothing while what plays is not certain.
  void hold(bool held) { held_.store(held, std::memory_order_relaxed); }
  // A server of several that did not run for a while may have missed a line: it holds by itself, and goes on when the
  // newest line is certain. `holds`: of the stats.
  void go_on(std::uint64_t holds) { released_.store(holds, std::memory_order_relaxed); }
  [[nodiscard]] SoundSenderStats stats() const { return published_.read(); }

  Wait step(const Moment& now) override;
  void end() override;

private:
  struct Path {
    explicit Path(SenderPorts::Path ports)
        : media(std::move(ports.media)), control(std::move(ports.control)), sender(*media) {}
    std::unique_ptr<DatagramPort> media;
    std::unique_ptr<DatagramPort> control;
    DatagramSender sender;
  };
  struct Out {
    unsigned flow = 0;  // its place behind the flows, for its numbers
    std::string server;
    StreamNumbers numbers;
    std::vector<std::unique_ptr<Path>> paths;
    std::array<std::byte, sound_header_bytes> header{};
    std::uint64_t packets = 0;  // of this stream
    std::uint64_t bytes = 0;
  };
  struct Shift {
    Nanoseconds by{0};
  };

  void take_commands();
  void skip_to(std::int64_t due);
  [[nodiscard]] bool may_send() const;
  void follow_lines(std::int64_t sample);
  void begin_cue(SoundCue cue);
  void make(std::int64_t sample);
  void darken(std::int64_t sample);
  void send_packet(std::int64_t sample);
  void report(WallTime now);
  void tell(Out& out, WallTime now, bool bye);

  const std::string name_;  // in reports
  const bool alone_;
  std::vector<Out> outs_;
  std::optional<PacketSealer> sealer_;
  SoundReader reader_;
  SoundCue cue_;
  std::deque<SoundCue> upcoming_;
  std::int64_t next_ = 0;  // the first sample of the next packet
  WallTime next_report_{};
  WallTime stepped_{};  // the last time
  unsigned channels_ = 0;
  std::array<std::int32_t, static_cast<std::size_t>(sound_packet_samples) * sound_channels_max> samples_{};
  std::array<std::byte, sound_payload_bytes(sound_channels_max)> payload_{};
  std::array<std::byte, rtcp_bytes_max> told_{};
  SoundSenderStats counted_;

  std::atomic<bool> sends_{true};
  std::atomic<bool> held_{false};
  std::atomic<std::uint64_t> released_{0};  // of its own holds
  Snapshot<Fades> fades_;
  SpscRing<std::variant<SoundCue, Shift>> inbox_;
  Snapshot<SoundSenderStats> published_;
  std::unique_ptr<Runner> runner_;  // last: joined before the members it uses are destroyed
};

}  // namespace lw
