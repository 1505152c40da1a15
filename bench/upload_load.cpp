#include "bench/upload_load.h"

#include "bench/offscreen.h"
#include "common/concurrency/pinned_thread.h"
#include "common/wall/geometry.h"
#include "common/wall/wall_file.h"
#include "wall-client/display/gl/gl_fence.h"
#include "wall-client/display/gl/gl_tile.h"
#include "wall-client/display/gl/upload_choice.h"
#include "wall-client/display/output/output_stage.h"
#include "wall-client/present/band_returns.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <ctime>
#include <map>
#include <memory>
#include <optional>
#include <thread>

namespace lw::bench {
namespace {

constexpr unsigned window_bits = 8;          // of a channel
constexpr unsigned buffers = 6;              // of a band
constexpr std::size_t frames_in_flight = 2;  // of a tile, that the GPU has not drawn yet
constexpr std::chrono::microseconds idle_interval{100};

double process_cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

Result<Wall> wall_of(const UploadLoad& load) {
  std::string tiles;
  for (unsigned i = 0; i < load.tiles; ++i)
    tiles += fmt::format("{}{{ column = {}, row = 0, window = [{}, 0] }}", i == 0 ? "" : ", ", i, i * load.width);
  return parse_wall(
      fmt::format(
          "[wall]\nname = \"bench\"\ncolumns = {}\nrows = 1\ntile_width = {}\ntile_height = {}\nframe_rate = 60\n"
          "[[node]]\nname = \"n\"\naddress = \"127.0.0.1\"\ntiles = [{}]\n[[server]]\nname = \"s\"\n"
          "control = \"127.0.0.1:9010\"\ninterfaces = [\"127.0.0.1\"]\n[streaming]\nflows_per_tile = 2\n",
          load.tiles, load.width, load.height, tiles),
      "bench");
}

// A tile with its band buffers.
class LoadedTile {
public:
  // Null if the driver cannot upload this way.
  static Result<std::unique_ptr<LoadedTile>> make(const Wall& wall, const TilePlacement& placement,
                                                  const GlPrograms& programs, const Uploads& uploads,
                                                  std::size_t slot_bytes) {
    std::unique_ptr<LoadedTile> tile(new LoadedTile(wall, placement, programs, uploads));
    for (const auto& band : bands_of(wall, placement.tile)) {
      Loaded loaded{lw::frame_bytes(PixelFormat::rgb8, wall.tile(placement.tile).place.width, band.rows), {}, {}};
      if (slot_bytes > 0) {
        loaded.slots = PacketSlots::of(PixelFormat::rgb8, wall.tile(placement.tile).place.width, band.rows, slot_bytes);
        if (!loaded.slots) return Error{"slots of this size have no room for pixels", "use larger slots"};
        loaded.bytes = loaded.slots->memory_bytes();
      }
      const auto* in_place = tile->gl_.add_memory(loaded.bytes * buffers, -1);
      if (in_place == nullptr && uploads.in_place) return std::unique_ptr<LoadedTile>();
      auto pages = in_place != nullptr ? Result<Pages>(in_place->view()) : Pages::allocate(loaded.bytes * buffers);
      if (!pages) return pages.error();
      loaded.memory = std::move(*pages);
      tile->bands_.push_back(std::move(loaded));
    }
    return tile;
  }
  ~LoadedTile() {
    glDeleteFramebuffers(1, &window_);
    glDeleteTextures(1, &window_texture_);
  }
  LoadedTile(const LoadedTile&) = delete;
  LoadedTile& operator=(const LoadedTile&) = delete;

  // The thread that receives.
  [[nodiscard]] bool has_room(std::uint64_t frame) const { return frame < returned_.load() + buffers; }
  void receive(std::uint64_t frame, const std::vector<std::byte>& from) {
    std::size_t offset = 0;
    for (const auto& band : bands_) {
      std::memcpy(band.place(frame), from.data() + offset, band.bytes);
      offset += band.bytes;
    }
    received_ = frame + 1;
  }

