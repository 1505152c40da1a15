#include "wall-control/sessions/session_reader.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace lw {
namespace {

const std::string mend = "open a folder that Record made";

}  // namespace

Result<std::unique_ptr<SessionReader>> SessionReader::open(const QString& path) {
  const auto file = QFileInfo(path).isDir() ? QDir(path).filePath(session_file) : path;
  std::unique_ptr<SessionReader> reader(new SessionReader(file));
  if (!reader->file_.open(QIODevice::ReadOnly))
    return Error{QString("cannot read %1: %2").arg(file, reader->file_.errorString()).toStdString(), mend};
  const auto wrong = reader->scan();
  if (!wrong.empty()) return Error{file.toStdString() + wrong, mend};
  return reader;
}

std::string SessionReader::scan() {
  qint64 time = 0;
  while (!file_.atEnd()) {
    const qint64 offset = file_.pos();
    auto line = file_.readLine(session_line_max);
    const bool whole = line.endsWith('\n');
    if (!whole && !file_.atEnd()) return ":" + std::to_string(places_.size() + 1) + ": the line is too long";
    const auto entry = entry_from(line);
    if (!entry) {
      if (!whole && !places_.empty()) {
        cut_ = true;
        return {};
      }
      return ":" + std::to_string(places_.size() + 1) + ": " + entry.error().what;
    }
    if (places_.empty()) {
      if (entry->kind != SessionEntry::Kind::session) return ": it does not begin like a session";
      if (entry->body["version"].toInt() != session_version)
        return ": it is of version " + std::to_string(entry->body["version"].toInt()) + ", this program reads " +
               std::to_string(session_version);
      head_ = entry->body;
    }
    time = std::max(time, entry->time_ms);  // the clock may have been set back
    places_.push_back({offset, time, entry->kind});
  }
  return places_.empty() ? ": it is empty" : "";
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
