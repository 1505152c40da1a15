#include "wall-control/sessions/recorder.h"

#include "wall-control/link/call_all.h"

#include <QDateTime>
#include <QDir>

namespace lw {

Recorder::Recorder(ControlLink& link, QObject* parent) : QObject(parent), link_(link) {
  using Kind = SessionEntry::Kind;
  connect(&link, &ControlLink::told, this, [this](const QString& method, const QJsonObject& json) {
    if (method == "info") return take_wall(json);
    const auto kind = method == "state"   ? Kind::state
                      : method == "event" ? Kind::event
                      : method == "stats" ? Kind::stats
                                          : Kind::session;
    if (kind == Kind::session) return;  // previews, and whatever a later server may send
    if (kind == Kind::stats && recording()) ++statistics_;
    take(kind, json);
  });
}

QString Recorder::start(const QString& folder, const QString& address) {
  stop();
  const QDir place(folder);
  auto file = std::make_unique<QFile>(place.filePath(session_file));
  if (file->exists()) return tr("%1 has a session already; choose another folder").arg(folder);
  if (!place.mkpath(".") || !file->open(QIODevice::WriteOnly | QIODevice::NewOnly))
    return tr("cannot write %1: %2; choose a folder that can be written").arg(file->fileName(), file->errorString());
  folder_ = folder;
  statistics_ = 0;
  link_.tell_tables(true);
  writer_ = std::make_unique<SessionWriter>(std::move(file), [this](const QString& words) {
    QMetaObject::invokeMethod(
        this, [this, words] { give_up(words); }, Qt::QueuedConnection);
  });
  const auto server = address.isEmpty() ? link_.address() : address;
  writer_->write(to_line(session_head(QDateTime::currentMSecsSinceEpoch(), server)));
  if (!link_.info_as_sent().isEmpty()) take_wall(link_.info_as_sent());
  emit changed();
  return {};
}

void Recorder::stop() {
  if (!writer_) return;
  writer_.reset();
  link_.tell_tables(false);
  emit changed();
}

// Finds what played then in the library.
void Recorder::take_wall(const QJsonObject& info) {
  if (!recording()) return;
  take(SessionEntry::Kind::info, info);
  if (link_.state() != ControlLink::State::ready) return;
  call_all<LibraryReply>(link_, "list", library_from, [this](const LibraryReply& library) {
    take(SessionEntry::Kind::library, to_qt(to_json(library)));
  });
}

void Recorder::take(SessionEntry::Kind kind, const QJsonObject& body) {
  if (!writer_ || writer_->write(to_line({kind, QDateTime::currentMSecsSinceEpoch(), body}))) return;
  give_up(tr("the disk does not keep up"));
}

void Recorder::give_up(const QString& words) {
  if (!writer_) return;  // reported already
  stop();
  emit failed(tr("recording to %1 stopped: %2; what was recorded until then can be opened").arg(folder_, words));
}

}  // namespace lw