  // The presenter's thread.
  [[nodiscard]] bool has(std::uint64_t frame) const { return frame < received_.load(); }
  void show(std::uint64_t frame) {
    for (std::size_t i = 0; i < bands_.size(); ++i) {
      frame_.bands[i].pixels = {bands_[i].place(frame), bands_[i].slots ? &*bands_[i].slots : nullptr};
      frame_.bands[i].buffer = static_cast<unsigned>(frame % buffers);
    }
    const auto start = LocalClock::now();
    gl_.upload(frame_);
    returns_.uploaded();
    took_ms_.push_back(std::chrono::duration<double, std::milli>(LocalClock::now() - start).count());
    gl_.flip();
    glBlitNamedFramebuffer(gl_.compose_for_panel({}), window_, 0, 0, width_, height_, 0, 0, width_, height_,
                           GL_COLOR_BUFFER_BIT, GL_NEAREST);
    returns_.add({0, static_cast<unsigned>(frame % buffers)});
  }
  void give_back() {
    returns_.settle(gl_.unread());
    BandReturns::Buffer buffer;
    while (returns_.take(buffer)) ++returned_;
  }
  [[nodiscard]] const std::vector<double>& took_ms() const { return took_ms_; }
  // Of a frame in memory.
  [[nodiscard]] std::size_t frame_bytes() const {
    std::size_t bytes = 0;
    for (const auto& band : bands_) bytes += band.bytes;
    return bytes;
  }

private:
  struct Loaded {
    std::size_t bytes = 0;
    std::optional<PacketSlots> slots;
    Pages memory;
    [[nodiscard]] std::byte* place(std::uint64_t frame) const { return memory.data() + frame % buffers * bytes; }
  };

  LoadedTile(const Wall& wall, const TilePlacement& placement, const GlPrograms& programs, const Uploads& uploads)
      : width_(static_cast<GLsizei>(wall.tile(placement.tile).place.width)),
        height_(static_cast<GLsizei>(wall.tile(placement.tile).place.height)),
        gl_(facts_of(wall, wall.nodes[0], placement), programs, uploads,
            plain_stage(wall.tile(placement.tile), placement.output), window_bits) {
    for (const auto& band : bands_of(wall, placement.tile)) {
      auto& received = frame_.bands.emplace_back();
      received.first_row = band.first_row;
      received.rows = band.rows;
      received.whole = true;
    }
    frame_.whole = true;
    glCreateTextures(GL_TEXTURE_2D, 1, &window_texture_);
    glTextureStorage2D(window_texture_, 1, GL_RGBA8, width_, height_);
    glCreateFramebuffers(1, &window_);
    glNamedFramebufferTexture(window_, GL_COLOR_ATTACHMENT0, window_texture_, 0);
  }

  const GLsizei width_, height_;
  GlTile gl_;
  GLuint window_ = 0, window_texture_ = 0;  // in place of a window's
  std::vector<Loaded> bands_;
  AssembledFrame frame_;
  BandReturns returns_{buffers};
  std::vector<double> took_ms_;
  std::atomic<std::uint64_t> received_{0}, returned_{0};  // frames
};

// One way for a while.
struct Played {
  std::uint64_t frames = 0;
  double seconds = 0, presenter_cpu_s = 0, process_cpu_s = 0;
  std::vector<double> took_ms;
  std::vector<double> cpu_ms_per_frame;  // of the presenter, in each round

