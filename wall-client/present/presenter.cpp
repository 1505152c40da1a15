#include "wall-client/present/presenter.h"

#include "common/base/timespec.h"
#include "common/plan/buffers.h"
#include "common/wall/nap.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace lw {
namespace {

constexpr std::chrono::milliseconds show_publish_interval{20};
constexpr std::chrono::milliseconds percentiles_interval{500};  // because they need a sort
constexpr std::chrono::milliseconds animated_interval{33};
constexpr std::chrono::milliseconds idle_interval{500};  // for a tile that waits for its stream
constexpr std::chrono::milliseconds preview_time{3};     // without a frame being due
constexpr std::chrono::milliseconds frame_soon{100};     // an overlay waits this long for the next frame's swap
constexpr unsigned naps_per_frame = 8;
// When the wall's clock moved by more, the times that tiles wait for are computed again.
constexpr std::chrono::microseconds clock_moves{20};

FrameRecord record_of(const AssembledFrame& frame, TileIndex tile) {
  FrameRecord record{.media_time = frame.media_time,
                     .frame = frame.frame,
                     .generation = static_cast<std::uint16_t>(frame.generation),
                     .tick = frame.tick,
                     .part = static_cast<std::uint16_t>(tile.value),
                     .step = FrameStep::shown,
                     .fate = frame.whole ? FrameFate::whole : FrameFate::incomplete};
  for (const auto& band : frame.bands) {
    record.bytes += band.bytes;
    if (frame.whole) record.times[0] = std::max(record.times[0], band.finished);
    if (frame.whole && band.repaired) record.fate = FrameFate::repaired;
  }
  return record;
}

}  // namespace

Presenter::Presenter(const Wall& wall, const WallNode& node, const std::vector<FlowReceiver*>& flows, Display& display,
                     FrameDump* dump, PassingBoard& finished, std::unique_ptr<HostClock> clock, Decoding decoding)
    : Agent(finished.bell()),
      frame_interval_(wall.frame_rate.duration_of(1)),
      nap_(are_many(flows.size()) ? nap_of_frame(wall, naps_per_frame) : Nanoseconds{0}),
      mode_(wall.sync.mode),
      adapts_delay_(wall.streaming.adapts_playout_delay()),
      one_window_(display.one_window()),
      locked_(display.swap_group().joined && !one_window_),
      uploads_(!display.renderer().empty()),
      display_(display),
      dump_(dump),
      finished_(finished),
      clock_(std::move(clock)),
      records_(node.tiles.size() * FrameRecorder::records_kept),
      decoding_(std::move(decoding)),
      buffers_per_flow_(client_bands_per_flow(wall.streaming, wall.frame_rate)) {
  const auto [first, last] = std::ranges::minmax(flows, {}, &FlowReceiver::flow);
  first_flow_ = first->flow();
  flows_.resize(last->flow() - first_flow_ + 1);
  for (auto* flow : flows) flows_[flow->flow() - first_flow_].receiver = flow;
  const auto waiting = std::max(frames_waiting_min, client_bands_per_flow(wall.streaming, wall.frame_rate));
  for (const auto& placement : node.tiles) {
    auto& tile = *tiles_.emplace_back(std::make_unique<Tile>(placement.tile, wall.tile(placement.tile)));
    const auto bands = bands_of(wall, placement.tile);
    for (const auto& band : bands) {
      auto& flow = flows_[band.flow - first_flow_];
      flow.tile = static_cast<std::uint32_t>(tiles_.size() - 1);
      tile.flows.push_back(flow.receiver);
      tile.bands.push_back({band.flow, band.rows});
    }
    tile.returns = BandReturns(2 * bands.size() * buffers_per_flow_);  // the flows', and those of a decoder
    tile.playout = std::make_unique<PlayoutBuffer>(
        static_cast<unsigned>(bands.size()), wall.streaming.playout_delay, waiting,
        [this, &tile](const ReceivedBand& band) { give_back(tile, band); }, mode_,
        [this, index = placement.tile](const AssembledFrame& frame) {
          auto record = record_of(frame, index);
          record.fate = FrameFate::left_out;
          records_.add(record);
        });
    tile.published.publish(tile.counted);
  }
  due_.grow(tiles_.size());
  touched_.reserve(tiles_.size());
  chosen_.reserve(tiles_.size());
  changed_.reserve(tiles_.size());
}

