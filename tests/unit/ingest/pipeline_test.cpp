#include "ingest/pipeline.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <deque>
#include <random>

#include "tests/unit/ingest/frames.h"

namespace {

enum class Stage : std::uint8_t { none, decode, push, pull, split };

// An import whose stages take random times. Of each source frame it makes none, one or two frames, like a change of
// rate, and one stage fails at one of its frames.
struct Play {
  unsigned seed = 0;
  std::uint32_t source_frames = 0;
  Stage failing = Stage::none;
  std::uint32_t failing_at = 0;  // of the stage's frames
  lw::Pipeline::Range range;
  lw::PipelinePlan plan;

  [[nodiscard]] unsigned copies_of(std::uint32_t frame) const {
    return seed % 2 == 0 ? 1 : (frame * 2654435761U + seed) >> 16U & 3U ? 1 + (frame + seed) % 2 : 0;
  }
};

Play random_play(unsigned seed) {
  std::mt19937 random(seed);
  Play play;
  play.seed = seed;
  play.source_frames = static_cast<unsigned>(random()) % 40;
  play.failing = static_cast<Stage>(static_cast<unsigned>(random()) % 5);
  play.failing_at = static_cast<unsigned>(random()) % 40;
  play.range.skip = static_cast<unsigned>(random()) % 3 == 0 ? static_cast<unsigned>(random()) % 10 : 0;
  if (static_cast<unsigned>(random()) % 3 == 0) play.range.count = static_cast<unsigned>(random()) % 30;
  play.plan.splitters = 1 + static_cast<unsigned>(random()) % 4;
  play.plan.decoded = 1 + static_cast<unsigned>(random()) % 4;
  play.plan.fitted = 1 + static_cast<unsigned>(random()) % 3;
  play.plan.tiles = 1 + static_cast<unsigned>(random()) % 3;
  return play;
}

struct Outcome {
  std::vector<std::uint32_t> frames;  // as the source numbers them
  std::string error;
  bool operator==(const Outcome&) const = default;
};

// What one thread would do, one frame after the other.
Outcome expected(const Play& play) {
  Outcome outcome;
  const auto fails = [&](Stage stage, std::uint32_t frame) {
    if (play.failing != stage || play.failing_at != frame) return false;
    outcome.error = "failed";
    return true;
  };
  std::uint32_t pulled = 0;
  const auto enough = [&] { return play.range.count && outcome.frames.size() >= *play.range.count; };
  for (std::uint32_t frame = 0; !enough(); ++frame) {
    if (fails(Stage::decode, frame) || frame == play.source_frames || fails(Stage::push, frame)) break;
    for (unsigned copy = 0; copy < play.copies_of(frame) && !enough(); ++copy) {
      if (fails(Stage::pull, pulled)) return outcome;
      if (pulled++ < play.range.skip) continue;
      if (fails(Stage::split, static_cast<std::uint32_t>(outcome.frames.size()))) return outcome;
      outcome.frames.push_back(frame);
    }
  }
  return outcome;
}

class Import {
public:
  explicit Import(const Play& play) : play_(play) {
    manifest_.geometry = {1, 1, 4, 1, 0, 0};
    manifest_.stripes = {"."};
  }

  lw::Pipeline::Stages stages() {
    return {[this] { return decode(); }, [this](const AVFrame* frame) { return push(frame); },
            [this] { return pull(); }, [this](const AVFrame& frame, lw::FrameTiles& tiles) { split(frame, tiles); },
            [this] { return lw::FrameTiles::allocate(lw::StripeLayout(manifest_), 1); }};
  }
  auto start(const std::atomic<bool>& stop) {
    auto pipeline = lw::Pipeline::start(stages(), play_.plan, play_.range, stop);
    REQUIRE(pipeline.has_value());
    return std::move(*pipeline);
  }

  // Up to the end, or until `most` frames have come.
  Outcome take(lw::Pipeline& pipeline, std::size_t most = SIZE_MAX) {
    Outcome outcome;
    std::mt19937 random(play_.seed + 4);
    while (outcome.frames.size() < most) {
      const auto frame = pipeline.next();
      if (!frame) outcome.error = frame.error().what;
      if (!frame || *frame == nullptr) break;
      dawdle(random);
      std::uint32_t number = 0;
      std::memcpy(&number, (*frame)->pixels({}).data(), sizeof(number));
      CHECK((*frame)->sum({}) == number + 7);
      outcome.frames.push_back(number);
      --in_work_;
      pipeline.done();
    }
    return outcome;
  }
  [[nodiscard]] int in_work_most() const { return most_; }

private:
  static void dawdle(std::mt19937& random) {
    if (static_cast<unsigned>(random()) % 8 == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(static_cast<unsigned>(random()) % 300));
  }
  [[nodiscard]] bool fails(Stage stage, std::uint32_t frame) const {
    return play_.failing == stage && play_.failing_at == frame;
  }

