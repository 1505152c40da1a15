#include "wall-control/ui/palette.h"

namespace lw::colors {
namespace {

// In the order of use().
using Tokens = std::array<QRgb, 25>;
constexpr Tokens dark{0x0a0c0e, 0x131619, 0x1a1e22, 0x23282e, 0x2c3239, 0x22335f, 0x2d333a, 0x717c88, 0xe9ecef,
                      0xb3bcc5, 0x959fa9, 0x6a747e, 0x86a5ff, 0x0a1024, 0x1d2a4e, 0x3cc08e, 0xf2b134, 0xff7a4d,
                      0x959fa9, 0x12352a, 0x3a2d0e, 0x42200f, 0x262c33, 0x959fa9, 0x8fa3b8};
constexpr Tokens light{0xe2e6e9, 0xeceef1, 0xf8f9fa, 0xffffff, 0xe3e7eb, 0xdce4fc, 0xd0d6dc, 0x737e89, 0x15191d,
                       0x434c55, 0x5c666f, 0x8d969f, 0x3352c9, 0xffffff, 0xdfe5fb, 0x00734f, 0x8a5a00, 0xa8123a,
                       0x5c666f, 0xd9f0e6, 0xfbecc8, 0xfbdde3, 0xe0e4e8, 0x5c666f, 0x6f859c};
constexpr Tokens contrast{0x000000, 0x000000, 0x000000, 0x141414, 0x2b2b2b, 0x1a3488, 0x9a9a9a, 0xffffff, 0xffffff,
                          0xf0f0f0, 0xd6d6d6, 0x9a9a9a, 0xa4bbff, 0x000000, 0x14235a, 0x4ee0a8, 0xffcc00, 0xff9068,
                          0xd6d6d6, 0x00301f, 0x3a2e00, 0x4a1600, 0x3a3a3a, 0xffffff, 0xc0d0e0};

constexpr std::array<QRgb, 4> on_dark{0x56b4e9, 0xe58fc0, 0xf0e442, 0x2fbf8f};
constexpr std::array<QRgb, 4> on_light{0x0072b2, 0xa2457d, 0x6f6400, 0x00785a};
constexpr std::array<QRgb, 4> on_black{0x6ccbff, 0xff9ed2, 0xfff060, 0x30dda5};

Theme in_use = Theme::dark;
[[maybe_unused]] const bool begun = (use(Theme::dark), true);

}  // namespace

void use(Theme theme) {
  in_use = theme;
  const auto& chosen = theme == Theme::dark ? dark : theme == Theme::light ? light : contrast;
  const std::array tokens{&well,  &window,  &panel,     &raised,    &hover,     &select,      &line,    &edge, &text,
                          &text2, &text3,   &disabled,  &accent,    &on_accent, &accent_soft, &ok,      &warn, &crit,
                          &off,   &ok_soft, &warn_soft, &crit_soft, &grid,      &axis,        &envelope};
  static_assert(tokens.size() == Tokens().size());
  for (std::size_t i = 0; i < chosen.size(); ++i) *tokens[i] = QColor::fromRgb(chosen[i]);
  const auto& lines = theme == Theme::dark ? on_dark : theme == Theme::light ? on_light : on_black;
  for (std::size_t i = 0; i < series.size(); ++i) series[i] = QColor::fromRgb(lines[i]);
}

Theme theme() { return in_use; }

QPen series_pen(int index) {
  // The first four differ in colour and dash; later ones repeat the colours with other dashes.
  static constexpr std::array styles{Qt::SolidLine, Qt::DashLine, Qt::SolidLine, Qt::DotLine, Qt::DashDotLine};
  const auto i = static_cast<std::size_t>(index);
  return QPen(series[i % series.size()], 1, styles[(i % series.size() + i / series.size()) % styles.size()]);
}

QPalette palette() {
  QPalette made(raised);
  made.setColor(QPalette::Window, window);
  made.setColor(QPalette::Base, panel);
  made.setColor(QPalette::AlternateBase, raised);
  made.setColor(QPalette::Button, raised);
  made.setColor(QPalette::ToolTipBase, raised);
  for (const auto role :
       {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText, QPalette::BrightText})
    made.setColor(role, text);
  made.setColor(QPalette::PlaceholderText, text3);
  made.setColor(QPalette::Mid, line);  // frames
  made.setColor(QPalette::Highlight, select);
  made.setColor(QPalette::HighlightedText, text);
  made.setColor(QPalette::Link, accent);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::PlaceholderText})
    made.setColor(QPalette::Disabled, role, disabled);
  return made;
}

