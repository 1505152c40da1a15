// Tells programs that write onto the same disks what plays: keeps the locks of server/play/playing_lock.h, on a thread
// of its own, which a slow disk may hold up. Called by the control thread.
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
  ~PlayingNotice();  // nothing plays any more
  PlayingNotice(const PlayingNotice&) = delete;
  PlayingNotice& operator=(const PlayingNotice&) = delete;

  // Call often; does something where the revision is another than before.
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
  PlayingLocks locks_;  // the thread's
  std::thread thread_;
};

}  // namespace lw
