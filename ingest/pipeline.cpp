#include "ingest/pipeline.h"

#include <new>

#include "common/concurrency/pinned_thread.h"
#include "ingest/caught.h"

namespace lw {
namespace {

std::vector<av::Frame> empty_frames(unsigned count) {
  std::vector<av::Frame> frames;
  for (unsigned i = 0; i < count; ++i) {
    frames.emplace_back(av_frame_alloc());
    if (frames.back() == nullptr) throw std::bad_alloc();
  }
  return frames;
}

}  // namespace

Result<std::unique_ptr<Pipeline>> Pipeline::start(Stages stages, const PipelinePlan& plan, Range range,
                                                  const std::atomic<bool>& stop) {
  std::unique_ptr<Pipeline> pipeline(new Pipeline(std::move(stages), empty_frames(plan.decoded), range, stop));
  for (unsigned i = 0; i < plan.splitters; ++i) {
    std::vector<FrameTiles> tiles;
    for (unsigned slot = 0; slot < plan.tiles; ++slot) {
      auto memory = pipeline->stages_.allocate();
      if (!memory) return memory.error();
      tiles.push_back(std::move(*memory));
    }
    pipeline->splitters_.push_back(std::make_unique<Splitter>(empty_frames(plan.fitted), std::move(tiles)));
  }
  pipeline->begin();
  return pipeline;
}

void Pipeline::begin() {
  const auto start = [this](const char* name, std::function<void()> work) {
    threads_.push_back(start_thread(name, -1, [work = std::move(work)](const std::stop_token&) { work(); }));
  };
  start("decode", [this] { decoded_.end(caught([this] { return decode_all(); })); });
  start("fit", [this] {
    const auto outcome = caught([this] { return fit_all(); });
    decoded_.cancel();
    for (const auto& splitter : splitters_) splitter->fitted.end(outcome);
  });
  for (const auto& splitter : splitters_)
    start("split", [this, &splitter = *splitter] {
      splitter.split.end(caught([&] { return split_all(splitter); }));
      splitter.fitted.cancel();
    });
}

Pipeline::~Pipeline() {
  decoded_.cancel();
  for (const auto& splitter : splitters_) {
    splitter->fitted.cancel();
    splitter->split.cancel();
  }
}

Result<void> Pipeline::decode_all() {
  while (auto* slot = decoded_.to_fill()) {
    const auto frame = stages_.decode();
    if (!frame) return frame.error();
    if (*frame == nullptr) return {};
    if (av_frame_ref(slot->get(), *frame) < 0) return no_memory();
    decoded_.filled();
  }
  return {};
}

Result<void> Pipeline::fit_all() {
  while (!over()) {
    const auto* slot = decoded_.to_take();
    if (slot == nullptr)
      if (const auto outcome = decoded_.outcome(); !outcome || !*outcome) return outcome.value_or(Result<void>());
    auto pushed = stages_.push(slot == nullptr ? nullptr : slot->get());
    if (slot != nullptr) {
      av_frame_unref(slot->get());
      decoded_.taken();
    }
    if (!pushed) return pushed;
    if (auto pulled = pull_all(); !pulled || slot == nullptr) return pulled;
  }
  return {};
}

Result<void> Pipeline::pull_all() {
  while (!over()) {
    const auto frame = stages_.pull();
    if (!frame) return frame.error();
    if (*frame == nullptr) return {};
    if (range_.skip > 0)
      --range_.skip;
    else if (auto passed = pass_on(**frame); !passed)
      return passed;
  }
  return {};
}

Result<void> Pipeline::pass_on(const AVFrame& frame) {
  auto& ring = of(passed_).fitted;
  auto* slot = ring.to_fill();
  over_ = slot == nullptr;
  if (over_) return {};
  if (av_frame_ref(slot->get(), &frame) < 0) return no_memory();
  ring.filled();
  ++passed_;
  return {};
}

Result<void> Pipeline::split_all(Splitter& splitter) {
  while (auto* frame = splitter.fitted.to_take()) {
    auto* tiles = splitter.split.to_fill();
    if (tiles == nullptr) return {};
    stages_.split(**frame, *tiles);
    av_frame_unref(frame->get());
    splitter.fitted.taken();
    splitter.split.filled();
  }
  return splitter.fitted.outcome().value_or(Result<void>());
}

Result<FrameTiles*> Pipeline::next() {
  auto& ring = of(taken_).split;
  auto* tiles = stop_ ? nullptr : ring.to_take();
  if (tiles != nullptr || stop_) return tiles;
  if (const auto outcome = ring.outcome(); outcome && !*outcome) return outcome->error();
  return tiles;
}

void Pipeline::done() {
  of(taken_).split.taken();
  ++taken_;
}

}  // namespace lw
