// Methods about what there is: info, list, image, plan, describe, delete.
#include "common/base/frame_rate.h"
#include "common/base/host_name.h"
#include "common/control/reports.h"
#include "common/store/stripe_layout.h"
#include "common/wall/geometry.h"
#include "server/control/service_impl.h"
#include "server/play/store_edit.h"

#include <boost/beast/core/detail/base64.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

namespace lw {

using Impl = ControlService::Impl;

namespace {

constexpr std::size_t image_bytes_max = std::size_t{700} << 10U;  // base64 must fit a message

Json tile_id(TileId tile) { return Json::array({tile.column, tile.row}); }

Json wall_json(const Wall& wall) {
  Json nodes = Json::array();
  for (const auto& node : wall.nodes) {
    Json tiles = Json::array();
    for (const auto& placement : node.tiles) tiles.push_back(tile_id(placement.tile));
    nodes.push_back({{"name", node.name}, {"address", node.address}, {"tiles", std::move(tiles)}});
  }
  Json flows = Json::array();
  for (const auto& band : all_bands(wall))
    flows.push_back({{"flow", band.flow},
                     {"tile", tile_id(band.tile)},
                     {"node", wall.node_of(band.tile).name},
                     {"first_row", band.first_row},
                     {"rows", band.rows},
                     {"port", media_port(wall, band.flow)}});
  return {{"name", wall.name},
          {"columns", wall.columns},
          {"rows", wall.rows},
          {"tile_width", wall.tile_width},
          {"tile_height", wall.tile_height},
          {"bezel_x", wall.bezel_x},
          {"bezel_y", wall.bezel_y},
          {"frame_rate", to_text(wall.frame_rate)},
          {"flows_per_tile", wall.streaming.flows_per_tile},
          {"pixel_format", info(wall.streaming.pixel_format).name},
          {"playout_delay_ms", wall.streaming.playout_delay.count()},
          {"nodes", std::move(nodes)},
          {"flows", std::move(flows)}};
}

Json visualization_json(const LibraryEntry& entry, const Wall& wall) {
  const auto& m = entry.manifest;
  const auto& g = m.geometry;
  const auto fit = fits(m, wall);
  Json json{{"name", m.name},
            {"title", m.title},
            {"description", m.description},
            {"tags", m.tags},
            {"source", m.source},
            {"columns", g.columns},
            {"rows", g.rows},
            {"tile_width", g.tile_width},
            {"tile_height", g.tile_height},
            {"bezel_x", g.bezel_x},
            {"bezel_y", g.bezel_y},
            {"pixel_format", info(m.pixel_format).name},
            {"frame_rate", to_text(m.frame_rate)},
            {"frames", m.frame_count},
            {"stripes", m.stripes.size()},
            {"bytes", std::uint64_t{StripeLayout(m).record_bytes()} * m.frame_count * g.columns * g.rows},
            {"gbit_per_s", pixel_rate(m).gbit()},
            {"poster", !m.poster.empty()},
            {"thumbnails", m.thumbnails.empty() ? 0 : m.thumbnail_count},
            {"fits", fit.has_value()},
            {"reason", fit ? "" : fit.error().text()}};
  std::error_code error;
  const auto time = std::filesystem::last_write_time(entry.folder / manifest_file_name, error);
  if (!error) json["made"] = to_iso8601(WallTime{std::chrono::file_clock::to_sys(time).time_since_epoch()});
  return json;
}

Error no_such(const std::string& name) {
  return Error{"there is no visualization '" + name + "'", "list names those there are"};
}

}  // namespace

RpcReply Impl::info(const Json& json, const Caller& caller) {
  if (auto problem = Params(json).problem()) return bad_params(*problem);
  const auto visitor = caller.visitor();
  return Json{{"program", "wall-server"},
              {"version", LW_VERSION},
              {"protocol", protocol_version},
              {"host", host_name()},
              {"you", {{"name", visitor.name}, {"role", name_of(visitor.role)}}},
              {"wall", wall_json(wall_)},
              {"methods", method_names()}};
}

RpcReply Impl::list(const Json& json) {
  if (auto problem = Params(json).problem()) return bad_params(*problem);
  if (const auto scanned = library_.scan(); !scanned) return cannot(scanned.error());
  Json entries = Json::array();
  for (const auto& entry : library_.entries()) entries.push_back(visualization_json(entry, wall_));
  Json rejected = Json::array();
  for (const auto& entry : library_.rejected())
    rejected.push_back({{"folder", entry.folder.filename().string()}, {"reason", entry.error.text()}});
  return Json{{"visualizations", std::move(entries)}, {"rejected", std::move(rejected)}};
}

RpcReply Impl::image(const Json& json) {
  Params params(json);
  const auto name = params.text("name");
  const auto kind = params.text("kind");
  if (auto problem = params.problem()) return bad_params(*problem);
  if (kind != "poster" && kind != "thumbnails") return bad_params("kind must be poster or thumbnails");
  const auto* entry = library_.find(name);
  if (entry == nullptr) return cannot(no_such(name));
  const auto& file_name = kind == "poster" ? entry->manifest.poster : entry->manifest.thumbnails;
  const auto path = entry->folder / file_name;
  std::error_code error;
  if (file_name.empty() || !std::filesystem::is_regular_file(path, error))
    return cannot(Error{name + " has no " + kind, "ingest it again to have one"});
  const auto size = std::filesystem::file_size(path, error);
  if (size > image_bytes_max)
    return cannot(Error{"the " + kind + " of " + name + " is too large to send", "make it smaller than 700 KiB"});
  std::ifstream in(path, std::ios::binary);
  std::string bytes(size, '\0');
  if (!in.read(bytes.data(), static_cast<std::streamsize>(size)))
    return cannot(Error{"the " + kind + " of " + name + " cannot be read", "check the file " + path.string()});
  namespace base64 = boost::beast::detail::base64;
  std::string encoded(base64::encoded_size(bytes.size()), '\0');
  encoded.resize(base64::encode(encoded.data(), bytes.data(), bytes.size()));
  return Json{{"mime", file_name.ends_with(".png") ? "image/png" : "image/jpeg"}, {"base64", std::move(encoded)}};
}

RpcReply Impl::plan(const Json& json) {
  Params params(json);
  const auto name = params.text("name");
  if (auto problem = params.problem()) return bad_params(*problem);
  const auto* entry = library_.find(name);
  if (entry == nullptr) return cannot(no_such(name));
  return plan_(*entry);
}

RpcReply Impl::describe(const Json& json) {
  Params params(json);
  const auto name = params.text("name");
  const StoreText text{params.optional_text("title"), params.optional_text("description"),
                       params.optional_texts("tags")};
  if (auto problem = params.problem()) return bad_params(*problem);
  const auto* entry = library_.find(name);
  if (entry == nullptr) return cannot(no_such(name));
  if (const auto written = describe_store(*entry, text); !written) return cannot(written.error());
  if (const auto scanned = library_.scan(); !scanned) return cannot(scanned.error());
  tell_library(name + " is described anew");
  entry = library_.find(name);
  if (entry == nullptr) return cannot(no_such(name));
  return visualization_json(*entry, wall_);
}

// What is or comes on the wall is not to be deleted under it.
Result<void> Impl::needs_unused(const std::string& name) const {
  const auto state = session_.state();
  if (state.status != PlayStatus::stopped && state.name == name)
    return Error{name + " is on the wall", "stop it or load another first"};
  if (state.coming && state.coming->name == name)
    return Error{name + " will be on the wall in a moment", "load another first"};
  if (std::ranges::find(state.playlist.entries, name, &PlaylistEntry::name) != state.playlist.entries.end())
    return Error{name + " is in the playlist", "take it out there first"};
  return {};
}

RpcReply Impl::remove(const Json& json) {
  Params params(json);
  const auto name = params.text("name");
  if (auto problem = params.problem()) return bad_params(*problem);
  const auto* entry = library_.find(name);
  if (entry == nullptr) return cannot(no_such(name));
  if (const auto unused = needs_unused(name); !unused) return cannot(unused.error());
  const auto deleted = delete_store(*entry);
  if (const auto scanned = library_.scan(); !scanned) return cannot(scanned.error());
  if (!deleted) return cannot(deleted.error());
  tell_library(name + " is deleted");
  Json left = Json::array();
  for (const auto& path : *deleted) left.push_back(path.string());
  return Json{{"left", std::move(left)}};
}

void Impl::tell_library(const std::string& what) { on_event({Severity::info, "library", what, {}, {}}); }

}  // namespace lw
