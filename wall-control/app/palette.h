// Colours of the program. Each theme has series of its own, told apart also by people who are colour blind (Okabe and
// Ito's palette, darkened where the ground is white), with dash patterns, so that no meaning hangs on colour alone.
// GUI thread only; what is drawn after use() is drawn in the new theme.
#pragma once

#include <QColor>
#include <QPalette>
#include <QPen>

#include <array>

namespace lw {

enum class Theme : unsigned char { dark, light, high_contrast };

namespace colors {

inline QColor background, panel, raised, line, text, faint, disabled, selected, good, warning, bad;
inline std::array<QColor, 7> series;

// Sets all of the above.
void use(Theme theme);
QPalette palette();
QString style_sheet();  // of the application
QPen series_pen(int index);

}  // namespace colors
}  // namespace lw
