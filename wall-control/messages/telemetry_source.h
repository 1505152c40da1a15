// Where the state and the figures of a wall come from: a server (ControlLink) or a recorded session (SessionPlayer).
// Models and panels are joined to this interface and do not know which of them it is. It is a neighbour of the messages
// that its signals carry, because models may know these, but not the link.
#pragma once

#include "common/messages/event.h"
#include "common/messages/info.h"
#include "common/messages/library.h"
#include "common/messages/play_state.h"
#include "common/messages/stats.h"

#include <QObject>

namespace lw {

class TelemetrySource : public QObject {
  Q_OBJECT

signals:
  void began();  // what follows is of another time or wall: forget what came before
  // The wall; its state and figures follow. Of a server: connected, of the right version.
  void ready(const lw::InfoReply& info);
  void library(const lw::LibraryReply& library);
  void play_state(const lw::StateMessage& state);
  void stats(const lw::Stats& stats);
  void happened(const lw::EventMessage& event);  // not "event", which a QObject has
  void caught_up();                              // after a group of these: the views can be drawn

protected:
  explicit TelemetrySource(QObject* parent) : QObject(parent) {}
};

}  // namespace lw
