#include "ingest/ingest.h"

#include "common/base/counted.h"
#include "common/base/frame_rate.h"
#include "common/base/print.h"
#include "common/base/short_text.h"
#include "common/store/slots_of_wall.h"
#include "common/store/sound_file.h"
#include "common/store/store_text_limits.h"
#include "common/wall/names.h"
#include "ingest/caught.h"
#include "ingest/followed_sequence.h"
#include "ingest/media_source.h"
#include "ingest/picture_source.h"
#include "ingest/pictures.h"
#include "ingest/pipeline.h"
#include "ingest/progress.h"
#include "ingest/sound_output.h"
#include "ingest/store_parts.h"
#include "ingest/store_source.h"
#include "ingest/tile_split.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <span>

namespace lw {
namespace {

struct Rates {
  FrameRate store;                      // of the visualization
  std::optional<FrameRate> conversion;  // the rate to which the source is converted; none: frame by frame
};

// Images have no rate: "keep" gives them the wall's, a number sets theirs. A video always becomes constant-rate, by its
// frames' times; a store already is.
Result<Rates> choose_rates(const IngestOptions& options, const Wall& wall, const MediaSource& source) {
  const auto own = source.frame_rate();
  FrameRate rate = own.value_or(wall.frame_rate);
  if (options.rate == "wall") {
    rate = wall.frame_rate;
  } else if (options.rate != "keep") {
    const auto parsed = parse_frame_rate(options.rate);
    if (!parsed) return Error(parsed.error()).in("--rate");
    rate = *parsed;
  }
  const bool convert = source.has_times() || (own && rate != *own);
  return Rates{rate, convert ? std::optional(rate) : std::nullopt};
}

std::string shape_of(const Grid& g) {
  auto shape = fmt::format("{}x{}|{}x{}|{},{}", g.columns, g.rows, g.tile_width, g.tile_height, g.bezel_x, g.bezel_y);
  for (const auto& tile : g.free) shape += "|" + to_text(tile);
  return shape;
}

// Everything that changes the pixels: a partial store is continued only if all of it is the same.
std::string recipe_of(const IngestOptions& options, const Manifest& m, const MediaSource& source) {
  // Nothing for what there was before colours and backgrounds, so that imports of then are continued.
  const bool converts = m.colour != Colour{} || options.source_tags != SourceTags{};
  const auto colours = converts ? fmt::format("|{}|{}", to_text(m.colour), to_text(options.source_tags)) : "";
  const auto& under = options.background;
  const auto background =
      under == Background{} ? "" : fmt::format("|under {} {} {}", under.red, under.green, under.blue);
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}{}{}", source.fingerprint(), static_cast<int>(options.fit),
                     options.rate, to_text(m.frame_rate), info(m.pixel_format).name, options.start,
                     options.duration.value_or(0), options.frames_max.value_or(0), shape_of(m.geometry), colours,
                     background);
}

std::vector<StoreTarget> targets_of(const IngestOptions& options) {
  return options.targets.empty() ? std::vector<StoreTarget>{{options.server, options.out}} : options.targets;
}

std::vector<std::filesystem::path> directories_of(const std::vector<StoreTarget>& targets) {
  std::vector<std::filesystem::path> directories;
  for (const auto& target : targets) directories.insert(directories.end(), target.out.begin(), target.out.end());
  return directories;
}

class Ingest {
public:
  Ingest(const IngestOptions& options, const Wall& wall, const std::atomic<bool>& stop)
      : options_(options),
        wall_(wall),
        stop_(stop),
        share_(share_of_host(options.threads)),
        targets_(targets_of(options)),
        note_(teller(options.json)) {}

  Result<IngestSummary> run() {
    const auto start = std::chrono::steady_clock::now();
    if (auto prepared = prepare(); !prepared) return prepared.error();
    if (auto made = make_frames(); !made) return made.error();
    if (complete_ && !options_.shard)
      if (auto kept = keep_sound(); !kept) return kept.error();
    auto summary = summarize();
    summary.resumed = parts_.resumed_frames();
    summary.expected = total_;
    if (store_ != nullptr) summary.damaged = store_->damaged();
    if (!complete_) {
      if (auto kept = parts_.each([](StoreWriter& part) { return part.interrupt(); }); !kept) return kept.error();
      summary.interrupted = true;
    } else if (options_.shard) {
      if (auto finished = parts_.each([](StoreWriter& part) { return part.finish_shard(); }); !finished)
        return finished.error();
    } else if (auto finished = finish(); !finished) {
      return finished.error();
    }
    summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return summary;
  }

