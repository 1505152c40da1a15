// The colours of the program, by what they mean. Each theme has its own set; their contrast is that of WCAG 2.1 and
// the states and series stay apart for colour-blind people (tests/gui/look_test.cpp). A meaning also has a shape, a
// word or a dash pattern. GUI thread only; everything drawn after use() is drawn in the new theme.
#pragma once

#include <QColor>
#include <QPalette>
#include <QPen>

#include <array>

namespace lw {

enum class Theme : unsigned char { dark, light, high_contrast };

namespace colors {

// Grounds, from the deepest to what lies on top.
inline QColor well, window, panel, raised, hover, select;
// Decoration, and the outline of controls.
inline QColor line, edge;
// By importance.
inline QColor text, text2, text3, disabled;
// What can be pressed, the text on it, and its ground when checked.
inline QColor accent, on_accent, accent_soft;
// States, and the ground of a text about one. They mean nothing else.
inline QColor ok, warn, crit, off, ok_soft, warn_soft, crit_soft;
// Of charts: grid lines, ticks and their texts, the band from least to greatest.
inline QColor grid, axis, envelope;
inline std::array<QColor, 4> series;

// The states over frames of a visualization and in bezels, in every theme, the ground of badges there, and the current
// one of several selected tiles.
inline constexpr QRgb ok_on_wall = 0xff3cc08e, warn_on_wall = 0xfff2b134, crit_on_wall = 0xffff7a4d,
                      off_on_wall = 0xff959fa9, badge_on_wall = 0xe00b0d10, current_on_wall = 0xff86a5ff;
// Of the audience view, which is dark in every theme: its ground, a tile without a preview, and texts by importance.
inline constexpr QRgb audience = 0xff000000, audience_tile = 0xff101317, audience_text = 0xffe9ecef,
                      audience_text2 = 0xffb3bcc5;

// Sets all of the above.
void use(Theme theme);
[[nodiscard]] Theme theme();
QPalette palette();
QString style_sheet();  // of the application
QPen series_pen(int index);

}  // namespace colors
}  // namespace lw
