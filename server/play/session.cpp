#include "server/play/session.h"

#include "common/plan/buffers.h"
#include "server/play/wall_session.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

namespace command = playback_command;

constexpr std::size_t earlier_max = 64;

}  // namespace

Result<void> WallSession::open(const SessionPorts& ports) {
  std::vector<FlowSender*> flows;
  start_ = ports.start;
  bands_ = bands_of(wall_, server_);
  for (const auto& band : bands_) {
    auto flow = ports.flow(band);
    if (!flow) return Error(flow.error()).in(fmt::format("flow {}", band.flow));
    flows.push_back(flow->get());
    flows_.push_back(std::move(*flow));
  }
  planned_cpus_ = ports.cpus;
  planned_cpus_.resize(flows.size(), -1);
  if (ports.threads) {
    std::vector<AgentThreads::Placed> placed;
    for (std::size_t i = 0; i < flows.size(); ++i) placed.push_back({flows[i], bands_[i].flow, planned_cpus_[i]});
    if (auto started = threads_.start(*ports.threads, placed); !started) return started;
  }
  auto playback = ports.playback(std::move(flows));
  if (!playback) return playback.error();
  playback_ = std::move(*playback);
  sound_ = ports.sound;
  return {};
}

// While a content directory is missing, names that may be in it are accepted.
Result<void> WallSession::check_name(const std::string& name) const {
  const auto* entry = library_.find(name);
  if (entry == nullptr) return is_missing(name) ? Result<void>{} : Result<void>{library_.no_such(name)};
  if (const auto fit = fits(entry->manifest, wall_, server_); !fit) return Error(fit.error()).in(name);
  return {};
}

Result<void> WallSession::post(PlaybackCommand command) {
  if (!playback_->post(std::move(command)))
    return Error{"the playback thread does not answer", "check the server's log and its disks"};
  return {};
}

AnnouncedLine WallSession::line() const {
  AnnouncedLine announced{line_number_,
                          line_,
                          state_.name,
                          store_ ? edition_ : std::string(),
                          start_.value_or(WallStart{}),
                          programme_.playlist(),
                          programme_.entry()};
  for (const auto& entry : announced.playlist.entries)
    if (const auto known = editions_.find(entry.name); known != editions_.end() && !known->second.digest.empty())
      announced.digests[entry.name] = known->second.digest;
  if (coming_ && transitions_.change())
    announced.coming = {coming_->name,   coming_->store->digest(), *transitions_.change(), coming_->frame,
                        coming_->paused, state_.coming->fade,      coming_->entry};
  announced.fades = transitions_.fades();
  announced.sound = state_.sound;
  if (wall_.streaming.adapts_playout_delay()) announced.delay = playback_->status().delay;
  announced.parity = parity_.switches();
  return announced;
}

// The newest line, from the first tick that playback has not begun to read. A delayed playback thread continues with
// its next tick, whatever the time; before it notices that the clock was set, the time says nothing.
Line WallSession::line_from_now() {
  const auto status = playback_->status();
  follow_shifts(status);
  auto tick = status.next_tick;  // while nothing plays
  if (line_.plays()) {
    const auto behind = (playback_behind + notice_) / line_.interval(line_.first_tick()) + 1;
    const auto by_time = line_.tick_at(host_->now().wall + read_ahead + notice_);
    tick = std::clamp(by_time, status.next_tick, status.next_tick + behind);
  }
  return line_.from(std::max(line_.first_tick(), tick));
}

Line WallSession::line_to_change() {
  auto line = line_from_now();
  line.set_generation(next_generation());
  return line;
}

// Before the next one replaces the newest.
void WallSession::keep_earlier(const Line& next) {
  const auto read = next_tick();
  while (!earlier_.empty() && (earlier_.front().until <= read || earlier_.size() >= earlier_max)) earlier_.pop_front();
  while (!earlier_.empty() && earlier_.back().announced.line.first_tick() >= next.first_tick()) earlier_.pop_back();
  if (!earlier_.empty()) earlier_.back().until = std::min(earlier_.back().until, next.first_tick());
  if (line_.plays() && next.first_tick() > line_.first_tick()) earlier_.push_back({line(), next.first_tick()});
}

