// Colours of the program. Each theme has its own series, which colour-blind people can also distinguish (Okabe and
// Ito's palette, darkened on a white background), and dash patterns, so that no meaning depends on colour alone. GUI
// thread only; everything drawn after use() is drawn in the new theme.
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