  lw::Result<const AVFrame*> decode() {
    dawdle(random_[0]);
    if (fails(Stage::decode, decoded_)) return lw::Error{"failed", ""};
    if (decoded_ == play_.source_frames) return lw::av::no_frame;
    source_ = make_frame(AV_PIX_FMT_GRAY8, 16, 1);
    source_->pts = decoded_++;
    return source_.get();
  }
  lw::Result<void> push(const AVFrame* frame) {
    dawdle(random_[1]);
    if (frame == nullptr) return {};
    if (fails(Stage::push, static_cast<std::uint32_t>(frame->pts))) return lw::Error{"failed", ""};
    for (unsigned copy = 0; copy < play_.copies_of(static_cast<std::uint32_t>(frame->pts)); ++copy)
      fitted_.emplace_back(av_frame_clone(frame));
    return {};
  }
  lw::Result<const AVFrame*> pull() {
    dawdle(random_[2]);
    if (fitted_.empty()) return lw::av::no_frame;
    if (fails(Stage::pull, pulled_)) return lw::Error{"failed", ""};
    given_ = std::move(fitted_.front());
    fitted_.pop_front();
    if (pulled_ >= play_.range.skip) {
      given_->pkt_pos = pulled_ - play_.range.skip;  // its number among those that are split
      most_ = std::max(most_.load(), ++in_work_);
    }
    ++pulled_;
    return given_.get();
  }
  // Called by several threads.
  void split(const AVFrame& frame, lw::FrameTiles& tiles) const {
    std::mt19937 random(play_.seed + static_cast<unsigned>(frame.pts));
    dawdle(random);
    if (fails(Stage::split, static_cast<std::uint32_t>(frame.pkt_pos))) throw std::runtime_error("failed");
    const auto number = static_cast<std::uint32_t>(frame.pts);
    std::memcpy(tiles.pixels({}).data(), &number, sizeof(number));
    tiles.sum({}) = number + 7;
  }

  const Play& play_;
  lw::Manifest manifest_;
  std::array<std::mt19937, 3> random_{std::mt19937(play_.seed + 1), std::mt19937(play_.seed + 2),
                                      std::mt19937(play_.seed + 3)};
  lw::av::Frame source_;
  lw::av::Frame given_;
  std::deque<lw::av::Frame> fitted_;
  std::uint32_t decoded_ = 0;
  std::uint32_t pulled_ = 0;
  std::atomic<int> in_work_{0};  // pulled, not yet done
  std::atomic<int> most_{0};
};

const std::atomic<bool> never{false};
constexpr unsigned plays = 300;

}  // namespace

TEST_CASE("frames come in order, each once, and an error after those before it, whatever the threads do") {
  for (unsigned seed = 0; seed < plays; ++seed) {
    CAPTURE(seed);
    const auto play = random_play(seed);
    Import import(play);
    const auto pipeline = import.start(never);
    auto outcome = import.take(*pipeline);
    if (outcome.error.find("failed") != std::string::npos) outcome.error = "failed";  // it names an exception's source
    CHECK(outcome == expected(play));
    // One more is with the fitting thread, which waits for a slot.
    CHECK(import.in_work_most() <= static_cast<int>(play.plan.frames() - play.plan.decoded) + 1);
  }
}

TEST_CASE("all stages end when the writing fails at any frame") {
  for (unsigned seed = 0; seed < plays; ++seed) {
    CAPTURE(seed);
    const auto play = random_play(seed);
    const auto all = expected(play).frames;
    Import import(play);
    const auto pipeline = import.start(never);
    const auto taken = import.take(*pipeline, seed % (all.size() + 1));
    CHECK(std::equal(taken.frames.begin(), taken.frames.end(), all.begin()));
  }
}

TEST_CASE("all stages end when a stop is requested at any moment, and the frames so far are the first ones") {
  for (unsigned seed = 0; seed < plays; ++seed) {
    CAPTURE(seed);
    auto play = random_play(seed);
    play.failing = Stage::none;
    const auto all = expected(play).frames;
    Import import(play);
    std::atomic<bool> stop{false};
    const auto pipeline = import.start(stop);
    const std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(seed * 7919 % 3000));
      stop = true;
    });
    const auto taken = import.take(*pipeline);
    CHECK(taken.error.empty());
    REQUIRE(taken.frames.size() <= all.size());
    CHECK(std::equal(taken.frames.begin(), taken.frames.end(), all.begin()));
  }
}

TEST_CASE("an import whose frames cannot be allocated does not begin") {
  Play play;
  play.source_frames = 3;
  Import import(play);
  auto stages = import.stages();
  stages.allocate = []() -> lw::Result<lw::FrameTiles> { return lw::Error{"no memory", ""}; };
  CHECK(lw::Pipeline::start(std::move(stages), play.plan, {}, never).has_error());
}
