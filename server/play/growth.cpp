#include "server/play/growth.h"

#include "common/store/checksum.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <span>
#include <string>
#include <utility>

namespace lw {

Growth::Growth(std::shared_ptr<const OpenStore> store) : store_(std::move(store)), editions_(store_->manifest()) {
  if (store_->manifest().growing)
    look();
  else
    look_at_complete();
}

std::optional<Growth::Stamp> Growth::stamp_of(const Beneath& folder) {
  struct stat status {};
  if (::fstatat(folder.folder, std::string(growing_file_name).c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
    return std::nullopt;
  return Stamp{status.st_ino, status.st_mtim};
}

void Growth::look() {
  if (state_ != State::grows) return;
  const auto folder = store_->folder();
  const auto stamp = stamp_of(folder);
  if (!stamp) return look_at_complete();
  const bool same = seen_ && seen_->file == stamp->file && seen_->written.tv_sec == stamp->written.tv_sec &&
                    seen_->written.tv_nsec == stamp->written.tv_nsec;
  if (same) return;
  const auto manifest = load_growing(folder);
  if (!manifest) return;  // replaced at this moment: the next look finds it
  take(*manifest);
  seen_ = stamp;
}

// Frames count once all files have them.
void Growth::take(const Manifest& manifest) {
  if (manifest.id != store_->manifest().id) {
    state_ = State::gone;
  } else if (store_->is_long_enough(manifest.frame_count)) {
    [[maybe_unused]] const auto read = editions_.read(store_->folder(), manifest.frame_count);
  }
}

// Its checksums are those that it had, and the last ones.
void Growth::look_at_complete() {
  const auto folder = store_->folder();
  const auto manifest = load_manifest(folder);
  const auto table = manifest && manifest->id == store_->manifest().id && !manifest->checksums.empty()
                         ? load_checksums(folder, manifest->checksums)
                         : Result<ChecksumTable>(Error{"not this store", ""});
  const auto tiles = store_->manifest().geometry.tile_count();
  if (!table || table->tiles != tiles || table->frames < editions_.frames()) {
    state_ = State::gone;
    return;
  }
  editions_.add(std::span(table->values).subspan(std::size_t{editions_.frames()} * tiles));
  state_ = State::complete;
}

}  // namespace lw
