// One end of a capacity measurement, on its own thread: the sender, which searches for the rate, or the receiver,
// which counts and reports. The client's end calls first (hello packets), so that its way through firewalls is open and
// the server sends to nobody who does not know the session.
#pragma once

#include "common/base/json.h"
#include "common/base/result.h"
#include "common/net/address.h"
#include "common/net/udp_socket.h"
#include "probe/capacity/capacity_counter.h"
#include "probe/capacity/capacity_spec.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>

namespace lw {

class CapacityEnd {
public:
  struct Where {
    Address local = Address::any(false, 0);
    std::optional<Address> peer = {};    // of the client's end: where it calls
    std::optional<Address> client = {};  // of the server's end: the host that may call; empty: any (a relay's)
    std::uint64_t session = 0;
  };

  // Bound; the thread runs and waits for the other side. Errors name what cannot be opened.
  static Result<std::unique_ptr<CapacityEnd>> start(const CapacitySpec& spec, Where where);
  ~CapacityEnd();
  CapacityEnd(const CapacityEnd&) = delete;
  CapacityEnd& operator=(const CapacityEnd&) = delete;

  [[nodiscard]] bool done() const { return done_; }
  // Ends it. {"ended": why, empty if the test came to its end, ...}: capacity_report.h reads the rest.
  Json finish();

private:
  CapacityEnd(const CapacitySpec& spec, const Where& where, UdpSocket socket);
  void run(const std::stop_token& stop);

  const CapacitySpec spec_;
  const Where where_;
  const UdpSocket socket_;
  std::atomic<bool> done_{false};
  Json report_;  // the thread's until done_
  std::jthread thread_;
};

}  // namespace lw
