// The control plane on virtual time, without sockets: what it sends at which tick, and to whom.
#include "server/control/control_plane.h"

#include <catch2/catch.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/unit/server/control/service_fixture.h"

namespace {

using namespace lw;
using namespace std::chrono_literals;

// Keeps what it receives; `unread`: what it has not read yet, from the sender's point of view.
class Peer final : public WebPeer {
public:
  explicit Peer(AccessRole role = AccessRole::administer) : visitor_{"peer", role, "", true} {}
  void send(std::shared_ptr<const std::string> text, bool droppable) override {
    auto message = Json::parse(*text);
    const auto method = message.value("method", "");
    if (droppable) ++droppable_of[method];
    sent[method].push_back(std::move(message["params"]));
  }
  void close(const std::string& reason) override { closed = reason; }
  [[nodiscard]] const std::string& address() const override { return address_; }
  [[nodiscard]] const Visitor& visitor() const override { return visitor_; }
  [[nodiscard]] std::size_t unread_bytes() const override { return unread; }

  std::map<std::string, std::vector<Json>> sent;  // notifications, by method
  std::map<std::string, unsigned> droppable_of;
  std::string closed;
  std::size_t unread = 0;

private:
  const std::string address_ = "192.0.2.1";
  const Visitor visitor_;
};

struct Plane {
  Wall wall = lw::test::two_tiles();
  Library library{{}};
  lw::test::FakeSession session;
  ControlPlane plane{wall, wall.coordinator(), library, session, [](const LibraryEntry&) { return Json::object(); },
                     ""};
  Moment now{WallTime{1000s}, LocalTime{50s}};

  Plane() { spdlog::set_level(spdlog::level::off); }
  Json call(Peer& peer, const std::string& method, const Json& params = Json::object()) {
    return Json::parse(plane.answer(rpc_request(1, method, params), {now, &peer}));
  }
  // Steps the plane when it asks for it, for this long.
  void run(Nanoseconds time) {
    for (const auto end = now.local + time; now.local < end;) {
      const auto interval = plane.step(now).until - now.local;
      now.local += interval;
      now.wall += interval;
    }
  }
  std::unique_ptr<Peer> node(const std::string& name) {
    auto peer = std::make_unique<Peer>(AccessRole::administer);
    REQUIRE(call(*peer, "node.hello", lw::test::Service::hello(name)).contains("result"));
    return peer;
  }
  unsigned events(Peer& peer, const std::string& code) {
    unsigned count = 0;
    for (const auto& event : peer.sent["event"]) count += event["code"] == code;
    return count;
  }
};

}  // namespace

TEST_CASE("figures are sent ten times a second, the state twice while something plays") {
  Plane wall;
  Peer peer;
  wall.call(peer, "subscribe");
  wall.run(10s);
  CHECK(peer.sent["stats"].size() == 100);
  CHECK(peer.droppable_of["stats"] == 100);
  CHECK(peer.sent["state"].empty());
  CHECK(peer.sent["stats"][50]["interval_s"] == Approx(0.1));
  wall.session.now.status = PlayStatus::playing;
  wall.run(10s);
  CHECK(peer.sent["state"].size() == 20);
  CHECK(peer.droppable_of["state"] == 20);
  wall.call(peer, "unsubscribe");
  wall.run(1s);
  CHECK(peer.sent["stats"].size() == 200);
}

TEST_CASE("a change is sent to every subscriber at the next tick, and is kept for a slow one") {
  Plane wall;
  Peer one;
  Peer other;
  for (auto* peer : {&one, &other}) wall.call(*peer, "subscribe", {{"stats", false}});
  wall.run(100ms);
  ++wall.session.now.revision;
  wall.run(20ms);
  for (auto* peer : {&one, &other}) {
    CHECK(peer->sent["state"].size() == 1);
    CHECK(peer->droppable_of["state"] == 0);
    CHECK(peer->sent["stats"].empty());
  }
}

TEST_CASE("a node that sends nothing for a second is reported once, and again when it is back") {
  Plane wall;
  Peer peer;
  wall.call(peer, "subscribe", {{"stats", false}});
  const auto node = wall.node("left");
  wall.run(900ms);
  CHECK(wall.events(peer, "node-silent") == 0);
  wall.run(5s);
  CHECK(wall.events(peer, "node-silent") == 1);
  wall.call(*node, "node.report", Json::object());  // even an invalid report is a sign of life
  CHECK(wall.events(peer, "node-reports") == 1);
}

TEST_CASE("after a delay of the control thread no node counts as silent before the thread has listened again") {
  Plane wall;
  Peer peer;
  wall.call(peer, "subscribe", {{"stats", false}});
  const auto node = wall.node("left");
  wall.now.local += 10s;
  wall.run(800ms);
  CHECK(wall.events(peer, "node-silent") == 0);
}

TEST_CASE("the second connection of a node closes the first, whose end is not reported") {
  Plane wall;
  Peer peer;
  wall.call(peer, "subscribe", {{"stats", false}});
  const auto first = wall.node("left");
  const auto second = wall.node("left");
  CHECK(first->closed == "replaced by another connection of this node");
  wall.plane.closed(*first, wall.now);
  CHECK(wall.events(peer, "node-lost") == 0);
  wall.plane.closed(*second, wall.now);
  CHECK(wall.events(peer, "node-lost") == 1);
}

TEST_CASE("an event carries the time of the call that caused it") {
  Plane wall;
  Peer peer;
  wall.call(peer, "subscribe", {{"stats", false}});
  wall.plane.on_event({Severity::info, "loaded", "a film", {}, {}}, {WallTime{1'800'000'000s}, wall.now.local});
  REQUIRE(peer.sent["event"].size() == 1);
  CHECK(peer.sent["event"][0]["time"].get<std::string>().starts_with("2027-01-15T08:00:00"));
}