// Everything dense is painted by delegates and widgets of the program; the sheet is for Qt's own controls.
QString style_sheet() {
  QString sheet = R"(
QToolTip { background: @raised; color: @text; border: 1px solid @edge; padding: 4px; }
QMenuBar { background: @window; padding: 2px 4px; }
QMenuBar::item { padding: 4px 8px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: @hover; }
QMenu { background: @raised; border: 1px solid @edge; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 8px; border-radius: 4px; }
QMenu::item:selected { background: @select; }
QMenu::item:disabled { color: @disabled; }
QMenu::separator { height: 1px; background: @line; margin: 4px 0; }
QMenu::icon { padding-left: 6px; }
#menu-row { background: @window; border-bottom: 1px solid @line; }
QToolBar { background: @panel; border: none; border-bottom: 1px solid @line; padding: 0; spacing: 0; }
QStatusBar { background: @window; border-top: 1px solid @line; }
QStatusBar::item { border: none; }
QPushButton, QComboBox { background: @raised; border: 1px solid @edge; border-radius: 4px; padding: 3px 10px; }
QPushButton:hover, QComboBox:hover, QToolButton:hover { background: @hover; }
QPushButton:default, QPushButton[primary="true"] { background: @accent; color: @on_accent; border-color: @accent; }
QPushButton[danger="true"] { background: @crit; color: @on_accent; border-color: @crit; }
QPushButton:checked { background: @select; border-color: @accent; }
QPushButton:disabled, QComboBox:disabled { color: @disabled; border-color: @line; background: @panel; }
QPushButton:focus, QComboBox:focus, QToolButton:focus, QCheckBox:focus { border: 2px solid @accent; }
QComboBox { padding-right: 4px; }
QComboBox QAbstractItemView { background: @raised; border: 1px solid @edge; }
QPushButton[link="true"] { background: transparent; border-color: transparent; color: @accent; padding: 3px 4px; }
QPushButton[link="true"]:hover { background: @hover; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 4px; padding: 3px; }
QToolButton:checked { background: @accent_soft; border-color: @accent; }
QToolButton:disabled { color: @disabled; }
QToolButton[boxed="true"] { border: 1px solid @edge; background: @raised; padding: 3px 8px; }
QToolButton[chip="true"] { border: 1px solid @edge; border-radius: 10px; padding: 1px 8px; }
QToolButton[chip="true"]:checked { background: @accent_soft; border-color: @accent; }
QToolButton[chip="true"]:focus { border: 2px solid @accent; padding: 0 7px; }
QToolButton::menu-indicator { image: none; }
QLineEdit, QPlainTextEdit, QAbstractSpinBox { background: @panel; border: 1px solid @edge; border-radius: 3px; padding: 3px 6px; }
QLineEdit:focus, QPlainTextEdit:focus, QAbstractSpinBox:focus { border: 2px solid @accent; padding: 2px 5px; }
QLineEdit:disabled, QAbstractSpinBox:disabled { color: @disabled; border-color: @line; }
QCheckBox::indicator, QListView::indicator { width: 13px; height: 13px; border: 1px solid @edge; border-radius: 3px; background: @panel; }
QCheckBox::indicator:checked, QListView::indicator:checked { background: @accent; border-color: @accent; image: url(:/icons/tick-@tone.svg); }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url(:/icons/down-@tone.svg); width: 10px; height: 10px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: none; width: 18px; }
QAbstractSpinBox::up-arrow { image: url(:/icons/up-@tone.svg); width: 9px; height: 9px; }
QAbstractSpinBox::down-arrow { image: url(:/icons/down-@tone.svg); width: 9px; height: 9px; }
QCheckBox::indicator:disabled { border-color: @line; }
QLabel#fingerprint { background: @well; border: 1px solid @line; border-radius: 4px; padding: 8px 10px; }
QTabWidget::pane { border: none; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab { padding: 6px 8px; color: @text2; background: transparent; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: @text; border-bottom-color: @accent; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:focus { color: @accent; }
QHeaderView { background: @panel; }
QHeaderView::section { background: @panel; color: @text2; border: none; border-bottom: 1px solid @line; padding: 4px 6px; }
QTableView { gridline-color: @line; selection-background-color: @select; selection-color: @text; }
QAbstractItemView { border: none; outline: none; }
QAbstractItemView::item:hover { background: @hover; }
QAbstractItemView::item:selected { background: @select; color: @text; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @edge; border-radius: 3px; margin: 2px; min-height: 24px; min-width: 24px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle, QMainWindow::separator { background: @line; width: 1px; height: 1px; }
QProgressBar { border: 1px solid @edge; border-radius: 3px; background: @panel; text-align: center; }
QProgressBar::chunk { background: @accent_soft; }
)";
  const std::initializer_list<std::pair<const char*, const QColor*>> names{{"@accent_soft", &accent_soft},
                                                                           {"@on_accent", &on_accent},
                                                                           {"@disabled", &disabled},
                                                                           {"@accent", &accent},
                                                                           {"@window", &window},
                                                                           {"@raised", &raised},
                                                                           {"@select", &select},
                                                                           {"@panel", &panel},
                                                                           {"@hover", &hover},
                                                                           {"@text2", &text2},
                                                                           {"@text", &text},
                                                                           {"@edge", &edge},
                                                                           {"@crit", &crit},
                                                                           {"@line", &line},
                                                                           {"@well", &well}};
  sheet.replace("@tone", in_use == Theme::light ? "dark" : "light");
  for (const auto& [name, color] : names) sheet.replace(name, color->name());
  return sheet;
}

}  // namespace lw::colors
