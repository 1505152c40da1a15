// Any bytes are a report or an error; what is read of a valid one, sent again, is read as the same.
#include "common/messages/node_tables.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace lw;

// Several messages, each behind its length of two bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  NodeTablesReceiver receiver;
  while (rest.size() >= 2) {
    const auto length =
        static_cast<std::size_t>(static_cast<unsigned char>(rest[0]) << 8U | static_cast<unsigned char>(rest[1]));
    const auto message = parse_cbor(rest.substr(2, length), tables_depth_max);
    rest.remove_prefix(std::min(rest.size(), 2 + length));
    if (!message) continue;
    const auto report = receiver.take(*message);
    if (!report) {
      if (report.error().what.empty()) std::abort();
      continue;
    }
    auto sent = **report;
    sent.node.reset();
    for (auto& tile : sent.tiles) tile.presented.reset();
    NodeTablesSender sender;
    NodeTablesReceiver again;
    const auto full = parse_cbor(sender.message(sent, true), tables_depth_max);
    if (!full || !again.take(*full)) std::abort();
  }
  return 0;
}
