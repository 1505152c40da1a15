// Methods for the library and the wall: info, list, image, plan, describe, delete.
#include "common/base/base64.h"
#include "common/base/frame_rate.h"
#include "common/base/host_name.h"
#include "common/base/short_text.h"
#include "common/messages/info.h"
#include "common/messages/iso_time.h"
#include "common/messages/library.h"
#include "common/messages/requests.h"
#include "common/store/stripe_layout.h"
#include "common/wall/geometry.h"
#include "server/control/library_image.h"
#include "server/control/methods.h"
#include "server/control/page.h"
#include "server/play/store_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace lw {
namespace {

WallInfo info_of(const Wall& wall) {
  WallInfo told{.name = wall.name,
                .columns = wall.grid.columns,
                .rows = wall.grid.rows,
                .tile_width = wall.grid.tile_width,
                .tile_height = wall.grid.tile_height,
                .bezel_x = wall.grid.bezel_x,
                .bezel_y = wall.grid.bezel_y,
                .frame_rate = to_text(wall.frame_rate),
                .flows_per_tile = wall.streaming.flows_per_tile,
                .pixel_format = std::string(info(wall.streaming.pixel_format).name),
                .playout_delay_ms = wall.streaming.playout_delay.count()};
  const auto add = [&](const std::vector<WallNode>& nodes, std::vector<NodeInfo>& to) {
    for (const auto& node : nodes) {
      auto& added = to.emplace_back(NodeInfo{node.name, node.address, {}});
      for (const auto& placement : node.tiles) added.tiles.push_back(wall.tile(placement.tile).cell);
    }
  };
  add(wall.nodes, told.nodes);
  for (const auto& site : wall.sites) {
    auto& added = told.sites.emplace_back(SiteInfo{.name = site.name,
                                                   .address = site.address,
                                                   .relay = site.has_relay(),
                                                   .group = {},
                                                   .playout_delay_ms = site.playout_delay.count(),
                                                   .resend_percent = site.resend_percent});
    if (site.has_relay() && !site.group.empty()) added.group = site.group;
    add(site.nodes, added.nodes);
  }
  for (const auto& tile : wall.tiles)
    if (tile.by_name)
      told.tiles.push_back({tile.name, tile.place.x, tile.place.y, tile.place.width, tile.place.height,
                            90 * static_cast<unsigned>(tile.turn)});
  for (const auto& band : all_bands(wall))
    told.flows.push_back({band.flow, wall.tile(band.tile).cell, wall.node_of(band.tile).name, band.first_row, band.rows,
                          media_port(wall, band.flow)});
  return told;
}

VisualizationMessage message_of(const LibraryEntry& entry, const Wall& wall, const WallServer& self) {
  const auto& m = entry.manifest;
  const auto& g = m.geometry;
  const auto fit = fits(m, wall, self);
  VisualizationMessage message{.name = m.name,
                               .title = m.title,
                               .description = m.description,
                               .tags = m.tags,
                               .source = m.source,
                               .columns = g.columns,
                               .rows = g.rows,
                               .tile_width = g.tile_width,
                               .tile_height = g.tile_height,
                               .bezel_x = g.bezel_x,
                               .bezel_y = g.bezel_y,
                               .pixel_format = std::string(info(m.pixel_format).name),
                               .frame_rate = to_text(m.frame_rate),
                               .frames = m.frame_count,
                               .growing = m.growing ? std::optional(true) : std::nullopt,
                               .stripes = m.stripes.size(),
                               .bytes = StripeLayout(m).record_bytes_held() * m.frame_count,
                               .sound = m.audio ? m.audio->channels : 0,
                               .gbit_per_s = pixel_rate(m).gbit(),
                               .poster = !m.poster.empty(),
                               .thumbnails = m.thumbnails.empty() ? 0 : m.thumbnail_count,
                               .fits = fit.has_value(),
                               .reason = fit ? "" : fit.error().text(),
                               .cut_from = fit || !m.tiles.empty() ? "" : entry.folder.string(),
                               .made = {},
                               .tiles = {}};
  if (g.is_free()) {
    const auto picture = g.picture();
    message.width = picture.width;
    message.height = picture.height;
  }
  if (entry.made) message.made = to_iso8601(*entry.made);
  if (!m.tiles.empty()) message.tiles.emplace();
  for (const auto tile : m.tiles) message.tiles->push_back(g.cell(tile));
  return message;
}

Result<void> needs_complete(const LibraryEntry& entry) {
  if (!entry.manifest.growing) return {};
  return Error{entry.manifest.name + " is still being written", "wait until it is complete, or end its import"};
}

// Enough rejected folders to find the cause: there are only many if somebody created them.
std::vector<RejectedFolderMessage> rejected_in(const Library& library) {
  constexpr std::size_t shown_max = 200;
  constexpr std::size_t reason_bytes_max = 512;
  std::vector<RejectedFolderMessage> rejected;
  for (const auto& entry : library.rejected()) {
    if (rejected.size() == shown_max) {
      rejected.push_back({"...", fmt::format("and {} more folders", library.rejected().size() - shown_max)});
      break;
    }
    rejected.push_back(
        {short_text(entry.folder.filename().string(), 255), short_text(entry.error.text(), reason_bytes_max)});
  }
  return rejected;
}

// Enough names to identify the disk: a directory may have had thousands of visualizations.
std::vector<MissingDirectoryMessage> missing_in(const Library& library) {
  constexpr std::size_t names_max = 200;
  std::vector<MissingDirectoryMessage> missing;
  for (const auto& entry : library.missing()) {
    const auto names = std::span(entry.names).first(std::min(entry.names.size(), names_max));
    missing.push_back({entry.directory.string(), entry.error.what, {names.begin(), names.end()}, entry.names.size()});
  }
  return missing;
}

struct LibraryMethods {
  const Dispatcher& dispatcher;
  const Wall& wall;
  const WallServer& self;
  Library& library;
  const Session& session;
  LibraryWatch& watch;
  const WallLibrary& wall_library;
  PlanFunction make_plan;
  const ImportPlace& imports;

