#include "wall-client/playout/playout_buffer.h"

#include "common/wire/sequence.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lw {
namespace {

// A larger jump of the tick counter means a restarted server, not that many lost frames.
constexpr std::uint16_t ticks_lost_max = 600;
// Frames arrive in the order of their times, except for reordering in the network.
constexpr std::chrono::seconds set_back_least{2};

// Mode "wall": when a committed frame is too old to be shown, and when waiting for the commitment ends.
constexpr std::chrono::milliseconds late_max{100};
constexpr std::chrono::milliseconds commit_late_max{20};

// A starting node opens its flows one after the other. A flow that stays silent for longer is lost.
constexpr std::chrono::seconds join_max{1};

// Two servers send different frames for the same time while one of them has not heard of a line yet.
bool is_of_another(const AssembledFrame& frame, const ReceivedBand& band) {
  return frame.has_stamp && band.has_stamp && (frame.frame != band.frame || frame.generation != band.generation);
}
bool is_newer(std::uint32_t generation, std::uint32_t than) {
  return distance_16(static_cast<std::uint16_t>(than), static_cast<std::uint16_t>(generation)) > 0;
}

}  // namespace

PlayoutBuffer::PlayoutBuffer(unsigned bands_per_tile, Nanoseconds playout_delay, std::size_t capacity,
                             std::function<void(const ReceivedBand&)> give_back, SyncMode mode,
                             std::function<void(const AssembledFrame&)> left_out)
    : bands_per_tile_(bands_per_tile),
      delay_(PlayoutRamp::constant(playout_delay)),
      capacity_(capacity),
      give_back_(std::move(give_back)),
      mode_(mode),
      left_out_(std::move(left_out)),
      frames_(capacity) {
  for (auto& frame : frames_) frame.bands.reserve(bands_per_tile);
  joined_.reserve(bands_per_tile);
  streams_.reserve(bands_per_tile);
}

PlayoutBuffer::~PlayoutBuffer() {
  while (used_ > 0) drop_front();
}

// Whether the server's clock was set back between the two: the later band has an earlier time. A node that was frozen
// for long may also take bands with earlier times, if one flow empties its socket before another, but then their ticks
// are earlier too.
bool PlayoutBuffer::set_back(WallTime time, std::optional<std::uint16_t> tick, const ReceivedBand& band) {
  if (time - band.media_time < set_back_least) return false;
  if (!tick || !band.has_stamp) return true;
  const auto ticks_before = static_cast<std::uint16_t>(*tick - band.tick);
  return ticks_before == 0 || ticks_before > ticks_lost_max;
}

// For a flow that has joined.
std::size_t PlayoutBuffer::place_of(unsigned flow) const {
  return static_cast<std::size_t>(std::ranges::find(joined_, flow) - joined_.begin());
}

// The sender of the flow restarted: its ticks have a new beginning.
void PlayoutBuffer::follow_stream(const ReceivedBand& band) {
  if (std::exchange(streams_[place_of(band.flow)], band.stream) != band.stream) last_tick_.reset();
}

// Only ticks of one stream can be compared: those of a restarted sender have a new beginning, while earlier frames may
// still wait or become due.
std::optional<std::uint16_t> PlayoutBuffer::tick_of(const AssembledFrame& frame) const {
  const auto is_newest = [&](const ReceivedBand& band) { return streams_[place_of(band.flow)] == band.stream; };
  return frame.has_stamp && std::ranges::all_of(frame.bands, is_newest) ? std::optional(frame.tick) : std::nullopt;
}

// A band from before the server's clock was set back that waited for lost packets until its deadline, in terms of a
// time that comes only later: frames that the server sent after it were already due.
bool PlayoutBuffer::is_overtaken(const ReceivedBand& band) const {
  if (!last_tick_ || !band.has_stamp || band.media_time <= *last_due_) return false;
  const auto ticks_before = static_cast<std::uint16_t>(*last_tick_ - band.tick);
  return ticks_before > 0 && ticks_before <= ticks_lost_max;
}

void PlayoutBuffer::add(const ReceivedBand& band) {
  note_joined(band);
  follow_stream(band);
  if (is_overtaken(band)) return give_back_(band);
  // Waiting frames then have times that come again only later.
  const auto waits_too_long = [&](const AssembledFrame& frame) {
    return set_back(frame.media_time, tick_of(frame), band);
  };
  while (used_ > 0 && waits_too_long(frames_[used_ - 1])) leave_out_front();
  const auto begin = frames_.begin();
  auto end = begin + static_cast<std::ptrdiff_t>(used_);
  auto place = std::lower_bound(begin, end, band.media_time,
                                [](const AssembledFrame& frame, WallTime time) { return frame.media_time < time; });
  const bool known = place != end && place->media_time == band.media_time;
  if (!known) {
    // Its frame was already due (shown without this band, or pushed out): too late.
    if (last_due_ && band.media_time <= *last_due_) {
      if (!set_back(*last_due_, last_tick_, band)) return give_back_(band);
      first_band_.reset();
    }
    if (used_ == capacity_) {
      const auto index = place - begin;
      leave_out_front();
      place = begin + std::max<std::ptrdiff_t>(0, index - 1);
      end = begin + static_cast<std::ptrdiff_t>(used_);
    }
    // The storage behind the last frame moves into the gap, so that nothing is allocated.
    std::rotate(place, end, end + 1);
    ++used_;
    place->media_time = band.media_time;
    place->has_stamp = false;
    place->frame = place->generation = 0;
    place->tick = 0;
    place->format = band.format;
    place->bands.clear();
    place->committed = false;
  }
  if (is_of_another(*place, band)) {
    if (!is_newer(band.generation, place->generation)) return give_back_(band);
    for (const auto& older : place->bands) give_back_(older);
    place->bands.clear();
    place->has_stamp = false;
    place->format = band.format;
  }
  if (place->format != band.format || place->bands.size() == bands_per_tile_) return give_back_(band);
  if (band.has_stamp && !place->has_stamp) name(*place, band);
  place->bands.push_back(band);
  place->whole = place->bands.size() == bands_per_tile_ && std::ranges::all_of(place->bands, &ReceivedBand::whole);
}

