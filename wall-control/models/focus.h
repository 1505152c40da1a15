// The part of the wall that is selected: all of it, a node, a tile, or a flow. Shared by canvas, inspector, charts,
// tables and events.
#pragma once

#include "wall-control/models/flow_history.h"

#include <QObject>

namespace lw {

// For people: "Whole wall", "Node render-4", "Tile 3,1", "Tile 3,1, flow 33".
QString name_of(const Part& part);

class Focus : public QObject {
  Q_OBJECT

public:
  explicit Focus(const FlowHistory& history, QObject* parent = nullptr) : QObject(parent), history_(history) {}

  [[nodiscard]] const Part& part() const { return part_; }
  void show(const Part& part);
  // The part that a line of a plot represents.
  void show_line(Scope scope, int index);
  // Goes up from a flow to its tile, to its node, to the wall.
  void up();

signals:
  void changed();

private:
  const FlowHistory& history_;
  Part part_;
};

}  // namespace lw
