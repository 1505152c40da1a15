// Any datagram is a packet of a capacity measurement that is written as it was read, or none; any JSON is a
// specification or a report, or an error.
#include "probe/capacity/capacity_packets.h"
#include "probe/capacity/capacity_report.h"
#include "probe/capacity/capacity_spec.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace {

using namespace lw;

constexpr std::uint64_t session = 0x0123456789abcdefU;

void read_packets(std::span<const std::byte> datagram) {
  is_hello(datagram, session);
  if (const auto load = read_load(datagram, session)) {
    std::array<std::byte, load_header_bytes> again;
    write_load(*load, session, again);
    if (read_load(again, session) != load) std::abort();
  }
  if (const auto status = read_status(datagram, session))
    if (read_status(write_status(*status, session), session) != status) std::abort();
}

void read_messages(std::string_view text) {
  const auto json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return;
  if (const auto spec = parse_capacity(json)) {
    if (spec->intervals() == 0 || spec->intervals() > capacity_intervals_max) std::abort();
    if (!parse_capacity(to_json(*spec))) std::abort();
  }
  if (const auto sent = parse_capacity_sent(json))
    if (parse_capacity_sent(to_json(*sent)).value() != *sent) std::abort();
  if (const auto received = parse_capacity_received(json))
    if (parse_capacity_received(to_json(*received)).value() != *received) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_packets({reinterpret_cast<const std::byte*>(data), size});
  if (size <= 65'536) read_messages({reinterpret_cast<const char*>(data), size});
  return 0;
}