  Result<IngestSummary> join() {
    const auto start = std::chrono::steady_clock::now();
    if (auto checked = check_targets(); !checked) return checked.error();
    if (auto opened = open_source(); !opened) return opened.error();
    if (auto made = make_directories(); !made) return made.error();
    const auto recipe = recipe_of(options_, manifest_, *source_);
    for (const auto& target : targets_) {
      const auto manifest = manifest_for(target);
      if (!manifest) return manifest.error();
      auto writer = StoreWriter::join(*manifest, target.out, recipe, options_.overwrite, &*way_);
      if (!writer) return writer.error();
      parts_.add(std::move(*writer));
    }
    auto summary = summarize();
    if (auto checked = check_frames(); !checked) return checked.error();
    if (complete_)
      if (auto kept = keep_sound(); !kept) return kept.error();
    summary.interrupted = !complete_;
    if (complete_)
      if (auto finished = finish(); !finished) return finished.error();
    summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return summary;
  }

  Result<SourceFacts> probe() {
    if (auto opened = open_source(); !opened) return opened.error();
    count_frames(rates_);
    SourceFacts facts;
    facts.name = manifest_.name;
    facts.frame_rate = rates_.store;
    facts.frames = total_;
    facts.input_bytes = store_ != nullptr ? std::optional(store_->bytes()) : bytes_of_input(options_.input);
    facts.hidden = hidden_;
    facts.sound_channels = source_->sound_channels();
    facts.keeps_sound = !options_.no_sound;
    std::uint64_t frame_bytes = 0;
    for (const auto& target : targets_) {
      const auto manifest = manifest_for(target);
      if (!manifest) return manifest.error();
      frame_bytes += frame_bytes_of(*manifest);
    }
    if (total_) facts.bytes = frame_bytes * *total_;
    // A first frame is often black.
    if (total_)
      if (auto skipped = source_->start_at(*total_ / rates_.store.hertz() / preview_at, rates_.store); !skipped)
        return skipped.error();
    const auto frame = source_->next();
    if (!frame) return frame.error();
    if (*frame == nullptr) return facts;
    facts.width = (*frame)->width;
    facts.height = (*frame)->height;
    const av::Frame tagged(av_frame_clone(*frame));
    if (tagged == nullptr) return no_memory();
    complete_tags(*tagged, options_.source_tags);
    facts.hdr = is_hdr(*tagged);
    facts.colours = colours_text(**frame, options_.source_tags, wall_.colour);
    facts.preview = small_jpeg(*tagged, options_.source_tags);
    return facts;
  }

private:
  static constexpr double preview_at = 4;  // a quarter of the time

  // Of the tiles that the store holds.
  [[nodiscard]] std::uint64_t frame_bytes_of(const Manifest& manifest) const {
    std::uint64_t sum = 0;
    for (TileIndex tile; tile.value < wall_.tile_count(); ++tile.value) {
      if (!manifest.holds(tile)) continue;
      const auto place = wall_.grid.place(tile);
      sum += std::uint64_t{frame_bytes(manifest.pixel_format, place.width, place.height)} * options_.copies;
    }
    return sum;
  }

  [[nodiscard]] IngestSummary summarize() const {
    IngestSummary summary;
    for (const auto& target : targets_) summary.folders.push_back(target.out.front() / manifest_.name);
    summary.frames = parts_.frames();
    summary.bytes = parts_.frame_bytes() * summary.frames;
    return summary;
  }

  Result<void> finish() {
    if (parts_.frames() == 0)
      return Error{options_.input + " has no frames" + (options_.start > 0 ? " after --start" : ""),
                   "check it with ffprobe"};
    return parts_.each([this](StoreWriter& part) -> Result<void> {
      auto manifest = part.manifest();
      manifest.audio = sound_;
      if (auto pictures = write_pictures(part, manifest, share_.threads); !pictures) return pictures;
      if (auto finished = part.finish(manifest); !finished) return finished;
      make_playing_files(part.directories());
      return {};
    });
  }

