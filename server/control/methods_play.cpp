// Methods for playback: state, load, play, pause, stop, seek, rate, loop, playlist, next, sound.
#include "common/messages/requests.h"
#include "server/control/methods.h"
#include "server/control/play_messages.h"

namespace lw {
namespace {

struct PlayMethods {
  const Library& library;
  Session& session;
  LibraryWatch& watch;
  const WallLibrary& wall_library;
  StatePublisher& publisher;

  RpcReply state(const NoParams& request, const Caller& caller) const;
  RpcReply load(const LoadRequest& request, const Caller& caller) const;
  RpcReply play(const NoParams& request, const Caller& caller) const;
  RpcReply pause(const NoParams& request, const Caller& caller) const;
  RpcReply stop(const NoParams& request, const Caller& caller) const;
  RpcReply seek(const SeekRequest& request, const Caller& caller) const;
  RpcReply rate(const RateRequest& request, const Caller& caller) const;
  RpcReply loop(const LoopRequest& request, const Caller& caller) const;
  RpcReply playlist(const PlaylistRequest& request, const Caller& caller) const;
  RpcReply next(const NextRequest& request, const Caller& caller) const;
  RpcReply sound(const SoundRequest& request, const Caller& caller) const;
};

RpcReply PlayMethods::state(const NoParams& /*request*/, const Caller& /*caller*/) const {
  return to_json(publisher.message());
}

RpcReply PlayMethods::load(const LoadRequest& request, const Caller& caller) const {
  // Finds a visualization that was just imported without a call of list.
  if (library.find(request.name) == nullptr) watch.scan(caller.now);
  if (const auto can = wall_library.can_play(request.name); !can && !request.incomplete.value_or(false)) {
    wall_library.scan_others();  // perhaps it has just been imported there
    return cannot(can.error());
  }
  return publisher.done(session.load(request.name, request.frame.value_or(0), request.paused.value_or(false),
                                     transition_of(request.transition).value_or(Transition{})));
}

RpcReply PlayMethods::play(const NoParams& /*request*/, const Caller& /*caller*/) const {
  return publisher.done(session.play());
}

RpcReply PlayMethods::pause(const NoParams& /*request*/, const Caller& /*caller*/) const {
  return publisher.done(session.pause());
}

RpcReply PlayMethods::stop(const NoParams& /*request*/, const Caller& /*caller*/) const {
  return publisher.done(session.stop());
}

RpcReply PlayMethods::seek(const SeekRequest& request, const Caller& /*caller*/) const {
  return publisher.done(session.seek(request.frame));
}

RpcReply PlayMethods::rate(const RateRequest& request, const Caller& /*caller*/) const {
  return publisher.done(session.set_rate(request.rate));
}

RpcReply PlayMethods::loop(const LoopRequest& request, const Caller& /*caller*/) const {
  return publisher.done(session.set_loop(request.loop, request.in, request.out));
}

RpcReply PlayMethods::playlist(const PlaylistRequest& request, const Caller& /*caller*/) const {
  if (request.names || request.entries) {
    Playlist playlist;
    playlist.repeat = request.repeat.value_or(false);
    for (const auto& name : request.names.value_or(std::vector<std::string>{}))
      playlist.entries.push_back({0, name, std::nullopt, std::nullopt, {}});
    for (const auto& entry : request.entries.value_or(std::vector<EntryMessage>{}))
      playlist.entries.push_back(entry_of(entry));
    if (const auto set = session.set_playlist(std::move(playlist)); !set) return cannot(set.error());
    publisher.publish();
  }
  const auto now = session.state().playlist;
  PlaylistReply reply{{}, messages_of(now), now.repeat};
  for (const auto& entry : now.entries) reply.names.push_back(entry.name);
  return to_json(reply);
}

RpcReply PlayMethods::next(const NextRequest& request, const Caller& /*caller*/) const {
  return publisher.done(session.next(transition_of(request.transition)));
}

RpcReply PlayMethods::sound(const SoundRequest& request, const Caller& /*caller*/) const {
  if (!publisher.has_sound())
    return cannot(Error{"no node of this wall plays sound", "add audio to a [[node]] of the wall file"});
  auto level = session.state().sound;
  level.gain_db = request.gain_db.value_or(level.gain_db);
  level.muted = request.muted.value_or(level.muted);
  return publisher.done(session.set_sound(level));
}

}  // namespace

void offer_play_methods(Dispatcher& dispatcher, const Library& library, Session& session, LibraryWatch& watch,
                        const WallLibrary& wall_library, StatePublisher& publisher) {
  const PlayMethods group{library, session, watch, wall_library, publisher};
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
  dispatcher.offer("sound", group, &PlayMethods::sound);
}

}  // namespace lw
