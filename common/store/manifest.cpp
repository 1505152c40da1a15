#include "common/store/manifest.h"

#include "common/base/frame_rate.h"
#include "common/base/hex_digits.h"
#include "common/base/read_file.h"
#include "common/base/short_text.h"
#include "common/base/sound_time.h"
#include "common/net/datagram_sender.h"
#include "common/store/store_text_limits.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace lw {
namespace {

constexpr std::size_t manifest_bytes_max = std::size_t{4} << 20U;

using nlohmann::json;
constexpr const char* ingest_again = "ingest the visualization again, or correct the file (docs/frame-store.md)";
constexpr unsigned tiles_max = 1024;
constexpr unsigned tile_pixels_max = 32'767;  // RFC 4175 has 15 bits for a line and an offset
constexpr auto slot_bytes_max = PacketSlots::slot_bytes_for(DatagramSender::datagram_bytes_max);
constexpr std::size_t shown_max = 80;  // of texts quoted in errors
constexpr std::size_t sound_checksum_digits = 16;

// Reads one member after the other; the first that is missing or invalid is the error.
class Reader {
public:
  Reader(const json& object, std::string where) : object_(object), where_(std::move(where)) {}

  template <class T>
  void number(const char* key, T& out, std::int64_t min, std::int64_t max) {
    const json* value = find(key);
    if (value == nullptr) return;
    if (!value->is_number_integer() || value->get<std::int64_t>() < min || value->get<std::int64_t>() > max)
      return fail(fmt::format("{} must be a whole number from {} to {}", key, min, max));
    out = static_cast<T>(value->get<std::int64_t>());
  }
  void text(const char* key, std::string& out, std::size_t bytes_max, bool required = true) {
    const json* value = find(key, required);
    if (value == nullptr) return;
    if (!is_text(*value, bytes_max))
      return fail(fmt::format("{} must be a string of at most {} bytes", key, bytes_max));
    out = value->get<std::string>();
  }
  void texts(const char* key, std::vector<std::string>& out, std::size_t count_max, std::size_t bytes_max) {
    const json* value = find(key);
    if (value == nullptr) return;
    if (!value->is_array() || value->size() > count_max ||
        !std::ranges::all_of(*value, [&](const json& v) { return is_text(v, bytes_max); }))
      return fail(
          fmt::format("{} must be an array of at most {} strings of at most {} bytes", key, count_max, bytes_max));
    out = value->get<std::vector<std::string>>();
  }
  const json* find(const char* key, bool required = true) {
    known_.insert(key);
    if (const auto found = object_.find(key); found != object_.end()) return &*found;
    if (required) fail(fmt::format("{} is missing", key));
    return nullptr;
  }
  void fail(const std::string& what) {
    if (!error_) error_ = Error{where_ + ": " + what, ingest_again};
  }
  void refuse_unknown() {
    for (const auto& [key, value] : object_.items())
      if (!known_.contains(key)) fail(fmt::format("unknown member {}", short_text(key, shown_max)));
  }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

private:
  static bool is_text(const json& value, std::size_t bytes_max) {
    return value.is_string() && value.get_ref<const std::string&>().size() <= bytes_max;
  }