  // Of joined stores.
  Result<void> check_frames() {
    complete_ = true;
    return parts_.each([this](StoreWriter& part) { return check_frames(part); });
  }
  Result<void> check_frames(StoreWriter& part) {
    Progress progress("join " + manifest_.name, std::uint64_t{part.frames()}, 0, options_.json);
    const auto frame_bytes = part.layout().frame_bytes_held() * part.layout().copies();
    std::vector<std::byte> buffer(part.layout().stored_bytes_max());
    for (std::uint32_t frame = 0; frame < part.frames(); ++frame) {
      if (stop_) {
        complete_ = false;
        return {};
      }
      way_->before(frame_bytes);
      const auto begun = way_->now();
      for (TileIndex tile; tile.value < wall_.tile_count(); ++tile.value)
        if (part.manifest().holds(tile))
          if (auto good = part.check_tile(frame, tile, buffer); !good) return good;
      way_->after(frame_bytes, way_->now() - begun);
      progress.update(frame + 1, frame_bytes * (frame + 1), way_->limit());
    }
    return {};
  }

  // Stores beside each other would take each other's folders.
  Result<void> check_targets() const {
    auto directories = directories_of(targets_);
    for (auto& directory : directories) directory = std::filesystem::absolute(directory / "").lexically_normal();
    std::ranges::sort(directories);
    const auto twice = std::ranges::adjacent_find(directories);
    for (const auto& target : targets_)
      if (target.out.size() < options_.copies)
        return Error{fmt::format("{} copies need as many disks", options_.copies),
                     "name a directory on another disk with --out, after a comma"};
    if (targets_.size() == 1 || twice == directories.end()) return {};
    return Error{"--out names the directory " + twice->string() + " twice", "each server needs its own directories"};
  }

  // A folder that is missing above --out is more often a disk that is not mounted, or a slip, than wanted.
  Result<void> make_directories() const {
    for (const auto& directory : directories_of(targets_)) {
      const auto above = std::filesystem::absolute(directory / "").lexically_normal().parent_path().parent_path();
      std::error_code error;
      if (!options_.create && !std::filesystem::is_directory(above, error))
        return Error{"--out " + directory.string() + " is below " + above.string() + ", which does not exist",
                     "mount its disk, correct --out, or add --create to make the folder"};
      std::filesystem::create_directories(directory, error);
      if (error)
        return Error{"cannot make " + directory.string() + ": " + error.message(),
                     "check permissions, or correct --out"};
    }
    return {};
  }

  // Also decides what the visualization is.
  Result<void> open_source() {
    auto source = open_input();
    if (!source) return source.error();
    source_ = std::move(*source);
    give_way();
    manifest_.pixel_format = options_.format.value_or(wall_.streaming.pixel_format);
    if (info(manifest_.pixel_format).varies_in_length()) manifest_.bands = wall_.streaming.flows_per_tile;
    if (auto split = can_split(wall_, manifest_.pixel_format); !split) return split;
    const auto rates = choose_rates(options_, wall_, *source_);
    if (!rates) return rates.error();
    rates_ = *rates;
    describe(rates_.store);
    if (store_ != nullptr) compare_with_store();
    return options_.packets ? lay_out_packets(*options_.packets) : Result<void>();
  }

  Result<std::unique_ptr<MediaSource>> open_input() {
    av_log_set_level(AV_LOG_QUIET);  // errors are reported in our own line
    if (options_.follow) return open_followed();
    if (options_.from.empty() && !is_store(options_.input))
      return MediaSource::open(options_.input, options_.follow_links, share_);
    const auto parts = options_.from.empty() ? std::vector<std::filesystem::path>{options_.input} : options_.from;
    auto store = StoreSource::open(parts, share_, note_);
    if (!store) return store.error();
    store_ = store->get();
    return std::unique_ptr<MediaSource>(std::move(*store));
  }

  Result<std::unique_ptr<MediaSource>> open_followed() const {
    Following following{options_.input, std::chrono::duration<double>(*options_.follow), options_.last,
                        options_.follow_links};
    auto sequence = FollowedSequence::open(std::move(following), stop_);
    if (!sequence) return sequence.error();
    return std::unique_ptr<MediaSource>(std::make_unique<PictureSource>(std::move(*sequence), share_));
  }

