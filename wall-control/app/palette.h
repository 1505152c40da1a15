// Colours of the program: dark by default; series in Okabe and Ito's colour-blind-safe palette, each with a dash
// pattern of its own, so that no meaning hangs on colour alone.
#pragma once

#include <QColor>
#include <QPalette>
#include <QPen>

#include <array>

namespace lw::colors {

inline const QColor background{0x0d, 0x11, 0x17};
inline const QColor panel{0x16, 0x1b, 0x22};
inline const QColor raised{0x21, 0x28, 0x31};
inline const QColor line{0x30, 0x38, 0x42};
inline const QColor text{0xe6, 0xed, 0xf3};
inline const QColor faint{0x9a, 0xa4, 0xaf};
inline const QColor good{0x56, 0xb4, 0xe9};
inline const QColor warning{0xe6, 0x9f, 0x00};
inline const QColor bad{0xd5, 0x5e, 0x00};

inline const std::array<QColor, 7> series{QColor{0x56, 0xb4, 0xe9}, QColor{0xe6, 0x9f, 0x00}, QColor{0x00, 0x9e, 0x73},
                                          QColor{0xf0, 0xe4, 0x42}, QColor{0xcc, 0x79, 0xa7}, QColor{0xd5, 0x5e, 0x00},
                                          QColor{0x00, 0x72, 0xb2}};

inline QPen series_pen(int index) {
  static constexpr std::array styles{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
  return QPen(series[static_cast<std::size_t>(index) % series.size()], 1.6,
              styles[static_cast<std::size_t>(index) / series.size() % styles.size()]);
}

inline QPalette dark() {
  QPalette palette(panel);
  palette.setColor(QPalette::Window, background);
  palette.setColor(QPalette::Base, panel);
  palette.setColor(QPalette::AlternateBase, raised);
  palette.setColor(QPalette::Button, raised);
  palette.setColor(QPalette::ToolTipBase, raised);
  for (const auto role :
       {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText, QPalette::BrightText})
    palette.setColor(role, text);
  palette.setColor(QPalette::PlaceholderText, faint);
  palette.setColor(QPalette::Highlight, QColor{0x1f, 0x4f, 0x73});
  palette.setColor(QPalette::HighlightedText, text);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, QColor{0x6a, 0x73, 0x7d});
  return palette;
}

}  // namespace lw::colors
