// Nouns of labels, inside a sentence. The translation of "small" decides whether they lose their capital there: German
// nouns keep it.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace lw {

inline QString within_sentence(QString noun) {
  const bool small = QCoreApplication::translate("lw::nouns", "small") == QLatin1String("small");
  if (small && !noun.isEmpty()) noun[0] = noun[0].toLower();
  return noun;
}

}  // namespace lw
