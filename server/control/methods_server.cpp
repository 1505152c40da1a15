// Methods of a server that follows the wall's coordinator: `server.hello`, `server.line`.
#include "common/messages/line_message.h"
#include "common/wall/shared_settings.h"
#include "server/control/methods.h"

#include <fmt/format.h>

namespace lw {
namespace {

struct ServerMethods {
  const Wall& wall;
  const WallServer& self;
  Session& session;
  Following& following;

  RpcReply hello(const ServerHello& hello, const Caller& caller) const;
  RpcReply line(const LineMessage& line, const Caller& caller) const;
};

RpcReply ServerMethods::hello(const ServerHello& hello, const Caller& caller) const {
  if (caller.peer == nullptr) return cannot(Error{"only a connection can be the coordinator's", ""});
  if (hello.protocol != protocol_version)
    return cannot(Error{
        fmt::format("the coordinator speaks protocol {}, server {} {}", hello.protocol, self.name, protocol_version),
        "install the same version on both"});
  if (hello.server != self.name)
    return cannot(Error{fmt::format("this is server '{}', not '{}'", self.name, hello.server),
                        "correct `control` of the [[server]]s in the wall file"});
  if (const auto difference = settings_difference(hello.settings, shared_settings(wall)); !difference.empty())
    return cannot(Error{"it was started with another wall file: " + difference, "give it the coordinator's"});
  following.coordinator = caller.peer;
  return Json::object();
}

RpcReply ServerMethods::line(const LineMessage& line, const Caller& caller) const {
  if (caller.peer == nullptr || caller.peer != following.coordinator)
    return cannot(Error{"a line from a connection that is not the coordinator's", "call server.hello first"});
  if (const auto followed = session.follow(from_message(line)); !followed) return cannot(followed.error());
  return Json::object();
}

}  // namespace

void offer_server_methods(Dispatcher& dispatcher, const Wall& wall, const WallServer& self, Session& session,
                          Following& following) {
  const ServerMethods group{wall, self, session, following};
  dispatcher.offer("server.hello", group, &ServerMethods::hello);
  dispatcher.offer("server.line", group, &ServerMethods::line);
}

}  // namespace lw