  // Reading keeps pace with writing, so that servers that play from the source also have the right of way.
  void give_way() {
    auto directories = directories_of(targets_);
    const auto read = store_ != nullptr ? store_->directories() : std::vector<std::filesystem::path>();
    directories.insert(directories.end(), read.begin(), read.end());
    way_.emplace(std::move(directories), options_.write_rate, stop_, RightOfWay::real(note_));
  }

  void compare_with_store() {
    const auto& from = store_->manifest();
    const bool even = !info(manifest_.pixel_format).is_rgb();
    hidden_ = hidden_share(from.geometry, wall_, options_.fit, even);
    keeps_blocks_ = from.pixel_format == manifest_.pixel_format && from.colour == manifest_.colour &&
                    StorePicture::keeps_blocks(from.geometry, from.pixel_format, wall_);
  }

  void show_warnings() const {
    for (const auto& warning : store_->warnings()) note_(warning);
    if (hidden_ > 0)
      note_(
          fmt::format("{:.1f} % of this wall's pixels lie between the tiles of the store's wall, as behind bezels: "
                      "they repeat the pixels beside them",
                      hidden_ * 100));
  }

  Result<void> lay_out_packets(unsigned mtu) {
    auto path = wall_;
    path.streaming.mtu = mtu;
    manifest_.packets = slot_bytes_of(path);
    manifest_.bands = wall_.streaming.flows_per_tile;
    if (!has_slots(manifest_))
      return Error{fmt::format("packets for an MTU of {} have no room for a pixel", mtu), "use a larger --packets"};
    if (wall_.streaming.packet_layout != PacketLayout::in_slots || wall_.streaming.mtu != mtu)
      print_error(
          "wall-ingest: with this wall file, the server copies each frame of this store out of its packets; to send "
          "them as they are, set [streaming] packet_layout = \"slots\" and mtu = {}",
          mtu);
    return {};
  }

  Result<Manifest> manifest_for(const StoreTarget& target) const {
    auto manifest = manifest_;
    if (target.server.empty()) return manifest;
    const auto* server = wall_.find_server(target.server);
    if (server == nullptr)
      return Error{"the wall file has no server '" + target.server + "'", "its servers are " + names_of(wall_.servers)};
    manifest.tiles = wall_.tiles_of(*server);
    if (manifest.tiles.size() == wall_.tile_count()) manifest.tiles.clear();
    return manifest;
  }

  Result<void> prepare() {
    if (auto checked = check_targets(); !checked) return checked;
    if (auto opened = open_source(); !opened) return opened;
    if (options_.start > 0)
      if (auto started = source_->start_at(options_.start, rates_.store); !started) return started;
    count_frames(rates_);
    if (source_->endless() && !limit_) return Error{options_.input + " has no end", "use --frames or --duration"};
    if (store_ != nullptr) show_warnings();
    if (keeps_blocks_) store_->keep_blocks();
    graph_.emplace(Wanted{picture_rect(wall_), manifest_.pixel_format, options_.fit, rates_.conversion, wall_.colour,
                          options_.source_tags, keeps_blocks_, options_.background},
                   source_->time_base(), share_.threads);
    if (auto made = make_directories(); !made) return made;
    if (auto begun = begin_store(); !begun) return begun;
    to_skip_ += parts_.resumed_frames();
    // Without rate conversion, a frame of the source is a frame of the store, and skipping does not decode.
    if (!rates_.conversion && to_skip_ > 0) {
      if (auto skipped = source_->skip(to_skip_); !skipped) return skipped;
      to_skip_ = 0;
    }
    return {};
  }

  Result<void> begin_store() {
    const auto recipe = recipe_of(options_, manifest_, *source_);
    const auto whole = total_;
    if (options_.shard) {
      if (!total_)
        return Error{"--shard needs the number of frames, which " + options_.input + " does not state",
                     "use --frames or --duration"};
      const auto range = frames_of(*options_.shard, *total_);
      to_skip_ = range.begin;
      total_ = std::min(range.end, *total_) - range.begin;
      if (options_.shard->number < options_.shard->count)
        limit_ = *total_;
      else if (limit_)
        *limit_ -= range.begin;
    }
    for (const auto& target : targets_) {
      const auto manifest = manifest_for(target);
      if (!manifest) return manifest.error();
      auto writer = options_.shard ? StoreWriter::begin_shard(*manifest, target.out, recipe, options_.overwrite,
                                                              *options_.shard, to_skip_, &*way_)
                                   : StoreWriter::begin(*manifest, target.out, recipe, options_.overwrite, &*way_);
      if (!writer) return writer.error();
      if (options_.follow && !options_.shard)
        if (auto plays = (*writer)->let_play(); !plays) return plays.error();
      parts_.add(std::move(*writer));
    }
    return whole ? parts_.check_space(*whole, sound_bytes(*whole)) : Result<void>();
  }

