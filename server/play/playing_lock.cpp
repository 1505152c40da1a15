#include "server/play/playing_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <set>

#include "common/base/write_all.h"
#include "common/store/playing_file.h"
#include "common/store/stripe_layout.h"

namespace lw {

namespace fs = std::filesystem;

PlayingNeeds playing_needs(const fs::path& folder, const Manifest& manifest, double rate) {
  const double bytes = static_cast<double>(StripeLayout(manifest).record_bytes_held()) * manifest.frame_rate.hertz() *
                       std::max(1.0, std::abs(rate));
  PlayingNeeds needs;
  for (const auto& stripe : manifest.stripes) {
    const auto path = (stripe.is_absolute() ? stripe : folder / stripe).lexically_normal();
    // "FOLDER/." ends with a slash, and so has an empty file name.
    const auto of_stripe = path.has_filename() ? path : path.parent_path();
    needs[of_stripe.parent_path()] +=
        static_cast<std::uint64_t>(std::llround(bytes / static_cast<double>(manifest.stripes.size())));
  }
  return needs;
}

PlayingLocks::~PlayingLocks() {
  for (const auto& [directory, lock] : held_) close(lock.fd);
}

std::vector<Error> PlayingLocks::hold(const PlayingNeeds& needs) {
  std::erase_if(held_, [&](const auto& held) {
    if (needs.contains(held.first)) return false;
    close(held.second.fd);
    return true;
  });
  std::erase_if(failed_, [&](const auto& failed) { return !needs.contains(failed.first); });
  std::vector<Error> errors;
  for (const auto& [directory, bytes] : needs) {
    auto held = held_.find(directory);
    Result<void> done;
    if (held == held_.end()) {
      if (auto taken = take(directory))
        held = held_.emplace(directory, *taken).first;
      else
        done = taken.error();
    }
    if (held != held_.end() && held->second.bytes_per_second != bytes) {
      held->second.bytes_per_second = bytes;
      done = write(held->second, directory);
    }
    if (!done && !std::exchange(failed_[directory], true)) errors.push_back(done.error());
  }
  return errors;
}

Result<PlayingLocks::Lock> PlayingLocks::take(const fs::path& directory) const {
  std::error_code error;
  const bool content =
      std::ranges::any_of(content_, [&](const fs::path& known) { return fs::equivalent(known, directory, error); });
  const auto fd = open_playing_file(directory, content);
  if (!fd) return fd.error();
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_len = playing_record_bytes;
  int failed = EAGAIN;
  for (unsigned i = 0; i < playing_records_max && (failed == EAGAIN || failed == EACCES); ++i) {
    lock.l_start = static_cast<off_t>(i * playing_record_bytes);
    if (fcntl(*fd, F_OFD_SETLK, &lock) == 0) return Lock{*fd, i * playing_record_bytes, 0};
    failed = errno;
  }
  close(*fd);
  return Error{"cannot lock " + (directory / playing_file_name).string() + ": " + std::strerror(failed),
               "limit wall-ingest with --rate while something plays"};
}

Result<void> PlayingLocks::write(const Lock& lock, const fs::path& directory) {
  const auto record = playing_record(lock.bytes_per_second);
  if (const int error = write_all(lock.fd, std::as_bytes(std::span(record)), lock.offset); error != 0)
    return Error{"cannot write " + (directory / playing_file_name).string() + ": " + std::strerror(error),
                 "free some space on the disk"};
  return {};
}

}  // namespace lw
