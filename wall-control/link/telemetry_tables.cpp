#include "wall-control/link/telemetry_tables.h"

#include "common/base/printable.h"

#include <utility>

namespace lw {
namespace {

// Messages of tables consist of lists and scalars, and their depth is bounded.
void make_printable(Json& value) {
  if (value.is_array())
    for (auto& each : value) make_printable(each);
  else if (auto* text = value.get_ptr<std::string*>())
    *text = printable(*text);
}

}  // namespace

void TelemetryTables::begin() {
  receiver_ = StatsTablesReceiver();
  lost_ = asked_ = false;
}

Result<const Stats*> TelemetryTables::take(const QByteArray& message) {
  lost_ = true;
  auto json = parse_cbor({message.constData(), static_cast<std::size_t>(message.size())}, tables_depth_max);
  if (json) make_printable(*json);
  auto stats = receiver_.take(json ? *std::move(json) : Json());
  if (stats) lost_ = asked_ = false;
  return stats;
}

bool TelemetryTables::shall_ask_for_full() { return lost_ && !std::exchange(asked_, true); }

}  // namespace lw