Result<void> Presenter::run(const std::atomic<bool>& stop, Sleeper& sleeper) {
  bell().hang(sleeper, 0);
  while (!stop && dumped_ && display_.poll_events()) {
    turns_.fetch_add(1, std::memory_order_relaxed);
    sleeper.answer([](std::uint32_t) {});
    bell().mute(false);
    const auto wait = step(clock_->now());
    bell().mute(!wait.hears_bell);
    std::optional<Nanoseconds> left;
    if (wait.until != LocalTime::max()) left = wait.until - clock_->now().local;
    if (!left || *left > Nanoseconds{0}) sleeper.sleep(left);
  }
  return dumped_;
}

Wait Presenter::step(const Moment& /*now*/) {
  if (overlays_changed_.exchange(false)) apply_overlays();
  const auto began = clock_->now();
  heard_ = false;
  gather(began);
  // The last window's swap waits for the retrace, at which the images of all windows appear.
  std::ranges::sort(touched_);
  for (const auto tile : touched_) look_at(*tiles_[tile], began.wall);
  present();
  if (locked_) keep_count();
  const auto ended = clock_->now();
  for (const auto tile : touched_) {
    tiles_[tile]->touched = false;
    due_.set(tile, next_wake(*tiles_[tile], ended));
  }
  touched_.clear();
  publish_changed(ended);
  if (previews_wanted_.load(std::memory_order_relaxed)) make_preview(ended);
  const auto until = next_wake(ended), nap = nap_end(ended);
  if (nap <= ended.local) return {.until = until};
  return {.until = std::min(until, nap), .hears_bell = false};
}

// No nap outlasts the time of the frame that follows the newest one: all of its bands may arrive during the nap.
LocalTime Presenter::nap_end(const Moment& now) const {
  if (!heard_ || nap_ == Nanoseconds{0}) return now.local;
  return std::min(now.local + nap_, local_of(newest_due_ + frame_interval_, now));
}

// The tiles for which bands or commitments arrived, and those that are due. Tiles whose frames are due at the same time
// by the wall's clock are so within `clock_moves` by the local one, and are looked at in the same step.
void Presenter::gather(const Moment& now) {
  finished_.answer([this](std::uint32_t flow) { hear_flow(flow); });
  const auto less_local = now.wall.time_since_epoch() - now.local.time_since_epoch();
  const bool known = clock_->wall_clock_known();
  if (known != clock_known_ || std::chrono::abs(less_local - wall_less_local_) > clock_moves) {
    clock_known_ = known;
    wall_less_local_ = less_local;
    gather_all();
  }
  while (due_.earliest() <= now.local + 2 * clock_moves) touch(due_.first());
}

void Presenter::gather_all() {
  for (std::uint32_t tile = 0; tile < tiles_.size(); ++tile) touch(tile);
}

void Presenter::touch(std::uint32_t tile) {
  due_.set(tile, DueHeap::never);
  if (!std::exchange(tiles_[tile]->touched, true)) touched_.push_back(tile);
}

// The server tells any flow of the node. When a flow's stream is replaced, what was committed means nothing any more.
void Presenter::hear_committed(Flow& flow) {
  const auto committed = flow.receiver->committed();
  if (std::exchange(flow.committed, committed) == committed) return;
  if (committed.empty())
    committed_ = {};
  else
    committed_.add(committed);
  gather_all();
}

// All tiles keep to the playout delay that was heard last by any of the flows.
void Presenter::hear_flow(std::uint32_t flow) {
  heard_ = true;
  auto& heard = flows_[flow - first_flow_];
  touch(heard.tile);
  if (mode_ == SyncMode::wall) hear_committed(heard);
  if (!adapts_delay_) return;
  if (const auto delay = heard.receiver->kept_delay(); std::exchange(heard.delay, delay) == delay) return;
  auto newest = heard.delay;
  for (const auto& other : flows_)
    if (other.delay.start > newest.start) newest = other.delay;
  for (const auto& tile : tiles_) tile->playout->keep_to(newest);
  gather_all();
}

// One time for all tiles: the swap of the last one may wait for the retrace, and a tile for which a frame was not yet
// due, and that comes before it, would show that frame a retrace later.
void Presenter::look_at(Tile& tile, WallTime time) {
  hear_of_screen(tile);
  return_bands(tile);
  take_bands(tile);
  // Until the wall's clock is known, it is unknown when a frame is due.
  if (clock_known_) show_due(tile, time);
  draw_idle(tile);
}

// Those that the GPU has read since. Nobody is woken for them: a flow that needs one soon delivers bands, for which
// this thread is rung.
void Presenter::return_bands(Tile& tile) {
  if (tile.returns.empty()) return;
  tile.returns.settle(display_.unread(tile.index));
  BandReturns::Buffer buffer;
  while (tile.returns.take(buffer)) {
    if (buffer.decoded)
      tile.decoder->give_back(buffer.flow, buffer.buffer);
    else
      give_back_to_flow(tile, buffer.flow, buffer.buffer);
  }
}

