// tablet_ticket: how somebody with a browser gets to the page for tablets. And what the page sends for it.
#pragma once

#include "common/messages/rules.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lw {

enum class TabletRole : std::uint8_t { view, operate };  // the page offers nothing that needs more

struct TabletTicketRequest {
  TabletRole role = TabletRole::operate;

  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) {
    visit("role", request.role, Names{"view", "operate"}, MayBeAbsent{});
  }
  bool operator==(const TabletTicketRequest&) const = default;
};

struct TabletTicketReply {
  std::string ticket;   // in two groups, as a person types it
  std::string address;  // of the page
  std::string link;     // the same, with the ticket behind '#', which browsers do not send: for a QR code
  TabletRole role = TabletRole::operate;
  unsigned valid_s = 0;
  std::optional<std::string> fingerprint;  // of the certificate, to compare; absent without TLS

  static constexpr bool closed = false;
  static void members(auto& reply, auto& visit) {
    visit("ticket", reply.ticket);
    visit("address", reply.address);
    visit("link", reply.link);
    visit("role", reply.role, Names{"view", "operate"});
    visit("valid_s", reply.valid_s);
    visit("fingerprint", reply.fingerprint);
  }
  bool operator==(const TabletTicketReply&) const = default;
};

// The body of the page's login.
struct TabletLogin {
  std::string ticket;

  static constexpr bool closed = true;
  static void members(auto& login, auto& visit) { visit("ticket", login.ticket); }
  bool operator==(const TabletLogin&) const = default;
};

}  // namespace lw
