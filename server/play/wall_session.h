// The session on real or simulated parts: one class, in three files. session.cpp has what operators and other servers
// ask for, succession.cpp what comes by itself: the end of an entry and what follows it, and the middle of a fade.
// growing_session.cpp is about stores that are still being written.
// Control thread only.
#pragma once

#include "common/clock/clock_keeper.h"
#include "server/play/growth.h"
#include "server/play/narrator.h"
#include "server/play/playback.h"
#include "server/play/programme.h"
#include "server/play/session.h"
#include "server/play/sound_sender.h"
#include "server/play/transitions.h"
#include "server/read/open_store.h"
#include "server/send/flow_sender.h"
#include "server/sync/parity_control.h"

#include <fmt/format.h>
#include <boost/circular_buffer.hpp>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lw {

class WallSession final : public Session {
public:
  // A line goes to the playback thread this long before its first tick is to be read.
  static constexpr std::chrono::milliseconds line_notice{2};
  // A playback thread that is not delayed is behind by less than this.
  static constexpr std::chrono::milliseconds playback_behind{20};

  WallSession(const Wall& wall, const WallServer& server, const Library& library, std::unique_ptr<HostClock> clock,
              std::function<void(const PlayEvent&)> on_event)
      : wall_(wall),
        server_(server),
        library_(library),
        host_(std::move(clock)),
        narrator_(wall, std::move(on_event)),
        transitions_(wall.frame_rate.duration_of(1)),
        line_(Line::nothing(Line::first_tick_of_start(host_->now().wall))) {}

  // The playback thread hands buffers to the flows, which send from them: it stops first and is destroyed last.
  ~WallSession() override {
    if (playback_) playback_->stop();
    sound_.reset();
    threads_.stop();
    flows_.clear();
  }
  WallSession(const WallSession&) = delete;
  WallSession& operator=(const WallSession&) = delete;

  // Nodes follow a clock that the servers keep.
  void keep_clock(ClockKeeping& host) {
    clock_.emplace(host);
    if (wall_.servers.size() == 1) clock_->lead();
  }
  ClockKeeper* clock() override { return clock_ ? &*clock_ : nullptr; }
  Result<void> open(const SessionPorts& ports);

