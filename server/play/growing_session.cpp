// What a session does while the store that plays is still being written: the end of what plays moves on.
#include "server/play/wall_session.h"

#include <algorithm>

namespace lw {
namespace {

constexpr std::chrono::milliseconds growth_interval{200};

}  // namespace

void WallSession::take_store(std::shared_ptr<const OpenStore> store, const std::string& edition) {
  if (store != store_ || !growth_) growth_.reset();
  const bool grows = store && (store->manifest().growing || GrowingEditions::frames_of(edition));
  if (grows && !growth_) growth_.emplace(store);
  if (!grows) growth_.reset();
  edition_ = edition;
  refused_edition_ = false;
  store_ = std::move(store);
  let_play_what_is_there();
}

// Empty: of a store that grows, and has fewer frames yet.
std::optional<bool> WallSession::is_edition(const OpenStore& store, const Growth* growth, const std::string& digest) {
  if (!GrowingEditions::frames_of(digest)) return store.digest() == digest;
  return growth != nullptr ? growth->editions().begins_with(digest) : false;
}

// Of a store that may turn out to be another edition, nothing.
void WallSession::let_play_what_is_there() {
  if (!growth_) return;
  const auto ours = is_edition(*store_, &*growth_, edition_);
  store_->let_play(ours.value_or(false) ? growth_->frames() : 0);
  if (ours.value_or(true) || std::exchange(refused_edition_, true)) return;
  narrator_.cannot_follow(Error{state_.name + " has other frames here than at the coordinator", "import it again"});
}

std::optional<Grown> WallSession::grown() const {
  if (!growth_) return std::nullopt;
  return Grown{growth_->frames(), growth_->state() == Growth::State::complete};
}

void WallSession::look_at_growth(LocalTime now) {
  if (!growth_ || now < next_growth_) return;
  next_growth_ = now + growth_interval;
  growth_->look();
  let_play_what_is_there();
  if (!coordinates_) return;
  if (growth_->state() == Growth::State::complete && (!others_grown_ || others_grown_->complete))
    return play_complete();
  auto frames = growth_->frames();
  if (others_grown_) frames = std::min(frames, others_grown_->frames);
  const bool grows = growth_->state() != Growth::State::gone;
  if (frames > 0 && (frames != state_.frame_count || grows != state_.growing)) grow_to(frames, grows);
}

// For all servers.
void WallSession::grow_to(std::uint32_t frames, bool grows) {
  auto line = line_to_change();
  const auto range = state_.range.value_or(FrameRange{0, frames - 1});
  line.set_growing(grows && !state_.range);
  line.set_range({std::min(range.first, frames - 1), std::min(range.last, frames - 1)});
  edition_ = growth_->editions().digest(frames);
  if (const auto posted = play_line(line, store_); !posted) return narrator_.cannot_follow(posted.error());
  if (state_.range) state_.range = line.range();
  state_.frame_count = frames;
  state_.growing = grows;
  ++state_.revision;
}

// The same frames from the complete store, with its sound. The library finds it a moment after it got its name.
void WallSession::play_complete() {
  const auto* found = library_.find(state_.name);
  if (found == nullptr || found->manifest.growing) return;
  auto files = library_.open(*found, [this](const Manifest& manifest) -> Result<void> {
    if (const auto fit = fits(manifest, wall_, server_); !fit) return fit;
    if (manifest.id == store_->manifest().id) return {};
    return Error{state_.name + " was replaced by another visualization", "load it again"};
  });
  if (!files) return;
  const auto store = OpenStore::of(std::move(*files));
  auto line = line_to_change();
  const auto frames = store->manifest().frame_count;
  line.set_growing(false);
  line.set_range(state_.range.value_or(FrameRange{0, frames - 1}));
  edition_ = store->digest();
  if (const auto posted = play_line(line, store); !posted) return narrator_.cannot_follow(posted.error());
  take_store(store, store->digest());
  state_.frame_count = frames;
  state_.growing = false;
  ++state_.revision;
  narrator_.opened_anew(state_.name);
}

}  // namespace lw
