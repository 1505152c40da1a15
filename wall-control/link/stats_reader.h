// The statistics of a server that sends them as tables of changed cells (docs/protocol.md, "Tables"). A separate thread
// reads them: the figures of 2048 flows take tens of milliseconds, in which the window would answer no key. GUI thread.
#pragma once

#include "common/messages/stats_tables.h"

#include <QByteArray>
#include <QJsonObject>
#include <QObject>
#include <QThreadPool>

#include <deque>

namespace lw {

class StatsReader : public QObject {
  Q_OBJECT

public:
  explicit StatsReader(QObject* parent = nullptr) : QObject(parent) { worker_.setMaxThreadCount(1); }

  // A new connection: a full message comes first. Messages of the previous one are dropped.
  void begin();
  // Messages are read in their order. If they come faster than they can be read, those that wait are dropped, and a
  // full message is needed. `as_json`: the statistics are also wanted as JSON.
  void read(const QByteArray& message, bool as_json);

signals:
  // The complete statistics, valid until the slots return; `json`: empty unless it was wanted.
  void arrived(const lw::Stats& stats, const QJsonObject& json);
  // Only a full message can be read now.
  void misread(const QString& problem);
  // After that, once until a message can be read again.
  void full_wanted();

private:
  struct Message {
    int connection = 0;
    QByteArray bytes;
    bool as_json = false;
  };
  struct Outcome {
    int connection = 0;
    Result<const Stats*> stats;
    QJsonObject json;
  };
  void read_next();
  void take(const Outcome& outcome);

  std::deque<Message> waiting_;
  bool is_reading_ = false;  // or its statistics are in use: the thread has nothing to do with them meanwhile
  int connection_ = 0;
  bool asked_ = false;
  // Of the thread.
  Outcome read_now(const Message& message);
  StatsTablesReceiver tables_;
  int read_connection_ = 0;

  QThreadPool worker_;  // destroyed before everything that its thread uses
};

}  // namespace lw
