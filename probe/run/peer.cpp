#include "probe/run/peer.h"

#include "common/base/whole_number.h"
#include "common/control/rpc_caller.h"
#include "common/net/address.h"
#include "probe/run/json_result.h"

#include <chrono>

namespace lw {
namespace {

constexpr std::chrono::seconds prepare_patience{60};

class LocalPeer final : public Peer {
public:
  LocalPeer(std::string address, std::filesystem::path records)
      : address_(std::move(address)), records_(std::move(records)) {}
  SideAddresses addresses() const override { return {address_, address_}; }
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
  RemotePeer(std::unique_ptr<RpcCaller> caller, std::string host, std::string where)
      : caller_(std::move(caller)), host_(std::move(host)), where_(std::move(where)) {}

  Result<void> greet() {
    const auto hello = call("hello", {{"version", protocol_version}});
    if (!hello) return hello.error();
    const auto address = hello->find("your_address");
    if (address == hello->end() || !address->is_string() || !Address::parse(address->get<std::string>(), 0))
      return Error{where_ + " answered, but is no wall-probe serve", "check the port"};
    own_ = address->get<std::string>();
    return {};
  }
  SideAddresses addresses() const override { return {own_, host_}; }
  Result<void> prepare(const RunSpec& run) override {
    const auto done = call("prepare", {{"run", to_json(run)}, {"your_address", host_}}, prepare_patience);
    return done ? Result<void>() : done.error();
  }
  Result<void> start() override { return command("start"); }
  Result<nlohmann::json> progress() override { return call("progress", Json::object()); }
  Result<void> stop_sending() override { return command("stop_sending"); }
  Result<nlohmann::json> finish() override { return call("finish", Json::object()); }

private:
  Result<void> command(const char* method) {
    const auto done = call(method, Json::object());
    return done ? Result<void>() : done.error();
  }
  Result<Json> call(std::string_view method, const Json& params,
                    std::chrono::milliseconds answer_within = RpcCaller::patience) {
    auto answer = caller_->call(method, params, answer_within);
    if (!answer) return Error(answer.error()).in(where_);
    return answer;
  }

  const std::unique_ptr<RpcCaller> caller_;
  const std::string host_, where_;
  std::string own_;
};

}  // namespace

std::unique_ptr<Peer> local_peer(const std::string& address, const std::filesystem::path& records) {
  return std::make_unique<LocalPeer>(address, records);
}

Result<std::unique_ptr<Peer>> connect_peer(const std::string& where, const std::atomic<bool>& stop,
                                           const CredentialOptions& credentials) {
  auto parts = split_host_port(where);
  if (!parts) parts = HostAndPort{where, std::to_string(probe_port)};
  const auto port = whole_number<std::uint16_t>(parts->port);
  if (!port || !Address::parse(parts->host, *port))
    return Error{where + " is no numeric address", "write it like 10.0.0.2 or 10.0.0.2:9020"};
  const auto name = Address::parse(parts->host, *port)->text();
  const auto token = read_token(credentials.token_file);
  if (!token) return token.error();
  auto how = credentials;
  if (token->empty()) how.tls = TlsUse::never;
  auto caller = RpcCaller::connect(name, stop, how);
  if (!caller && how.tls != TlsUse::never) return caller.error();
  if (!caller)
    return Error{caller.error().what,
                 "start wall-probe serve there, and let its port through the firewall; one without --allow wants a "
                 "token: --token-file"};
  auto peer = std::make_unique<RemotePeer>(std::move(*caller), parts->host, name);
  if (const auto met = peer->greet(); !met) return met.error();
  return std::unique_ptr<Peer>(std::move(peer));
}

}  // namespace lw