  // One process does it for all shards and stores, in a small part of the time of the frames: an interrupted import
  // begins with it again.
  Result<void> keep_sound() {
    if (options_.no_sound || source_->sound_channels() == 0 || parts_.frames() == 0) return {};
    auto sound = source_->sound(options_.start);
    if (!sound) {
      note_("the sound is not kept: " + sound.error().text());
      return {};
    }
    std::vector<std::filesystem::path> folders;
    static_cast<void>(parts_.each([&](const StoreWriter& part) -> Result<void> {
      folders.push_back(part.folder());
      return {};
    }));
    const auto samples = sample_of_frame(parts_.frames(), manifest_.frame_rate);
    auto written = write_sound(**sound, static_cast<std::uint64_t>(samples), folders, stop_);
    if (!written) return written.error();
    complete_ = written->has_value();
    sound_ = std::move(*written);
    if ((*sound)->channels_of_source() > (*sound)->channels())
      note_(fmt::format("the {} channels of its sound are mixed down to {}", (*sound)->channels_of_source(),
                        (*sound)->channels()));
    if ((*sound)->damaged() > 0)
      note_(fmt::format("{} of its sound cannot be decoded: they are silent", counted((*sound)->damaged(), "packet")));
    return {};
  }

  [[nodiscard]] std::uint64_t sound_bytes(std::uint32_t frames) const {
    if (options_.no_sound) return 0;
    const auto samples = static_cast<std::uint64_t>(sample_of_frame(frames, manifest_.frame_rate));
    return samples * sound_frame_bytes(source_->sound_channels());
  }

  // A server creates these files in its content directories, but not in the directories that a store's manifest names.
  static void make_playing_files(const std::vector<std::filesystem::path>& directories) {
    for (std::size_t stripe = 1; stripe < directories.size(); ++stripe)
      if (const auto fd = open_playing_file(directories[stripe], true)) close(*fd);
  }

  void describe(FrameRate rate) {
    const auto* from = store_ != nullptr ? &store_->manifest() : nullptr;
    const auto given_or = [](const auto& given, const auto& other) { return given.empty() ? other : given; };
    manifest_.name = given_or(options_.name, from != nullptr ? from->name : default_name(options_.input));
    manifest_.title = given_or(options_.title, from != nullptr ? from->title : manifest_.name);
    manifest_.description = given_or(options_.description, from != nullptr ? from->description : "");
    manifest_.tags = given_or(options_.tags, from != nullptr ? from->tags : options_.tags);
    const auto source = from != nullptr ? given_or(from->source, from->name) : options_.input;
    manifest_.source = short_text(source, StoreTextLimits::source);
    manifest_.geometry = wall_.grid;
    manifest_.frame_rate = rate;
    manifest_.colour = wall_.colour;
    manifest_.copies = options_.copies;
  }

  void count_frames(const Rates& rates) {
    limit_ = options_.frames_max;
    if (options_.duration) {
      const auto frames =
          static_cast<std::uint32_t>(std::clamp(std::ceil(*options_.duration * rates.store.hertz() - 1e-6), 1.0, 2e9));
      limit_ = std::min(limit_.value_or(UINT32_MAX), frames);
    }
    total_ = source_->frame_count();
    if (const auto seconds = source_->seconds()) {
      total_ = static_cast<std::uint32_t>(std::llround(*seconds * rates.store.hertz()));
    } else if (total_ && rates.conversion && source_->frame_rate()) {
      total_ = static_cast<std::uint32_t>(
          std::llround(*total_ * rates.conversion->hertz() / source_->frame_rate()->hertz()));
    }
    if (limit_) total_ = std::min(total_.value_or(UINT32_MAX), *limit_);
  }

