// A STAMP session as its sender: sends test packets at even intervals and collects the replies (RFC 8762 section 4.2).
#pragma once

#include "probe/stamp/session_figures.h"
#include "probe/stamp/stamp_socket.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lw {

struct StampSenderSettings {
  Address to = Address::any(false, stamp_port);
  std::optional<Address> from;
  StampMode mode = StampMode::unauthenticated;
  std::optional<StampKey> key;  // authenticated: of packets and extensions; else of extensions
  StampTimeFormat format = StampTimeFormat::ntp;
  std::uint32_t packets = 100;
  Nanoseconds interval{std::chrono::milliseconds{100}};
  Nanoseconds wait{std::chrono::seconds{2}};  // for replies, after the last packet: what comes later is lost (RFC 7680)
  std::size_t bytes = 0;                      // UDP payload; 0: as few as the packets need
  std::uint8_t traffic_class = 0;             // DSCP and ECN
  bool extensions = true;                     // false: base packets, which any TWAMP-Light reflector understands
  std::uint16_t session = 0;                  // SSID
};

struct StampOutcome {
  StampSent sent;
  std::vector<StampExchange> exchanges;
  double duration_s = 0;
  std::uint64_t not_sent = 0;          // the kernel did not take them: counted as sent, and lost
  std::uint64_t strange = 0;           // datagrams that are no reply to a packet of this session
  std::uint64_t integrity_failed = 0;  // replies whose extensions cannot be trusted
  bool refused = false;                // a host said that nothing listens there
  bool clock_stepped = false;          // this host's, meanwhile
  bool same_host = false;              // as the reflector: then both have one clock
  std::optional<StampTimestampInformation> reflector;
};

// The bytes of the packets without padding: at least so many have to be sent.
std::size_t stamp_packet_bytes(const StampSenderSettings& settings);
Result<StampOutcome> run_stamp_session(const StampSenderSettings& settings, const std::atomic<bool>& stop);

}  // namespace lw
