// Rows of a table as text (RFC 4180).
#pragma once

#include <QString>
#include <QStringList>
#include <QVariant>

namespace lw {

// One row, with its end.
inline QString csv_row(const QVariantList& values) {
  QStringList cells;
  for (const auto& value : values) {
    auto text = value.toString();
    const bool quoted = text.contains(',') || text.contains('"') || text.contains('\n');
    cells << (quoted ? '"' + text.replace('"', "\"\"") + '"' : text);
  }
  return cells.join(',') + "\r\n";
}

}  // namespace lw