std::vector<AnnouncedLine> WallSession::lines_after(std::uint64_t number) const {
  std::vector<AnnouncedLine> lines;
  const auto read = next_tick();
  for (const auto& [announced, until] : earlier_)
    if (announced.number > number && until > read) lines.push_back(announced);
  lines.push_back(line());
  return lines;
}

Result<void> WallSession::play_line(const Line& line, std::shared_ptr<const OpenStore> store) {
  if (store)
    if (auto room = playback_->make_room_for(*store); !room) return room;
  if (sound_) sound_->post({line, store, start_});
  if (auto posted = post(command::Play{line, std::move(store), shifted_, start_}); !posted) return posted;
  if (wall_.servers.size() > 1) keep_earlier(line);
  line_ = line;
  ++line_number_;
  end_seen_ = false;
  return {};
}

Result<std::shared_ptr<const OpenStore>> WallSession::open_announced(const std::string& name,
                                                                     const std::string& digest) const {
  const auto* found = library_.find(name);
  if (found == nullptr) return library_.no_such(name);
  auto files = library_.open(*found, [&](const Manifest& manifest) -> Result<void> {
    if (const auto fit = fits(manifest, wall_, server_); !fit) return Error(fit.error()).in(name);
    return {};
  });
  if (!files) return files.error();
  auto store = OpenStore::of(std::move(*files));
  std::optional<Growth> growth;
  if (GrowingEditions::frames_of(digest)) growth.emplace(store);
  if (!is_edition(*store, growth ? &*growth : nullptr, digest).value_or(true))
    return Error{name + " has other frames here than at the coordinator", "copy or ingest it again"};
  return store;
}

Result<void> WallSession::follow(const AnnouncedLine& announced) {
  if (announced.delay)
    if (auto kept = keep_to(*announced.delay); !kept) return kept;
  keep_to(announced.parity);
  // From a coordinator that was frozen or cut off, and has yet to go through what this server has played meanwhile.
  if (std::ranges::find(left_alone_, announced.line) != left_alone_.end()) return {};
  auto store = announced.line.plays() ? store_ : nullptr;
  if (growth_) growth_->look();
  if (announced.line.plays() && (!store || state_.name != announced.name || !store->is_unchanged() ||
                                 !is_edition(*store, growth_ ? &*growth_ : nullptr, announced.digest).value_or(true))) {
    auto opened = open_announced(announced.name, announced.digest);
    if (!opened) return opened.error();
    store = std::move(*opened);
  }
  if (announced.line != line_ || announced.start != start_ || store != store_) {
    start_ = announced.start;
    if (auto posted = play_line(announced.line, store); !posted) return posted;
  }
  left_alone_.clear();
  line_number_ = announced.number;
  programme_.follow(announced.playlist, announced.entry);
  follow(announced.coming);
  state_.sound = announced.sound;
  transitions_.follow(announced.fades, coming_ ? std::optional(announced.coming->at) : std::nullopt);
  editions_.clear();
  for (const auto& [name, digest] : announced.digests) editions_[name] = {{}, digest};
  take_store(std::move(store), announced.digest);
  state_.status = !store_ ? PlayStatus::stopped : announced.line.paused() ? PlayStatus::paused : PlayStatus::playing;
  state_.name = announced.name;
  state_.frame = announced.line.frame(announced.line.first_tick());
  const auto growing_frames = GrowingEditions::frames_of(announced.digest);
  state_.frame_count = store_ ? growing_frames.value_or(store_->manifest().frame_count) : 0;
  state_.growing = store_ && growing_frames;
  state_.frame_rate = announced.line.frame_rate();
  state_.rate = announced.line.plays() ? announced.line.rate() : 1;
  state_.loop = announced.line.parts().loop;
  const FrameRange all{0, state_.frame_count > 0 ? state_.frame_count - 1 : 0};
  state_.range = announced.line.range() == all || !store_ ? std::nullopt : std::optional(announced.line.range());
  ++state_.revision;
  return {};
}

