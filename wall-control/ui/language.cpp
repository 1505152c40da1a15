#include "wall-control/ui/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QSettings>
#include <QTranslator>

#include <algorithm>

// Resources of a static library have to be registered by name, outside of namespaces.
static void register_translations() { Q_INIT_RESOURCE(translations); }

namespace lw {
namespace {

constexpr const char* setting = "language";
constexpr std::array codes{"", "en", "de"};  // in the settings, in the order of Language

// Of the buttons of Qt that the program's dialogs have, where the package qt6-translations-l10n is missing.
[[maybe_unused]] constexpr std::array buttons_of_qt{
    QT_TRANSLATE_NOOP("QPlatformTheme", "OK"), QT_TRANSLATE_NOOP("QPlatformTheme", "Save"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Cancel"), QT_TRANSLATE_NOOP("QPlatformTheme", "Close")};

void install(const QString& file, const QString& folder) {
  auto* translator = new QTranslator(QCoreApplication::instance());
  if (translator->load(file, folder)) QCoreApplication::installTranslator(translator);
}

}  // namespace

Language chosen_language() {
  const auto code = QSettings().value(setting).toString();
  const auto found = std::ranges::find_if(codes, [&](const char* known) { return code == known; });
  return found == codes.end() ? Language::system : static_cast<Language>(found - codes.begin());
}

Language language_for(const QStringList& wanted) {
  const bool german = !wanted.isEmpty() && QLocale(wanted.first()).language() == QLocale::German;
  return german ? Language::german : Language::english;
}

void choose_language(Language language) { QSettings().setValue(setting, codes[static_cast<std::size_t>(language)]); }

void use_language(Language language) {
  register_translations();
  // Before another default is set, it is the system's.
  if (language == Language::system) language = language_for(QLocale().uiLanguages());
  QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
  if (language != Language::german) return;
  install("qtbase_de", QLibraryInfo::path(QLibraryInfo::TranslationsPath));
  install("wall-control_de", ":/translations");
}

}  // namespace lw
