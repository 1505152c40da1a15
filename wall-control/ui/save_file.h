// Writes a complete file, or none.
#pragma once

#include <QByteArray>
#include <QString>

namespace lw {

// Returns what went wrong, or an empty text.
QString save_file(const QString& path, const QByteArray& content);

}  // namespace lw
