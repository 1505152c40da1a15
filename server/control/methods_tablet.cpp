// Methods for the page for tablets: summary, tablet_ticket.
#include "common/access/tickets.h"
#include "common/messages/summary.h"
#include "common/messages/tablet.h"
#include "server/control/methods.h"
#include "server/control/summary_stream.h"
#include "server/control/tablet_page.h"

namespace lw {
namespace {

struct TabletMethods {
  const Wall& wall;
  SummaryStream& stream;
  TabletPage& page;

  RpcReply summary(const SummaryRequest& request, const Caller& caller) const;
  RpcReply ticket(const TabletTicketRequest& request, const Caller& caller) const;
};

RpcReply TabletMethods::summary(const SummaryRequest& request, const Caller& caller) const {
  if (caller.peer == nullptr) return cannot(Error{"only a connection can subscribe", ""});
  if (request.on)
    stream.add(*caller.peer);
  else
    stream.remove(caller.peer);
  return to_json(SummaryReply{stream.message(), HealthWatch::limits(), wall.tile_count(), wall.flow_count()});
}

// Callers have at least the role that the page gets. Not for pages: a session could otherwise prolong itself forever.
RpcReply TabletMethods::ticket(const TabletTicketRequest& request, const Caller& caller) const {
  const auto visitor = caller.visitor();
  const auto role = request.role == TabletRole::operate ? AccessRole::operate : AccessRole::view;
  if (visitor.by_session)
    return RpcFailure{nullptr, rpc_code::forbidden, "tickets are issued by programs with a token, not by pages"};
  const auto ticket = page.sessions().issue(visitor, role, caller.now.local);
  if (!ticket) return cannot(ticket.error());
  TabletTicketReply reply{ticket_text(*ticket),
                          page.address(),
                          page.address() + "#" + *ticket,
                          request.role,
                          static_cast<unsigned>(PageSessions::ticket_time.count()),
                          {}};
  if (!page.fingerprint().empty()) reply.fingerprint = page.fingerprint();
  return to_json(reply);
}

}  // namespace

void offer_tablet_methods(Dispatcher& dispatcher, const Wall& wall, SummaryStream& stream, TabletPage& page) {
  const TabletMethods group{wall, stream, page};
  dispatcher.offer("summary", group, &TabletMethods::summary);
  dispatcher.offer("tablet_ticket", group, &TabletMethods::ticket);
}

}  // namespace lw
