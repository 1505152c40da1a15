// The receiver of a capacity measurement: counts load packets, and reports several times a second. One thread.
#pragma once

#include "common/net/datagram_receiver.h"
#include "common/net/udp_socket.h"
#include "probe/capacity/capacity_counter.h"
#include "probe/capacity/capacity_report.h"
#include "probe/capacity/capacity_spec.h"

#include <stop_token>
#include <vector>

namespace lw {

class CapacityReceiver {
public:
  // `socket` is connected and outlives this. `calls`: says hello until load comes.
  CapacityReceiver(const CapacitySpec& spec, std::uint64_t session, const UdpSocket& socket, bool calls);
  // Until the test is over.
  CapacityReceived run(const std::stop_token& stop);

private:
  void take_runs();
  void speak(LocalTime now);
  // Why it is over before its time; empty: it is not.
  [[nodiscard]] std::string broken(LocalTime now, LocalTime begin) const;
  [[nodiscard]] CapacityReceived report();

  const CapacitySpec spec_;
  const std::uint64_t session_;
  const UdpSocket& socket_;
  const bool calls_;
  CapacityCounter counter_;
  DatagramReceiver receiver_;
  std::vector<std::byte> memory_;
  std::vector<iovec> pieces_;
  std::vector<std::span<iovec>> targets_;
  LocalTime next_word_{};
  std::uint64_t drops_ = 0;
  CapacityReceived received_;
};

// How long one end waits for the other to begin.
inline constexpr std::chrono::seconds capacity_begins_within{5};
inline constexpr std::chrono::milliseconds capacity_hello_interval{50};

}  // namespace lw
