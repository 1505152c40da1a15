#include "ingest/ingest.h"

#include "common/base/frame_rate.h"
#include "ingest/media_source.h"
#include "ingest/pictures.h"
#include "ingest/progress.h"
#include "ingest/store_writer.h"
#include "ingest/tile_split.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <chrono>

namespace lw {
namespace {

struct Rates {
  FrameRate store;                      // of the visualization
  std::optional<FrameRate> conversion;  // what the source is brought to; none: frame by frame
};

// Pictures have no rate: "keep" gives them the wall's, a number is theirs. A video is made constant-rate in any case.
Result<Rates> choose_rates(const IngestOptions& options, const Wall& wall, const std::optional<FrameRate>& source) {
  FrameRate rate = source.value_or(wall.frame_rate);
  if (options.rate == "wall") {
    rate = wall.frame_rate;
  } else if (options.rate != "keep") {
    const auto parsed = parse_frame_rate(options.rate);
    if (!parsed) return Error(parsed.error()).in("--rate");
    rate = *parsed;
  }
  return Rates{rate, source ? std::optional(rate) : std::nullopt};
}

Result<void> check_space(const IngestOptions& options, const Wall& wall, PixelFormat format, std::uint64_t frames) {
  const std::uint64_t needed = row_bytes(format, wall.tile_width) * wall.tile_height * wall.tile_count() * frames / options.out.size();
  for (const auto& directory : options.out) {
    struct statvfs space {};
    if (statvfs(directory.c_str(), &space) != 0) continue;
    const std::uint64_t available = std::uint64_t{space.f_bavail} * space.f_frsize;
    if (available < needed)
      return Error{fmt::format("{} has {} MiB free, {} frames need {} MiB there", directory.string(), available >> 20U, frames, (needed >> 20U) + 1),
                   "free some space, give more directories to --out, or take fewer frames with --frames"};
  }
  return {};
}

// Whatever changes the pixels: a partial store is gone on with only if all of it is the same.
std::string recipe_of(const IngestOptions& options, const Manifest& m, const MediaSource& source) {
  return fmt::format("{}|{}|{}|{}|{}|{}|{}x{}|{}x{}|{},{}", source.fingerprint(), static_cast<int>(options.fit), options.rate, to_text(m.frame_rate), info(m.pixel_format).name,
                     options.frames_max.value_or(0), m.geometry.columns, m.geometry.rows, m.geometry.tile_width, m.geometry.tile_height, m.geometry.bezel_x, m.geometry.bezel_y);
}

class Ingest {
public:
  Ingest(const IngestOptions& options, const Wall& wall, const std::atomic<bool>& stop) : options_(options), wall_(wall), stop_(stop) {}

