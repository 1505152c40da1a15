// A network card that reads packets from the memory of the program that sends them (MSG_ZEROCOPY), on virtual time:
// some time after the send, and in any order. The kernel then says which sends are complete. The law: until the card
// has read a packet, its memory does not change.
#pragma once

#include "tests/support/timeline.h"

#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace lw::truth {

class ZeroCopyCard {
public:
  using Break = std::function<void(const std::string& law)>;

  ZeroCopyCard(Timeline& timeline, Break on_break);

  // The card reads the message after this time.
  void take(const msghdr& message, Nanoseconds reads_after);
  // The kernel has copied the message after all, as for a virtual interface: its memory is free at once.
  void copy();
  // As recvmmsg(2) with MSG_ERRQUEUE: one notice, of one or several successive sends.
  int give_notice(std::span<mmsghdr> messages);
  [[nodiscard]] std::uint64_t sends() const;

private:
  struct State;  // the events of a card that is gone do nothing
  Timeline& timeline_;
  std::shared_ptr<State> state_;
};

}  // namespace lw::truth
