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
  std::optional<StampKey> key;  // authenticated: for packets and extensions; else for extensions
  StampTimeFormat format = StampTimeFormat::ntp;
  std::uint32_t packets = 100;
  Nanoseconds interval{std::chrono::milliseconds{100}};
  Nanoseconds wait{std::chrono::seconds{2}};  // for replies, after the last packet; later ones count as lost (RFC 7680)
  std::size_t bytes = 0;                      // UDP payload; 0: the minimum
  std::uint8_t traffic_class = 0;             // DSCP and ECN
  bool extensions = true;                     // false: base packets, which any TWAMP-Light reflector understands
  std::uint16_t session = 0;                  // SSID
  bool hardware_stamps = false;  // departures and arrivals by this host's network card instead of program and kernel
};

struct StampOutcome {
  StampSent sent;
  std::vector<StampExchange> exchanges;
  double duration_s = 0;
  std::uint64_t not_sent = 0;                     // refused by the kernel: counted as sent and lost
  std::uint64_t strange = 0;                      // datagrams that are not a reply to a packet of this session
  std::uint64_t integrity_failed = 0;             // replies whose extensions failed the check
  bool refused = false;                           // a host reported that nothing listens there
  bool clock_stepped = false;                     // this host's clock, during the session
  bool card_sent = false, card_received = false;  // all departures, all arrivals are the card's
  bool same_host = false;                         // the reflector is on this host: both have one clock
  std::optional<StampTimestampInformation> reflector;
};

// The size of the packets without padding: the minimum that can be sent.
std::size_t stamp_packet_bytes(const StampSenderSettings& settings);
Result<StampOutcome> run_stamp_session(const StampSenderSettings& settings, const std::atomic<bool>& stop);

}  // namespace lw
