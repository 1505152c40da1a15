#include "server/play/session.h"

#include "common/clock/free_clock.h"
#include "common/concurrency/pinned_thread.h"
#include "common/plan/buffers.h"
#include "common/plan/placement.h"
#include "common/plan/rate_verdict.h"
#include "server/play/play_rate.h"
#include "server/play/playback.h"
#include "server/read/open_store.h"
#include "server/send/flow_sender.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstring>

namespace lw {
namespace {

// A fade begins so long after it is decided, and what follows it goes to the playback thread so long before it is to be
// read: time for the nodes to hear of the one, and for this thread to be late with the other.
constexpr std::chrono::milliseconds fade_notice{100};
constexpr std::chrono::milliseconds switch_notice{80};

// Of the queueing discipline that is to pace the flow; nothing where the flow's thread has to.
std::optional<clockid_t> departure_clock_of(const Wall& wall, unsigned flow, const std::vector<Nic>& nics) {
  if (wall.streaming.pacing != Pacing::kernel) return {};
  const auto& interfaces = wall.server.interfaces;
  const auto* nic = interfaces.empty() ? nullptr : nic_of_address(nics, interfaces[flow % interfaces.size()]);
  const auto clock = nic != nullptr ? departure_clock(*nic) : std::nullopt;
  if (!clock && flow < std::max<std::size_t>(1, interfaces.size()))  // once for each interface
    spdlog::warn(
        "pacing = \"kernel\": {} has the queueing discipline {}, so the flows' threads pace; tc qdisc replace dev {} "
        "root fq",
        nic != nullptr ? nic->name : "the interface", nic != nullptr ? nic->qdisc.value_or("unknown") : "unknown",
        nic != nullptr ? nic->name : "DEVICE");
  return clock;
}

class WallSession final : public Session {
public:
  WallSession(const Wall& wall, const Library& library, std::unique_ptr<HostClock> clock,
              std::function<void(const PlayEvent&)> on_event)
      : wall_(wall), library_(library), on_event_(std::move(on_event)), host_(std::move(clock)) {}

  // The playback thread hands buffers to the flows, and the flows send from its buffers: it stops first and goes last.
  ~WallSession() override {
    if (playback_) playback_->stop();
    flows_.clear();
  }
  WallSession(const WallSession&) = delete;
  WallSession& operator=(const WallSession&) = delete;

  // As place_flows has it, where it knows the host.
  void keep_placement(std::vector<std::optional<unsigned>> cpus) { planned_cpus_ = std::move(cpus); }
  // The nodes follow a clock that this server keeps.
  void keep_clock() { clock_.emplace(); }
  Result<void> open(const SessionPorts& ports);

  Result<void> load(const std::string& name, std::uint32_t frame, bool paused, const Transition& transition) override;
  Result<void> play() override { return set_paused(false); }
  Result<void> pause() override { return set_paused(true); }
  Result<void> stop() override;
  Result<void> seek(std::uint32_t frame) override;
  Result<void> set_rate(double rate) override;
  Result<void> set_loop(bool loop, std::optional<std::uint32_t> first, std::optional<std::uint32_t> last) override;
  Result<void> set_playlist(Playlist playlist) override;
  Result<void> next(const std::optional<Transition>& transition) override;
  Result<void> move_flow(unsigned flow, std::optional<unsigned> cpu) override;
  [[nodiscard]] std::vector<FlowCpu> placement() const override;
  std::vector<std::uint64_t> turns() override;
  void poll() override;
  [[nodiscard]] PlayState state() const override;
  [[nodiscard]] std::string resources() const override {
    return fmt::format("{}; reading with {}", playback_->frame_memory().text(), playback_->reader_name());
  }
  [[nodiscard]] std::vector<SenderFlowStats> sender_stats() const override;
  void take_records(const std::function<void(const FrameRecord&)>& take) override;
  [[nodiscard]] std::uint64_t records_dropped() const override;

private:
  // What is to be switched to.
  struct Coming {
    std::string name;
    std::shared_ptr<const OpenStore> store;
    std::uint32_t frame = 0;
    bool paused = false;
    std::optional<PlaylistEntry> entry;
    WallTime at{};  // media time of its first frame; in the past: as soon as can be
  };

