// Where tests save their screenshots, for people to look at: `pictures/` beside the folder of the programs.
#pragma once

#include <QCoreApplication>

namespace lw::test {

inline QString picture(const QString& name) { return QCoreApplication::applicationDirPath() + "/../pictures/" + name; }

}  // namespace lw::test
