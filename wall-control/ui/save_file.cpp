#include "wall-control/ui/save_file.h"

#include <QCoreApplication>
#include <QSaveFile>

namespace lw {

QString save_file(const QString& path, const QByteArray& content) {
  QSaveFile file(path);
  if (file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.commit()) return {};
  return QCoreApplication::translate("Export", "cannot write %1: %2").arg(path, file.errorString());
}

}  // namespace lw
