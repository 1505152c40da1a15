// A test's language, whatever that of the person who runs it is.
#pragma once

#include "wall-control/ui/language.h"

#include <QCoreApplication>
#include <QTranslator>

namespace lw::test {

inline void speak(Language language) {
  for (auto* translator : QCoreApplication::instance()->findChildren<QTranslator*>()) delete translator;
  use_language(language);
}

}  // namespace lw::test