Result<void> WallSession::keep_to(const PlayoutRamp& delay) {
  const auto least = Nanoseconds(wall_.streaming.playout_delay);
  const auto most = wall_.streaming.longest_playout_delay();
  if (std::min(delay.from, delay.to) < least || std::max(delay.from, delay.to) > most)
    return Error{"the coordinator announces a playout delay outside the wall file's bounds",
                 "start all servers with the same wall file"};
  return post(command::KeepTo{delay});
}

void WallSession::keep_to(ParitySwitches switches) {
  if (switches == parity_.switches()) return;
  parity_.keep_to(std::move(switches));
  tell_flows_of_parity();
}

void WallSession::tell_flows_of_parity() {
  for (std::size_t i = 0; i < flows_.size(); ++i) flows_[i]->keep_to(parity_.of(bands_[i].flow));
}

std::vector<unsigned> WallSession::wants_parity() const {
  std::vector<unsigned> flows;
  for (std::size_t i = 0; i < flows_.size(); ++i)
    if (flows_[i]->wants_parity()) flows.push_back(bands_[i].flow);
  return flows;
}

void WallSession::follow(const std::optional<AnnouncedChange>& coming) {
  coming_.reset();
  state_.coming.reset();
  if (!coming) return;
  auto store = open_announced(coming->name, coming->digest);
  if (!store) return narrator_.cannot_follow(store.error());
  coming_ = {coming->name, std::move(*store), coming->frame, coming->paused, coming->entry};
  state_.coming = {coming->name, coming->fade, coming->entry};
}

Result<void> WallSession::load(const std::string& name, std::uint32_t frame, bool paused,
                               const Transition& transition) {
  return begin(name, frame, paused, {}, transition);
}

Result<void> WallSession::begin(const std::string& name, std::uint32_t frame, bool paused,
                                const std::optional<PlaylistEntry>& entry, const Transition& transition,
                                std::optional<WallTime> ends) {
  if (auto checked = check(transition); !checked) return checked;
  const auto* found = library_.find(name);
  if (found == nullptr) return library_.no_such(name);
  // The checked files must be the opened ones: the store may have been replaced since the library's scan.
  auto files = library_.open(*found, [&](const Manifest& manifest) -> Result<void> {
    if (const auto fit = fits(manifest, wall_, server_); !fit) return Error(fit.error()).in(name);
    if (frame < manifest.frame_count) return {};
    return Error{fmt::format("{} has no frame {}", name, frame),
                 fmt::format("its frames are 0 to {}", manifest.frame_count - 1)};
  });
  if (!files) return files.error();
  Coming coming{name, OpenStore::of(std::move(*files)), frame, paused, entry};
  const bool something_plays = state_.status != PlayStatus::stopped;
  if (!transitions_.plan(transition, something_plays, host_->now().wall, ends.value_or(WallTime{})))
    return switch_to(std::move(coming), ends);
  state_.coming = {name, transition.fade, entry};
  coming_ = std::move(coming);
  ++line_number_;
  ++state_.revision;
  return {};
}

Result<void> WallSession::switch_to(Coming coming, std::optional<WallTime> at) {
  // Where other servers change at the same tick, that tick counts, also if it has passed.
  const auto before = at && wall_.servers.size() > 1 ? line_ : line_from_now();
  const auto tick = before.plays() && at ? before.tick_at(*at) : before.first_tick();
  auto start = before.media_time(tick);
  if (!before.plays()) start = std::max(start, host_->now().wall + read_ahead + notice_);
  const auto& manifest = coming.store->manifest();
  auto line = Line::over(tick, start, manifest.frame_rate, manifest.frame_count, coming.frame);
  line.set_generation(at ? static_cast<std::uint16_t>(line_.generation() + 1) : next_generation());
  line.set_rate(state_.rate);
  line.set_loop(state_.loop);
  line.set_times(coming.entry ? coming.entry->times() : std::nullopt);
  line.set_paused(coming.paused);
  line.set_growing(manifest.growing);
  line.number_after(before, manifest.pixel_format);
  const auto left = line_;
  if (auto posted = play_line(line, coming.store); !posted) return posted;
  others_grown_.reset();
  if (alone_) left_alone_.push_back(left);
  coming_.reset();
  state_.coming.reset();
  transitions_.switched();
  take_store(coming.store, coming.store->digest());
  if (growth_) edition_ = growth_->editions().digest(std::min(growth_->frames(), manifest.frame_count));
  let_play_what_is_there();
  state_.status = coming.paused ? PlayStatus::paused : PlayStatus::playing;
  state_.name = coming.name;
  state_.frame = coming.frame;
  state_.frame_count = manifest.frame_count;
  state_.growing = manifest.growing;
  state_.frame_rate = manifest.frame_rate;
  state_.range.reset();
  programme_.now_shows(coming.entry);
  ++state_.revision;
  narrator_.loaded(state_.name, *store_);
  return {};
}

