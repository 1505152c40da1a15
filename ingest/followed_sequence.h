// Waits for the images of a numbered sequence that is still being rendered. Any thread may wait for any image.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "common/base/result.h"

namespace lw {

struct Following {
  std::string pattern;                         // "shot-%05d.png"
  std::chrono::duration<double> patience{60};  // the sequence ends when no image came for so long
  std::optional<unsigned> last = {};           // number of the last image; none: not known
  bool follow_links = false;
  // An image is taken when it has not changed for so long.
  std::chrono::milliseconds settling{2000};
};

class FollowedSequence {
public:
  struct Stamp {
    std::uintmax_t bytes = 0;
    std::filesystem::file_time_type time;
    bool operator==(const Stamp&) const = default;
  };
  struct Image {
    std::filesystem::path file;
    Stamp stamp;
  };

  // Waits for the first image: the lowest number up to 10,000. `stop`, which must outlive this object, ends all
  // waiting.
  static Result<std::unique_ptr<FollowedSequence>> open(Following following, const std::atomic<bool>& stop);

  // The image so many after the first; empty at the end, when stopped, and after cancel(). An error if later images
  // came but not this one, or if the last one is known and this one did not come.
  Result<std::optional<Image>> wait_for(std::size_t index);
  // Whether an image that cannot be decoded changes: it was not complete.
  bool wait_for_change(const Image& image);
  // All waiting ends, now and later.
  void cancel() { cancelled_ = true; }

  // Of all images, if the last one is known.
  [[nodiscard]] std::optional<std::uint32_t> count() const;
  // Of what does not change while images come.
  [[nodiscard]] std::string fingerprint() const;

private:
  using Clock = std::chrono::steady_clock;

  FollowedSequence(Following following, const std::atomic<bool>& stop)
      : following_(std::move(following)), stop_(stop) {}
  Result<bool> find_first();
  [[nodiscard]] std::filesystem::path file_of(std::size_t index) const;
  [[nodiscard]] bool over() const { return stop_ || cancelled_; }
  Result<std::optional<Image>> take(Image image);
  [[nodiscard]] Result<std::optional<Image>> give_up(std::size_t index) const;
  void note_news() { news_ = Clock::now().time_since_epoch().count(); }
  [[nodiscard]] bool is_patient() const;

  const Following following_;
  const std::atomic<bool>& stop_;
  unsigned first_ = 0;
  std::atomic<bool> cancelled_{false};
  std::atomic<Clock::rep> news_{Clock::now().time_since_epoch().count()};  // when an image came or grew
};

}  // namespace lw
