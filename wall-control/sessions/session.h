// A session on disk: a folder with `session.ndjson`, one line for each message received from the server
// (docs/sessions.md). The file may come from anybody: every line is checked.
#pragma once

#include "common/base/result.h"

#include <QJsonObject>
#include <QString>

#include <vector>

namespace lw {

inline constexpr int session_version = 1;
inline constexpr const char* session_file = "session.ndjson";
// A report of a wall of 256 flows takes some 100 KiB.
inline constexpr qint64 session_line_max = 4 << 20;

struct SessionEntry {
  enum class Kind : unsigned char { session, info, library, state, stats, event } kind = Kind::session;
  qint64 time_ms = 0;  // of arrival, since 1970, by this machine's clock
  QJsonObject body;    // as the server sent it; a library: as it was read from all pages
};

// Without the line's end.
QByteArray to_line(const SessionEntry& entry);
Result<SessionEntry> entry_from(const QByteArray& line);

// The first line of a recording that begins now.
SessionEntry session_head(qint64 time_ms, const QString& address);

}  // namespace lw
