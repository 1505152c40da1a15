// Draws by gnuplot, which reads a script and writes an SVG. It is started without a shell and without anybody's
// settings. A text of somebody else gets into a script by gnuplot_text() or gnuplot_label() only: there gnuplot runs no
// command in it.
#pragma once

#include "common/base/result.h"

#include <string>
#include <string_view>

namespace lw {

// The colour of text and axes in a script; in the SVG it is the page's own (light or dark).
inline constexpr std::string_view ink = "#010203";
inline constexpr std::string_view faint_ink = "#040506";  // of grids

// In single quotes gnuplot takes everything as it stands but the quote itself.
std::string gnuplot_text(std::string_view text);
std::string gnuplot_label(std::string_view text);  // which gnuplot also takes for a format

struct Svg {
  std::string text;
};

// What a script draws. `title` is what a screen reader says; `id` begins every id in the SVG, so that a page can
// hold several.
Result<Svg> draw_svg(const std::string& script, std::string_view title, std::string_view id);

}  // namespace lw
