// Sends the state of the wall to all subscribers, and fades to the nodes, which draw them. Control thread only.
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
  // All of these must outlive this object.
  StatePublisher(const Session& session, const Library& library, const TileOverlays& overlays,
                 const NodeRegistry& nodes, const Subscribers& subscribers)
      : session_(session), library_(library), overlays_(overlays), nodes_(nodes), subscribers_(subscribers) {}

  [[nodiscard]] StateMessage message() const;
  // `is_new` false: a subscriber that reads slowly may miss this state, because another one follows.
  void publish(bool is_new = true);
  // Whether the state has changed since it was published.
  [[nodiscard]] bool is_new() const { return session_.state().revision != revision_; }
  // From now on, the state has these.
  void show_imports(std::vector<ImportMessage> imports) { imports_ = std::move(imports); }
  // Answers a call that changes what plays: publishes and returns the new state, or returns the failure.
  RpcReply done(const Result<void>& result);
  // Sends the current fades to a node that has just connected.
  void tell_fades(const NodeState& node) const;

private:
  const Session& session_;
  const Library& library_;
  const TileOverlays& overlays_;
  const NodeRegistry& nodes_;
  const Subscribers& subscribers_;
  std::uint64_t revision_ = 0;  // published last
  Fades fades_;                 // as last sent to the nodes
  std::vector<ImportMessage> imports_;
};

}  // namespace lw
