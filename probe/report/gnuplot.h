// Draws with gnuplot, which reads a script and writes an SVG. It is started without a shell and without user settings.
// Texts from outside must enter a script through gnuplot_text() or gnuplot_label(), so that gnuplot cannot run commands
// in them.
#pragma once

#include "common/base/result.h"

#include <string>
#include <string_view>

namespace lw {

// The colour of text and axes in a script; in the SVG it becomes the page's text colour (light or dark).
inline constexpr std::string_view ink = "#010203";
inline constexpr std::string_view faint_ink = "#040506";  // of grids

// Within single quotes gnuplot takes everything literally except the quote itself.
std::string gnuplot_text(std::string_view text);
std::string gnuplot_label(std::string_view text);  // for texts that gnuplot also treats as a format

struct Svg {
  std::string text;
};

// Draws a script. `title` is for screen readers; `id` is the prefix of all ids in the SVG, so that a page can contain
// several.
Result<Svg> draw_svg(const std::string& script, std::string_view title, std::string_view id);

}  // namespace lw
