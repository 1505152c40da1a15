#include "wall-control/app/palette.h"

namespace lw::colors {
namespace {

// In the order of use().
using Ground = std::array<QRgb, 11>;
constexpr Ground dark{0x0d1117, 0x161b22, 0x212831, 0x303842, 0xe6edf3, 0x9aa4af,
                      0x6a737d, 0x1f4f73, 0x56b4e9, 0xe69f00, 0xd55e00};
constexpr Ground light{0xf3f5f7, 0xffffff, 0xe4e8ec, 0xb8c0c8, 0x14181c, 0x505a64,
                       0x8a929a, 0xb5d5ee, 0x0b6aa8, 0x8a5a00, 0xb03a00};
constexpr Ground black{0x000000, 0x000000, 0x1a1a1a, 0xffffff, 0xffffff, 0xe0e0e0,
                       0x909090, 0x0050a0, 0x66ccff, 0xffcc00, 0xff8040};

constexpr std::array<QRgb, 7> on_dark{0x56b4e9, 0xe69f00, 0x009e73, 0xf0e442, 0xcc79a7, 0xd55e00, 0x0072b2};
constexpr std::array<QRgb, 7> on_light{0x0072b2, 0xb36b00, 0x007a59, 0x6f6400, 0xa2457d, 0xb03a00, 0x1b8ac6};
// Brighter than on_dark, which is too dim for text on black.
constexpr std::array<QRgb, 7> on_black{0x66ccff, 0xffb000, 0x20d0a0, 0xfff060, 0xff99cc, 0xff8040, 0x6f9fff};

[[maybe_unused]] const bool begun = (use(Theme::dark), true);

}  // namespace

void use(Theme theme) {
  const auto& ground = theme == Theme::dark ? dark : theme == Theme::light ? light : black;
  const std::array grounds{&background, &panel,    &raised, &line,    &text, &faint,
                           &disabled,   &selected, &good,   &warning, &bad};
  for (std::size_t i = 0; i < ground.size(); ++i) *grounds[i] = QColor::fromRgb(ground[i]);
  const auto& chosen = theme == Theme::dark ? on_dark : theme == Theme::light ? on_light : on_black;
  for (std::size_t i = 0; i < series.size(); ++i) series[i] = QColor::fromRgb(chosen[i]);
}

QPen series_pen(int index) {
  static constexpr std::array styles{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
  return QPen(series[static_cast<std::size_t>(index) % series.size()], 1.6,
              styles[static_cast<std::size_t>(index) / series.size() % styles.size()]);
}

QPalette palette() {
  QPalette made(panel);
  made.setColor(QPalette::Window, background);
  made.setColor(QPalette::Base, panel);
  made.setColor(QPalette::AlternateBase, raised);
  made.setColor(QPalette::Button, raised);
  made.setColor(QPalette::ToolTipBase, raised);
  for (const auto role :
       {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText, QPalette::BrightText})
    made.setColor(role, text);
  made.setColor(QPalette::PlaceholderText, faint);
  made.setColor(QPalette::Mid, line);  // frames
  made.setColor(QPalette::Highlight, selected);
  made.setColor(QPalette::HighlightedText, text);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    made.setColor(QPalette::Disabled, role, disabled);
  return made;
}

QString style_sheet() {
  auto checked =
      QString("QToolButton:checked { background: %1; border: 1px solid %2; }").arg(selected.name(), good.name());
  if (background != Qt::black) return checked;
  // The style derives its outlines from the background: on black there are none.
  return checked + QString(
                       "QLineEdit, QAbstractItemView, QAbstractSpinBox { border: 1px solid %1; }"
                       "QCheckBox::indicator { border: 1px solid %1; width: 12px; height: 12px; }"
                       "QCheckBox::indicator:checked { background: %2; }")
                       .arg(line.name(), good.name());
}

}  // namespace lw::colors