  Result<void> set_paused(bool paused);
  Result<void> post(PlaybackCommand command);
  [[nodiscard]] Result<void> needs_loaded() const;
  [[nodiscard]] FrameRange range() const { return state_.range.value_or(FrameRange{0, state_.frame_count - 1}); }
  [[nodiscard]] Result<void> check_name(const std::string& name) const;
  [[nodiscard]] bool is_missing(const std::string& name) const {
    return library_.find(name) == nullptr && !library_.missing().empty();
  }
  void reopen();
  void report_reads(const PlaybackStatus& status);
  void tell_missing(const WallSync::Nodes& missing);
  void tell_delay(const PlaybackStatus& status);
  Result<void> begin(const std::string& name, std::uint32_t frame, bool paused,
                     const std::optional<PlaylistEntry>& entry, const Transition& transition);
  [[nodiscard]] WallTime plan_fade(const Transition& transition);
  Result<void> switch_to(Coming coming);
  void switch_when_black();
  void forget_fade();
  bool begin_next(const std::optional<Transition>& transition);
  void keep_time(Nanoseconds passed);
  void end_entry();
  void tell(Severity severity, std::string code, std::string text, std::optional<TileId> tile = {}) const {
    if (on_event_) on_event_({severity, std::move(code), std::move(text), tile, std::nullopt});
  }

