// The stages of an import before the writing, each on its own thread: decoding, fitting to the wall, and splitting into
// tiles with their checksums, on several threads. FFmpeg has further threads for decoding and scaling.
//
//   decode -> ring -> fit -> ring for each splitter -> split -> ring for each splitter -> the thread that calls next()
//
// Frame f goes to splitter f mod their number, and is taken from there: frames stay in order. Frames that are in work
// are in the rings' slots, so their number is bounded, and the slots' memory is used again. An error comes to next()
// after all frames before it, as if one thread did everything.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "common/base/result.h"
#include "ingest/av.h"
#include "ingest/frame_tiles.h"
#include "ingest/pipeline_plan.h"
#include "ingest/stage_ring.h"

namespace lw {

class Pipeline {
public:
  // The work of the stages. Each is called by one thread at a time, `split` by several.
  struct Stages {
    std::function<Result<const AVFrame*>()> decode;          // as MediaSource::next
    std::function<Result<void>(const AVFrame*)> push;        // as FitGraph::push
    std::function<Result<const AVFrame*>()> pull;            // as FitGraph::pull
    std::function<void(const AVFrame&, FrameTiles&)> split;  // pixels and checksums
    std::function<Result<FrameTiles>()> allocate;            // before the threads begin
  };
  // Of the fitted frames, which are to be split.
  struct Range {
    std::uint32_t skip = 0;
    std::optional<std::uint32_t> count;  // none: up to the end
  };

  // The threads begin. They end early when `stop` is set, which must outlive this object like all that `stages` uses.
  static Result<std::unique_ptr<Pipeline>> start(Stages stages, const PipelinePlan& plan, Range range,
                                                 const std::atomic<bool>& stop);
  ~Pipeline();  // whatever the stages do, they end
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  // Waits for the next frame. The same one until done(); nullptr at the end, or when `stop` is set.
  Result<FrameTiles*> next();
  // Whether next() returns within this time.
  bool ready_within(std::chrono::milliseconds time) { return of(taken_).split.ready_within(time); }
  // The frame of next() was written, and its memory may be used again.
  void done();

private:
  using FrameRing = StageRing<av::Frame>;
  struct Splitter {
    Splitter(std::vector<av::Frame> frames, std::vector<FrameTiles> tiles)
        : fitted(std::move(frames)), split(std::move(tiles)) {}
    FrameRing fitted;
    StageRing<FrameTiles> split;
  };

  Pipeline(Stages stages, std::vector<av::Frame> decoded, Range range, const std::atomic<bool>& stop)
      : stages_(std::move(stages)), range_(range), stop_(stop), decoded_(std::move(decoded)) {}
  void begin();
  Result<void> decode_all();
  Result<void> fit_all();
  Result<void> pull_all();
  Result<void> pass_on(const AVFrame& frame);
  Result<void> split_all(Splitter& splitter);
  [[nodiscard]] bool enough() const { return range_.count && passed_ >= *range_.count; }
  [[nodiscard]] bool over() const { return over_ || enough() || stop_; }
  Splitter& of(std::uint64_t frame) { return *splitters_[frame % splitters_.size()]; }

  Stages stages_;
  Range range_;
  const std::atomic<bool>& stop_;
  FrameRing decoded_;
  std::vector<std::unique_ptr<Splitter>> splitters_;
  std::uint32_t passed_ = 0;  // to the splitters; only the fitting thread uses it
  bool over_ = false;         // the splitters take no more; only the fitting thread uses it
  std::uint64_t taken_ = 0;   // by the caller
  std::vector<std::jthread> threads_;
};

}  // namespace lw
