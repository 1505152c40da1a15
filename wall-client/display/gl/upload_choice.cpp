#include "wall-client/display/gl/upload_choice.h"

#include "common/concurrency/pinned_thread.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

namespace lw {
namespace {

constexpr int rounds = 6;              // the first ones cause page faults
constexpr double clearly_less = 0.75;  // of the time: a smaller gain may be noise
constexpr UploadCost impossible{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};

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
  Tried(UploadPath path, const UploadCase& frames)
      : texture_(frames.width, frames.height, uploads_by(path), frames.slots_program) {
    const auto rows = group_rows(frames.format, frames.height);
    if (frames.slot_bytes > 0) slots_ = PacketSlots::of(frames.format, frames.width, rows, frames.slot_bytes);
    const auto bytes = slots_ ? slots_->memory_bytes() : frame_bytes(frames.format, frames.width, frames.height);
    const auto* memory = texture_.add_memory(bytes, -1);
    possible_ = !reads_in_place(path) || (memory != nullptr && (path == UploadPath::pinned || is_cached(*memory)));
    if (memory == nullptr) pixels_.resize(bytes);
    frame_.format = frames.format;
    auto& band = frame_.bands.emplace_back();
    band.pixels = {memory != nullptr ? memory->data() : pixels_.data(), slots_ ? &*slots_ : nullptr};
    band.format = frames.format;
    band.rows = rows;
    band.whole = true;
  }
  [[nodiscard]] bool possible() const { return possible_; }
  void upload() { texture_.upload(frame_); }

private:
  RawTexture texture_;
  std::optional<PacketSlots> slots_;
  bool possible_ = false;
  std::vector<std::byte> pixels_;
  AssembledFrame frame_;
};

}  // namespace

std::optional<UploadCost> upload_cost(UploadPath path, const UploadCase& frames) {
  Tried first(path, frames), second(path, frames);
  if (!first.possible() || !second.possible()) return std::nullopt;
  auto best = impossible;
  for (int round = 0; round < rounds; ++round) {
    const auto start = LocalClock::now();
    const double before = thread_cpu_seconds();
    first.upload();
    second.upload();
    glFlush();
    best.cpu_ms = std::min(best.cpu_ms, (thread_cpu_seconds() - before) * 1000 / 2);
    best.elapsed_ms =
        std::min(best.elapsed_ms, std::chrono::duration<double, std::milli>(LocalClock::now() - start).count() / 2);
    // As many frames as a mapped buffer holds are in flight when its next slice is filled, so that this is not waited
    // for within the time that counts.
    if (round % 2 == 1) glFinish();
  }
  return best;
}

Uploads cheapest_uploads(const UploadCase& frames) {
  const auto cost = [&](UploadPath path) {
    const auto measured = upload_cost(path, frames);
    if (measured)
      spdlog::debug("{} x {} pixels {}: {:.2f} ms of CPU time, {:.2f} ms in all", frames.width, frames.height,
                    name_of(path), measured->cpu_ms, measured->elapsed_ms);
    return measured.value_or(impossible);
  };
  const auto client = cost(UploadPath::client), mapped = cost(UploadPath::mapped);
  const auto pinned = cost(UploadPath::pinned), driver = cost(UploadPath::driver);
  Uploads uploads;
  uploads.copied = client.cpu_ms <= mapped.cpu_ms ? UploadPath::client : UploadPath::mapped;
  const auto& copied = uploads.copied == UploadPath::client ? client : mapped;
  const auto& in_place = pinned.cpu_ms <= driver.cpu_ms ? pinned : driver;
  if (in_place.cpu_ms < copied.cpu_ms * clearly_less && in_place.elapsed_ms <= copied.elapsed_ms)
    uploads.in_place = &in_place == &pinned ? UploadPath::pinned : UploadPath::driver;
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
