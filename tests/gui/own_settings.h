// A test's own settings, apart from those of the person who runs it.
#pragma once

#include <QSettings>

namespace lw::test {

inline void keep_settings_in(const QString& folder) {
  QSettings::setDefaultFormat(QSettings::IniFormat);
  QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder);
}

}  // namespace lw::test
