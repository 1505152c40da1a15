// Methods by which the coordinator of a wall learns what the other servers' libraries have: `server.library`,
// `server.scan`.
#include "common/messages/requests.h"
#include "common/messages/server_library.h"
#include "server/control/library_listing.h"
#include "server/control/methods.h"

#include <chrono>

namespace lw {
namespace {

// Operators may ask for the library often; a scan reads each store.
constexpr std::chrono::seconds scan_interval{1};

struct ServerLibraryMethods {
  const LibraryListing& listing;
  LibraryWatch& watch;

  RpcReply library(const PageRequest& request, const Caller& caller) const;
  RpcReply scan(const NoParams& request, const Caller& caller) const;
};

RpcReply ServerLibraryMethods::library(const PageRequest& request, const Caller& /*caller*/) const {
  if (listing.revision() == 0) return cannot(Error{"the library is still being read", "ask again"});
  return to_json(listing.page(request.after));
}

RpcReply ServerLibraryMethods::scan(const NoParams& /*request*/, const Caller& caller) const {
  watch.scan_unless_new(caller.now, scan_interval);
  return Json::object();
}

}  // namespace

void offer_server_library_methods(Dispatcher& dispatcher, const LibraryListing& listing, LibraryWatch& watch) {
  const ServerLibraryMethods group{listing, watch};
  dispatcher.offer("server.library", group, &ServerLibraryMethods::library);
  dispatcher.offer("server.scan", group, &ServerLibraryMethods::scan);
}

}  // namespace lw
