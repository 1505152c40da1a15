// Announces what plays to programs that write to the same disks: keeps the locks of server/play/playing_lock.h, on its
// own thread, which a slow disk may delay. Called by the control thread.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "server/play/library.h"
#include "server/play/playing_lock.h"
#include "server/play/session.h"

namespace lw {

class PlayingNotice {
public:
  explicit PlayingNotice(const Library& library);
  ~PlayingNotice();  // releases all locks
  PlayingNotice(const PlayingNotice&) = delete;
  PlayingNotice& operator=(const PlayingNotice&) = delete;

  // Call often; acts only if the state's revision has changed.
  void keep(const PlayState& state);

private:
  void run();

  const Library& library_;
  std::optional<std::uint64_t> revision_;
  std::mutex mutex_;
  std::condition_variable changed_;
  PlayingNeeds needs_;
  bool fresh_ = false;
  bool ending_ = false;
  PlayingLocks locks_;  // used by the thread only
  std::thread thread_;
};

}  // namespace lw