  const Wall& wall_;
  const Library& library_;
  std::function<void(const PlayEvent&)> on_event_;
  const std::unique_ptr<HostClock> host_;
  std::optional<FreeClock> clock_;  // that the nodes follow, where they do
  std::unique_ptr<Playback> playback_;
  std::vector<std::unique_ptr<FlowSender>> flows_;
  std::vector<std::optional<unsigned>> planned_cpus_;  // as flows_
  PlayState state_;
  std::optional<Coming> coming_;  // while the wall darkens
  std::shared_ptr<const OpenStore> store_;
  std::uint16_t generation_ = 0;  // that the last load or seek will have
  std::uint64_t failures_told_ = 0;
  std::uint64_t late_told_ = 0;
  std::uint64_t jumps_told_ = 0;
  WallSync::Nodes missing_told_;
  WallTime next_tell_{};
  std::uint64_t entries_given_ = 0;
  LocalTime polled_{};
  Nanoseconds entry_played_{0};     // of state_.entry; a pause does not count
  bool waits_for_content_ = false;  // an entry ended, and those that follow are missing with their content directory
};

Result<void> WallSession::open(const SessionPorts& ports) {
  std::vector<FlowSender*> flows;
  for (const auto& band : all_bands(wall_)) {
    auto flow = ports.flow(band);
    if (!flow) return Error(flow.error()).in(fmt::format("flow {}", band.flow));
    flows.push_back(flow->get());
    flows_.push_back(std::move(*flow));
  }
  planned_cpus_.resize(flows.size());
  auto playback = ports.playback(std::move(flows));
  if (!playback) return playback.error();
  playback_ = std::move(*playback);
  return {};
}

// What may be in a content directory that is missing is believed until that is back.
Result<void> WallSession::check_name(const std::string& name) const {
  const auto* entry = library_.find(name);
  if (entry == nullptr && !is_missing(name)) return library_.no_such(name);
  if (entry == nullptr) return {};
  if (const auto fit = fits(entry->manifest, wall_); !fit) return Error(fit.error()).in(name);
  return {};
}

Result<void> WallSession::post(PlaybackCommand command) {
  if (!playback_->post(std::move(command)))
    return Error{"the playback thread does not answer", "look at the server's log and its disks"};
  return {};
}

Result<void> WallSession::load(const std::string& name, std::uint32_t frame, bool paused,
                               const Transition& transition) {
  return begin(name, frame, paused, {}, transition);
}

Result<void> WallSession::begin(const std::string& name, std::uint32_t frame, bool paused,
                                const std::optional<PlaylistEntry>& entry, const Transition& transition) {
  if (auto checked = check(transition); !checked) return checked;
  const auto* found = library_.find(name);
  if (found == nullptr) return library_.no_such(name);
  // What is opened is what is checked: the library may have looked before the store was replaced.
  auto files = library_.open(*found, [&](const Manifest& manifest) -> Result<void> {
    if (const auto fit = fits(manifest, wall_); !fit) return Error(fit.error()).in(name);
    if (frame < manifest.frame_count) return {};
    return Error{fmt::format("{} has no frame {}", name, frame),
                 fmt::format("its frames are 0 to {}", manifest.frame_count - 1)};
  });
  if (!files) return files.error();
  Coming coming{name, OpenStore::of(std::move(*files)), frame, paused, entry, plan_fade(transition)};
  if (coming.at == WallTime{}) return switch_to(std::move(coming));
  state_.coming = {name, transition.fade, entry};
  coming_ = std::move(coming);
  ++state_.revision;
  return {};
}

// When the picture is to change; the epoch: at once. What is asked for while the wall darkens already takes the place
// of what was to come; a cut then comes at once, and bright.
WallTime WallSession::plan_fade(const Transition& transition) {
  const auto now = host_->now().wall;
  const auto soonest = now + read_ahead + switch_notice;
  auto& newest = state_.fades.newest[0];
  if (coming_ && transition.fade > Nanoseconds{0}) return coming_->at;
  if (coming_) {
    newest.bright = newest.end = soonest;
    return soonest;
  }
  if (transition.fade == Nanoseconds{0}) return {};
  const auto half = transition.fade / 2;
  const auto hold = std::min(wall_.frame_rate.duration_of(1), half / 4);  // black, so that the two never meet
  if (state_.status == PlayStatus::stopped) {
    state_.fades.add({now, now, now + read_ahead, now + read_ahead + half});
    return {};
  }
  const auto middle = now + fade_notice + half;
  state_.fades.add({middle - half, middle - hold, middle + hold, middle + half});
  return middle;
}

Result<void> WallSession::switch_to(Coming coming) {
  if (auto posted = post({PlaybackCommand::Kind::load,
                          coming.store,
                          coming.frame,
                          1,
                          coming.paused,
                          coming.entry ? coming.entry->times() : std::nullopt,
                          {},
                          false,
                          coming.at});
      !posted)
    return posted;
  coming_.reset();
  state_.coming.reset();
  waits_for_content_ = false;
  store_ = std::move(coming.store);
  const auto& manifest = store_->manifest();
  ++generation_;
  state_.status = coming.paused ? PlayStatus::paused : PlayStatus::playing;
  state_.name = coming.name;
  state_.frame = coming.frame;
  state_.frame_count = manifest.frame_count;
  state_.frame_rate = manifest.frame_rate;
  state_.range.reset();
  state_.entry = coming.entry;
  entry_played_ = {};
  ++state_.revision;
  tell(Severity::info, "loaded",
       fmt::format("{}: {} frames at {:.4g} frame/s{}", state_.name, manifest.frame_count, manifest.frame_rate.hertz(),
                   store_->direct() ? "" : ", read through the page cache (no O_DIRECT on this filesystem)"));
  if (const auto warning = rate_warning(wall_, manifest.frame_rate); !warning.empty())
    tell(Severity::warning, "frame-rate", fmt::format("{}: {}", state_.name, warning));
  return {};
}

void WallSession::switch_when_black() {
  if (!coming_ || host_->now().wall + read_ahead + switch_notice < coming_->at) return;
  if (const auto switched = switch_to(*coming_); !switched) {
    tell(Severity::error, "playlist", coming_->name + " is left out: " + switched.error().text());
    forget_fade();
  }
}

// The nodes show what they have as it is.
void WallSession::forget_fade() {
  if (!coming_ && state_.fades == Fades{}) return;
  coming_.reset();
  state_.coming.reset();
  state_.fades = {};
  ++state_.revision;
}

Result<void> WallSession::needs_loaded() const {
  if (state_.status == PlayStatus::stopped) return Error{"nothing is loaded", "load a visualization first"};
  return {};
}

Result<void> WallSession::set_paused(bool paused) {
  if (auto loaded = needs_loaded(); !loaded) return loaded;
  const auto status = playback_->status();
  // Play at the end of a visualization that does not loop starts it again.
  if (!paused && status.ended && status.generation == generation_)
    if (auto again = seek(state_.rate > 0 ? range().first : range().last); !again) return again;
  if (auto posted = post({PlaybackCommand::Kind::pause, nullptr, 0, 1, paused}); !posted) return posted;
  waits_for_content_ = false;
  if (coming_) coming_->paused = paused;
  state_.status = paused ? PlayStatus::paused : PlayStatus::playing;
  ++state_.revision;
  return {};
}

Result<void> WallSession::stop() {
  if (state_.status == PlayStatus::stopped) return {};
  if (auto posted = post({PlaybackCommand::Kind::stop, nullptr, 0, 1, false}); !posted) return posted;
  forget_fade();
  waits_for_content_ = false;
  state_.status = PlayStatus::stopped;
  state_.name.clear();
  state_.entry.reset();
  store_.reset();
  ++state_.revision;
  return {};
}

Result<void> WallSession::seek(std::uint32_t frame) {
  if (auto loaded = needs_loaded(); !loaded) return loaded;
  if (frame >= state_.frame_count)
    return Error{fmt::format("{} has no frame {}", state_.name, frame),
                 fmt::format("its frames are 0 to {}", state_.frame_count - 1)};
  if (!range().has(frame))
    return Error{fmt::format("frame {} is outside of the loop from {} to {}", frame, range().first, range().last),
                 "seek within it, or set loop without in and out first"};
  if (auto posted = post({PlaybackCommand::Kind::seek, nullptr, frame, 1, false}); !posted) return posted;
  ++generation_;
  state_.frame = frame;
  ++state_.revision;
  return {};
}

Result<void> WallSession::set_rate(double rate) {
  if (!is_play_rate(rate))
    return Error{fmt::format("rate {} is out of range", rate),
                 fmt::format("use {0} to {1}, or -{0} to -{1}; pause stops", play_rate_min, play_rate_max)};
  if (auto posted = post({PlaybackCommand::Kind::rate, nullptr, 0, rate, false}); !posted) return posted;
  state_.rate = rate;
  ++state_.revision;
  return {};
}

Result<void> WallSession::set_loop(bool loop, std::optional<std::uint32_t> first, std::optional<std::uint32_t> last) {
  const bool loaded = state_.status != PlayStatus::stopped;
  if ((first || last) && !loaded) return Error{"nothing is loaded", "load a visualization, then set in and out"};
  const FrameRange all{0, loaded ? state_.frame_count - 1 : 0};
  const FrameRange range{first.value_or(all.first), last.value_or(all.last)};
  if (range.first > all.last || range.last > all.last)
    return Error{fmt::format("{} has no frame {}", state_.name, std::max(range.first, range.last)),
                 fmt::format("its frames are 0 to {}", all.last)};
  if (range.first > range.last)
    return Error{fmt::format("in, frame {}, is behind out, frame {}", range.first, range.last),
                 "let in be the same frame as out or one before"};
  if (auto posted = post({PlaybackCommand::Kind::loop, nullptr, 0, 1, loop, {}, range, loaded}); !posted) return posted;
  state_.loop = loop;
  state_.range = range == all ? std::nullopt : std::optional(range);
  ++state_.revision;
  return {};
}

Result<void> WallSession::set_playlist(Playlist playlist) {
  for (auto& entry : playlist.entries) {
    if (auto known = check_name(entry.name); !known) return known;
    if (auto checked = check(entry); !checked) return checked;
    if (entry.id == 0 || entry.id > entries_given_) entry.id = ++entries_given_;
  }
  state_.playlist = std::move(playlist);
  ++state_.revision;
  return {};
}

Result<void> WallSession::next(const std::optional<Transition>& transition) {
  if (state_.playlist.entries.empty()) return Error{"nothing follows", "put something into the playlist"};
  if (transition)
    if (auto checked = check(*transition); !checked) return checked;
  if (begin_next(transition)) return {};
  return Error{"nothing of the playlist can be played", "the events say why"};
}

// What cannot be played is left out, for good; what is missing with its content directory stays in the playlist.
bool WallSession::begin_next(const std::optional<Transition>& transition) {
  auto& entries = state_.playlist.entries;
  std::deque<PlaylistEntry> missing;
  bool begun = false;
  while (!entries.empty() && !begun) {
    const auto entry = entries.front();
    entries.pop_front();
    const auto loaded = begin(entry.name, 0, false, entry, transition.value_or(entry.transition));
    begun = loaded.has_value();
    if (begun && state_.playlist.repeat) entries.push_back(entry);
    if (begun) break;
    const bool stays = is_missing(entry.name);
    if (stays) missing.push_back(entry);
    tell(stays ? Severity::warning : Severity::error, "playlist",
         entry.name + (stays ? " is skipped: " : " is left out: ") + loaded.error().text());
  }
  // With repeat their turn comes again; else they are tried first at the next change.
  const bool last = begun && state_.playlist.repeat;
  // (Not without any: libstdc++ then moves entries onto themselves, which empties their names.)
  if (!missing.empty())
    entries.insert(last ? std::prev(entries.end()) : entries.begin(), missing.begin(), missing.end());
  waits_for_content_ = !begun && !missing.empty();
  return begun;
}

// Opens the files of what plays anew, once somebody wrote to them: if they are whole and of the same frames, it plays
// on.
void WallSession::reopen() {
  const auto* entry = store_ ? library_.find(state_.name) : nullptr;
  if (entry == nullptr) return;
  auto files = library_.open(*entry, [this](const Manifest& manifest) -> Result<void> {
    if (has_same_frames(manifest, store_->manifest())) return {};
    return Error{state_.name + " was replaced by another visualization", "load it again"};
  });
  if (!files) return;  // they may still be written to: the next failed read asks again
  auto store = OpenStore::of(std::move(*files));
  if (const auto posted = post({PlaybackCommand::Kind::reopen, store}); !posted) return;
  store_ = std::move(store);
  tell(Severity::info, "loaded", state_.name + " was changed on its disk, and is opened anew");
}

Result<void> WallSession::move_flow(unsigned flow, std::optional<unsigned> cpu) {
  if (flow >= flows_.size())
    return Error{fmt::format("the wall has no flow {}", flow), fmt::format("its flows are 0 to {}", flows_.size() - 1)};
  return flows_[flow]->move_to(cpu ? static_cast<int>(*cpu) : -1);
}

std::vector<FlowCpu> WallSession::placement() const {
  std::vector<FlowCpu> all;
  for (unsigned flow = 0; flow < flows_.size(); ++flow) {
    const int cpu = flows_[flow]->cpu();
    all.push_back({flow, cpu >= 0 ? std::optional(static_cast<unsigned>(cpu)) : std::nullopt, planned_cpus_[flow]});
  }
  return all;
}

std::vector<std::uint64_t> WallSession::turns() {
  std::vector<std::uint64_t> turns{playback_->turns()};
  playback_->nudge();
  for (const auto& flow : flows_) {
    turns.push_back(flow->turns());
    flow->nudge();
  }
  return turns;
}

void WallSession::poll() {
  if (clock_) clock_->step();
  const auto now = host_->now().local;
  const auto passed = now - std::exchange(polled_, now);
  const auto status = playback_->status();
  report_reads(status);
  tell_missing(status.missing);
  tell_delay(status);
  if (status.jumps != std::exchange(jumps_told_, status.jumps)) {
    if (coming_) coming_->at = {};
    state_.fades = {};
    ++state_.revision;
    const auto seconds = std::chrono::duration<double>(status.newest_jump).count();
    if (status.clock_was_set)
      tell(Severity::warning, "clock-set",
           fmt::format("the server's clock was set by {:.3f} s; playing goes on", seconds));
    else
      tell(Severity::warning, "stalled", fmt::format("the server did not run for {:.1f} s; playing goes on", seconds));
  }
  switch_when_black();
  if (waits_for_content_ && std::ranges::any_of(state_.playlist.entries, [this](const PlaylistEntry& entry) {
        return library_.find(entry.name) != nullptr;
      }))
    begin_next({});
  // A status from before the last load or seek says nothing about it.
  if (state_.status == PlayStatus::stopped || status.generation != generation_) return;
  state_.frame = status.frame;
  if (status.ended && state_.status == PlayStatus::playing) return end_entry();
  keep_time(passed);
}

// Ends an entry of the playlist whose time is over.
void WallSession::keep_time(Nanoseconds passed) {
  if (state_.status != PlayStatus::playing || !state_.entry || !state_.entry->seconds) return;
  entry_played_ += passed;
  if (std::chrono::duration<double>(entry_played_).count() < *state_.entry->seconds) return;
  end_entry();
}

void WallSession::end_entry() {
  if (coming_) return;
  tell(Severity::info, "ended", state_.name + " came to its end");
  if (begin_next({})) return;
  if (auto posted = post({PlaybackCommand::Kind::pause, nullptr, 0, 1, true}); !posted)
    tell(Severity::error, "playlist", posted.error().text());
  state_.status = PlayStatus::paused;
  entry_played_ = {};  // played again, it has all its time again
  ++state_.revision;
}

// At most one event a second: a dead disk fails thirty times a second.
void WallSession::report_reads(const PlaybackStatus& status) {
  const auto failed = status.read_failures - failures_told_;
  const auto late = status.frames_read_late - late_told_;
  const auto now = host_->now().wall;
  if ((failed == 0 && late == 0) || !is_due(next_tell_, now, std::chrono::seconds{1})) return;
  next_tell_ = now + std::chrono::seconds{1};
  failures_told_ = status.read_failures;
  late_told_ = status.frames_read_late;
  const auto tile = wall_.tile(status.last_error_tile);
  if (failed > 0)
    tell(Severity::error, "read-failed",
         fmt::format("{} frames could not be read, the last from {}: {}", failed,
                     store_ ? store_->file_of(status.last_error_frame, status.last_error_tile).string() : state_.name,
                     status.last_error == file_changed ? "it was changed since it was opened"
                                                       : std::strerror(status.last_error)),
         tile);
  if (failed > 0 && status.last_error == file_changed) reopen();
  if (late > 0)
    tell(Severity::warning, "read-late",
         fmt::format("{} frames of a tile were not in memory when they were due", late));
}

void WallSession::tell_missing(const WallSync::Nodes& missing) {
  if (missing == missing_told_ || state_.status == PlayStatus::stopped) return;
  const bool waits = wall_.sync.lost_node == LostNode::hold;
  for (std::size_t i = 0; i < wall_.nodes.size() && i < missing.size(); ++i) {
    if (missing[i] == missing_told_[i]) continue;
    const auto& name = wall_.nodes[i].name;
    if (missing[i])
      tell(Severity::warning, "node-out-of-step",
           fmt::format("node {} no longer says what it holds; {}", name,
                       waits ? "the wall waits for it" : "the others play on without it"));
    else
      tell(Severity::info, "node-in-step", fmt::format("node {} is in step again", name));
  }
  missing_told_ = missing;
}

void WallSession::tell_delay(const PlaybackStatus& status) {
  const auto before = std::exchange(state_.playout_delay, status.playout_delay);
  if (!before || before == status.playout_delay) return;
  const auto ms = [](Nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); };
  const bool most = status.playout_delay == wall_.streaming.longest_playout_delay();
  const auto tile = status.slowest_flow
                        ? std::optional(wall_.tile(*status.slowest_flow / wall_.streaming.flows_per_tile))
                        : std::nullopt;
  tell(most ? Severity::warning : Severity::info, "playout-delay",
       fmt::format("the playout delay goes from {:.0f} to {:.0f} ms{}{}", ms(*before), ms(status.playout_delay),
                   tile ? fmt::format("; the frames of tile {},{} on node {} take the longest", tile->column, tile->row,
                                      wall_.node_of(*tile).name)
                        : "",
                   most ? "; that is playout_delay_max_ms" : ""),
       tile);
}

PlayState WallSession::state() const { return state_; }

std::vector<SenderFlowStats> WallSession::sender_stats() const {
  std::vector<SenderFlowStats> stats;
  stats.reserve(flows_.size());
  for (const auto& flow : flows_) stats.push_back(flow->stats());
  return stats;
}

void WallSession::take_records(const std::function<void(const FrameRecord&)>& take) {
  FrameRecord record;
  while (playback_->records().take(record)) take(record);
  for (const auto& flow : flows_)
    while (flow->records().take(record)) take(record);
}

std::uint64_t WallSession::records_dropped() const {
  auto dropped = playback_->records().dropped();
  for (const auto& flow : flows_) dropped += flow->records().dropped();
  return dropped;
}

}  // namespace

