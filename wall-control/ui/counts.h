// Numbers of things in words. Each has its own text for one, because Qt's "%n" needs a plural file for English too.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace lw::counts {

inline QString words(qint64 number, const char* one, const char* many) {
  return number == 1 ? QCoreApplication::translate("lw::counts", one)
                     : QCoreApplication::translate("lw::counts", many).arg(number);
}

inline QString tiles(qint64 number) {
  return words(number, QT_TRANSLATE_NOOP("lw::counts", "1 tile"), QT_TRANSLATE_NOOP("lw::counts", "%1 tiles"));
}
inline QString flows(qint64 number) {
  return words(number, QT_TRANSLATE_NOOP("lw::counts", "1 flow"), QT_TRANSLATE_NOOP("lw::counts", "%1 flows"));
}
inline QString nodes(qint64 number) {
  return words(number, QT_TRANSLATE_NOOP("lw::counts", "1 node"), QT_TRANSLATE_NOOP("lw::counts", "%1 nodes"));
}
inline QString frames(qint64 number) {
  return words(number, QT_TRANSLATE_NOOP("lw::counts", "1 frame"), QT_TRANSLATE_NOOP("lw::counts", "%1 frames"));
}
inline QString alarms(qint64 number) {
  return words(number, QT_TRANSLATE_NOOP("lw::counts", "1 alarm"), QT_TRANSLATE_NOOP("lw::counts", "%1 alarms"));
}

}  // namespace lw::counts