  const json& object_;
  std::string where_;
  std::set<std::string, std::less<>> known_;
  std::optional<Error> error_;
};

Result<void> read_colour(Reader& reader, const std::string& where, Colour& colour) {
  std::string primaries(name_of(colour.primaries));
  std::string transfer(name_of(colour.transfer));
  reader.text("colour", primaries, StoreTextLimits::word, false);
  reader.text("transfer", transfer, StoreTextLimits::word, false);
  const auto of_light = parse_primaries(primaries);
  if (!of_light) return Error(of_light.error()).in(where);
  const auto of_values = parse_transfer(transfer);
  if (!of_values) return Error(of_values.error()).in(where);
  colour = {*of_light, *of_values};
  return {};
}

// The tile that an entry of `tiles` names: [column, row], or its name.
std::optional<TileIndex> named_tile(const json& entry, const Grid& geometry) {
  if (geometry.is_free()) {
    if (!entry.is_string()) return std::nullopt;
    const auto found = std::ranges::find(geometry.free, entry.get_ref<const std::string&>(), &FreeTile::name);
    if (found == geometry.free.end()) return std::nullopt;
    return TileIndex{static_cast<unsigned>(found - geometry.free.begin())};
  }
  const auto below = [&](std::size_t i, unsigned end) {
    return entry[i].is_number_unsigned() && entry[i].get<std::uint64_t>() < end;
  };
  if (!entry.is_array() || entry.size() != 2 || !below(0, geometry.columns) || !below(1, geometry.rows))
    return std::nullopt;
  return TileIndex{entry[1].get<unsigned>() * geometry.columns + entry[0].get<unsigned>()};
}

// `tiles`: sorted, and empty if they are all.
Result<void> read_tiles(const json& tiles, const std::string& where, Manifest& m) {
  const auto wrong = [&](const std::string& what) { return Error{where + ": tiles " + what, ingest_again}; };
  if (!tiles.is_array() || tiles.empty() || tiles.size() > StoreTextLimits::tiles)
    return wrong(fmt::format("must be an array of 1 to {}", StoreTextLimits::tiles));
  for (const auto& entry : tiles) {
    const auto tile = named_tile(entry, m.geometry);
    if (!tile)
      return wrong(m.geometry.is_free() ? "must be names of tiles of the geometry"
                                        : "must be pairs of a column and a row within the geometry");
    m.tiles.push_back(*tile);
  }
  std::ranges::sort(m.tiles);
  if (std::ranges::adjacent_find(m.tiles) != m.tiles.end()) return wrong("name a tile twice");
  if (m.tiles.size() == m.geometry.tile_count()) m.tiles.clear();
  // They identify the visualization of which the store is a part.
  if (!m.tiles.empty() && m.checksums.empty()) return wrong("need checksums of all tiles");
  return {};
}

// `audio`, an object.
Result<SoundTrack> read_audio(const json& audio, const std::string& where) {
  if (!audio.is_object()) return Error{where + ": audio must be an object", ingest_again};
  SoundTrack sound;
  Reader reader(audio, where + ": audio");
  reader.text("file", sound.file, StoreTextLimits::name);
  reader.number("channels", sound.channels, 1, sound_channels_max);
  reader.text("checksum", sound.checksum, StoreTextLimits::name, false);
  reader.refuse_unknown();
  if (reader.error()) return *reader.error();
  if (sound.file.empty()) return Error{where + ": audio: file must not be empty", ingest_again};
  if (!sound.checksum.empty() && !are_digits(sound.checksum, sound_checksum_digits))
    return Error{fmt::format("{}: audio: checksum must be {} lower-case hex digits", where, sound_checksum_digits),
                 ingest_again};
  return sound;
}

Result<Grid> read_free_geometry(const json& list, const std::string& where) {
  const auto wrong = [&](const std::string& what) { return Error{where + ": tiles " + what, ingest_again}; };
  if (!list.is_array() || list.empty() || list.size() > FreeTile::count_max)
    return wrong(fmt::format("must be an array of 1 to {}", FreeTile::count_max));
  std::vector<FreeTile> tiles;
  for (const auto& entry : list) {
    if (!entry.is_object()) return wrong("must be objects");
    auto& tile = tiles.emplace_back();
    Reader reader(entry, fmt::format("{}: tile {}", where, tiles.size() - 1));
    reader.text("name", tile.name, FreeTile::name_bytes_max);
    reader.number("x", tile.place.x, 0, FreeTile::place_max);
    reader.number("y", tile.place.y, 0, FreeTile::place_max);
    reader.number("width", tile.place.width, 2, tile_pixels_max);
    reader.number("height", tile.place.height, 1, tile_pixels_max);
    reader.refuse_unknown();
    if (!is_tile_name(tile.name)) reader.fail("name must be letters, digits, '-' and '_', and not 'checksums'");
    if (reader.error()) return *reader.error();
  }
  if (const auto same = same_names(tiles)) return wrong(fmt::format("name '{}' twice", tiles[same->second].name));
  return Grid::of(std::move(tiles));
}

Result<Grid> read_geometry(const json& geometry, int version, const std::string& where) {
  Grid grid;
  Reader shape(geometry, where);
  if (const auto* tiles = version == manifest_version_newest ? shape.find("tiles", false) : nullptr) {
    shape.refuse_unknown();
    if (shape.error()) return *shape.error();
    return read_free_geometry(*tiles, where);
  }
  shape.number("columns", grid.columns, 1, tiles_max);
  shape.number("rows", grid.rows, 1, tiles_max);
  shape.number("tile_width", grid.tile_width, 2, tile_pixels_max);
  shape.number("tile_height", grid.tile_height, 1, tile_pixels_max);
  shape.number("bezel_x", grid.bezel_x, 0, tile_pixels_max);
  shape.number("bezel_y", grid.bezel_y, 0, tile_pixels_max);
  shape.refuse_unknown();
  if (shape.error()) return *shape.error();
  return grid;
}

bool all_have_groups(const Manifest& m) {
  for (TileIndex tile; tile.value < m.geometry.tile_count(); ++tile.value)
    if (!has_groups(m.pixel_format, m.geometry.place(tile).width)) return false;
  return true;
}

// Files named in a manifest are in its folder: a name with a path could reach anything.
bool is_plain_name(const std::string& name) { return name.find('/') == std::string::npos && name != ".."; }

Result<Manifest> read(const json& object, const std::string& where) {
  Manifest m;
  Reader reader(object, where);
  int version = 0;
  reader.number("version", version, manifest_version, manifest_version_newest);
  reader.text("id", m.id, StoreTextLimits::name, false);
  reader.text("title", m.title, StoreTextLimits::title);
  reader.text("description", m.description, StoreTextLimits::description, false);
  if (object.contains("tags")) reader.texts("tags", m.tags, StoreTextLimits::tags, StoreTextLimits::tag);
  reader.find("tags", false);
  reader.text("source", m.source, StoreTextLimits::source, false);
  std::string format;
  reader.text("pixel_format", format, StoreTextLimits::word);
  std::string rate;
  reader.text("frame_rate", rate, StoreTextLimits::word);
  reader.number("frames", m.frame_count, 1, INT32_MAX);
  std::vector<std::string> stripes;
  reader.texts("stripes", stripes, stripes_max, StoreTextLimits::path);
  reader.text("checksums", m.checksums, StoreTextLimits::name, false);
  reader.text("poster", m.poster, StoreTextLimits::name, false);
  reader.text("thumbnails", m.thumbnails, StoreTextLimits::name, false);
  if (reader.find("thumbnail_count", false) != nullptr) reader.number("thumbnail_count", m.thumbnail_count, 0, 1000);
  const json* geometry = reader.find("geometry");
  const json* tiles = nullptr;
  const json* audio = nullptr;
  if (version == manifest_version_newest) {
    if (auto coloured = read_colour(reader, where, m.colour); !coloured) return coloured.error();
    tiles = reader.find("tiles", false);
    audio = reader.find("audio", false);
    if (reader.find("copies", false) != nullptr) reader.number("copies", m.copies, 1, copies_max);
    if (reader.find("packets", false) != nullptr)
      reader.number("packets", m.packets, PacketSlots::alignment, slot_bytes_max);
    const bool has_bands = m.packets > 0 || format == info(PixelFormat::lossless).name;
    if (has_bands && reader.find("bands", false) != nullptr) reader.number("bands", m.bands, 1, flows_per_tile_max);
  }
  reader.refuse_unknown();
  if (reader.error()) return *reader.error();
  if (!geometry->is_object()) return Error{where + ": geometry must be an object", ingest_again};

  auto shape = read_geometry(*geometry, version, where + ": geometry");
  if (!shape) return shape.error();
  m.geometry = std::move(*shape);

  if (!m.id.empty() && !are_digits(m.id, store_id_digits))
    return Error{fmt::format("{}: id must be {} lower-case hex digits", where, store_id_digits), ingest_again};
  const auto pixel_format = parse_pixel_format(format);
  if (!pixel_format) return Error(pixel_format.error()).in(where);
  m.pixel_format = *pixel_format;
  const auto frame_rate = parse_frame_rate(rate);
  if (!frame_rate) return Error(frame_rate.error()).in(where);
  m.frame_rate = *frame_rate;
  if (!all_have_groups(m)) return Error{where + ": a tile of odd width cannot be " + format, ingest_again};
  if (m.packets > 0 && (m.packets % PacketSlots::alignment != 0 || !has_slots(m)))
    return Error{fmt::format("{}: packets must be a multiple of {} with room for a pixel of each of {} bands", where,
                             PacketSlots::alignment, m.bands),
                 ingest_again};
  if (stripes.empty() || stripes.size() > stripes_max)
    return Error{fmt::format("{}: 1 to {} stripes are needed", where, stripes_max), ingest_again};
  if (m.copies > stripes.size())
    return Error{fmt::format("{}: {} copies need as many stripes", where, m.copies), ingest_again};
  m.stripes.assign(stripes.begin(), stripes.end());
  if (audio != nullptr) {
    auto sound = read_audio(*audio, where);
    if (!sound) return sound.error();
    m.audio = std::move(*sound);
  }
  for (const auto& name : {m.checksums, m.poster, m.thumbnails, m.audio ? m.audio->file : std::string()})
    if (!is_plain_name(name))
      return Error{where + ": '" + name + "' must be a file name without a folder", ingest_again};
  if (tiles != nullptr)
    if (auto listed = read_tiles(*tiles, where, m); !listed) return listed.error();
  return m;
}

}  // namespace

