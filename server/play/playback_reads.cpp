// How playback reads frames: from their disk or, in a store with copies, from the one of two that answers first.
#include "server/play/playback.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace lw {

// The pools are as large as the tiles' first ones, which the thread does not change.
Result<void> Playback::make_room_for(const OpenStore& store) {
  if (store.copies() == 1 || has_room_) return {};
  playback_command::MakeRoom room;
  spare_pages_ = {};
  const auto frame_bytes = [&](std::size_t tile) { return tiles_[tile].pool->buffers().front().capacity; };
  const auto bytes = [&](std::size_t tile) { return FramePool::memory_bytes(spares_per_tile_, frame_bytes(tile)); };
  for (std::size_t i = 0; i < tiles_.size(); ++i) spare_pages_.expect(bytes(i), tile_cpus_[i]);
  for (std::size_t i = 0; i < tiles_.size(); ++i) {
    auto pages = spare_pages_.take(bytes(i), tile_cpus_[i]);
    if (!pages) return pages.error();
    room.spares.push_back(FramePool::in(std::move(*pages), spares_per_tile_, frame_bytes(i)));
  }
  has_room_ = post(std::move(room));
  return {};
}

void Playback::carry_out(playback_command::MakeRoom& room) {
  for (std::size_t i = 0; i < tiles_.size(); ++i) tiles_[i].spares = std::move(room.spares[i]);
}

FrameBuffer* Playback::start_read(Tile& tile, const FrameStamp& stamp) {
  const auto& store = *cue_.store;
  if (!store.has(stamp.frame)) return nullptr;
  const FrameRecord read{.media_time = stamp.media_time,
                         .frame = stamp.frame,
                         .generation = stamp.generation,
                         .tick = stamp.tick,
                         .part = static_cast<std::uint16_t>(tile.index.value),
                         .step = FrameStep::read,
                         .fate = FrameFate::whole};
  if (store.copies() == 1) return ask(tile, store, read, 0);
  const auto own = store.locate(stamp.frame, tile.index, 0);
  const auto other = store.locate(stamp.frame, tile.index, 1);
  const bool from_copy = !own.exists() || (other.exists() && disks_.prefers(other.stripe, own.stripe));
  FrameBuffer* buffer = ask(tile, store, read, from_copy ? 1 : 0);
  if (buffer == nullptr) return nullptr;
  if (disks_.is_to_be_tried(buffer->watched.other_disk, buffer->watched.asked)) ask_beside(tile, *buffer);
  return buffer;
}

// A pending read counts as a user of its buffer: its late data must not overwrite a frame that reuses the buffer. For
// the same reason each read has its own buffer, also that of a frame which is being read from both of its disks.
FrameBuffer* Playback::ask(Tile& tile, const OpenStore& store, const FrameRecord& read, unsigned copy) {
  FrameBuffer* buffer = tile.pool->take();
  if (buffer == nullptr && tile.spares) buffer = tile.spares->take();
  if (buffer == nullptr) return nullptr;
  const auto extent = store.locate(read.frame, tile.index, copy);
  const bool fits = extent.bytes <= buffer->capacity;
  buffer->tile = tile.index;  // decides which reader reads it
  if (!fits || !reader_->start(extent, *buffer)) {
    buffer->release();
    return nullptr;
  }
  buffer->state = BufferState::reading;
  buffer->frame = read.frame;
  buffer->format = store.manifest().pixel_format;
  buffer->in_slots = lies_as_sent(store.manifest(), tile.slot_bytes, tile.flows.size());
  buffer->read_in_slots = buffer->in_slots ? nullptr : store.slots(tile.index);
  buffer->read = read;
  buffer->read.times = {clock_->now().wall};
  buffer->read.bytes = static_cast<std::uint32_t>(extent.needed);
  buffer->read.stripe = static_cast<std::uint16_t>(extent.stripe);
  buffer->add_users(1);
  buffer->watched = {};
  if (store.copies() > 1) watch(*buffer, store, copy);
  return buffer;
}

void Playback::watch(FrameBuffer& buffer, const OpenStore& store, unsigned copy) {
  const auto now = clock_->now();
  const unsigned disk = buffer.read.stripe;
  const unsigned other = store.locate(buffer.frame, buffer.tile, 1 - copy).stripe;
  const auto late = disks_.late_at(disk, other, now.local, local_of(buffer.read.media_time, now));
  buffer.watched = {&store, nullptr, copy, disk, other, ++reads_watched_, now.local, late};
  disks_.asked(disk);
  if (late_reads_.size() == late_reads_.capacity()) {
    std::erase_if(late_reads_, &LateRead::has_ended);
    std::ranges::make_heap(late_reads_, std::ranges::greater{}, &LateRead::at);
  }
  late_reads_.push_back({late, &buffer, buffer.watched.number});
  std::ranges::push_heap(late_reads_, std::ranges::greater{}, &LateRead::at);
}

// Of a store that is played from now on, or whose files were opened again.
void Playback::begin_to_watch() {
  disks_.begin(cue_.store && cue_.store->copies() > 1 ? cue_.store->stripes() : 0);
  watched_after_ = reads_watched_;
  counted_.avoided.reset();
}

