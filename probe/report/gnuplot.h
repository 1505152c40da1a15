// Draws with gnuplot, which reads a script and writes an SVG. It is started without a shell and without user settings.
// Texts from outside must enter a script through gnuplot_text() or gnuplot_label(), so that gnuplot cannot run commands
// in them.
#pragma once

#include "common/base/result.h"

#include <span>
#include <string>
#include <string_view>

namespace lw {

// The colour of text and axes in a script; in the SVG it becomes the page's text colour (light or dark).
inline constexpr std::string_view ink = "#010203";
inline constexpr std::string_view faint_ink = "#040506";  // of grids

// Within single quotes gnuplot takes everything literally except the quote itself.
std::string gnuplot_text(std::string_view text);
std::string gnuplot_label(std::string_view text);  // for texts that gnuplot also treats as a format

// Before the number of a text in a script, which an SVG shows while the pointer is there.
inline constexpr std::string_view hover_mark = "hover";

struct Svg {
  std::string text;
};

// Draws a script. `title` is for screen readers; `id` is the prefix of all ids in the SVG, so that a page can contain
// several; `hovers` are the texts of the script (Script::hover_texts).
Result<Svg> draw_svg(const std::string& script, std::string_view title, std::string_view id,
                     std::span<const std::string> hovers);

struct PdfPage {
  std::string title, caption;  // any text
  std::string script;          // empty: a page of text
};

// A document in landscape A4 with a page for each, as bytes.
Result<std::string> draw_pdf(std::span<const PdfPage> pages);

}  // namespace lw
