// Methods of measurement: subscribe, unsubscribe, stats.
#include "server/control/methods.h"

namespace lw {
namespace {

struct TelemetryMethods {
  Telemetry& telemetry;
  Subscribers& subscribers;
  const EventLog& events;
  PictureRelay& pictures;
  const StatePublisher& publisher;

  RpcReply subscribe(const Json& json, const Caller& caller) const;
  RpcReply unsubscribe(const Json& json, const Caller& caller) const;
  RpcReply stats(const Json& json, const Caller& caller) const;
};

RpcReply TelemetryMethods::subscribe(const Json& json, const Caller& caller) const {
  Params params(json);
  const Subscription wanted{params.boolean_or("stats", true), params.boolean_or("events", true),
                            params.boolean_or("pictures", false)};
  if (auto problem = params.problem()) return bad_params(*problem);
  if (caller.peer == nullptr) return cannot(Error{"only a connection can subscribe", ""});
  subscribers.set(*caller.peer, wanted);
  pictures.look_who_wants();
  return Json{{"state", publisher.json()}, {"events", events.newest()}};
}

RpcReply TelemetryMethods::unsubscribe(const Json& json, const Caller& caller) const {
  if (auto problem = Params(json).problem()) return bad_params(*problem);
  subscribers.remove(caller.peer);
  pictures.look_who_wants();
  return Json::object();
}

RpcReply TelemetryMethods::stats(const Json& json, const Caller& caller) const {
  if (auto problem = Params(json).problem()) return bad_params(*problem);
  if (telemetry.stats() == nullptr) telemetry.collect(caller.now);
  return to_json(*telemetry.stats());
}

}  // namespace

void offer_telemetry_methods(Dispatcher& dispatcher, Telemetry& telemetry, Subscribers& subscribers,
                             const EventLog& events, PictureRelay& pictures, const StatePublisher& publisher) {
  const TelemetryMethods group{telemetry, subscribers, events, pictures, publisher};
  dispatcher.offer("subscribe", group, &TelemetryMethods::subscribe);
  dispatcher.offer("unsubscribe", group, &TelemetryMethods::unsubscribe);
  dispatcher.offer("stats", group, &TelemetryMethods::stats);
}

}  // namespace lw