void Presenter::give_back(Tile& tile, const ReceivedBand& band) {
  tile.returns.add({band.flow, band.buffer, band.decoded});
  return_bands(tile);
}

void Presenter::take_bands(Tile& tile) {
  ReceivedBand band;
  const auto before = tile.playout->counts();
  for (FlowReceiver* flow : tile.flows)
    while (flow->take_band(band)) {
      if (info(band.format).varies_in_length())
        decode(tile, band);
      else
        tile.playout->add(band);
    }
  if (tile.decoder) take_decoded(tile);
  if (tile.playout->counts() != before) change(tile);
  if (mode_ == SyncMode::wall) tile.playout->commit(committed_);
}

// A band that cannot be decoded is missing from its frame.
void Presenter::decode(Tile& tile, const ReceivedBand& band) {
  if (begin_decoding(tile) && tile.decoder->add(band)) return;
  tile.counted.undecoded = tile.counted.undecoded.value_or(0) + 1;
  change(tile);
  give_back_to_flow(tile, band.flow, band.buffer);  // no upload reads it
}

// With the first such band: most walls have none, and need no memory for them.
bool Presenter::begin_decoding(Tile& tile) {
  if (tile.decoder || cannot_decode_) return tile.decoder != nullptr;
  const auto failed = [&](const Error& error) {
    spdlog::error("frames of this format cannot be shown: {}", error.text());
    cannot_decode_ = true;
    return false;
  };
  if (!workers_) {
    DecodeWorkers::Options options{decoding_.threads, decoding_.cpus, 0, 0};
    for (const auto& other : tiles_) {
      options.width_max = std::max(options.width_max, other->of_wall.place.width);
      options.orders_max += other->bands.size() * buffers_per_flow_;
    }
    auto workers = DecodeWorkers::start(options);
    if (!workers) return failed(workers.error());
    workers_ = std::move(*workers);
    if (decoding_.threads > 0) spdlog::info("frames are decoded by {} threads", decoding_.threads);
  }
  auto decoder = TileDecoder::make(tile.of_wall.place.width, tile.bands, buffers_per_flow_, *workers_, finished_);
  if (!decoder) return failed(decoder.error());
  tile.decoder = std::move(*decoder);
  tile.counted.undecoded = 0;
  return true;
}

// One that is done after its frame was due came in time, and was shown in time by none.
void Presenter::take_decoded(Tile& tile) {
  while (auto decoded = tile.decoder->take()) {
    give_back_to_flow(tile, decoded->source.flow, decoded->source.buffer);
    if (tile.playout->is_past(decoded->rgb)) tile.counted.undecoded = tile.counted.undecoded.value_or(0) + 1;
    tile.playout->add(decoded->rgb);
  }
}

void Presenter::give_back_to_flow(Tile& tile, unsigned flow, unsigned buffer) {
  tile.flows[flow - tile.flows.front()->flow()]->give_back(buffer);
}

void Presenter::show_due(Tile& tile, WallTime time) {
  const auto before = tile.playout->counts().frames_due;
  const AssembledFrame* frame = tile.playout->due(time);
  if (frame != nullptr || tile.playout->counts().frames_due != before) change(tile);
  if (frame == nullptr) {
    // Time to spare: upload a frame that is already complete; it is swapped only at its time.
    if (const auto* next = tile.playout->next_whole(); next != nullptr && tile.uploaded_time != next->media_time) {
      upload(tile, *next);
    }
    return;
  }
  if (tile.uploaded_time != frame->media_time) upload(tile, *frame);
  const auto due = tile.playout->presentation_time(*frame);
  newest_due_ = due;
  // By the frame, not by the clock, so that it is the same in all tiles.
  display_.set_brightness(tile.index, fades_.read().brightness_at(frame->media_time));
  const auto swapped = display_.swap(tile.index);
  tile.next_idle_draw = (one_window_ ? time : swapped) + idle_interval;
  if (!one_window_) return finish(tile, *frame, due, swapped);
  chosen_.push_back({&tile, frame, due});
  changes_ = true;
}

// All tiles change with one swap.
void Presenter::present() {
  if (!changes_) return;
  // A swap for them alone could delay a frame.
  for (auto& tile : tiles_) draw_idle(*tile, idle_interval / 2);
  changes_ = false;
  const auto swapped = display_.present();
  for (const auto& [tile, frame, due] : chosen_) finish(*tile, *frame, due, swapped);
  chosen_.clear();
}