  Result<IngestSummary> run() {
    const auto start = std::chrono::steady_clock::now();
    if (auto prepared = prepare(); !prepared) return prepared.error();
    if (auto made = make_frames(); !made) return made.error();
    IngestSummary summary;
    summary.folder = options_.out.front() / manifest_.name;
    summary.frames = writer_->frames();
    summary.resumed = writer_->resumed_frames();
    summary.bytes = std::uint64_t{writer_->frame_bytes()} * wall_.tile_count() * summary.frames;
    if (stop_) {
      writer_->interrupt();
      summary.interrupted = true;
    } else {
      if (writer_->frames() == 0) return Error{options_.input + " has no frames", "check it with ffprobe"};
      if (auto pictures = write_pictures(*writer_, manifest_); !pictures) return pictures.error();
      if (auto finished = writer_->finish(manifest_); !finished) return finished.error();
    }
    summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return summary;
  }

private:
  Result<void> prepare() {
    auto source = MediaSource::open(options_.input);
    if (!source) return source.error();
    source_ = std::move(*source);
    manifest_.pixel_format = options_.format.value_or(wall_.streaming.pixel_format);
    if (auto split = can_split(wall_, manifest_.pixel_format); !split) return split;
    const auto rates = choose_rates(options_, wall_, source_->frame_rate());
    if (!rates) return rates.error();
    manifest_.name = options_.name.empty() ? default_name(options_.input) : options_.name;
    manifest_.title = options_.title.empty() ? manifest_.name : options_.title;
    manifest_.description = options_.description;
    manifest_.tags = options_.tags;
    manifest_.source = options_.input;
    manifest_.geometry = geometry_of(wall_);
    manifest_.frame_rate = rates->store;
    total_ = source_->frame_count();
    if (total_ && rates->conversion && source_->frame_rate()) {
      total_ = static_cast<std::uint32_t>(*total_ * rates->conversion->hertz() / source_->frame_rate()->hertz() + 0.5);
    }
    if (options_.frames_max) total_ = std::min(total_.value_or(UINT32_MAX), *options_.frames_max);
    if (total_)
      if (auto space = check_space(options_, wall_, manifest_.pixel_format, *total_); !space) return space;
    graph_.emplace(FitGraph::Wanted{picture_rect(wall_), manifest_.pixel_format, options_.fit, rates->conversion}, source_->time_base());
    auto writer = StoreWriter::begin(manifest_, options_.out, recipe_of(options_, manifest_, *source_), options_.overwrite);
    if (!writer) return writer.error();
    writer_ = std::move(*writer);
    to_skip_ = writer_->resumed_frames();
    // Where no rate is converted, a frame of the source is a frame of the store, and skipping need not decode.
    if (!rates->conversion && to_skip_ > 0) {
      if (auto skipped = source_->skip(to_skip_); !skipped) return skipped;
      to_skip_ = 0;
    }
    return {};
  }

  [[nodiscard]] bool enough() const { return stop_ || (options_.frames_max && writer_->frames() >= *options_.frames_max); }

  Result<void> make_frames() {
    Progress progress("ingest " + manifest_.name, total_, options_.json);
    std::vector<std::byte> pixels(writer_->frame_bytes());
    for (bool more = true; more && !enough();) {
      const auto frame = source_->next();
      if (!frame) return frame.error();
      more = *frame != nullptr;
      if (auto pushed = graph_->push(*frame); !pushed) return pushed;
      while (!enough()) {
        const auto picture = graph_->pull();
        if (!picture) return picture.error();
        if (*picture == nullptr) break;
        if (to_skip_ > 0) {
          --to_skip_;
          continue;
        }
        if (auto written = write(**picture, pixels); !written) return written;
        progress.update(writer_->frames(), std::uint64_t{pixels.size()} * wall_.tile_count() * (writer_->frames() - writer_->resumed_frames()));
      }
    }
    return {};
  }

  Result<void> write(const AVFrame& picture, std::vector<std::byte>& pixels) {
    for (unsigned tile = 0; tile < wall_.tile_count(); ++tile) {
      split_tile(picture, manifest_.pixel_format, tile_rect(wall_, wall_.tile(tile)), pixels);
      if (auto written = writer_->write_tile(tile, pixels); !written) return written;
    }
    return writer_->end_frame();
  }

  const IngestOptions& options_;
  const Wall& wall_;
  const std::atomic<bool>& stop_;
  std::unique_ptr<MediaSource> source_;
  Manifest manifest_;
  std::optional<FitGraph> graph_;
  std::unique_ptr<StoreWriter> writer_;
  std::optional<std::uint32_t> total_;
  std::uint32_t to_skip_ = 0;
};

}  // namespace

std::string default_name(const std::string& input) {
  const auto path = std::filesystem::path(input).lexically_normal();
  auto stem = path.has_filename() ? path.stem().string() : path.parent_path().filename().string();
  if (input.starts_with("lavfi:")) stem = input.substr(6, input.find_first_of("=,", 6) - 6);
  std::string name;
  for (const char c : stem)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.') name += c;
    else if (!name.empty() && name.back() != '-') name += '-';
  while (!name.empty() && (name.front() == '.' || name.front() == '-')) name.erase(0, 1);
  while (!name.empty() && (name.back() == '-' || name.back() == '.')) name.pop_back();
  return name.empty() ? "visualization" : name;
}

Result<IngestSummary> ingest(const IngestOptions& options, const Wall& wall, const std::atomic<bool>& stop) { return Ingest(options, wall, stop).run(); }

}  // namespace lw
