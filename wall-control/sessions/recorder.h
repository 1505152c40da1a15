// Records what a link receives: the wall, the library, every state, statistics and event, each with the time of
// arrival.
#pragma once

#include "wall-control/link/control_link.h"
#include "wall-control/sessions/session.h"
#include "wall-control/sessions/session_writer.h"

#include <QObject>

#include <memory>

namespace lw {

class Recorder : public QObject {
  Q_OBJECT

public:
  explicit Recorder(ControlLink& link, QObject* parent = nullptr);

  // Records into a folder, which is created if needed and must not hold a session yet. Returns what went wrong, or an
  // empty text. `address`: the server's, if the link connects only later.
  QString start(const QString& folder, const QString& address = {});
  void stop();
  [[nodiscard]] bool recording() const { return writer_ != nullptr; }
  [[nodiscard]] const QString& folder() const { return folder_; }
  [[nodiscard]] qint64 statistics() const { return statistics_; }

signals:
  void changed();
  // It stopped by itself.
  void failed(const QString& words);

private:
  void take_wall(const QJsonObject& info);
  void take(SessionEntry::Kind kind, const QJsonObject& body);
  void give_up(const QString& words);

  ControlLink& link_;
  std::unique_ptr<SessionWriter> writer_;
  QString folder_;
  qint64 statistics_ = 0;
};

}  // namespace lw
