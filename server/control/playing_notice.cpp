#include "server/control/playing_notice.h"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace lw {
namespace {

constexpr std::chrono::seconds retry_interval{2};  // if the file did not exist, or no record was free

}  // namespace

PlayingNotice::PlayingNotice(const Library& library)
    : library_(library), locks_(library.directories()), thread_([this] { run(); }) {}

PlayingNotice::~PlayingNotice() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

// Also while paused, because playback may resume, and for the next visualization before it is shown.
void PlayingNotice::keep(const PlayState& state) {
  if (revision_ == state.revision) return;
  revision_ = state.revision;
  PlayingNeeds needs;
  bool known = true;
  const auto add = [&](const std::string& name) {
    const auto* entry = library_.find(name);
    known = known && entry != nullptr;
    if (entry == nullptr) return;
    for (const auto& [directory, bytes] : playing_needs(entry->folder, entry->manifest, state.rate))
      needs[directory] = std::max(needs[directory], bytes);
  };
  if (state.status != PlayStatus::stopped) add(state.name);
  if (state.coming) add(state.coming->name);
  const std::lock_guard lock(mutex_);
  // A store that has left the library may continue to play: keep its directories.
  if (!known)
    for (const auto& [directory, bytes] : needs_) needs.emplace(directory, bytes);
  needs_ = std::move(needs);
  fresh_ = true;
  changed_.notify_all();
}

void PlayingNotice::run() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    const auto needs = needs_;
    fresh_ = false;
    lock.unlock();
    for (const auto& error : locks_.hold(needs))
      spdlog::info("wall-ingest cannot see that something plays: {}", error.text());
    lock.lock();
    const auto wanted = [this] { return fresh_ || ending_; };
    if (needs.empty())
      changed_.wait(lock, wanted);
    else
      changed_.wait_for(lock, retry_interval, wanted);
  }
}

}  // namespace lw
