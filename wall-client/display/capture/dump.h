// wall-client --dump DIR: records what each tile shows. DIR/tile-COLUMN-ROW/FRAME.png (8 digits; 16 bits per channel
// for 10-bit content; showing a frame again replaces its file) and DIR/shown.ndjson, a line per swap.
//
// A separate thread writes the images. When the disk cannot keep up and 256 MB are queued, add() blocks the presenter:
// a dump is for checking, and a missing image would be worse than a late one.
#pragma once

#include "common/base/result.h"
#include "common/base/units.h"
#include "common/wall/wall_file.h"
#include "wall-client/display/capture/picture.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace lw {

struct SwapRecord {
  Tile tile;
  std::uint32_t frame = 0;
  WallTime pts{};            // planned presentation
  WallTime swap{};           // when it was shown
  SystemTime system_swap{};  // the same by this host's own clock
  bool whole = false;
};

class FrameDump {
public:
  static Result<std::unique_ptr<FrameDump>> open(const std::filesystem::path& directory);
  ~FrameDump();  // as close(), but logs an error instead of returning it
  FrameDump(const FrameDump&) = delete;
  FrameDump& operator=(const FrameDump&) = delete;

  // The presenter's thread. Returns the error of an earlier write (a full disk), after which nothing is written.
  Result<void> add(const SwapRecord& record, Picture picture);
  // Writes what is queued; add() must not be called again. Returns the first error of all writes.
  Result<void> close();

private:
  struct Item {
    SwapRecord record;
    Picture picture;
  };
  explicit FrameDump(std::filesystem::path directory) : directory_(std::move(directory)) {}
  void run();
  Result<void> write(const Item& item);

  std::filesystem::path directory_;
  std::ofstream shown_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> queue_;
  std::size_t queued_bytes_ = 0;
  bool closing_ = false;
  std::optional<Error> error_;
  bool told_ = false;  // the error was returned
  std::thread thread_;
};

// RGB images as PNG; fast compression.
Result<void> write_png(const Picture& picture, const std::filesystem::path& file);

}  // namespace lw
