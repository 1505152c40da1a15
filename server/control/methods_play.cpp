// Methods that play: load, play, pause, stop, seek, rate, loop, playlist, next, state.
#include "common/base/frame_rate.h"
#include "server/control/playlist_json.h"
#include "server/control/service_impl.h"
#include "server/play/play_rate.h"

#include <fmt/format.h>

namespace lw {

using Impl = ControlService::Impl;

Json Impl::state_json() const {
  const auto state = session_.state();
  constexpr std::array<std::string_view, 3> names{"stopped", "playing", "paused"};
  Json json{{"status", names[static_cast<std::size_t>(state.status)]},
            {"rate", state.rate},
            {"loop", state.loop},
            {"playlist", entries_json(state.playlist)},
            {"repeat", state.playlist.repeat},
            {"revision", state.revision}};
  for (const auto& missing : library_.missing()) json["missing"].push_back(missing.directory.string());
  if (auto overlays = overlays_json(); !overlays.empty()) json["overlays"] = std::move(overlays);
  if (state.status == PlayStatus::stopped) return json;
  json["name"] = state.name;
  json["frame"] = state.frame;
  json["frames"] = state.frame_count;
  json["frame_rate"] = to_text(state.frame_rate);
  if (state.entry) json["entry"] = to_json(*state.entry);
  if (state.coming) {
    json["coming"] = {{"name", state.coming->name}, {"fade_ms", ms_of(state.coming->fade)}};
    if (state.coming->entry) json["coming"]["entry"] = to_json(*state.coming->entry);
  }
  if (state.range) {
    json["in"] = state.range->first;
    json["out"] = state.range->last;
  }
  return json;
}

void Impl::tell_state(bool is_new) {
  const auto state = session_.state();
  revision_told_ = state.revision;
  if (state.fades != std::exchange(fades_told_, state.fades))
    for (const auto& [name, node] : nodes_) push_fades(node);
  notify("state", state_json(), nullptr, !is_new);
}

RpcReply Impl::done(const Result<void>& result) {
  if (!result) return cannot(result.error());
  tell_state();
  return state_json();
}

RpcReply Impl::state(const Json& json) {
  if (auto problem = Params(json).problem()) return bad_params(*problem);
  return state_json();
}

RpcReply Impl::load(const Json& json) {
  Params params(json);
  const auto name = params.text("name");
  const auto frame = params.optional_integer("frame", 0, INT32_MAX);
  const bool paused = params.boolean_or("paused", false);
  std::optional<std::string> wrong;
  const auto transition = take_transition(params, wrong).value_or(Transition{});
  if (auto problem = params.problem()) return bad_params(*problem);
  if (wrong) return bad_params(*wrong);
  // A visualization ingested a moment ago is found without asking for the list first.
  if (library_.find(name) == nullptr) scan_library();
  return done(session_.load(name, static_cast<std::uint32_t>(frame.value_or(0)), paused, transition));
}

RpcReply Impl::play(const Json& json) {
  if (auto problem = Params(json).problem()) return bad_params(*problem);
  return done(session_.play());
}

RpcReply Impl::pause(const Json& json) {
  if (auto problem = Params(json).problem()) return bad_params(*problem);
  return done(session_.pause());
}

RpcReply Impl::stop(const Json& json) {
  if (auto problem = Params(json).problem()) return bad_params(*problem);
  return done(session_.stop());
}

RpcReply Impl::seek(const Json& json) {
  Params params(json);
  const auto frame = params.integer("frame", 0, INT32_MAX);
  if (auto problem = params.problem()) return bad_params(*problem);
  return done(session_.seek(static_cast<std::uint32_t>(frame)));
}

RpcReply Impl::rate(const Json& json) {
  Params params(json);
  const auto rate = params.number("rate", -play_rate_max, play_rate_max);
  if (auto problem = params.problem()) return bad_params(*problem);
  if (!is_play_rate(rate))
    return bad_params(fmt::format("rate must be at least {} forwards or backwards; pause stops", play_rate_min));
  return done(session_.set_rate(rate));
}

RpcReply Impl::loop(const Json& json) {
  Params params(json);
  const bool loop = params.boolean("loop");
  const auto in = params.optional_integer("in", 0, INT32_MAX);
  const auto out = params.optional_integer("out", 0, INT32_MAX);
  if (auto problem = params.problem()) return bad_params(*problem);
  return done(session_.set_loop(loop, in, out));
}

RpcReply Impl::playlist(const Json& json) {
  Params params(json);
  const auto names = params.optional_texts("names");
  const auto entries = params.optional_objects("entries");
  Playlist playlist;
  playlist.repeat = params.boolean_or("repeat", false);
  if (auto problem = params.problem()) return bad_params(*problem);
  if (names && entries) return bad_params("give names or entries, not both");
  if (!names && !entries && json.contains("repeat")) return bad_params("repeat belongs to names or entries");
  for (const auto& name : names.value_or(std::vector<std::string>{}))
    playlist.entries.push_back({0, name, std::nullopt, std::nullopt, {}});
  for (const auto& entry : entries.value_or(std::vector<Json>{}))
    if (const auto problem = take_entry(entry, playlist))
      return bad_params("entries, number " + std::to_string(playlist.entries.size()) + ": " + *problem);
  if (playlist.entries.size() > playlist_entries_max)
    return bad_params("a playlist has at most " + std::to_string(playlist_entries_max) + " entries");
  if (names || entries) {
    if (const auto set = session_.set_playlist(std::move(playlist)); !set) return cannot(set.error());
    tell_state();
  }
  const auto now = session_.state().playlist;
  Json now_names = Json::array();
  for (const auto& entry : now.entries) now_names.push_back(entry.name);
  return Json{{"names", std::move(now_names)}, {"entries", entries_json(now)}, {"repeat", now.repeat}};
}

RpcReply Impl::next(const Json& json) {
  Params params(json);
  std::optional<std::string> wrong;
  const auto transition = take_transition(params, wrong);
  if (auto problem = params.problem()) return bad_params(*problem);
  if (wrong) return bad_params(*wrong);
  return done(session_.next(transition));
}

}  // namespace lw
