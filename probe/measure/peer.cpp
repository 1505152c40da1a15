#include "probe/measure/peer.h"

#include "common/net/address.h"
#include "probe/call/json_value.h"
#include "probe/call/serving_probe.h"
#include "probe/measure/address_proof.h"

#include <algorithm>
#include <chrono>

namespace lw {
namespace {

constexpr std::chrono::seconds prepare_patience{60};

class LocalPeer final : public Peer {
public:
  LocalPeer(std::string address, std::filesystem::path records)
      : address_(std::move(address)), records_(std::move(records)) {}
  SideAddresses addresses() const override { return {address_, address_, true}; }
  bool same_program() const override { return true; }
  Result<void> prepare(const RunSpec& run) override {
    auto side = RunSide::prepare(run, Role::server, addresses(), records_);
    if (!side) return side.error();
    side_ = std::move(*side);
    return {};
  }
  Result<void> start() override { return side_->start(); }
  Result<nlohmann::json> progress() override { return json_value(side_->progress()); }
  Result<void> stop_sending() override {
    side_->stop_sending();
    return {};
  }
  Result<nlohmann::json> finish() override {
    auto json = side_->finish();
    side_.reset();
    return json_value(std::move(json));
  }

private:
  const std::string address_;
  const std::filesystem::path records_;
  std::unique_ptr<RunSide> side_;
};

class RemotePeer final : public Peer {
public:
  RemotePeer(ServingProbe probe, Greeting greeting) : probe_(std::move(probe)), greeting_(std::move(greeting)) {}

  SideAddresses addresses() const override { return {greeting_.own_address, probe_.host, greeting_.one_host}; }
  Result<void> prepare(const RunSpec& run) override {
    const auto cookies = cookies_for(run);
    if (!cookies) return cookies.error();
    Json params{{"run", to_json(run)}, {"your_address", probe_.host}};
    if (!cookies->empty()) params["cookies"] = *cookies;
    if (greeting_.one_host) params["one_host"] = true;
    const auto done = call("prepare", params, prepare_patience);
    return done ? Result<void>() : done.error();
  }
  Result<void> start() override { return command("start"); }
  Result<nlohmann::json> progress() override { return call("progress", Json::object()); }
  Result<void> stop_sending() override { return command("stop_sending"); }
  Result<nlohmann::json> finish() override { return call("finish", Json::object()); }

private:
  // The other side sends to another address of this host only after proof that this host receives there.
  Result<std::vector<std::string>> cookies_for(const RunSpec& run) {
    auto addresses = addresses_sent_to(run);
    std::erase(addresses, greeting_.own_address);
    if (addresses.empty()) return addresses;
    const auto load = std::ranges::find_if(run.loads, [&](const LoadSpec& one) {
      return one.direction != Direction::forward && !one.from.empty() && one.from.front() != greeting_.own_address;
    });
    // The port of its first flow, which devices between the hosts let pass.
    const auto port = load->port_of(load->flows);
    return take_cookies(addresses, port, [&]() -> Result<void> {
      const auto asked = call("challenge", {{"your_address", probe_.host}, {"addresses", addresses}, {"port", port}});
      return asked ? Result<void>() : asked.error();
    });
  }
  Result<void> command(const char* method) {
    const auto done = call(method, Json::object());
    return done ? Result<void>() : done.error();
  }
  [[nodiscard]] Result<Json> call(std::string_view method, const Json& params,
                                  std::chrono::milliseconds answer_within = RpcCaller::patience) const {
    return lw::call(probe_, method, params, answer_within);
  }

  const ServingProbe probe_;
  const Greeting greeting_;
};

Result<std::unique_ptr<Peer>> connect_peer(const std::string& where, const std::atomic<bool>& stop,
                                           const CredentialOptions& credentials) {
  auto probe = call_probe(where, stop, credentials);
  if (!probe) return probe.error();
  auto greeting = greet(*probe);
  if (!greeting) return greeting.error();
  return std::unique_ptr<Peer>(std::make_unique<RemotePeer>(std::move(*probe), std::move(*greeting)));
}

}  // namespace

Result<Peers> find_peers(const std::vector<std::string>& where, const std::filesystem::path& records,
                         const std::atomic<bool>& stop, const CredentialOptions& credentials) {
  Peers peers;
  if (where.empty()) peers.push_back(std::make_unique<LocalPeer>("127.0.0.1", records));
  for (const auto& one : where) {
    auto peer = connect_peer(one, stop, credentials);
    if (!peer) return peer.error();
    peers.push_back(std::move(*peer));
  }
  return peers;
}

}  // namespace lw
