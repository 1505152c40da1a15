#include "wall-control/present/entry_history.h"

#include <utility>

namespace lw {
namespace {

// With `repeat` the server appends an entry when it begins: the last one that follows is the current one.
void remove_last(std::vector<EntryMessage>& entries, const EntryMessage& entry) {
  if (!entries.empty() && entries.back().name == entry.name) entries.pop_back();
}

}  // namespace

void EntryHistory::take(const StateMessage& state) {
  coming_ = state.playlist;
  repeat_ = state.repeat;
  if (state.entry == current_) return;
  const auto left = std::exchange(current_, state.entry);
  if (std::exchange(going_back_, false)) {
    if (!before_.empty()) before_.pop_back();
    return;
  }
  if (!left) return;
  before_.push_back(*left);
  if (before_.size() > entries_max) before_.erase(before_.begin());
}

std::optional<PlaylistRequest> EntryHistory::back() const {
  if (before_.empty()) return std::nullopt;
  std::vector entries{before_.back()};
  if (current_) entries.push_back(*current_);
  auto rest = coming_;
  if (repeat_) {
    if (current_) remove_last(rest, *current_);
    remove_last(rest, before_.back());
  }
  entries.insert(entries.end(), rest.begin(), rest.end());
  for (auto& entry : entries) entry.id.reset();  // of entries that have ended: the server gives new ones
  return PlaylistRequest{{}, std::move(entries), repeat_};
}

void EntryHistory::went_back() { going_back_ = true; }

}  // namespace lw
