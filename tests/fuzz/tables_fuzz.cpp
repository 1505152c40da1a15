// Any bytes are a report of a node, or of a server, or statistics, or an error; a valid report, sent again, is also
// valid.
#include "common/messages/node_tables.h"
#include "common/messages/server_tables.h"
#include "common/messages/stats_tables.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace lw;

namespace {

void take(NodeTablesReceiver& receiver, const Json& message) {
  const auto report = receiver.take(message);
  if (!report) {
    if (report.error().what.empty()) std::abort();
    return;
  }
  auto sent = **report;
  sent.node.reset();
  for (auto& tile : sent.tiles) tile.presented.reset();
  NodeTablesSender sender;
  NodeTablesReceiver again;
  const auto full = parse_cbor(sender.message(sent, true), tables_depth_max);
  if (!full || !again.take(*full)) std::abort();
}

void take(ServerTablesReceiver& receiver, ServerReport& report, const Json& message) {
  if (const auto taken = receiver.take(message, report); !taken) {
    if (taken.error().what.empty()) std::abort();
    return;
  }
  ServerTablesSender sender;
  ServerTablesReceiver again;
  ServerReport got;
  const auto full = parse_cbor(sender.message(report, true), tables_depth_max);
  if (!full || !again.take(*full, got)) std::abort();
}

}  // namespace

// Several messages, each behind its length of two bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  NodeTablesReceiver node;
  ServerTablesReceiver server;
  StatsTablesReceiver stats;
  ServerReport report;
  while (rest.size() >= 2) {
    const auto length =
        static_cast<std::size_t>(static_cast<unsigned char>(rest[0]) << 8U | static_cast<unsigned char>(rest[1]));
    const auto message = parse_cbor(rest.substr(2, length), tables_depth_max);
    rest.remove_prefix(std::min(rest.size(), 2 + length));
    if (!message) continue;
    take(node, *message);
    take(server, report, *message);
    if (const auto taken = stats.take(*message); !taken && taken.error().what.empty()) std::abort();
  }
  return 0;
}