// From the frame's other disk, if that can be asked. The frame is not yet read into this buffer for anybody.
FrameBuffer* Playback::ask_other(Tile& tile, FrameBuffer& buffer) {
  const auto* store = cue_.store.get();
  if (buffer.watched.store != store || store == nullptr || !is_of_these_disks(buffer)) return nullptr;
  const unsigned copy = 1 - buffer.watched.copy;
  const auto now = clock_->now().local;
  if (!store->locate(buffer.frame, buffer.tile, copy).exists() || !disks_.may_help(buffer.watched.other_disk, now))
    return nullptr;
  auto* second = ask(tile, *store, buffer.read, copy);
  if (second == nullptr) return nullptr;
  second->read.times[0] = buffer.read.times[0];
  second->release();
  return second;
}

void Playback::ask_beside(Tile& tile, FrameBuffer& buffer) {
  auto* second = ask_other(tile, buffer);
  if (second == nullptr) return;
  buffer.watched.other = second;
  second->watched.other = &buffer;
}

void Playback::ask_for_late() {
  if (late_reads_.empty()) return;
  const auto now = clock_->now().local;
  while (!late_reads_.empty() && (late_reads_.front().at <= now || late_reads_.front().has_ended())) {
    const auto read = late_reads_.front();
    std::ranges::pop_heap(late_reads_, std::ranges::greater{}, &LateRead::at);
    late_reads_.pop_back();
    if (read.has_ended()) continue;
    auto& buffer = *read.buffer;
    auto& tile = tile_of(buffer);
    if (is_of_these_disks(buffer)) {
      disks_.was_late(buffer.watched.disk, buffer.watched.asked, now);
      counted_.avoided.set(buffer.watched.disk);
    }
    if (buffer.watched.other == nullptr && awaits(tile, buffer)) ask_beside(tile, buffer);
  }
}

// Whether a frame is to be sent from this buffer.
bool Playback::awaits(const Tile& tile, const FrameBuffer& buffer) {
  return tile.newest == &buffer ||
         std::ranges::any_of(tile.pending, [&](const Pending& pending) { return pending.buffer == &buffer; });
}

// Frames that were to be sent from `buffer` are sent from `by`.
void Playback::replace(Tile& tile, FrameBuffer& by, FrameBuffer& buffer) {
  const auto change = [&](FrameBuffer*& from) {
    if (from != &buffer) return;
    by.add_users(1);
    buffer.release();
    from = &by;
  };
  for (auto& pending : tile.pending) change(pending.buffer);
  change(tile.newest);
}

void Playback::note_end(const FrameBuffer& buffer, int error, LocalTime now) {
  if (!is_of_these_disks(buffer)) return;
  const auto& read = buffer.watched;
  const auto how = error != 0        ? DiskWatch::Ended::failed
                   : now > read.late ? DiskWatch::Ended::late
                                     : DiskWatch::Ended::in_time;
  disks_.ended(read.disk, read.other_disk, read.asked, now, how);
  counted_.avoided.set(read.disk, disks_.is_avoided(read.disk));
}

void Playback::collect_reads() {
  std::array<ReadDone, 16> done;
  std::size_t count = done.size();
  while (count == done.size()) {
    count = reader_->wait(done, Nanoseconds{0});
    const auto now = clock_->now();
    for (std::size_t i = 0; i < count; ++i) finish_read(*done[i].buffer, done[i].error, now);
  }
  if (reader_->under_way() == 0) retired_.clear();
}

// Of a frame's two reads, the first one that succeeds is sent.
void Playback::finish_read(FrameBuffer& buffer, int error, const Moment& now) {
  auto& tile = tile_of(buffer);
  buffer.state = error == 0 ? BufferState::ready : BufferState::failed;
  if (error == 0) buffer.arrange();
  buffer.read.times[1] = now.wall;
  note_end(buffer, error, now.local);
  FrameBuffer* other = std::exchange(buffer.watched.other, nullptr);
  if (other != nullptr) other->watched.other = nullptr;
  if (other == nullptr && error != 0 && awaits(tile, buffer)) other = ask_other(tile, buffer);
  if (other != nullptr && error == 0) replace(tile, buffer, *other);
  if (other != nullptr && error != 0) replace(tile, *other, buffer);
  const bool counts = buffer.watched.store == nullptr || awaits(tile, buffer);
  if (counts && error != 0) count_failure(buffer, error);
  if (!counts && error == file_changed) ++counted_.reads_of_changed;
  if (counts && buffer.watched.copy > 0 && error == 0) ++counted_.frames_from_copies;
  if (counts) records_.add(buffer.read);
  touch(tile);
  buffer.release();
}

void Playback::count_failure(FrameBuffer& buffer, int error) {
  buffer.read.fate = FrameFate::left_out;
  ++counted_.read_failures;
  counted_.last_error = error;
  counted_.last_error_tile = buffer.tile;
  counted_.last_error_frame = buffer.frame;
}

}  // namespace lw