Result<void> WallSession::needs_loaded() const {
  if (state_.status == PlayStatus::stopped) return Error{"nothing is loaded", "load a visualization first"};
  return {};
}

Result<void> WallSession::set_paused(bool paused) {
  if (auto loaded = needs_loaded(); !loaded) return loaded;
  // Play at the end of a visualization that does not loop starts it again.
  if (const auto line = line_from_now(); !paused && line.at(line.first_tick()).ended)
    if (auto again = seek(state_.rate > 0 ? range().first : range().last); !again) return again;
  auto line = line_to_change();
  line.set_paused(paused);
  if (auto posted = play_line(line, store_); !posted) return posted;
  programme_.wait_no_more();
  if (coming_) coming_->paused = paused;
  state_.status = paused ? PlayStatus::paused : PlayStatus::playing;
  ++state_.revision;
  return {};
}

Result<void> WallSession::stop() {
  if (state_.status == PlayStatus::stopped) return {};
  auto line = Line::nothing(line_from_now());
  if (auto posted = play_line(line, nullptr); !posted) return posted;
  forget_fade();
  state_.status = PlayStatus::stopped;
  state_.name.clear();
  programme_.now_shows({});
  take_store(nullptr, {});
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
  auto line = line_to_change();
  line.seek(frame);
  if (auto posted = play_line(line, store_); !posted) return posted;
  state_.frame = frame;
  ++state_.revision;
  return {};
}

Result<void> WallSession::set_rate(double rate) {
  if (!is_play_rate(rate))
    return Error{fmt::format("rate {} is out of range", rate),
                 fmt::format("use {0} to {1}, or -{0} to -{1}; pause stops", play_rate_min, play_rate_max)};
  if (state_.status != PlayStatus::stopped) {
    auto line = line_to_change();
    line.set_rate(rate);
    if (auto posted = play_line(line, store_); !posted) return posted;
  }
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
    return Error{fmt::format("in (frame {}) is after out (frame {})", range.first, range.last),
                 "set in to the same frame as out or an earlier one"};
  if (loaded) {
    auto line = line_to_change();
    line.set_loop(loop);
    line.set_range(range);
    line.set_growing(state_.growing && range == all);
    if (auto posted = play_line(line, store_); !posted) return posted;
  }
  state_.loop = loop;
  state_.range = range == all ? std::nullopt : std::optional(range);
  ++state_.revision;
  return {};
}

// The nodes hear of it from the coordinator; the others know it for the time when one of them coordinates.
Result<void> WallSession::set_sound(const SoundLevel& level) {
  state_.sound = level;
  ++line_number_;
  ++state_.revision;
  return {};
}

Result<void> WallSession::set_playlist(Playlist playlist) {
  for (const auto& entry : playlist.entries) {
    if (auto known = check_name(entry.name); !known) return known;
    if (auto checked = check(entry); !checked) return checked;
  }
  programme_.set(std::move(playlist));
  ++line_number_;
  ++state_.revision;
  return {};
}

