// The part of the wall that is selected: all of it, a node, a tile, several tiles, or a flow. Shared by canvas,
// inspector, charts, tables and events.
#pragma once

#include "wall-control/models/flow_history.h"

#include <QObject>

namespace lw {

// For people: "Whole wall", "Node render-4", "Tile 3,1", "4 tiles", "Tile 3,1, flow 33".
QString name_of(const Part& part);

class Focus : public QObject {
  Q_OBJECT

public:
  explicit Focus(const FlowHistory& history, QObject* parent = nullptr) : QObject(parent), history_(history) {}

  [[nodiscard]] const Part& part() const { return part_; }
  void show(const Part& part);
  // Several tiles, by column and row; those that the wall lacks and repetitions are dropped. The first is the current
  // one, which keys move and which menus are about.
  using Tiles = std::vector<std::pair<int, int>>;
  void show_tiles(const Tiles& tiles);
  // Selects one more, which becomes the current one, or one less.
  void toggle_tile(int column, int row);
  // The selected tiles, the current one first; none if the wall or a node is selected.
  [[nodiscard]] Tiles tiles() const;
  // The part that a line of a plot represents.
  void show_line(Scope scope, int index);
  // Goes up from a flow to its tile, to its node, to the wall; from several tiles to the node of all.
  void up();

signals:
  void changed();

private:
  const FlowHistory& history_;
  Part part_;
};

}  // namespace lw