Result<Manifest> parse_manifest(std::string_view text, const std::string& file_name) {
  const json object = json::parse(text, nullptr, false);
  if (object.is_discarded()) return Error{file_name + " is not valid JSON", ingest_again};
  if (!object.is_object()) return Error{file_name + ": expected a JSON object", ingest_again};
  return read(object, file_name);
}

Result<Manifest> load_manifest(int file, const std::filesystem::path& shown) {
  const auto text = read_open_file(file, shown, manifest_bytes_max, "give the folder of a visualization");
  return text ? parse_manifest(*text, shown.string()) : text.error();
}

Result<Manifest> load_manifest(const Beneath& folder) {
  const auto file = folder.open_file(manifest_file_name);
  return file ? load_manifest(file->get(), folder.shown / manifest_file_name) : file.error();
}

Result<Manifest> load_manifest(const std::filesystem::path& folder) {
  const std::string fix = "give the folder of a visualization";
  const auto open = open_folder(folder, fix);
  return open ? load_manifest(Beneath{open->get(), folder, fix}) : open.error();
}

namespace {

nlohmann::ordered_json to_json(const Grid& geometry) {
  if (!geometry.is_free())
    return {{"columns", geometry.columns},         {"rows", geometry.rows},       {"tile_width", geometry.tile_width},
            {"tile_height", geometry.tile_height}, {"bezel_x", geometry.bezel_x}, {"bezel_y", geometry.bezel_y}};
  auto tiles = nlohmann::ordered_json::array();
  for (const auto& tile : geometry.free)
    tiles.push_back({{"name", tile.name},
                     {"x", tile.place.x},
                     {"y", tile.place.y},
                     {"width", tile.place.width},
                     {"height", tile.place.height}});
  return {{"tiles", std::move(tiles)}};
}

// For people, where two differ.
std::string text(const Grid& g) {
  if (!g.is_free())
    return fmt::format("{}x{} tiles of {}x{} with bezels of {} and {}", g.columns, g.rows, g.tile_width, g.tile_height,
                       g.bezel_x, g.bezel_y);
  return fmt::format("{} [[tile]]", g.columns);
}

std::string text(const FreeTile& tile) {
  return fmt::format("'{}' of {}x{} at {}, {}", tile.name, tile.place.width, tile.place.height, tile.place.x,
                     tile.place.y);
}

Error other_geometry(const Grid& made_for, const Grid& wall) {
  const std::string mend = made_for.is_free() ? "import its source for this wall"
                                              : "cut it for this wall with wall-ingest --from, or import its source";
  const auto [made, here] = std::ranges::mismatch(made_for.free, wall.free);
  if (made != made_for.free.end() && here != wall.free.end())
    return {fmt::format("made for a wall with tile {}, but this wall has {}", text(*made), text(*here)), mend};
  return {fmt::format("made for {}, but this wall has {}", text(made_for), text(wall)), mend};
}

}  // namespace