  Result<void> load(const std::string& name, std::uint32_t frame, bool paused, const Transition& transition) override;
  Result<void> play() override { return set_paused(false); }
  Result<void> pause() override { return set_paused(true); }
  Result<void> stop() override;
  Result<void> seek(std::uint32_t frame) override;
  Result<void> set_rate(double rate) override;
  Result<void> set_loop(bool loop, std::optional<std::uint32_t> first, std::optional<std::uint32_t> last) override;
  Result<void> set_playlist(Playlist playlist) override;
  Result<void> set_sound(const SoundLevel& level) override;
  Result<void> next(const std::optional<Transition>& transition) override;
  [[nodiscard]] AnnouncedLine line() const override;
  [[nodiscard]] std::uint64_t line_number() const override { return line_number_; }
  [[nodiscard]] std::vector<AnnouncedLine> lines_after(std::uint64_t number) const override;
  [[nodiscard]] bool plays() const override { return line_.plays(); }
  [[nodiscard]] std::int64_t next_tick() const override { return playback_->status().next_tick; }
  void announce_ahead(Nanoseconds time) override {
    notice_ = line_notice + time;
    transitions_.set_announce_ahead(time);
  }
  [[nodiscard]] std::optional<NeededDelay> delay_needed() const override { return playback_->status().delay_needed; }
  void others_need(const std::optional<NeededDelay>& need) override { playback_->others_need(need, notice_); }
  [[nodiscard]] std::vector<unsigned> wants_parity() const override;
  void others_want_parity(std::vector<unsigned> flows) override { others_want_parity_ = std::move(flows); }
  [[nodiscard]] std::optional<Grown> grown() const override;
  void others_grown(const std::optional<Grown>& least) override { others_grown_ = least; }
  Result<void> follow(const AnnouncedLine& announced) override;
  void coordinate(bool coordinates) override {
    leaps_ = coordinates && !coordinates_;
    coordinates_ = coordinates;
    if (clock_ && coordinates) clock_->lead();
    if (clock_ && !coordinates) clock_->begin_anew();
    playback_->coordinate(coordinates);
  }
  void play_on(bool alone) override { alone_ = alone; }
  void trust_line(LocalTime until) override { trusted_until_ = until; }
  void send(bool sends) override {
    playback_->send(sends);
    if (sound_) sound_->send(sends);
  }
  [[nodiscard]] ReadTotals read_totals() const override {
    const auto status = playback_->status();
    return {status.read_failures, status.frames_read_late};
  }
  Result<void> move_flow(unsigned flow, std::optional<unsigned> cpu) override;
  [[nodiscard]] std::vector<FlowCpu> placement() const override;
  std::vector<std::uint64_t> turns() override;
  void poll() override;
  [[nodiscard]] PlayState state() const override;
  [[nodiscard]] std::string resources() const override {
    return fmt::format("{}; reading with {}", playback_->frame_memory().text(), playback_->reader_name());
  }
  [[nodiscard]] std::vector<SenderFlowStats> sender_stats() const override;
  [[nodiscard]] std::vector<std::vector<SiteStats>> site_stats() const override { return site_totals(wall_, flows_); }
  [[nodiscard]] std::vector<std::pair<unsigned, const SenderFlowHistograms*>> sender_histograms() const override;
  void take_records(const std::function<void(const FrameRecord&)>& take) override;
  [[nodiscard]] std::uint64_t records_dropped() const override;

private:
  // The visualization to switch to.
  struct Coming {
    std::string name;
    std::shared_ptr<const OpenStore> store;
    std::uint32_t frame = 0;
    bool paused = false;
    std::optional<PlaylistEntry> entry;
  };

  Result<void> set_paused(bool paused);
  Result<void> post(PlaybackCommand command);
  [[nodiscard]] Line line_from_now();
  // The same, of a new generation.
  [[nodiscard]] Line line_to_change();
  void follow_shifts(const PlaybackStatus& status) {
    if (status.shifted == shifted_) return;
    const auto by = status.shifted - std::exchange(shifted_, status.shifted);
    line_.shift(by);
    if (sound_) sound_->shift(by);
    ++line_number_;
  }
  void keep_earlier(const Line& next);
  Result<void> play_line(const Line& line, std::shared_ptr<const OpenStore> store);
  [[nodiscard]] Result<std::shared_ptr<const OpenStore>> open_announced(const std::string& name,
                                                                        const std::string& digest) const;
  void follow(const std::optional<AnnouncedChange>& coming);
  Result<void> keep_to(const PlayoutRamp& delay);
  void keep_to(ParitySwitches switches);
  void tell_flows_of_parity();
  void tell_sound(const PlaybackStatus& status, LocalTime now);
  void decide_parity(LocalTime now);
  [[nodiscard]] Result<void> needs_loaded() const;
  // A server that has just begun to coordinate leaves the next generations to a coordinator that was frozen: it may
  // still send frames, and none of them may look like one of this server's.
  std::uint16_t next_generation() {
    return static_cast<std::uint16_t>(line_.generation() + (std::exchange(leaps_, false) ? 100 : 1));
  }
  [[nodiscard]] FrameRange range() const { return state_.range.value_or(FrameRange{0, state_.frame_count - 1}); }
  [[nodiscard]] Result<void> check_name(const std::string& name) const;
  [[nodiscard]] bool is_missing(const std::string& name) const {
    return library_.find(name) == nullptr && !library_.missing().empty();
  }
  enum class Reopening : std::uint8_t { at_once, when_complete };
  // `when_complete`: the frames can be read from their other disks until none of the files is missing.
  void reopen(Reopening when);
  // `ends`: media time at which what plays is over; empty: now.
  Result<void> begin(const std::string& name, std::uint32_t frame, bool paused,
                     const std::optional<PlaylistEntry>& entry, const Transition& transition,
                     std::optional<WallTime> ends = {});
  // `at`: media time of its first frame; empty: as soon as possible.
  Result<void> switch_to(Coming coming, std::optional<WallTime> at);
  void switch_when_black();
  void forget_fade();
  // `ends`: as of begin().
  bool begin_next(std::optional<WallTime> ends = {});
  bool begin_next(const std::optional<Transition>& transition, std::optional<WallTime> ends,
                  const Programme::Stage::PassedOver& passed_over);
  Result<void> begin_alone(const PlaylistEntry& entry, WallTime ends);
  bool look_at_end(const PlaybackStatus& status, WallTime now);
  void pause_at_end();
  void take_store(std::shared_ptr<const OpenStore> store, const std::string& edition);
  [[nodiscard]] static std::optional<bool> is_edition(const OpenStore& store, const Growth* growth,
                                                      const std::string& digest);
  void let_play_what_is_there();
  void look_at_growth(LocalTime now);
  void grow_to(std::uint32_t frames, bool grows);
  void play_complete();
  void look_for_content();
  void learn_digests();

