// Writes a file whole or not at all.
#pragma once

#include <QByteArray>
#include <QString>

namespace lw {

// What went wrong, or nothing.
QString save_file(const QString& path, const QByteArray& content);

}  // namespace lw