// What follows the swap with the frame.
void Presenter::finish(Tile& tile, const AssembledFrame& frame, WallTime due, WallTime swapped) {
  ++tile.drawn;
  ++tile.counted.swaps;
  tile.due_of_swap[tile.counted.swaps % tile.due_of_swap.size()] = due;
  tile.counted.late += swapped - due > frame_interval_;
  tile.counted.frame = frame.frame;
  tile.lateness_us.add(static_cast<double>((swapped - due).count()) / 1000);
  tile.histograms.lateness.add(swapped - due);
  SwapTime record{due, swapped - due};
  tile.swaps.try_push(record);
  record_shown(tile, frame, swapped);
  if (dump_ != nullptr && dumped_) dump(tile, frame, due, swapped);
  tile.playout->shown();
}

void Presenter::dump(const Tile& tile, const AssembledFrame& frame, WallTime due, WallTime swapped) {
  dumped_ = dump_->add({tile.of_wall, frame.frame, due, swapped, std::chrono::system_clock::now(), frame.whole},
                       display_.read_back(tile.index));
}

void Presenter::upload(Tile& tile, const AssembledFrame& frame) {
  tile.taken = now();
  display_.upload(tile.index, frame);
  tile.returns.uploaded();
  tile.uploaded = uploads_ ? now() : WallTime{};
  tile.uploaded_time = frame.media_time;
}

void Presenter::record_shown(Tile& tile, const AssembledFrame& frame, WallTime swapped) {
  auto record = record_of(frame, tile.index);
  record.times[1] = tile.taken;
  record.times[2] = tile.uploaded;
  record.times[3] = swapped;
  tile.wait_times.add(record.times[0], tile.taken, tile.histograms.wait);
  tile.upload_times.add(tile.taken, tile.uploaded, tile.histograms.upload);
  tile.swap_times.add(uploads_ ? tile.uploaded : tile.taken, swapped, tile.histograms.swap);
  records_.add(record);
}

std::vector<std::pair<TileIndex, const TileHistograms*>> Presenter::tile_histograms() const {
  std::vector<std::pair<TileIndex, const TileHistograms*>> histograms;
  for (const auto& tile : tiles_) histograms.emplace_back(tile->index, &tile->histograms);
  return histograms;
}

void Presenter::hear_of_screen(Tile& tile) {
  const auto shown = display_.newest_on_screen(tile.index);
  if (!shown) return;
  const auto due = tile.due_of_swap[shown->swap % tile.due_of_swap.size()];
  tile.scanout_us.add(static_cast<double>((shown->time - due).count()) / 1000);
  tile.histograms.scanout.add(shown->time - due);
  change(tile);
}

// A window that has swapped more often than others of its group would wait for them, and so would this thread.
void Presenter::keep_count() {
  std::uint64_t most = 0;
  for (const auto& tile : tiles_) most = std::max(most, tile->drawn);
  for (auto& tile : tiles_)
    while (tile->drawn < most) redraw(*tile, now());
}

// With the brightness that is due now: a stream that stops must not leave its tiles dark.
void Presenter::redraw(Tile& tile, WallTime now) {
  display_.set_brightness(tile.index, fades_.read().brightness_at(tile.playout->media_time(now)));
  display_.redraw(tile.index);
  ++tile.drawn;
  changes_ = one_window_;
}

void Presenter::draw_idle(Tile& tile, Nanoseconds ahead) {
  const auto time = now();  // not earlier than the last swap, which would look like a clock that was set back
  if (!is_due(tile.next_idle_draw, time + ahead, idle_interval)) return;
  redraw(tile, time);  // not the frame uploaded ahead of its time
  tile.next_idle_draw = time + (tile.animated ? Nanoseconds(animated_interval) : Nanoseconds(idle_interval));
}

// At most one step for one tile: the frames on the wall come first.
void Presenter::make_preview(const Moment& now) {
  if (due_.earliest() - now.local < preview_time) return;
  for (auto& tile : tiles_) {
    if (!tile->preview.asked()) continue;
    auto& picture = tile->preview.picture();
    if (!std::exchange(tile->preview_begun, true)) {
      picture.frame = tile->counted.frame;
      return display_.begin_preview(tile->index);
    }
    if (!display_.take_preview(tile->index, picture)) continue;
    tile->preview_begun = false;
    return tile->preview.hand_over();
  }
  previews_wanted_.store(false, std::memory_order_relaxed);
  for (const auto& tile : tiles_)
    if (tile->preview.asked()) previews_wanted_.store(true, std::memory_order_relaxed);  // since then
}