  const Wall& wall_;
  const WallServer& server_;
  const Library& library_;
  const std::unique_ptr<HostClock> host_;
  Narrator narrator_;
  Transitions transitions_;
  Programme programme_;
  std::optional<ClockKeeper> clock_;  // that the nodes follow, if they do
  std::unique_ptr<Playback> playback_;
  std::shared_ptr<SoundSender> sound_;              // null: no node of this server gets sound
  std::vector<Band> bands_;                         // that this server sends
  std::vector<std::unique_ptr<FlowSender>> flows_;  // as bands_
  AgentThreads threads_;                            // of the flows
  std::vector<int> planned_cpus_;                   // indexed like flows_; < 0: any
  PlayState state_;                                 // except what programme and transitions know
  std::optional<Coming> coming_;                    // while the wall fades to black
  std::shared_ptr<const OpenStore> store_;
  std::string edition_;           // its digest, as announced
  std::optional<Growth> growth_;  // of a store that is still being written, or was when it began to play
  std::optional<Grown> others_grown_;
  bool refused_edition_ = false;  // of other frames than the coordinator's
  LocalTime next_growth_{};
  std::optional<WallStart> start_;  // whose streams the flows have
  Line line_;                       // the newest
  Nanoseconds shifted_{0};          // by which playback has shifted it
  PlayoutRamp delay_told_;          // to the others, if this server coordinates them
  ParityControl parity_;            // of several servers' flows
  std::vector<unsigned> others_want_parity_;
  std::uint64_t line_number_ = 1;
  // Lines before the newest, in the order of their ticks, and the first tick of the line after each.
  struct Earlier {
    AnnouncedLine announced;
    std::int64_t until = 0;
  };
  std::deque<Earlier> earlier_;
  bool coordinates_ = true;
  bool leaps_ = false;                            // has just begun to
  bool alone_ = false;                            // nobody coordinates
  boost::circular_buffer<Line> left_alone_{256};  // the newest lines that this server left by itself
  LocalTime trusted_until_{};
  std::uint64_t released_ = 0;     // of playback's holds
  std::uint64_t sound_holds_ = 0;  // of the sender of sound, at the last look
  bool end_seen_ = false;          // of the newest line: what follows it could not begin
  // Of the playlist's visualizations, by name. Empty: of one that cannot be opened.
  struct Edition {
    std::optional<WallTime> made;
    std::string digest;
  };
  std::map<std::string, Edition> editions_;
  bool editions_changed_ = false;  // since the others received them
  Nanoseconds notice_ = line_notice;
};

}  // namespace lw
