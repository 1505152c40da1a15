// Records what a link hears: the wall, the library, every state, statistics and event, each with the time it was heard.
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

  // Into a folder, which is made if need be and has no session yet. What went wrong, or nothing.
  // `address`: the server's, where the link does not connect before this.
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
