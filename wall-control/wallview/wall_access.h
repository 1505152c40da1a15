// The canvas for screen readers: a grid whose cells are the tiles, each with its state and figures. GUI thread.
#pragma once

namespace lw {

// Once for all canvases.
void make_canvas_accessible();

}  // namespace lw
