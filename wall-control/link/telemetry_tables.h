// The statistics of a server that sends them as tables of changed cells (docs/protocol.md, "Tables"): reading JSON with
// the same figures takes several times as long. GUI thread.
#pragma once

#include "common/messages/stats_tables.h"

#include <QByteArray>

namespace lw {

class TelemetryTables {
public:
  // A new connection: a full message comes first.
  void begin();
  // The complete statistics, valid until the next call. After an error, only a full message can be read.
  Result<const Stats*> take(const QByteArray& message);
  // Once after an error, until a message can be read again.
  [[nodiscard]] bool shall_ask_for_full();

private:
  StatsTablesReceiver receiver_;
  bool lost_ = false;
  bool asked_ = false;
};

}  // namespace lw
