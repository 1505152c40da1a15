#include "wall-control/sessions/session_reader.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace lw {
namespace {

QString session_words(const char* text) { return QCoreApplication::translate("Session", text); }

std::string open_another() {
  return session_words(QT_TRANSLATE_NOOP("Session", "open a folder that Record made")).toStdString();
}

}  // namespace

Result<std::unique_ptr<SessionReader>> SessionReader::open(const QString& path) {
  const auto file = QFileInfo(path).isDir() ? QDir(path).filePath(session_file) : path;
  std::unique_ptr<SessionReader> reader(new SessionReader(file));
  if (!reader->file_.open(QIODevice::ReadOnly))
    return Error{session_words(QT_TRANSLATE_NOOP("Session", "cannot read %1: %2"))
                     .arg(file, reader->file_.errorString())
                     .toStdString(),
                 open_another()};
  const auto wrong = reader->scan();
  if (!wrong.isEmpty()) return Error{(file + wrong).toStdString(), open_another()};
  return reader;
}

QString SessionReader::scan() {
  qint64 time = 0;
  while (!file_.atEnd()) {
    const qint64 offset = file_.pos();
    auto line = file_.readLine(session_line_max);
    const bool whole = line.endsWith('\n');
    if (!whole && !file_.atEnd())
      return session_words(QT_TRANSLATE_NOOP("Session", ":%1: the line is too long")).arg(places_.size() + 1);
    const auto entry = entry_from(line);
    if (!entry) {
      if (!whole && !places_.empty()) {
        cut_ = true;
        return {};
      }
      return QString(":%1: %2").arg(places_.size() + 1).arg(QString::fromStdString(entry.error().what));
    }
    if (places_.empty()) {
      if (entry->kind != SessionEntry::Kind::session)
        return session_words(QT_TRANSLATE_NOOP("Session", ": it does not begin like a session"));
      if (entry->body["version"].toInt() != session_version)
        return session_words(QT_TRANSLATE_NOOP("Session", ": it is of version %1, this program reads %2"))
            .arg(entry->body["version"].toInt())
            .arg(session_version);
      head_ = entry->body;
    }
    time = std::max(time, entry->time_ms);  // the clock may have been set back
    places_.push_back({offset, time, entry->kind});
  }
  return places_.empty() ? session_words(QT_TRANSLATE_NOOP("Session", ": it is empty")) : QString();
}

SessionEntry SessionReader::at(std::size_t number) {
  file_.seek(places_[number].offset);
  const auto entry = entry_from(file_.readLine(session_line_max));
  // It was valid when the file was opened; somebody has changed it since.
  return entry ? *entry : SessionEntry{SessionEntry::Kind::session, places_[number].time_ms, {}};
}

std::size_t SessionReader::at_time(qint64 time_ms) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(places_, time_ms, {}, &Place::time_ms) - places_.begin());
}

}  // namespace lw
