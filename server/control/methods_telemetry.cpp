// Methods of measurement: subscribe, unsubscribe, stats, telemetry.
#include "common/messages/subscribe.h"
#include "server/control/methods.h"

namespace lw {
namespace {

struct TelemetryMethods {
  Telemetry& telemetry;
  Subscribers& subscribers;
  const EventLog& events;
  PictureRelay& pictures;
  const StatePublisher& publisher;
  TelemetryStream& stream;

  RpcReply subscribe(const SubscribeRequest& request, const Caller& caller) const;
  RpcReply unsubscribe(const NoParams& request, const Caller& caller) const;
  RpcReply stats(const NoParams& request, const Caller& caller) const;
  RpcReply stream_tables(const TelemetryRequest& request, const Caller& caller) const;
};

RpcReply TelemetryMethods::subscribe(const SubscribeRequest& request, const Caller& caller) const {
  if (caller.peer == nullptr) return cannot(Error{"only a connection can subscribe", ""});
  subscribers.set(*caller.peer, {request.stats, request.events, request.pictures});
  pictures.look_who_wants();
  return to_json(SubscribeReply{publisher.message(), {events.newest().begin(), events.newest().end()}});
}

RpcReply TelemetryMethods::unsubscribe(const NoParams& /*request*/, const Caller& caller) const {
  subscribers.remove(caller.peer);
  stream.remove(caller.peer);
  pictures.look_who_wants();
  return Json::object();
}

RpcReply TelemetryMethods::stats(const NoParams& /*request*/, const Caller& caller) const {
  if (telemetry.stats() == nullptr) telemetry.collect(caller.now);
  return to_json(*telemetry.stats());
}

RpcReply TelemetryMethods::stream_tables(const TelemetryRequest& request, const Caller& caller) const {
  if (caller.peer == nullptr) return cannot(Error{"only a connection can subscribe", ""});
  stream.set(*caller.peer, request);
  return Json::object();
}

}  // namespace

void offer_telemetry_methods(Dispatcher& dispatcher, Telemetry& telemetry, Subscribers& subscribers,
                             const EventLog& events, PictureRelay& pictures, const StatePublisher& publisher,
                             TelemetryStream& stream) {
  const TelemetryMethods group{telemetry, subscribers, events, pictures, publisher, stream};
  dispatcher.offer("subscribe", group, &TelemetryMethods::subscribe);
  dispatcher.offer("unsubscribe", group, &TelemetryMethods::unsubscribe);
  dispatcher.offer("stats", group, &TelemetryMethods::stats);
  dispatcher.offer("telemetry", group, &TelemetryMethods::stream_tables);
}

}  // namespace lw