  RpcReply info(const NoParams& request, const Caller& caller) const;
  RpcReply list(const PageRequest& request, const Caller& caller) const;
  RpcReply image(const ImageRequest& request, const Caller& caller) const;
  RpcReply plan(const NameRequest& request, const Caller& caller) const;
  RpcReply describe(const DescribeRequest& request, const Caller& caller) const;
  RpcReply remove(const NameRequest& request, const Caller& caller) const;
  RpcReply server_remove(const NameRequest& request, const Caller& caller) const;
  [[nodiscard]] Result<std::vector<std::string>> remove_here(const std::string& name, const Moment& now) const;
  [[nodiscard]] Json entry_of(const LibraryEntry& entry) const;
  [[nodiscard]] Json entry_of(const std::string& elsewhere) const;
  [[nodiscard]] Result<void> needs_unused(const std::string& name) const;
};

RpcReply LibraryMethods::info(const NoParams& /*request*/, const Caller& caller) const {
  const auto visitor = caller.visitor();
  InfoReply reply{"wall-server",
                  LW_VERSION,
                  protocol_version,
                  host_name(),
                  VisitorInfo{visitor.name, std::string(name_of(visitor.role))},
                  info_of(wall),
                  dispatcher.names()};
  for (const auto& directory : imports.from) reply.import_from.push_back(directory.string());
  return to_json(reply);
}

// With the wall's other servers: what one of them lacks does not fit, so that operators know before it plays.
Json LibraryMethods::entry_of(const LibraryEntry& entry) const {
  auto message = message_of(entry, wall, self);
  message.servers = wall_library.copies_of(message.name);
  if (const auto can = wall_library.can_play(message.name); message.fits && !can) {
    message.fits = false;
    message.reason = can.error().text();
  }
  return to_json(message);
}

Json LibraryMethods::entry_of(const std::string& elsewhere) const {
  const auto can = wall_library.can_play(elsewhere);
  const auto reason = can ? fmt::format("server '{}' has no {}", self.name, elsewhere) : can.error().text();
  return to_json(ElsewhereMessage{elsewhere, false, reason, wall_library.copies_of(elsewhere)});
}

// A page of the library. Pages after the first use the same scan, unless somebody requested another.
RpcReply LibraryMethods::list(const PageRequest& request, const Caller& caller) const {
  const auto& after = request.after;
  LibraryReply reply;
  if (!after) {
    watch.scan(caller.now);
    wall_library.scan_others();
    reply.rejected = rejected_in(library);
    reply.missing = missing_in(library);
  }
  Page page;
  Json visualizations = Json::array();
  const auto take = [&](const std::string& name, const auto& entry) {
    if (reply.more || (after && name <= *after)) return;
    if (!page.take(entry_of(entry), visualizations)) reply.more = true;
  };
  const auto others = wall_library.elsewhere();
  auto other = others.begin();
  for (const auto& entry : library.entries()) {
    for (; other != others.end() && *other < entry.manifest.name; ++other) take(*other, *other);
    take(entry.manifest.name, entry);
  }
  for (; other != others.end(); ++other) take(*other, *other);
  auto result = to_json(reply);
  result["visualizations"] = std::move(visualizations);
  return result;
}

RpcReply LibraryMethods::image(const ImageRequest& request, const Caller& /*caller*/) const {
  const auto image = read_image(library, request.name, request.kind);
  if (!image) return cannot(image.error());
  return to_json(ImageReply{image->type, base64_of(image->bytes)});
}

RpcReply LibraryMethods::plan(const NameRequest& request, const Caller& /*caller*/) const {
  const auto& name = request.name;
  const auto* entry = library.find(name);
  if (entry == nullptr) return cannot(library.no_such(name));
  return make_plan(*entry);
}

RpcReply LibraryMethods::describe(const DescribeRequest& request, const Caller& caller) const {
  const auto& name = request.name;
  const StoreText text{request.title, request.description, request.tags};
  const auto* entry = library.find(name);
  if (entry == nullptr) return cannot(library.no_such(name));
  if (const auto complete = needs_complete(*entry); !complete) return cannot(complete.error());
  if (const auto written = describe_store(*entry, library, text); !written) return cannot(written.error());
  watch.scan(caller.now);
  watch.tell(name + " has a new description", caller.now);
  entry = library.find(name);
  if (entry == nullptr) return cannot(library.no_such(name));
  return to_json(message_of(*entry, wall, self));
}

// A visualization that is on the wall or about to be must not be deleted.
Result<void> LibraryMethods::needs_unused(const std::string& name) const {
  const auto state = session.state();
  if (state.status != PlayStatus::stopped && state.name == name)
    return Error{name + " is on the wall", "stop it or load another first"};
  if (state.coming && state.coming->name == name)
    return Error{name + " will be on the wall in a moment", "load another first"};
  if (std::ranges::find(state.playlist.entries, name, &PlaylistEntry::name) != state.playlist.entries.end())
    return Error{name + " is in the playlist", "remove it there first"};
  return {};
}

// Here, as of the newest scan; returns what is left of its files.
Result<std::vector<std::string>> LibraryMethods::remove_here(const std::string& name, const Moment& now) const {
  const auto* entry = library.find(name);
  if (entry == nullptr) return library.no_such(name);
  if (const auto complete = needs_complete(*entry); !complete) return complete.error();
  if (const auto unused = needs_unused(name); !unused) return unused.error();
  const auto deleted = delete_store(*entry, library);
  watch.scan(now);
  if (!deleted) return deleted.error();
  watch.tell(name + " is deleted", now);
  constexpr std::size_t left_max = 256;
  std::vector<std::string> left;
  for (const auto& path : *deleted) {
    if (left.size() == left_max) {
      left.push_back(fmt::format("and {} more", deleted->size() - left_max));
      break;
    }
    left.push_back(short_text(path.string(), 1024));
  }
  return left;
}

// Another server may have deleted it from the disk that they share.
RpcReply LibraryMethods::server_remove(const NameRequest& request, const Caller& caller) const {
  watch.scan(caller.now);
  if (library.find(request.name) == nullptr && library.missing().empty()) return Json{{"left", Json::array()}};
  const auto left = remove_here(request.name, caller.now);
  if (!left) return cannot(left.error());
  return Json{{"left", *left}};
}

// On all servers. If it cannot be deleted here, it stays everywhere.
RpcReply LibraryMethods::remove(const NameRequest& request, const Caller& caller) const {
  const auto& name = request.name;
  watch.scan(caller.now);  // so that others that play from the same disks are known
  std::vector<std::string> left;
  if (library.find(name) == nullptr && std::ranges::binary_search(wall_library.elsewhere(), name)) {
    if (const auto unused = needs_unused(name); !unused) return cannot(unused.error());
  } else {
    auto left_here = remove_here(name, caller.now);
    if (!left_here) return cannot(left_here.error());
    left = std::move(*left_here);
  }
  for (const auto& server : wall_library.remove_elsewhere(name, caller.now.local))
    left.push_back(fmt::format("what server '{}' has of it, which is not connected", server));
  return Json{{"left", left}};
}

}  // namespace

void offer_library_methods(Dispatcher& dispatcher, const Wall& wall, const WallServer& self, Library& library,
                           const Session& session, LibraryWatch& watch, const WallLibrary& wall_library,
                           const PlanFunction& plan, const ImportPlace& imports) {
  const LibraryMethods group{dispatcher, wall, self, library, session, watch, wall_library, plan, imports};
  dispatcher.offer("info", group, &LibraryMethods::info);
  dispatcher.offer("list", group, &LibraryMethods::list);
  dispatcher.offer("image", group, &LibraryMethods::image);
  dispatcher.offer("plan", group, &LibraryMethods::plan);
  dispatcher.offer("describe", group, &LibraryMethods::describe);
  dispatcher.offer("delete", group, &LibraryMethods::remove);
  if (wall.servers.size() > 1) dispatcher.offer("server.delete", group, &LibraryMethods::server_remove);
}

}  // namespace lw
