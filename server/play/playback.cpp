#include "server/play/playback.h"

#include "common/concurrency/agent_threads.h"
#include "common/plan/buffers.h"
#include "common/wall/nap.h"
#include "common/wall/site.h"
#include "common/wall/tile_slots.h"
#include "server/read/node_readers.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cassert>
#include <thread>
#include <utility>

namespace lw {
namespace {

constexpr std::size_t commands_max = 64;
// While something plays, it looks so often whether the clock was set. That holds up nothing else.
constexpr std::chrono::milliseconds step_max{100};
// What all tiles show, and when, also changes as nodes fall silent.
constexpr std::chrono::milliseconds look_interval{20};
// A thread that is delayed by less than this catches up.
constexpr std::chrono::milliseconds jump_least{1000};
// By less, a server of several that was delayed has heard of a new line in time.
constexpr std::chrono::milliseconds hold_least{250};

// Completed reads of many small frames wake the thread together, in a small part of the time by which frames are read
// ahead.
Nanoseconds nap_between_reads(const Wall& wall, std::size_t tiles) {
  return are_many(tiles) ? std::min<Nanoseconds>(nap_of_frame(wall, 16), read_ahead / 40) : Nanoseconds{0};
}

// Null if there are none, or if their threads cannot be started.
std::unique_ptr<StripeReader> readers_of_nodes(const std::vector<TileIndex>& tiles,
                                               const std::vector<ReaderPlace>& places, unsigned reads_max,
                                               const ReaderSettings& reading,
                                               std::span<const std::span<std::byte>> memory, Doorbell& bell) {
  if (places.empty()) return nullptr;
  std::vector<NodeReaders::Node> nodes;
  for (const auto& place : places) {
    NodeReaders::Node node;
    node.number = place.numa_node;
    node.cpu = cpu_number(place.cpu);
    std::vector<std::span<std::byte>> own;
    for (const auto tile : place.tiles) {
      node.tiles.push_back(tiles[tile]);
      own.push_back(memory[tile]);
    }
    node.reads_max = static_cast<unsigned>(reads_max / tiles.size() * own.size());
    node.reader = StripeReader::create(node.reads_max, reading, own);
    nodes.push_back(std::move(node));
  }
  auto readers = NodeReaders::start(std::move(nodes), bell);
  if (readers) return std::move(*readers);
  spdlog::warn("one thread reads the frames of all NUMA nodes: {}", readers.error().text());
  return nullptr;
}

}  // namespace

Result<std::unique_ptr<Playback>> Playback::start(const Wall& wall, const WallServer& server,
                                                  std::vector<FlowSender*> flows, std::vector<int> cpus,
                                                  const ReaderSettings& reading, int own_cpu,
                                                  const std::vector<ReaderPlace>& readers) {
  PlaybackPorts ports;
  ports.cpus = std::move(cpus);
  ports.reader = [&](unsigned reads_max, std::span<const std::span<std::byte>> memory, Doorbell& bell) {
    auto of_nodes = readers_of_nodes(wall.tiles_of(server), readers, reads_max, reading, memory, bell);
    return of_nodes ? std::move(of_nodes) : StripeReader::create(reads_max, reading, memory);
  };
  ports.clock = std::make_unique<OwnHostClock>();
  auto playback = make(wall, server, std::move(flows), std::move(ports));
  if (!playback) return playback;
  auto& playing = **playback;
  const auto nap = nap_between_reads(wall, playing.tiles_.size());
  auto runner = Runner::start({.name = "playback", .cpu = own_cpu, .nap = nap}, {&playing});
  if (!runner) return runner.error();
  playing.runner_ = std::move(*runner);
  return playback;
}

Result<std::unique_ptr<Playback>> Playback::make(const Wall& wall, const WallServer& server,
                                                 std::vector<FlowSender*> flows, PlaybackPorts ports) {
  std::unique_ptr<Playback> playback(new Playback(wall, server, std::move(flows)));
  // Any format and rate may be loaded later; RGB is the largest format, and a rate above the wall's reads ahead less
  // far.
  const std::size_t count = server_frames_per_tile(wall.streaming, wall.frame_rate);
  std::vector<std::span<std::byte>> memory;
  const std::size_t spares = playback->spares_per_tile_;
  for (const auto& tile : playback->tiles_) {
    // All of a tile's flows read the frame; it is allocated near the first one's core.
    const auto first_flow = playback->tile_cpus_.size() * wall.streaming.flows_per_tile;
    const int cpu = ports.cpus.empty() ? -1 : ports.cpus[first_flow];
    playback->tile_cpus_.push_back(cpu);
    playback->pages_.expect(FramePool::memory_bytes(count, frame_memory_bytes(wall, tile.index)), cpu);
  }
  for (std::size_t i = 0; i < playback->tiles_.size(); ++i) {
    auto& tile = playback->tiles_[i];
    const auto frame_bytes = frame_memory_bytes(wall, tile.index);
    auto pages = playback->pages_.take(FramePool::memory_bytes(count, frame_bytes), playback->tile_cpus_[i]);
    if (!pages) return pages.error();
    playback->frame_memory_.add(*pages);
    tile.pool = FramePool::in(std::move(*pages), count, frame_bytes);
    memory.push_back(tile.pool->memory());
  }
  const std::size_t reads_max = (count + spares) * playback->tiles_.size();
  playback->reader_ = ports.reader(static_cast<unsigned>(reads_max), memory, playback->bell());
  playback->late_reads_.reserve(reads_max);
  playback->clock_ = std::move(ports.clock);
  return playback;
}

Playback::Playback(const Wall& wall, const WallServer& server, std::vector<FlowSender*> flows)
    : alone_(wall.servers.size() == 1),
      mode_(wall.sync.mode),
      sites_delay_(wall.streaming.sites_delay),
      coordinates_(&wall.coordinator() == &server),
      tiles_(wall.tiles_of(server).size()),
      spares_per_tile_(owed_frames(wall.frame_rate)),
      upcoming_(commands_max),
      records_(tiles_.size() * FrameRecorder::records_kept),
      inbox_(commands_max) {
  const unsigned per_tile = wall.streaming.flows_per_tile;
  const auto sent = wall.tiles_of(server);
  assert(flows.size() == std::size_t{per_tile} * tiles_.size());
  if (wall.sync.mode == SyncMode::wall) {
    syncs_.emplace_back(wall);
    for (const auto& site : wall.sites) syncs_.emplace_back(wall_of_site(wall, site));
    committed_.resize(syncs_.size(), std::vector<TickSet>(flows.size()));
  }
  if (wall.streaming.adapts_playout_delay()) delay_.emplace(wall.streaming);
  counted_.delay = PlayoutRamp::constant(wall.streaming.playout_delay);
  published_.publish(counted_);  // status() may be asked before the thread's first turn
  told_ = counted_;
  touched_.reserve(tiles_.size());
  to_ring_.reserve(2 * flows.size());
  place_of_tile_.resize(wall.tile_count());
  for (unsigned i = 0; i < tiles_.size(); ++i) {
    tiles_[i].index = sent[i];
    tiles_[i].slot_bytes = packet_cut(wall, sent[i]).slot_bytes();
    place_of_tile_[sent[i].value] = i;
    tiles_[i].flows.assign(flows.begin() + i * per_tile, flows.begin() + (i + 1) * per_tile);
  }
  feedback_.assign(std::max<std::size_t>(syncs_.size(), 1), std::vector<FlowFeedback>(flows.size()));
  flows_ = std::move(flows);
  if (!syncs_.empty() || delay_)
    for (unsigned i = 0; i < flows_.size(); ++i) flows_[i]->note_feedback_on(heard_, i);
}

Playback::~Playback() { stop(); }

bool Playback::post(PlaybackCommand command) {
  if (!inbox_.try_push(command)) return false;
  bell().ring();
  return true;
}

Wait Playback::step(const Moment& now) {
  take_commands();
  if (held_ && released_ == counted_.holds) {
    held_ = false;
    go_on_from(now.wall);
  }
  if (cue_.store && !held_) follow_clock(now);
  if (!held_) start_reads(now);
  collect_reads();
  ask_for_late();
  hand_over_touched(clock_->now().wall);
  if (hears(now.local)) hear_receivers();
  counted_.next_tick = tick_;
  if (counted_ != told_) {
    told_ = counted_;
    published_.publish(told_);
  }
  return next_wait(now);
}

// Completed reads and reports of receivers wake the thread.
Wait Playback::next_wait(const Moment& now) const {
  const bool reads = reader_->under_way() > 0;
  Wait wait{LocalTime::max(), reads ? reader_->descriptors() : std::span<const int>{}};
  if (reads && !overdue_.empty()) wait.until = local_of(overdue_.front(), now);
  if (!late_reads_.empty()) wait.until = std::min(wait.until, late_reads_.front().at);
  if (hears(now.local)) wait.until = std::min(wait.until, next_look_);
  if (!cue_.store) return wait;
  const auto next = local_of(cue_.line.media_time(tick_) - read_ahead, now);
  wait.until = std::min({wait.until, next, LocalTime{now.local + step_max}});
  return wait;
}

// Reads must end before their buffers are destroyed. A disk that never answers must not delay the exit
// forever.
void Playback::end() {
  forget_frames();
  const auto give_up = LocalClock::now() + std::chrono::seconds{2};
  while (reader_->under_way() > 0 && LocalClock::now() < give_up) {
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
    collect_reads();
  }
}

void Playback::take_commands() {
  PlaybackCommand command;
  while (inbox_.try_pop(command)) std::visit([this](auto& wish) { carry_out(wish); }, command);
  follow_lines();
}

void Playback::carry_out(playback_command::Play& play) {
  play.line.shift(counted_.shifted - play.shifted);
  while (!upcoming_.empty() && upcoming_.back().line.first_tick() >= play.line.first_tick()) upcoming_.pop_back();
  if (play.start && (starts_.empty() || starts_.back() != *play.start)) starts_.push_back(*play.start);
  upcoming_.push_back({play.line, std::move(play.store), play.start ? &starts_.back() : nullptr});
}

void Playback::carry_out(playback_command::Reopen& reopen) {
  for (auto& cue : upcoming_)
    if (cue.store == reopen.before) cue.store = reopen.store;
  if (!cue_.store || cue_.store != reopen.before) return;
  retired_.push_back(std::exchange(cue_.store, std::move(reopen.store)));
  reader_->use(*cue_.store);
  begin_to_watch();
}

void Playback::carry_out(playback_command::KeepTo& keep) {
  if (!delay_) return;
  delay_->keep_to(keep.delay);
  keep_to(keep.delay);
}

// Makes the line of the next tick the present one. While nothing plays there are no ticks to wait for. The line of a
// coordinator that was restarted continues with later numbers: its time comes before its number.
void Playback::follow_lines() {
  const auto begins = [this](const Line& line) {
    return !cue_.store || line.first_tick() <= tick_ ||
           line.media_time(line.first_tick()) <= cue_.line.media_time(tick_);
  };
  while (!upcoming_.empty() && begins(upcoming_.front().line)) {
    auto cue = std::move(upcoming_.front());
    upcoming_.pop_front();
    begin_line(std::move(cue));
  }
}

// Frames of the previous line that were already read ahead are still shown; this one follows without a gap.
void Playback::begin_line(Cue cue) {
  const bool played = cue_.store != nullptr;
  constexpr std::chrono::microseconds rounding{1};  // media times of two lines differ by less
  const bool late = played && cue.line.first_tick() < tick_;
  const auto reached = played ? cue_.line.media_time(tick_) : WallTime{};
  if (cue.store != cue_.store) {
    for (auto& tile : tiles_)
      if (tile.newest != nullptr) std::exchange(tile.newest, nullptr)->release();
    if (cue_.store) retired_.push_back(cue_.store);
    if (cue.store) reader_->use(*cue.store);
  }
  const bool other_store = cue.store != cue_.store;
  cue_ = std::move(cue);
  if (other_store) begin_to_watch();
  tick_ = std::max(tick_, cue_.line.first_tick());
  if (!cue_.store) return;
  // A server that joins a wall that plays begins with the present tick; one that hears late of a line, with the tick of
  // this line that the others play now. That may have a lower number, if the line before was faster.
  if (!alone_ && !played) tick_ = std::max(tick_, cue_.line.tick_at(clock_->now().wall + read_ahead));
  if (!alone_ && late) tick_ = cue_.line.tick_at(reached - rounding);
  const auto place = cue_.line.at(tick_);
  counted_.generation = cue_.line.generation();
  counted_.frame = place.position.frame();
  counted_.ended = place.ended;
}

void Playback::forget_frames() {
  forget_read_ahead();
  for (auto& tile : tiles_)
    if (tile.newest != nullptr) std::exchange(tile.newest, nullptr)->release();
}

void Playback::forget_read_ahead() {
  overdue_.clear();
  for (auto& tile : tiles_) {
    for (auto& pending : tile.pending) pending.buffer->release();
    tile.pending.clear();
  }
}

// If the clock is set, the lines move with it; likewise if the process was frozen: the frames read ahead are lost,
// and playing continues from there. Where other servers send the wall's other tiles, only the coordinator shifts lines,
// and only for a clock that was set; a server that was frozen continues where the others are by now, once it knows
// what they play.
void Playback::follow_clock(const Moment& moment) {
  const auto now = moment.wall;
  const auto next = cue_.line.media_time(tick_) - read_ahead;
  const auto less_local = now.time_since_epoch() - moment.local.time_since_epoch();
  const auto before = std::exchange(wall_less_local_, less_local).value_or(less_local);
  const auto off = std::chrono::abs(next - now) - cue_.line.interval(tick_);
  if (off < (alone_ ? jump_least : hold_least)) return;
  const bool was_set = std::chrono::abs(less_local - before) > jump_least / 2;
  const bool jumps = off >= jump_least;
  const bool shifts = jumps && (alone_ || (coordinates_ && was_set));
  if (!shifts && next > now) return;  // its clock was set back: the coordinator's next line will be of this time
  if (jumps) {
    ++counted_.jumps;
    counted_.newest_jump = now - next;
    counted_.clock_was_set = was_set;
  }
  forget_read_ahead();
  if (!shifts) return hold();
  counted_.shifted += now - next;
  cue_.line.shift(now - next);
  for (auto& cue : upcoming_) cue.line.shift(now - next);
}

void Playback::hold() {
  held_ = true;
  ++counted_.holds;
}

// With the tick that is to be read by now.
void Playback::go_on_from(WallTime now) {
  const auto tick = std::max(tick_, cue_.line.tick_at(now + read_ahead));
  counted_.ticks_skipped += static_cast<std::uint64_t>(tick - tick_);
  tick_ = tick;
  follow_lines();
}

void Playback::start_reads(const Moment& now) {
  for (; cue_.store && cue_.line.media_time(tick_) - read_ahead <= now.wall; follow_lines()) {
    const auto place = cue_.line.at(tick_);
    const FrameStamp stamp{cue_.line.media_time(tick_), place.position.frame(), cue_.line.generation(),
                           static_cast<std::uint16_t>(tick_)};
    const auto interval = cue_.line.interval(tick_);
    if (stamp.media_time + interval < now.wall) {
      ++counted_.ticks_skipped;  // this thread was delayed: catch up instead of sending the past
    } else {
      const Pending frame{
          .stamp = stamp, .interval = interval, .start = cue_.start, .before = cue_.line.frames_before(tick_)};
      for (auto& tile : tiles_) read_tile(tile, frame);
      overdue_.push_back(stamp.media_time + interval);
      for (auto& sync : syncs_) sync.begin(stamp.tick, stamp.media_time);
      counted_.frame = stamp.frame;
      newest_read_ = now.local;
    }
    counted_.ended = place.ended;
    ++tick_;
  }
}

void Playback::read_tile(Tile& tile, Pending frame) {
  if (tile.pending.full()) {
    ++counted_.frames_read_late;
    return;
  }
  frame.read =
      tile.newest == nullptr || tile.newest_frame != frame.stamp.frame || tile.newest->state == BufferState::failed;
  if (frame.read) {
    FrameBuffer* buffer = start_read(tile, frame.stamp);
    if (buffer == nullptr) {
      ++counted_.frames_read_late;  // all buffers are still in use by a disk or a flow
      return;
    }
    if (tile.newest != nullptr) tile.newest->release();
    tile.newest = buffer;
    tile.newest_frame = frame.stamp.frame;
  }
  frame.buffer = tile.newest;
  frame.buffer->add_users(1);
  tile.pending.push_back(frame);
  if (tile.newest->state != BufferState::reading) touch(tile);
}

// Whether to listen to receivers: frames that were sent are still committed after playing has ended.
bool Playback::hears(LocalTime now) const {
  const auto shown_after = read_ahead + std::max(counted_.delay.to, sites_delay_) + jump_least;
  return (!syncs_.empty() || delay_) && (cue_.store || now < newest_read_ + shown_after);
}

// Decides what all tiles show and when, and has the flows send it to their receivers.
void Playback::hear_receivers() {
  const auto now = clock_->now();
  const bool heard = heard_.has_rings();
  heard_.answer([this](std::uint32_t flow) {
    for (std::size_t place = 0; place < feedback_.size(); ++place)
      feedback_[place][flow] = flows_[flow]->feedback(place);
  });
  if (!heard && now.local < next_look_) return;
  next_look_ = now.local + look_interval;
  if (delay_) decide_delay(now);
  for (std::size_t place = 0; place < syncs_.size(); ++place) {
    const auto& committed = syncs_[place].step(feedback_[place], now.wall, now.local);
    for (std::size_t flow = 0; flow < flows_.size(); ++flow) {
      auto& told = committed_[place][flow];
      if (told == committed || !syncs_[place].tells(flow)) continue;
      flows_[flow]->commit(committed, place);
      told = committed;
    }
  }
  if (!syncs_.empty()) counted_.missing = syncs_.front().missing();
}

// A server that does not coordinate only says what its flows need.
void Playback::decide_delay(const Moment& now) {
  counted_.delay_needed = delay_needed(feedback_.front(), mode_, now.local);
  if (counted_.delay_needed) counted_.delay_needed->flow = number_of(counted_.delay_needed->flow);
  if (!coordinates_) return;
  const auto others = others_.read();
  const auto need = longer(counted_.delay_needed, others.need);
  counted_.slowest_flow = need ? std::optional(need->flow) : std::nullopt;
  keep_to(delay_->step(need, now.wall, now.local, others.ahead));
}

void Playback::keep_to(const PlayoutRamp& delay) {
  if (delay == kept_) return;
  kept_ = counted_.delay = delay;
  for (auto* flow : flows_) flow->keep_to(delay);
  if (!syncs_.empty()) syncs_.front().keep_to(delay);
}

// On the wall, of a flow of this server.
unsigned Playback::number_of(unsigned flow) const {
  const auto per_tile = static_cast<unsigned>(tiles_.front().flows.size());
  return tiles_[flow / per_tile].index.value * per_tile + flow % per_tile;
}

void Playback::touch(Tile& tile) {
  if (!std::exchange(tile.touched, true)) touched_.push_back(&tile);
}

// Tiles whose next frame may be in memory now; all where a frame is overdue.
void Playback::hand_over_touched(WallTime now) {
  bool overdue = false;
  for (; !overdue_.empty() && now >= overdue_.front(); overdue_.pop_front()) overdue = true;
  if (overdue)
    for (auto& tile : tiles_) hand_over(tile, now);
  for (auto* tile : touched_) {
    tile->touched = false;
    hand_over(*tile, now);
  }
  touched_.clear();
  ring_flows();
}

// When all have their frames: a thread with many flows would be woken for one after the other.
void Playback::ring_flows() {
  for (auto* flow : to_ring_) flow->bell().ring();
  to_ring_.clear();
}

// Frames leave in order. A frame whose read has not ended in time is dropped, and the next ones continue.
void Playback::hand_over(Tile& tile, WallTime now) {
  while (!tile.pending.empty()) {
    Pending& first = tile.pending.front();
    if (first.buffer->state == BufferState::reading) {
      if (now < first.stamp.media_time + first.interval) return;
      ++counted_.frames_read_late;
    } else if (first.buffer->state == BufferState::ready) {
      give(tile, first, now);
    }
    first.buffer->release();
    tile.pending.pop_front();
  }
}

void Playback::give(Tile& tile, const Pending& frame, WallTime now) {
  if (!sends_.load(std::memory_order_relaxed)) return;
  const auto& read = frame.buffer->read;
  const auto asked = frame.read ? read.times[0] : WallTime{};
  const auto in_memory = frame.read ? read.times[1] : now;
  for (FlowSender* flow : tile.flows) {
    frame.buffer->add_users(1);
    if (flow->queue({frame.buffer, frame.stamp, frame.buffer->format, frame.interval, asked, in_memory, frame.start,
                     frame.before}))
      to_ring_.push_back(flow);
    else
      frame.buffer->release();
  }
}

}  // namespace lw
