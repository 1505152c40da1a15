// Methods that play: state, load, play, pause, stop, seek, rate, loop, playlist, next.
#include "server/control/methods.h"
#include "server/control/playlist_json.h"
#include "server/play/play_rate.h"

#include <fmt/format.h>

namespace lw {
namespace {

struct PlayMethods {
  const Library& library;
  Session& session;
  LibraryWatch& watch;
  StatePublisher& publisher;

  RpcReply state(const Json& json, const Caller& caller) const;
  RpcReply load(const Json& json, const Caller& caller) const;
  RpcReply play(const Json& json, const Caller& caller) const;
  RpcReply pause(const Json& json, const Caller& caller) const;
  RpcReply stop(const Json& json, const Caller& caller) const;
  RpcReply seek(const Json& json, const Caller& caller) const;
  RpcReply rate(const Json& json, const Caller& caller) const;
  RpcReply loop(const Json& json, const Caller& caller) const;
  RpcReply playlist(const Json& json, const Caller& caller) const;
  RpcReply next(const Json& json, const Caller& caller) const;
};

RpcReply PlayMethods::state(const Json& json, const Caller& /*caller*/) const {
  if (auto problem = Params(json).problem()) return bad_params(*problem);
  return publisher.json();
}

RpcReply PlayMethods::load(const Json& json, const Caller& caller) const {
  Params params(json);
  const auto name = params.text("name");
  const auto frame = params.optional_integer("frame", 0, INT32_MAX);
  const bool paused = params.boolean_or("paused", false);
  std::optional<std::string> wrong;
  const auto transition = take_transition(params, wrong).value_or(Transition{});
  if (auto problem = params.problem()) return bad_params(*problem);
  if (wrong) return bad_params(*wrong);
  // A visualization ingested a moment ago is found without asking for the list first.
  if (library.find(name) == nullptr) watch.scan(caller.now);
  return publisher.done(session.load(name, static_cast<std::uint32_t>(frame.value_or(0)), paused, transition));
}

RpcReply PlayMethods::play(const Json& json, const Caller& /*caller*/) const {
  if (auto problem = Params(json).problem()) return bad_params(*problem);
  return publisher.done(session.play());
}

RpcReply PlayMethods::pause(const Json& json, const Caller& /*caller*/) const {
  if (auto problem = Params(json).problem()) return bad_params(*problem);
  return publisher.done(session.pause());
}

RpcReply PlayMethods::stop(const Json& json, const Caller& /*caller*/) const {
  if (auto problem = Params(json).problem()) return bad_params(*problem);
  return publisher.done(session.stop());
}

RpcReply PlayMethods::seek(const Json& json, const Caller& /*caller*/) const {
  Params params(json);
  const auto frame = params.integer("frame", 0, INT32_MAX);
  if (auto problem = params.problem()) return bad_params(*problem);
  return publisher.done(session.seek(static_cast<std::uint32_t>(frame)));
}

RpcReply PlayMethods::rate(const Json& json, const Caller& /*caller*/) const {
  Params params(json);
  const auto rate = params.number("rate", -play_rate_max, play_rate_max);
  if (auto problem = params.problem()) return bad_params(*problem);
  if (!is_play_rate(rate))
    return bad_params(fmt::format("rate must be at least {} forwards or backwards; pause stops", play_rate_min));
  return publisher.done(session.set_rate(rate));
}

RpcReply PlayMethods::loop(const Json& json, const Caller& /*caller*/) const {
  Params params(json);
  const bool loop = params.boolean("loop");
  const auto in = params.optional_integer("in", 0, INT32_MAX);
  const auto out = params.optional_integer("out", 0, INT32_MAX);
  if (auto problem = params.problem()) return bad_params(*problem);
  return publisher.done(session.set_loop(loop, in, out));
}

RpcReply PlayMethods::playlist(const Json& json, const Caller& /*caller*/) const {
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
    if (const auto set = session.set_playlist(std::move(playlist)); !set) return cannot(set.error());
    publisher.publish();
  }
  const auto now = session.state().playlist;
  Json now_names = Json::array();
  for (const auto& entry : now.entries) now_names.push_back(entry.name);
  return Json{{"names", std::move(now_names)}, {"entries", entries_json(now)}, {"repeat", now.repeat}};
}

RpcReply PlayMethods::next(const Json& json, const Caller& /*caller*/) const {
  Params params(json);
  std::optional<std::string> wrong;
  const auto transition = take_transition(params, wrong);
  if (auto problem = params.problem()) return bad_params(*problem);
  if (wrong) return bad_params(*wrong);
  return publisher.done(session.next(transition));
}

}  // namespace

void offer_play_methods(Dispatcher& dispatcher, const Library& library, Session& session, LibraryWatch& watch,
                        StatePublisher& publisher) {
  const PlayMethods group{library, session, watch, publisher};
  dispatcher.offer("state", group, &PlayMethods::state);
  dispatcher.offer("load", group, &PlayMethods::load);
  dispatcher.offer("play", group, &PlayMethods::play);
  dispatcher.offer("pause", group, &PlayMethods::pause);
  dispatcher.offer("stop", group, &PlayMethods::stop);
  dispatcher.offer("seek", group, &PlayMethods::seek);
  dispatcher.offer("rate", group, &PlayMethods::rate);
  dispatcher.offer("loop", group, &PlayMethods::loop);
  dispatcher.offer("playlist", group, &PlayMethods::playlist);
  dispatcher.offer("next", group, &PlayMethods::next);
}

}  // namespace lw
