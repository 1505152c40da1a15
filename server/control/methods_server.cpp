// Methods for the wall's other servers: `server.hello`, `server.line`, `server.alive`; and `coordinate`, by which an
// administrator chooses the coordinator.
#include "common/messages/requests.h"
#include "common/messages/server_messages.h"
#include "server/control/coordination.h"
#include "server/control/methods.h"

namespace lw {
namespace {

struct ServerMethods {
  Coordination& coordination;

  RpcReply hello(const ServerHello& hello, const Caller& caller) const;
  RpcReply line(const LineMessage& line, const Caller& caller) const;
  RpcReply alive(const ServerAlive& alive, const Caller& caller) const;
  RpcReply coordinate(const NoParams& params, const Caller& caller) const;
};

RpcReply ServerMethods::hello(const ServerHello& hello, const Caller& caller) const {
  if (caller.peer == nullptr) return cannot(Error{"only a connection can be another server's", ""});
  const auto reply = coordination.take_hello(hello, *caller.peer, caller.now);
  if (!reply) return cannot(reply.error());
  return to_json(*reply);
}

RpcReply ServerMethods::line(const LineMessage& line, const Caller& caller) const {
  if (const auto followed = coordination.take_line(line, caller.peer); !followed) return cannot(followed.error());
  return Json::object();
}

RpcReply ServerMethods::alive(const ServerAlive& alive, const Caller& caller) const {
  coordination.take_alive(alive, caller.peer, caller.now);
  return Json::object();
}

RpcReply ServerMethods::coordinate(const NoParams& /*params*/, const Caller& caller) const {
  if (const auto taken = coordination.take_over(caller.now); !taken) return cannot(taken.error());
  return Json::object();
}

}  // namespace

void offer_server_methods(Dispatcher& dispatcher, Coordination& coordination) {
  const ServerMethods group{coordination};
  dispatcher.offer("server.hello", group, &ServerMethods::hello);
  dispatcher.offer("server.line", group, &ServerMethods::line);
  dispatcher.offer("server.alive", group, &ServerMethods::alive);
  dispatcher.offer("coordinate", group, &ServerMethods::coordinate);
}

}  // namespace lw