Result<std::unique_ptr<Session>> Session::start(const Wall& wall, const Library& library,
                                                std::function<void(const PlayEvent&)> on_event) {
  if (const auto allowed = check_cpus(wall.server.cpus); !allowed) return Error(allowed.error()).in("[[server]]");
  if (const auto priority = wall.streaming.realtime_priority; priority > 0)
    if (const auto allowed = check_realtime(priority); !allowed) spdlog::warn(allowed.error().text());
  auto topology = read_topology();
  const auto nics = read_nics();
  const auto placement = place_flows(wall, topology ? *topology : Topology{}, nics);
  SessionPorts ports;
  ports.flow = [&](const Band& band) {
    const auto& cpu = placement[band.flow].cpu;
    return FlowSender::start(wall, band, cpu ? static_cast<int>(*cpu) : -1, departure_clock_of(wall, band.flow, nics));
  };
  ports.playback = [&](std::vector<FlowSender*> flows) {
    return Playback::start(wall, std::move(flows),
                           {wall.server.read_block_kib << 10U, wall.server.read_depth, wall.server.read_kernel_polls});
  };
  auto session = std::make_unique<WallSession>(wall, library, std::make_unique<OwnHostClock>(), std::move(on_event));
  if (wall.clock == ClockSource::wall) session->keep_clock();
  std::vector<std::optional<unsigned>> cpus;
  for (const auto& flow : placement) cpus.push_back(flow.cpu);
  session->keep_placement(std::move(cpus));
  if (const auto opened = session->open(ports); !opened) return opened.error();
  return std::unique_ptr<Session>(std::move(session));
}

Result<std::unique_ptr<Session>> Session::make(const Wall& wall, const Library& library, SessionPorts ports,
                                               std::function<void(const PlayEvent&)> on_event) {
  auto session = std::make_unique<WallSession>(wall, library, std::move(ports.clock), std::move(on_event));
  if (const auto opened = session->open(ports); !opened) return opened.error();
  return std::unique_ptr<Session>(std::move(session));
}

}  // namespace lw
