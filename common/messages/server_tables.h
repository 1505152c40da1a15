// server.report as tables (common/messages/tables.h), if the coordinator accepts them; otherwise it is JSON.
#pragma once

#include "common/messages/server_messages.h"
#include "common/messages/tables.h"

#include <string>
#include <string_view>
#include <vector>

namespace lw {

inline constexpr std::string_view server_tables_name = "server.report";

// The reporting server's end.
class ServerTablesSender {
public:
  // The next message. `flows`: with the figures of flows; without them, they stay as they were. The first message has
  // everything.
  std::string message(const ServerReport& report, bool flows);

private:
  TableSender tables_;
  std::vector<TableRow> flows_;  // for their memory
  bool full_ = true;
};

// The coordinator's end.
class ServerTablesReceiver {
public:
  // Takes a message, as parse_cbor reads it, into the report, which nobody else may change, and returns that. After an
  // error it is incomplete, and a first message must come.
  Result<const ServerReport*> take(Json message, ServerReport& report);

private:
  Result<void> update(Json message, ServerReport& report);

  TableReceiver tables_;
};

}  // namespace lw