// A band whose packets lost their stamps on the way does not know its frame; other bands with its time do.
void PlayoutBuffer::name(AssembledFrame& frame, const ReceivedBand& band) {
  frame.frame = band.frame;
  frame.generation = band.generation;
  frame.tick = band.tick;
  frame.has_stamp = true;
}

void PlayoutBuffer::count_due(const AssembledFrame& frame) {
  const auto tick = tick_of(frame);
  std::uint16_t ticks = 1;
  if (tick && last_tick_) {
    ticks = static_cast<std::uint16_t>(*tick - *last_tick_);
    if (ticks == 0 || ticks > ticks_lost_max) ticks = 1;
  }
  counts_.frames_due += ticks;
  counts_.not_shown += ticks - 1U;  // no packet of these frames arrived
  if (frame.has_stamp) last_tick_ = tick;
  last_due_ = frame.media_time;
}

void PlayoutBuffer::note_joined(const ReceivedBand& band) {
  if (std::ranges::find(joined_, band.flow) != joined_.end()) return;
  if (joined_.empty()) first_band_ = band.media_time;
  last_joined_ = std::max(last_joined_, band.media_time);
  joined_.push_back(band.flow);
  streams_.push_back(band.stream);
}

// A node usually joins a stream in the middle of a frame, and other flows some frames later.
bool PlayoutBuffer::is_cut(const AssembledFrame& frame) const {
  if (frame.whole || !first_band_ || frame.media_time - *first_band_ > join_max) return false;
  return joined_.size() < bands_per_tile_ || frame.media_time <= last_joined_;
}

void PlayoutBuffer::drop_cut_frame() {
  ++counts_.cut_at_start;
  last_due_ = frames_[0].media_time;
  if (frames_[0].has_stamp) last_tick_ = tick_of(frames_[0]);
  drop_front();
}

const AssembledFrame* PlayoutBuffer::due(WallTime now) {
  const auto is_due = [&] { return used_ > 0 && presentation_time(frames_[0]) <= now; };
  while (is_due() && is_cut(frames_[0])) drop_cut_frame();
  if (mode_ == SyncMode::wall) return due_in_step(now);
  if (!is_due()) return nullptr;
  while (used_ > 1 && presentation_time(frames_[1]) <= now) leave_out_front();
  return &frames_[0];
}

void PlayoutBuffer::commit(const TickSet& ticks) {
  for (std::size_t i = 0; i < used_; ++i)
    if (frames_[i].has_stamp && ticks.contains(frames_[i].tick)) frames_[i].committed = true;
}

// In order: frames shown by other tiles are shown here too, even if late, but not if too old.
const AssembledFrame* PlayoutBuffer::due_in_step(WallTime now) {
  while (used_ > 0) {
    const auto& frame = frames_[0];
    const auto late = now - presentation_time(frame);
    if (late < Nanoseconds{0}) return nullptr;
    const bool committed = frame.whole && frame.committed;
    if (committed && late <= late_max) return &frame;
    if (!committed && late <= commit_late_max) return nullptr;
    leave_out_front();
  }
  return nullptr;
}

void PlayoutBuffer::leave_out_front() {
  count_due(frames_[0]);
  if (left_out_) left_out_(frames_[0]);
  ++counts_.not_shown;
  counts_.not_committed += mode_ == SyncMode::wall && frames_[0].whole && !frames_[0].committed;
  drop_front();
}

const AssembledFrame* PlayoutBuffer::next_whole() const {
  return used_ > 0 && frames_[0].whole ? &frames_[0] : nullptr;
}

std::optional<WallTime> PlayoutBuffer::next_time() const {
  if (used_ == 0) return std::nullopt;
  const auto& frame = frames_[0];
  const auto due = presentation_time(frame);
  const bool is_waited_for = mode_ == SyncMode::wall && !(frame.whole && frame.committed);
  return is_waited_for ? due + commit_late_max + Nanoseconds{1} : due;
}

void PlayoutBuffer::shown() {
  assert(used_ > 0);
  count_due(frames_[0]);
  ++(frames_[0].whole ? counts_.shown_whole : counts_.shown_concealed);
  if (frames_[0].whole && std::ranges::any_of(frames_[0].bands, &ReceivedBand::repaired)) ++counts_.shown_repaired;
  drop_front();
}

void PlayoutBuffer::drop_front() {
  for (const auto& band : frames_[0].bands) give_back_(band);
  frames_[0].bands.clear();
  std::rotate(frames_.begin(), frames_.begin() + 1, frames_.begin() + static_cast<std::ptrdiff_t>(used_));
  --used_;
}

unsigned PlayoutBuffer::whole_waiting() const {
  return static_cast<unsigned>(std::count_if(frames_.begin(), frames_.begin() + static_cast<std::ptrdiff_t>(used_),
                                             [](const AssembledFrame& f) { return f.whole; }));
}

}  // namespace lw
