// The entries of the playlist that were on the wall, so that a clicker can go back: the server only knows those that
// follow. Values only.
#pragma once

#include "common/messages/play_state.h"

#include <optional>
#include <vector>

namespace lw {

class EntryHistory {
public:
  static constexpr std::size_t entries_max = 200;

  // Of the server, at each change.
  void take(const StateMessage& state);
  void clear() { *this = {}; }
  // The playlist whose next entry is the one before the current one; then `next` goes back. Empty if there is none.
  [[nodiscard]] std::optional<PlaylistRequest> back() const;
  // It was requested: the current entry is not remembered when the one before it begins.
  void went_back();

private:
  std::vector<EntryMessage> before_;  // the newest last
  std::optional<EntryMessage> current_;
  std::vector<EntryMessage> coming_;
  bool repeat_ = false;
  bool going_back_ = false;
};

}  // namespace lw
