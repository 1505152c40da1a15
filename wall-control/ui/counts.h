// Numbers of things in words. Each has its own text for one, because Qt's "%n" needs a plural file for English too.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace lw::counts {

inline QString tiles(int number) {
  return number == 1 ? QCoreApplication::translate("lw::counts", "1 tile")
                     : QCoreApplication::translate("lw::counts", "%1 tiles").arg(number);
}
inline QString flows(int number) {
  return number == 1 ? QCoreApplication::translate("lw::counts", "1 flow")
                     : QCoreApplication::translate("lw::counts", "%1 flows").arg(number);
}
inline QString nodes(int number) {
  return number == 1 ? QCoreApplication::translate("lw::counts", "1 node")
                     : QCoreApplication::translate("lw::counts", "%1 nodes").arg(number);
}
inline QString alarms(int number) {
  return number == 1 ? QCoreApplication::translate("lw::counts", "1 alarm")
                     : QCoreApplication::translate("lw::counts", "%1 alarms").arg(number);
}

}  // namespace lw::counts