Result<void> WallSession::next(const std::optional<Transition>& transition) {
  if (programme_.playlist().entries.empty()) return Error{"nothing follows", "add entries to the playlist"};
  if (transition)
    if (auto checked = check(*transition); !checked) return checked;
  // A rejected request changes nothing: entries that cannot be played stay.
  const auto before = programme_;
  struct Passed {
    std::string name;
    bool stays;
    Error error;
  };
  std::vector<Passed> passed;
  const bool begun = begin_next(transition, {}, [&](const PlaylistEntry& entry, bool stays, const Error& error) {
    passed.push_back({entry.name, stays, error});
  });
  if (!begun) programme_ = before;
  for (const auto& one : passed) narrator_.passed_over(one.name, one.stays || !begun, one.error);
  if (begun) return {};
  return Error{"no entry of the playlist can be played", "see the events for the reasons"};
}

// Opens the files of the current visualization again after they were written to. Playing continues if they are complete
// and have the same frames.
void WallSession::reopen(Reopening when) {
  if (!store_ || store_->is_unchanged()) return;  // the failed read was of files that were replaced
  auto files = library_.open_again(state_.name, [this](const Manifest& manifest) -> Result<void> {
    if (has_same_frames(manifest, store_->manifest())) return {};
    return Error{state_.name + " was replaced by another visualization", "load it again"};
  });
  if (!files) return;  // they may still be written to: the next failed read tries again
  if (when == Reopening::when_complete && !files->missing.empty()) return;
  auto store = OpenStore::of(std::move(*files));
  if (wall_.servers.size() > 1 && store->digest() != store_->digest()) return;  // the other servers play the old frames
  if (const auto posted = post(command::Reopen{store_, store}); !posted) return;
  store_ = std::move(store);
  narrator_.opened_anew(state_.name);
}

Result<void> WallSession::move_flow(unsigned flow, std::optional<unsigned> cpu) {
  if (flow >= wall_.flow_count())
    return Error{fmt::format("the wall has no flow {}", flow),
                 fmt::format("its flows are 0 to {}", wall_.flow_count() - 1)};
  const auto found = std::ranges::find(bands_, flow, &Band::flow);
  if (found == bands_.end())
    return Error{fmt::format("flow {} is sent by server '{}'", flow, wall_.server_of(wall_.tile_of_flow(flow)).name),
                 "move it there"};
  return threads_.move(static_cast<std::size_t>(found - bands_.begin()), cpu_number(cpu));
}

std::vector<FlowCpu> WallSession::placement() const {
  std::vector<FlowCpu> all;
  for (std::size_t i = 0; i < flows_.size(); ++i)
    all.push_back({bands_[i].flow, cpu_of(threads_.cpu_of(i)), cpu_of(planned_cpus_[i])});
  return all;
}

std::vector<std::uint64_t> WallSession::turns() {
  auto turns = threads_.turns();
  turns.insert(turns.begin(), playback_->turns());
  playback_->nudge();
  return turns;
}

PlayState WallSession::state() const {
  auto state = state_;
  state.playlist = programme_.playlist();
  state.entry = programme_.entry();
  state.fades = transitions_.fades();
  return state;
}

std::vector<SenderFlowStats> WallSession::sender_stats() const {
  std::vector<SenderFlowStats> stats;
  for (const auto& flow : flows_) stats.push_back(flow->stats());
  return stats;
}

std::vector<std::pair<unsigned, const SenderFlowHistograms*>> WallSession::sender_histograms() const {
  std::vector<std::pair<unsigned, const SenderFlowHistograms*>> histograms;
  for (const auto& flow : flows_) histograms.emplace_back(flow->stats().flow, &flow->histograms());
  return histograms;
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

Result<std::unique_ptr<Session>> Session::make(const Wall& wall, const WallServer& server, const Library& library,
                                               SessionPorts ports, std::function<void(const PlayEvent&)> on_event) {
  auto session = std::make_unique<WallSession>(wall, server, library, std::move(ports.clock), std::move(on_event));
  if (ports.kept_clock != nullptr) session->keep_clock(*ports.kept_clock);
  if (const auto opened = session->open(ports); !opened) return opened.error();
  return std::unique_ptr<Session>(std::move(session));
}

}  // namespace lw
