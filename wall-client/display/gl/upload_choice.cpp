#include "wall-client/display/gl/upload_choice.h"

#include "common/concurrency/pinned_thread.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace lw {
namespace {

constexpr int rounds = 6;              // the first ones cause page faults
constexpr double clearly_less = 0.75;  // of the time: a smaller gain may be noise

bool reads_in_place(UploadPath path) { return path == UploadPath::pinned || path == UploadPath::driver; }

const char* name_of(UploadPath path) {
  switch (path) {
    case UploadPath::mapped:
      return "copied through a mapped buffer";
    case UploadPath::pinned:
      return "read by the GPU from our pages";
    case UploadPath::driver:
      return "read by the GPU from the driver's memory";
    default:
      return "copied from memory by the driver";
  }
}

// A tile whose frames are all the same.
class Tried {
public:
  Tried(UploadPath path, unsigned width, unsigned height, PixelFormat format)
      : texture_(width, height, uploads_by(path)) {
    const auto bytes = frame_bytes(format, width, height);
    const auto* memory = texture_.add_memory(bytes, -1);
    possible_ = !reads_in_place(path) || (memory != nullptr && (path == UploadPath::pinned || is_cached(*memory)));
    if (memory == nullptr) pixels_.resize(bytes);
    frame_.format = format;
    auto& band = frame_.bands.emplace_back();
    band.pixels = memory != nullptr ? memory->data() : pixels_.data();
    band.format = format;
    band.rows = group_rows(format, height);
    band.whole = true;
  }
  [[nodiscard]] bool possible() const { return possible_; }
  void upload() { texture_.upload(frame_); }

private:
  RawTexture texture_;
  bool possible_ = false;
  std::vector<std::byte> pixels_;
  AssembledFrame frame_;
};

}  // namespace

std::optional<double> upload_cost(UploadPath path, unsigned width, unsigned height, PixelFormat format) {
  Tried first(path, width, height, format), second(path, width, height, format);
  if (!first.possible() || !second.possible()) return std::nullopt;
  auto best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    const double before = thread_cpu_seconds();
    first.upload();
    second.upload();
    glFlush();
    best = std::min(best, thread_cpu_seconds() - before);
    // As many frames as a mapped buffer holds are in flight when its next slice is filled, so that this is not waited
    // for within the time that counts.
    if (round % 2 == 1) glFinish();
  }
  return best * 1000 / 2;
}

Uploads cheapest_uploads(unsigned width, unsigned height, PixelFormat format) {
  const auto cost = [&](UploadPath path) {
    const auto measured = upload_cost(path, width, height, format);
    if (measured) spdlog::debug("{} x {} pixels {}: {:.2f} ms of this thread", width, height, name_of(path), *measured);
    return measured.value_or(std::numeric_limits<double>::infinity());
  };
  const double client = cost(UploadPath::client), mapped = cost(UploadPath::mapped);
  const double pinned = cost(UploadPath::pinned), driver = cost(UploadPath::driver);
  Uploads uploads;
  uploads.copied = client <= mapped ? UploadPath::client : UploadPath::mapped;
  if (std::min(pinned, driver) < std::min(client, mapped) * clearly_less)
    uploads.in_place = pinned <= driver ? UploadPath::pinned : UploadPath::driver;
  return uploads;
}

Uploads uploads_by(UploadPath path) {
  if (reads_in_place(path)) return {.copied = UploadPath::client, .in_place = path};
  return {.copied = path, .in_place = std::nullopt};
}

std::string text_of(const Uploads& uploads) {
  return fmt::format("frames are {}", name_of(uploads.in_place.value_or(uploads.copied)));
}

}  // namespace lw