  Result<std::unique_ptr<Pipeline>> start_pipeline() {
    const auto tiles = wall_.tile_count();
    const auto fitted = fitted_bytes(manifest_.pixel_format, picture_rect(wall_));
    const FrameSizes sizes{source_->frame_bytes().value_or(fitted), fitted,
                           FrameTiles::bytes_of(parts_.layout(), tiles)};
    const Pipeline::Range range{to_skip_,
                                limit_ ? std::optional(*limit_ - std::min(*limit_, parts_.frames())) : std::nullopt};
    return Pipeline::start(
        {[this] { return source_->next(); }, [this](const AVFrame* frame) { return graph_->push(frame); },
         [this] { return graph_->pull(); }, [this](const AVFrame& frame, FrameTiles& out) { split(frame, out); },
         [this, tiles] { return FrameTiles::allocate(parts_.layout(), tiles); }},
        plan_pipeline(share_, sizes), range, stop_);
  }

  Result<void> make_frames() {
    const auto of = options_.shard ? " shard " + to_text(*options_.shard) : "";
    Progress progress("ingest " + manifest_.name + of, total_, parts_.resumed_frames(), options_.json);
    const auto pipeline = start_pipeline();
    if (!pipeline) return pipeline.error();
    auto written = write_frames(**pipeline, progress);
    source_->cancel();  // the pipeline's threads end before the source does
    complete_ = !stop_;
    return written;
  }

  Result<void> write_frames(Pipeline& pipeline, Progress& progress) {
    constexpr std::chrono::milliseconds patience{300};
    for (;;) {
      // The next image may take long to render: what is there can be played until then.
      if (options_.follow && !pipeline.ready_within(patience))
        if (auto kept = parts_.each([](StoreWriter& part) { return part.flush(); }); !kept) return kept;
      const auto frame = pipeline.next();
      if (!frame) return frame.error();
      if (*frame == nullptr) return {};
      if (auto written = write(**frame); !written) return written;
      pipeline.done();
      const auto made = parts_.frames() - parts_.resumed_frames();
      progress.update(parts_.frames(), parts_.frame_bytes() * made, way_->limit());
    }
  }

  // Called by several threads.
  void split(const AVFrame& frame, FrameTiles& out) const {
    for (TileIndex tile; tile.value < out.size(); ++tile.value) {
      const auto& place = wall_.tile(tile).place;
      if (keeps_blocks_)
        cut_blocks(frame, manifest_.pixel_format, place, out.pixels(tile));
      else
        split_tile(frame, manifest_.pixel_format, place, manifest_.bands, out.pixels(tile));
      out.sum(tile) = checksum(out.pixels(tile));
      out.arrange(tile);
    }
  }

  Result<void> write(FrameTiles& frame) {
    for (TileIndex tile; tile.value < frame.size(); ++tile.value)
      if (auto written = parts_.write_tile(tile, frame.record(tile), frame.sum(tile)); !written) return written;
    return parts_.end_frame();
  }

  const IngestOptions& options_;
  const Wall& wall_;
  const std::atomic<bool>& stop_;
  HostShare share_;
  std::unique_ptr<MediaSource> source_;
  StoreSource* store_ = nullptr;  // of source_, if it is a store
  double hidden_ = 0;             // share of the wall's pixels that the store does not have
  bool keeps_blocks_ = false;     // of the store, so that its frames are not decoded
  Manifest manifest_;
  Rates rates_;
  std::optional<FitGraph> graph_;
  std::vector<StoreTarget> targets_;
  std::optional<RightOfWay> way_;
  std::function<void(const std::string&)> note_;
  StoreParts parts_;
  std::optional<SoundTrack> sound_;     // as written into all of them
  std::optional<std::uint32_t> limit_;  // of frames, by the options
  std::optional<std::uint32_t> total_;
  std::uint32_t to_skip_ = 0;
  bool complete_ = false;  // not stopped
};

}  // namespace

Result<IngestSummary> ingest(const IngestOptions& options, const Wall& wall, const std::atomic<bool>& stop) {
  return Ingest(options, wall, stop).run();
}

Result<IngestSummary> join_shards(const IngestOptions& options, const Wall& wall, const std::atomic<bool>& stop) {
  return Ingest(options, wall, stop).join();
}

Result<SourceFacts> probe(const IngestOptions& options, const Wall& wall, const std::atomic<bool>& stop) {
  return Ingest(options, wall, stop).probe();
}

}  // namespace lw
