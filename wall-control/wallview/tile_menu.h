// The menu of a tile or several: what explains it, the requests for it, and copies of both.
#pragma once

#include "wall-control/models/wall_status.h"
#include "wall-control/wallview/tile_wishes.h"

#include <functional>
#include <utility>
#include <vector>

class QMenu;
class QWidget;

namespace lw {

// The actions of the menu that others carry out.
struct TileSteps {
  std::function<void()> show_cause, show_in_network, show_in_hosts, save_image, copy_figures;
  std::function<void(const QString& text)> copied;
};

// `tiles`: by column and row, the current one first, at least one. `has_preview`: there is an image to save. The menu
// is deleted when it closes.
QMenu* make_tile_menu(QWidget* parent, ControlLink& link, const WallStatus& status,
                      const std::vector<std::pair<int, int>>& tiles, bool has_preview, const TileSteps& steps);
// The test patterns for all tiles, for a button; it follows what the server shows whenever it opens.
QMenu* make_pattern_menu(QWidget* parent, ControlLink& link, const WallStatus& status, GridCell some_tile);

}  // namespace lw
