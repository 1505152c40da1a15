// The texts of the program and their translations, from a file that lupdate has written.
#pragma once

#include <QFile>
#include <QList>
#include <QString>
#include <QXmlStreamReader>

namespace lw::test {

struct Text {
  QString context, source, translation;
  bool finished = false;
};

inline QList<Text> texts_of(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return {};
  QList<Text> texts;
  QXmlStreamReader xml(&file);
  QString context;
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    if (xml.name() == u"name") context = xml.readElementText();
    if (xml.name() == u"source") texts << Text{context, xml.readElementText(), {}, false};
    if (xml.name() != u"translation") continue;
    texts.last().finished = xml.attributes().value("type").isEmpty();
    texts.last().translation = xml.readElementText();
  }
  return texts;
}

}  // namespace lw::test
