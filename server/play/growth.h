// How far a store is that plays while it is still being written (common/store/growing.h). Looks at the open folder, so
// that it makes no difference when that gets its final name. Control thread only.
#pragma once

#include "common/store/growing.h"
#include "server/read/open_store.h"

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include <ctime>

namespace lw {

class Growth {
public:
  enum class State : std::uint8_t {
    grows,     // or does not at the moment: the next run of the import may continue it
    complete,  // an ordinary store by now
    gone,      // the import began from the start, or its folder was removed
  };

  // Of a store that grew when it was opened, or was complete then.
  explicit Growth(std::shared_ptr<const OpenStore> store);

  // Learns of new frames. Asks for the time of one small file, and reads only if that has changed.
  void look();
  [[nodiscard]] State state() const { return state_; }
  // That are on the disks, in files that are long enough.
  [[nodiscard]] std::uint32_t frames() const { return editions_.frames(); }
  [[nodiscard]] const GrowingEditions& editions() const { return editions_; }

private:
  struct Stamp {
    ino_t file = 0;
    timespec written{};
  };
  [[nodiscard]] static std::optional<Stamp> stamp_of(const Beneath& folder);
  void take(const Manifest& manifest);
  void look_at_complete();

  std::shared_ptr<const OpenStore> store_;
  GrowingEditions editions_;
  State state_ = State::grows;
  std::optional<Stamp> seen_;
};

}  // namespace lw
