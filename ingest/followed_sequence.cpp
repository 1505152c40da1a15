#include "ingest/followed_sequence.h"

#include <fmt/format.h>

#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "ingest/file_fingerprint.h"
#include "ingest/picture_files.h"

namespace lw {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::milliseconds look_interval{100};
constexpr unsigned later_looked_at = 64;  // renderers that work in parallel are not further apart

std::optional<FollowedSequence::Stamp> stamp_of_file(const fs::path& file) {
  std::error_code error;
  FollowedSequence::Stamp stamp;
  stamp.bytes = fs::file_size(file, error);
  if (error) return std::nullopt;
  stamp.time = fs::last_write_time(file, error);
  return error ? std::nullopt : std::optional(stamp);
}

}  // namespace

Result<std::unique_ptr<FollowedSequence>> FollowedSequence::open(Following following, const std::atomic<bool>& stop) {
  std::unique_ptr<FollowedSequence> sequence(new FollowedSequence(std::move(following), stop));
  for (;;) {
    const auto found = sequence->find_first();
    if (!found) return found.error();
    if (*found) return sequence;
    if (sequence->over() || !sequence->is_patient())
      return Error{"no file matches " + sequence->following_.pattern, "check the folder and the number of digits"};
    std::this_thread::sleep_for(look_interval);
  }
}

Result<bool> FollowedSequence::find_first() {
  std::error_code error;
  for (unsigned number = 0; number <= first_number_max; ++number) {
    const auto file = numbered_picture(following_.pattern, number);
    if (!file) return file.error();
    if (!fs::exists(*file, error)) continue;
    first_ = number;
    return true;
  }
  return false;
}

fs::path FollowedSequence::file_of(std::size_t index) const {
  return numbered_picture(following_.pattern, first_ + static_cast<unsigned>(index)).value();
}

bool FollowedSequence::is_patient() const {
  return Clock::now() - Clock::time_point(Clock::duration(news_)) <= following_.patience;
}

Result<std::optional<FollowedSequence::Image>> FollowedSequence::wait_for(std::size_t index) {
  const auto file = file_of(index);
  std::optional<Stamp> seen;
  auto since = Clock::now();
  while (!over() && (!count() || index < *count())) {
    const auto stamp = stamp_of_file(file);
    if (stamp != seen) {
      seen = stamp;
      since = Clock::now();
      note_news();
    }
    // Files that were there before are taken at once.
    const bool is_old = stamp && fs::file_time_type::clock::now() - stamp->time > following_.settling;
    if (stamp && stamp->bytes > 0 && (is_old || Clock::now() - since >= following_.settling))
      return take({file, *stamp});
    if (!is_patient()) return give_up(index);
    std::this_thread::sleep_for(look_interval);
  }
  return std::optional<Image>();
}

Result<std::optional<FollowedSequence::Image>> FollowedSequence::take(Image image) {
  note_news();
  if (!following_.follow_links)
    if (const auto good = without_links({image.file}); !good) return good.error();
  return std::optional(std::move(image));
}

// A gap is not an end.
Result<std::optional<FollowedSequence::Image>> FollowedSequence::give_up(std::size_t index) const {
  const auto missing = file_of(index).string();
  constexpr const char* again = "run the same command again when it is there";
  if (count()) return Error{fmt::format("{} did not come for {:g} s", missing, following_.patience.count()), again};
  std::error_code error;
  if (fs::exists(missing, error)) return Error{missing + " is not complete", again};
  for (unsigned later = 1; later <= later_looked_at; ++later)
    if (const auto file = file_of(index + later); fs::exists(file, error))
      return Error{fmt::format("{} is missing, but {} is there", missing, file.string()), again};
  return std::optional<Image>();
}

bool FollowedSequence::wait_for_change(const Image& image) {
  const auto end = Clock::now() + following_.patience;
  while (!over() && Clock::now() < end) {
    if (stamp_of_file(image.file) != image.stamp) return true;
    std::this_thread::sleep_for(look_interval);
  }
  return false;
}

std::optional<std::uint32_t> FollowedSequence::count() const {
  if (!following_.last) return std::nullopt;
  return *following_.last < first_ ? 0 : *following_.last - first_ + 1;
}

std::string FollowedSequence::fingerprint() const {
  return fmt::format("follow {} {}", following_.pattern, file_fingerprint(file_of(0)));
}

}  // namespace lw