void Presenter::look_for_previews() {
  previews_wanted_.store(true, std::memory_order_relaxed);
  bell().ring();
}

std::vector<PreviewSlot*> Presenter::previews() {
  std::vector<PreviewSlot*> slots;
  for (auto& tile : tiles_) slots.push_back(&tile->preview);
  return slots;
}

void Presenter::set_overlay(TileIndex tile, const TileOverlay& overlay) {
  const std::lock_guard lock(overlays_mutex_);
  overlays_.emplace_back(tile, overlay);
  overlays_changed_ = true;
  bell().ring();
}

// A frame that is due soon also draws the overlay. A swap for the overlay alone, which waits for the retrace, could
// delay that frame.
void Presenter::apply_overlays() {
  const std::lock_guard lock(overlays_mutex_);
  const auto time = now();
  for (const auto& [index, overlay] : overlays_) {
    const auto found = std::ranges::find(tiles_, index, [](const auto& tile) { return tile->index; });
    if (found == tiles_.end()) continue;
    display_.set_overlay(index, overlay);
    (*found)->animated = overlay.pattern == Pattern::bar;
    const auto next = (*found)->playout->next_time();
    (*found)->next_idle_draw = next && *next - time < frame_soon ? time + frame_soon : time;
    touch(static_cast<std::uint32_t>(found - tiles_.begin()));
  }
  overlays_.clear();
}

void Presenter::change(Tile& tile) {
  if (!std::exchange(tile.changed, true)) changed_.push_back(&tile);
}

void Presenter::publish_changed(const Moment& now) {
  if (changed_.empty() || !is_due(next_publish_, now.wall, show_publish_interval)) return;
  for (auto* tile : changed_) publish(*tile, now.local);
  changed_.clear();
  next_publish_ = now.wall + show_publish_interval;
}

void Presenter::publish(Tile& tile, LocalTime now) {
  tile.changed = false;
  const auto& counts = tile.playout->counts();
  tile.counted.frames_due = counts.frames_due;
  tile.counted.shown_whole = counts.shown_whole;
  tile.counted.shown_repaired = counts.shown_repaired;
  tile.counted.shown_concealed = counts.shown_concealed;
  tile.counted.not_shown = counts.not_shown;
  tile.counted.not_committed = counts.not_committed;
  tile.counted.cut_at_start = counts.cut_at_start;
  tile.counted.lateness_us_max = tile.lateness_us.max();
  if (now >= tile.next_percentiles) {
    tile.next_percentiles = now + percentiles_interval;
    const auto lateness = tile.lateness_us.quantiles(std::array{0.5, 0.99});
    tile.counted.lateness_us_p50 = lateness[0];
    tile.counted.lateness_us_p99 = lateness[1];
    const auto scanout = tile.scanout_us.quantiles(std::array{0.5, 0.99});
    tile.counted.scanout_us_p50 = scanout[0];
    tile.counted.scanout_us_p99 = scanout[1];
    tile.counted.wait = tile.wait_times.quantiles();
    tile.counted.upload = tile.upload_times.quantiles();
    tile.counted.swap = tile.swap_times.quantiles();
  }
  tile.counted.playout_frames = tile.playout->whole_waiting();
  tile.published.publish(tile.counted);
}

LocalTime Presenter::next_wake(const Tile& tile, const Moment& now) const {
  auto wake = local_of(tile.next_idle_draw, now);
  if (const auto time = tile.playout->next_time(); time && clock_known_) wake = std::min(wake, local_of(*time, now));
  return wake;
}

LocalTime Presenter::next_wake(const Moment& now) const {
  auto wake = due_.earliest();
  if (!changed_.empty()) wake = std::min(wake, local_of(next_publish_, now));
  const bool looks_about = display_.has_events() || !clock_known_ || previews_wanted_.load(std::memory_order_relaxed);
  return looks_about ? std::min<LocalTime>(wake, now.local + step_max) : wake;
}

std::vector<std::vector<SwapTime>> Presenter::take_swaps() {
  std::vector<std::vector<SwapTime>> taken;
  taken.reserve(tiles_.size());
  for (auto& tile : tiles_) {
    auto& swaps = taken.emplace_back();
    SwapTime swap;
    while (tile->swaps.try_pop(swap)) swaps.push_back(swap);
  }
  return taken;
}

std::vector<TileStats> Presenter::tile_stats() const {
  std::vector<TileStats> stats;
  stats.reserve(tiles_.size());
  for (const auto& tile : tiles_) stats.push_back(tile->published.read());
  return stats;
}

}  // namespace lw
