// The source of a wall's state and figures: a server (ControlLink) or a recorded session (SessionPlayer). Models and
// panels connect to this interface and do not know which of them it is. It is in the folder of the messages that its
// signals carry, because models may include these, but not the link.
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
  void began();  // what follows is of another time or wall: discard what came before
  // The wall; its state and figures follow. From a server: connected, with the right version.
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
