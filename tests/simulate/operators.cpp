#include "tests/simulate/operators.h"

#include "common/wall/geometry.h"

#include <array>

namespace lw::simulate {
namespace {

// The rights of these roles according to docs/protocol.md.
bool may_call(AccessRole role, std::string_view method) {
  if (role == AccessRole::administer) return true;
  return role == AccessRole::operate && method != "place";
}

}  // namespace

// A connection: keeps the newest state it received.
class Operators::Peer final : public WebPeer {
public:
  Peer(std::string name, AccessRole role) : visitor_{std::move(name), role, "0", true} {}
  void send(std::shared_ptr<const std::string> text, bool /*droppable*/) override {
    auto told = Json::parse(*text);
    if (told["method"] == "state") {
      state = told["params"].dump();
      ++states;
    }
  }
  void close(const std::string& /*reason*/) override {}
  [[nodiscard]] const std::string& address() const override { return address_; }
  [[nodiscard]] const Visitor& visitor() const override { return visitor_; }
  [[nodiscard]] std::size_t unread_bytes() const override { return 0; }

  std::string state;
  std::uint64_t states = 0;

private:
  const std::string address_ = "10.2.0.1";
  const Visitor visitor_;
};

PlacedSession::PlacedSession(Session& session, unsigned flows) : session_(session), placement_(flows) {
  for (unsigned flow = 0; flow < flows; ++flow) placement_[flow] = {flow, flow % cpus, flow % cpus};
}

Result<void> PlacedSession::move_flow(unsigned flow, std::optional<unsigned> cpu) {
  if (cpu && *cpu >= cpus) return Error{"this process may not run on that CPU", "use another one"};
  placement_[flow].cpu = cpu;
  return {};
}

Operators::Operators(const Wall& wall, const WallServer& self, Library& library, Session& session,
                     std::vector<std::string> names, Break on_break)
    : session_(session, wall.flow_count()),
      names_(std::move(names)),
      flows_(wall.flow_count()),
      on_break_(std::move(on_break)),
      control_(std::make_unique<ControlPlane>(
          wall, self, library, session_, [](const LibraryEntry&) { return Json::object(); }, "")) {
  for (const auto role :
       {AccessRole::administer, AccessRole::operate, AccessRole::operate, AccessRole::view, AccessRole::node}) {
    auto& peer = *peers_.emplace_back(std::make_unique<Peer>("caller " + std::to_string(peers_.size()), role));
    if (role != AccessRole::node) answer(peer, "subscribe", {{"stats", false}, {"events", false}});
  }
}

Operators::~Operators() = default;

std::string Operators::answer(Peer& peer, std::string_view method, const Json& params) {
  return control_->answer(rpc_request(1, method, params), {now_, &peer});
}

std::string Operators::state() {
  auto& all = *peers_.front();
  std::string state;
  for (const auto* method : {"state", "placement"}) state += answer(all, method, Json::object());
  for (const auto& fade : session_.state().fades.newest)
    for (const auto time : {fade.start, fade.black, fade.bright, fade.end})
      state += std::to_string(time.time_since_epoch().count()) + ' ';
  return state;
}

std::vector<NodeStats> Operators::node_stats(const Moment& now) {
  now_ = now;
  const auto reply = Json::parse(answer(*peers_.front(), "stats", Json::object()));
  const auto stats = reply.contains("result") ? read_message<Stats>(reply["result"]) : Error{"no stats", ""};
  return stats ? stats->nodes : std::vector<NodeStats>{};
}

void Operators::call(Random& chance, const Moment& now) {
  now_ = now;
  for (auto calls = chance.between(1, 4); calls > 0; --calls) call(*peers_[chance.below(peers_.size())], draw(chance));
}

void Operators::call(Peer& peer, const Call& call) {
  const auto before = state();
  const auto told = peers_.front()->states;
  const auto reply = Json::parse(answer(peer, call.method, call.params));
  const bool refused = reply.contains("error");
  const auto what = std::string(name_of(peer.visitor().role)) + ": " + call.method + ' ' + call.params.dump();
  if (refused && (state() != before || peers_.front()->states != told))
    on_break_("a refused call changed something: " + what);
  if (!refused && call.wrong) on_break_("a call with a wrong value is carried out: " + what);
  const bool forbidden = refused && reply["error"]["code"] == rpc_code::forbidden;
  if (may_call(peer.visitor().role, call.method) == forbidden)
    on_break_("a role has a right that differs from docs/protocol.md: " + what);
  for (const auto& other : peers_)
    if (other->visitor().role != AccessRole::node &&
        (other->state != peers_.front()->state || other->states != peers_.front()->states))
      on_break_("a subscriber gets other states than the others: " + what);
}

void Operators::draw_transition(Random& chance, Call& call) {
  if (!chance.once_in(3)) return;
  const auto ms = chance.once_in(4) ? chance.below(200) : chance.between(200, 1500);
  call.wrong = call.wrong || ms < 200;
  call.params["transition"] = "fade";
  call.params["fade_ms"] = ms;
}

Operators::Call Operators::draw(Random& chance) {
  const auto name = chance.once_in(8) ? std::string("unknown") : names_[chance.below(names_.size())];
  Call call;
  call.wrong = name == "unknown";
  switch (chance.below(6)) {
    case 0: {
      call.method = "load";
      call.params = {{"name", name}, {"frame", chance.below(50)}, {"paused", chance.once_in(4)}};
      draw_transition(chance, call);
      break;
    }
    case 1:
      call = {"seek", {{"frame", static_cast<int>(chance.below(60)) - 10}}, false};
      call.wrong = call.params["frame"] < 0;
      break;
    case 2: {
      call.method = "playlist";
      Json entries = Json::array({{{"name", name}, {"seconds", 0.5}}});
      if (chance.once_in(4)) entries.push_back({{"name", names_.front()}, {"seconds", -1}});
      call.wrong = call.wrong || entries.size() > 1;
      call.params = {{"entries", entries}, {"repeat", chance.once_in(2)}};
      break;
    }
    case 3: {
      call = {"next", Json::object(), false};
      draw_transition(chance, call);
      break;
    }
    case 4: {
      call = {"place", {{"flows", Json::array()}}, false};
      for (unsigned flow = 0; flow < flows_; flow += static_cast<unsigned>(chance.between(1, 3))) {
        const auto cpu = chance.below(PlacedSession::cpus + (chance.once_in(4) ? 2 : 0));
        call.params["flows"].push_back({{"flow", flow}, {"cpu", cpu}});
        call.wrong = call.wrong || cpu >= PlacedSession::cpus;
      }
      break;
    }
    default:
      call = {"rate", {{"rate", static_cast<int>(chance.below(24)) - 12}}, false};
      call.wrong = call.params["rate"] == 0 || call.params["rate"] > 8 || call.params["rate"] < -8;
  }
  return call;
}

}  // namespace lw::simulate
