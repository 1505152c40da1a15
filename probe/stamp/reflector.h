// `wall-probe serve --stamp`: reflects STAMP and TWAMP-Light test packets. Runs its own thread.
#pragma once

#include "probe/stamp/reflection.h"
#include "probe/stamp/stamp_sessions.h"
#include "probe/stamp/stamp_socket.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

namespace lw {

class StampReflector {
public:
  struct Settings {
    Address listen = Address::any(false, stamp_port);
    StampRules rules;  // except the key
    std::optional<StampKey> key;
    bool stateful = true;          // counts the packets of each session
    bool hardware_stamps = false;  // arrival times by the network card instead of the kernel, where a packet has one
    // Whether packets from this address are answered, whatever they contain. UDP addresses can be forged: replies are
    // as long as requests, and would go to hosts chosen by an attacker. Any thread.
    std::function<bool(const Address& client)> allows;
  };
  struct Counts {
    std::uint64_t answered = 0, not_allowed = 0, too_short = 0, not_authentic = 0, not_sent = 0;
  };

  static Result<std::unique_ptr<StampReflector>> start(Settings settings);
  ~StampReflector();
  StampReflector(const StampReflector&) = delete;
  StampReflector& operator=(const StampReflector&) = delete;

  [[nodiscard]] Counts counts() const;
  [[nodiscard]] Address local_address() const { return socket_.local_address(); }

private:
  StampReflector(Settings settings, StampSocket socket);
  void run(const std::stop_token& stop);
  void answer(const StampDatagram& datagram, std::span<const std::byte> packet, std::span<std::byte> reply);
  void count_refusal(StampRefusal refusal);

  Settings settings_;
  StampSocket socket_;
  StampSessions sessions_;
  StampClock clock_;
  std::atomic<std::uint64_t> answered_{0}, not_allowed_{0}, too_short_{0}, not_authentic_{0}, not_sent_{0};
  std::jthread thread_;  // last: joined before the members it uses are destroyed
};

}  // namespace lw
