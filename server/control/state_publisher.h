// Sends the state of the wall to all subscribers, and to the nodes the fades that they draw and the level of the sound
// that they play. Control thread only.
#pragma once

#include "common/messages/play_state.h"
#include "server/control/call.h"
#include "server/control/node_registry.h"
#include "server/control/subscribers.h"
#include "server/control/tile_overlays.h"
#include "server/play/library.h"
#include "server/play/session.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace lw {

class StatePublisher {
public:
  // All of these must outlive this object. `has_sound`: nodes of the wall play it.
  StatePublisher(const Session& session, const Library& library, const TileOverlays& overlays,
                 const NodeRegistry& nodes, const Subscribers& subscribers, bool has_sound)
      : session_(session),
        library_(library),
        overlays_(overlays),
        nodes_(nodes),
        subscribers_(subscribers),
        has_sound_(has_sound) {}

  [[nodiscard]] StateMessage message() const;
  // Whether nodes of the wall play it.
  [[nodiscard]] bool has_sound() const { return has_sound_; }
  // `is_new` false: a subscriber that reads slowly may miss this state, because another one follows.
  void publish(bool is_new = true);
  // Whether the state has changed since it was published.
  [[nodiscard]] bool is_new() const { return session_.state().revision != revision_; }
  // From now on, the state has these.
  void show_imports(std::vector<ImportMessage> imports) { imports_ = std::move(imports); }
  // Answers a call that changes what plays: publishes and returns the new state, or returns the failure.
  RpcReply done(const Result<void>& result);
  // Sends the current fades and the level of the sound to a node that has just connected.
  void tell(const NodeState& node) const;

private:
  const Session& session_;
  const Library& library_;
  const TileOverlays& overlays_;
  const NodeRegistry& nodes_;
  const Subscribers& subscribers_;
  const bool has_sound_;        // nodes of the wall play it
  std::uint64_t revision_ = 0;  // published last
  Fades fades_;                 // as last sent to the nodes
  SoundLevel sound_;            // the same
  std::vector<ImportMessage> imports_;
};

}  // namespace lw
