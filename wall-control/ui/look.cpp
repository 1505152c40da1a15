#include "wall-control/ui/look.h"

#include "wall-control/ui/type.h"

#include <QApplication>
#include <QFontDatabase>
#include <QSettings>

#include <algorithm>

namespace lw {
namespace {

struct Named {
  Theme theme;
  const char* name;  // in the settings
};
constexpr std::array themes{Named{Theme::dark, "dark"}, Named{Theme::light, "light"},
                            Named{Theme::high_contrast, "high-contrast"}};

}  // namespace

Look::Look(QObject* parent)
    : QObject(parent),
      usual_text_(QFontDatabase::systemFont(QFontDatabase::GeneralFont).pointSize()),
      text_(usual_text_) {
  const QSettings settings;
  const auto kept = settings.value("theme").toString();
  for (const auto& theme : themes)
    if (kept == theme.name) theme_ = theme.theme;
  text_ = std::clamp(settings.value("text_points", usual_text_).toInt(), text_min, text_max);
  apply();
}

void Look::next_theme() {
  const auto next = std::ranges::find(themes, theme_, &Named::theme) - themes.begin() + 1;
  const auto& chosen = themes[static_cast<std::size_t>(next) % themes.size()];
  theme_ = chosen.theme;
  QSettings().setValue("theme", chosen.name);
  apply();
}

void Look::change_text(int points) {
  text_ = std::clamp(text_ + points, text_min, text_max);
  QSettings().setValue("text_points", text_);
  apply();
}

void Look::reset_text() { change_text(usual_text_ - text_); }

void Look::apply() {
  colors::use(theme_);
  QApplication::setPalette(colors::palette());
  auto font = QApplication::font();
  font.setFamilies({"Inter", QFontDatabase::systemFont(QFontDatabase::GeneralFont).family()});
  font.setPointSizeF(text_);
  QApplication::setFont(font);
  // Under a style sheet, existing widgets keep their font unless the sheet sets another.
  qApp->setStyleSheet(QString("QWidget { font-size: %1pt; }").arg(text_) + colors::style_sheet() +
                      QString("QLabel[role=\"panel-title\"] { font-size: %1pt; font-weight: 600; }"
                              "QLabel[role=\"context\"] { font-size: %2pt; color: %3; }")
                          .arg(text_ * 14 / type::body_px)
                          .arg(text_ * 11 / type::body_px)
                          .arg(colors::text3.name()));
}

}  // namespace lw