std::string to_json_text(const Manifest& m) {
  std::vector<std::string> stripes;
  for (const auto& stripe : m.stripes) stripes.push_back(stripe.string());
  const bool first_version = m.tiles.empty() && m.packets == 0 && m.bands == 1 && m.copies == 1 &&
                             m.colour == Colour{} && !m.audio && !m.geometry.is_free();
  nlohmann::ordered_json object{{"version", first_version ? manifest_version : manifest_version_newest},
                                {"id", m.id},
                                {"title", m.title},
                                {"description", m.description},
                                {"tags", m.tags},
                                {"source", m.source},
                                {"geometry", to_json(m.geometry)},
                                {"pixel_format", info(m.pixel_format).name},
                                {"frame_rate", to_text(m.frame_rate)},
                                {"frames", m.frame_count},
                                {"stripes", stripes},
                                {"checksums", m.checksums},
                                {"poster", m.poster},
                                {"thumbnails", m.thumbnails},
                                {"thumbnail_count", m.thumbnail_count}};
  if (m.id.empty()) object.erase("id");
  if (m.packets > 0) object["packets"] = m.packets;
  if (m.packets > 0 || m.bands > 1) object["bands"] = m.bands;
  for (const auto tile : m.tiles) {
    const auto [column, row] = m.geometry.cell(tile);
    object["tiles"].push_back(m.geometry.is_free() ? nlohmann::ordered_json(m.geometry.name(tile))
                                                   : nlohmann::ordered_json::array({column, row}));
  }
  if (m.copies > 1) object["copies"] = m.copies;
  if (m.colour != Colour{})
    object.update({{"colour", name_of(m.colour.primaries)}, {"transfer", name_of(m.colour.transfer)}});
  if (m.audio) object["audio"] = {{"file", m.audio->file}, {"channels", m.audio->channels}};
  if (m.audio && !m.audio->checksum.empty()) object["audio"]["checksum"] = m.audio->checksum;
  return object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Result<void> fits(const Manifest& m, const Wall& wall) {
  if (m.geometry != wall.grid) return other_geometry(m.geometry, wall.grid);
  if (m.colour != wall.colour)
    return Error{fmt::format("made for the colours {}, but this wall has {}", to_text(m.colour), to_text(wall.colour)),
                 "cut it for this wall with wall-ingest --from, or correct [wall] colour and transfer"};
  if (!bands_have(wall, m.pixel_format))
    return Error{fmt::format("with {} flows per tile, some flows have no row of its {} blocks",
                             wall.streaming.flows_per_tile, info(m.pixel_format).name),
                 "lower [streaming] flows_per_tile"};
  if (info(m.pixel_format).varies_in_length() && m.bands != wall.streaming.flows_per_tile)
    return Error{
        fmt::format("its frames were compressed for {} flows per tile, but this wall has {}", m.bands,
                    wall.streaming.flows_per_tile),
        fmt::format("cut it for this wall with wall-ingest --from, or set [streaming] flows_per_tile = {}", m.bands)};
  for (TileIndex tile; tile.value < m.geometry.distinct_tiles(); ++tile.value)
    if (const auto slots = slots_of(m, tile); slots && slots->memory_bytes() > frame_memory_bytes(wall, tile))
      return Error{fmt::format("its frames lie in packets of {} bytes, too small for this wall's memory", m.packets),
                   fmt::format("ingest it with --packets {}, or without --packets", wall.streaming.mtu)};
  return {};
}

bool lies_as_sent(const Manifest& m, std::size_t slot_bytes, std::size_t flows) {
  return m.packets > 0 && m.packets == slot_bytes && m.bands == flows;
}

std::optional<TileSlots> slots_of(const Manifest& m, TileIndex tile) {
  if (m.packets == 0) return std::nullopt;
  const auto place = m.geometry.place(tile);
  return TileSlots::of(m.pixel_format, place.width, place.height, m.bands, m.packets);
}

bool has_slots(const Manifest& m) {
  for (TileIndex tile; tile.value < m.geometry.distinct_tiles(); ++tile.value)
    if (!slots_of(m, tile)) return false;
  return true;
}

bool Manifest::holds(TileIndex tile) const { return tiles.empty() || std::ranges::binary_search(tiles, tile); }

Result<void> fits(const Manifest& m, const Wall& wall, const WallServer& server) {
  if (auto geometry = fits(m, wall); !geometry) return geometry;
  constexpr std::size_t named_max = 8;
  std::string missing;
  std::size_t count = 0;
  for (const auto tile : wall.tiles_of(server)) {
    if (m.holds(tile)) continue;
    if (count++ < named_max) missing += (missing.empty() ? "" : ", ") + wall.tile(tile).in_list();
  }
  if (count == 0) return {};
  if (count > named_max) missing += fmt::format(" and {} more", count - named_max);
  return Error{fmt::format("the store lacks tiles that server {} sends: {}", server.name, missing),
               fmt::format("import them with wall-ingest --server {}, or copy a store that holds them", server.name)};
}

bool has_same_frames(const Manifest& a, const Manifest& b) {
  return a.id == b.id && a.geometry == b.geometry && a.pixel_format == b.pixel_format && a.colour == b.colour &&
         a.frame_rate == b.frame_rate && a.frame_count == b.frame_count && a.stripes == b.stripes &&
         a.tiles == b.tiles && a.packets == b.packets && a.bands == b.bands && a.copies == b.copies;
}

}  // namespace lw