  void add(const Played& other) {
    frames += other.frames;
    seconds += other.seconds;
    presenter_cpu_s += other.presenter_cpu_s;
    process_cpu_s += other.process_cpu_s;
    took_ms.insert(took_ms.end(), other.took_ms.begin(), other.took_ms.end());
    cpu_ms_per_frame.push_back(other.presenter_cpu_s * 1000 / static_cast<double>(other.frames));
  }
  [[nodiscard]] nlohmann::json report() const {
    auto sorted = took_ms;
    std::ranges::sort(sorted);
    const auto count = static_cast<double>(frames);
    return {{"presenter_cpu_ms_per_frame", cpu_ms_per_frame},
            {"process_cpu_ms_per_frame", process_cpu_s * 1000 / count},
            {"upload_ms_p50", sorted[sorted.size() / 2]},
            {"upload_ms_p99", sorted[sorted.size() * 99 / 100]},
            {"frames_per_s", count / seconds}};
  }
};

using Tiles = std::vector<std::unique_ptr<LoadedTile>>;

// The frames of all tiles of one time after the other, at their rate or as fast as they are returned. `cpu_s`: of this
// thread.
void receive_frames(const Tiles& tiles, const UploadLoad& load, double& cpu_s, const std::stop_token& stop) {
  const std::vector<std::byte> from(tiles.front()->frame_bytes(), std::byte{90});
  auto next = LocalClock::now();
  for (std::uint64_t frame = 0; !stop.stop_requested(); ++frame) {
    if (load.fps > 0)
      std::this_thread::sleep_until(
          next += std::chrono::duration_cast<LocalClock::duration>(std::chrono::duration<double>(1 / load.fps)));
    for (const auto& tile : tiles) {
      while (!tile->has_room(frame) && !stop.stop_requested()) std::this_thread::sleep_for(idle_interval);
      if (!stop.stop_requested()) tile->receive(frame, from);
    }
  }
  cpu_s = thread_cpu_seconds();
}

Played present(const Tiles& tiles, std::chrono::milliseconds duration) {
  Played played;
  std::array<GlFence, frames_in_flight> drawn;
  const auto start = LocalClock::now();
  for (std::uint64_t frame = 0; LocalClock::now() - start < duration; ++frame) {
    for (const auto& tile : tiles)
      while (!tile->has(frame)) {
        tile->give_back();
        std::this_thread::sleep_for(idle_interval);
      }
    drawn[frame % drawn.size()].wait();  // as a swap waits
    const double before = thread_cpu_seconds();
    for (const auto& tile : tiles) tile->show(frame);
    drawn[frame % drawn.size()] = GlFence::here();
    glFlush();
    for (const auto& tile : tiles) tile->give_back();
    played.presenter_cpu_s += thread_cpu_seconds() - before;
    played.frames += tiles.size();
  }
  glFinish();
  played.seconds = std::chrono::duration<double>(LocalClock::now() - start).count();
  return played;
}

// Nothing if the driver cannot upload this way.
Result<std::optional<Played>> play(const UploadLoad& load, const Wall& wall, const GlPrograms& programs,
                                   const Uploads& uploads) {
  Tiles tiles;
  for (const auto& placement : wall.nodes[0].tiles) {
    auto tile = LoadedTile::make(wall, placement, programs, uploads, load.slot_bytes);
    if (!tile) return tile.error();
    if (*tile == nullptr) return std::optional<Played>();
    tiles.push_back(std::move(*tile));
  }
  glFinish();
  double receiver_cpu_s = 0;
  const double before = process_cpu_seconds();
  std::jthread receiver([&](const std::stop_token& stop) { receive_frames(tiles, load, receiver_cpu_s, stop); });
  auto played = present(tiles, load.duration);
  receiver.request_stop();
  receiver.join();
  played.process_cpu_s = process_cpu_seconds() - before - receiver_cpu_s;
  for (const auto& tile : tiles)
    played.took_ms.insert(played.took_ms.end(), tile->took_ms().begin(), tile->took_ms().end());
  return std::optional(std::move(played));
}

}  // namespace

Result<Report> run(const UploadLoad& load) {
  const auto wall = wall_of(load);
  if (!wall) return wall.error();
  const auto offscreen = Offscreen::open();
  if (!offscreen) return offscreen.error();
  const auto programs = make_programs(Primaries::bt709);
  if (!programs) return programs.error();
  std::map<std::string, Played> ways;
  for (unsigned round = 0; round < load.rounds; ++round) {
    for (const auto& [name, path] : load.ways) {
      const auto played = play(load, *wall, *programs, uploads_by(path));
      if (!played) return played.error();
      if (*played) ways[name].add(**played);
    }
  }
  Report report{{{"renderer", reinterpret_cast<const char*>(glGetString(GL_RENDERER))},
                 {"tiles", load.tiles},
                 {"chosen", text_of(cheapest_uploads(
                                {load.width, load.height, PixelFormat::rgb8, load.slot_bytes, programs->slots}))}}};
  for (const auto& [name, played] : ways) report.figures["ways"][name] = played.report();
  return report;
}

}  // namespace lw::bench
