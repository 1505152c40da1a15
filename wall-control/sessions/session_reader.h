// Opens a recorded session: checks every line once and remembers where each begins, so that memory remains small
// however long the session is. Entries are then read by number.
#pragma once

#include "wall-control/sessions/session.h"

#include <QFile>

#include <memory>

namespace lw {

class SessionReader {
public:
  // A folder, or the file in it. An incomplete last line is skipped: the program or the disk stopped there.
  static Result<std::unique_ptr<SessionReader>> open(const QString& path);

  [[nodiscard]] std::size_t size() const { return places_.size(); }
  [[nodiscard]] qint64 time_of(std::size_t number) const { return places_[number].time_ms; }
  [[nodiscard]] SessionEntry::Kind kind_of(std::size_t number) const { return places_[number].kind; }
  [[nodiscard]] SessionEntry at(std::size_t number);
  // The first entry that is not earlier.
  [[nodiscard]] std::size_t at_time(qint64 time_ms) const;
  [[nodiscard]] const QJsonObject& head() const { return head_; }
  [[nodiscard]] const QString& path() const { return path_; }
  [[nodiscard]] bool cut() const { return cut_; }

private:
  struct Place {
    qint64 offset = 0;
    qint64 time_ms = 0;
    SessionEntry::Kind kind = SessionEntry::Kind::session;
  };
  explicit SessionReader(const QString& path) : path_(path), file_(path) {}
  // The error, or an empty text.
  QString scan();

  QString path_;
  QFile file_;
  std::vector<Place> places_;
  QJsonObject head_;
  bool cut_ = false;
};

}  // namespace lw
