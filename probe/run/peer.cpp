#include "probe/run/peer.h"

#include "common/base/whole_number.h"
#include "common/control/rpc.h"
#include "common/control/web_client.h"
#include "common/net/address.h"
#include "probe/run/json_result.h"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <optional>

namespace lw {
namespace {

constexpr std::chrono::seconds patience{10};
constexpr std::chrono::seconds prepare_patience{60};
constexpr std::chrono::milliseconds look_up{50};

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
  RemotePeer(const HostAndPort& where, std::uint16_t port, const std::atomic<bool>& stop)
      : host_(where.host), name_(where.host + ":" + std::to_string(port)), stop_(stop) {
    client_ = WebClient::connect(io_, host_, port,
                                 {[this] {
                                    open_ = true;
                                    lost_.clear();
                                  },
                                  [this](std::string_view text) { on_message(text); },
                                  [this](const std::string& reason) {
                                    open_ = false;
                                    lost_ = reason;
                                  }});
  }
  Result<void> greet() {
    if (!run_until([this] { return open_ || !lost_.empty(); }, patience) || !open_)
      return Error{"no wall-probe serve at " + name_ + (lost_.empty() ? "" : ": " + lost_),
                   "start it there, and let its port through the firewall"};
    greeted_ = true;
    const auto hello = call("hello", {{"version", protocol_version}}, patience);
    if (!hello) return hello.error();
    const auto address = hello->find("your_address");
    if (address == hello->end() || !address->is_string() || !Address::parse(address->get<std::string>(), 0))
      return Error{name_ + " answered, but is no wall-probe serve", "check the port"};
    own_ = address->get<std::string>();
    return {};
  }
  SideAddresses addresses() const override { return {own_, host_}; }
  Result<void> prepare(const RunSpec& run) override {
    const auto done = call("prepare", {{"run", to_json(run)}, {"your_address", host_}}, prepare_patience);
    return done ? Result<void>() : done.error();
  }
  Result<void> start() override { return command("start"); }
  Result<nlohmann::json> progress() override { return call("progress", Json::object(), patience); }
  Result<void> stop_sending() override { return command("stop_sending"); }
  Result<nlohmann::json> finish() override { return call("finish", Json::object(), patience); }

private:
  template <class Done>
  bool run_until(Done done, std::chrono::seconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    while (!done() && std::chrono::steady_clock::now() < until && !(stop_ && !greeted_)) io_.run_for(look_up);
    return done();
  }
  Result<void> command(const char* method) {
    const auto done = call(method, Json::object(), patience);
    return done ? Result<void>() : done.error();
  }
  Result<Json> call(std::string_view method, const Json& params, std::chrono::seconds time) {
    const auto id = ++id_;
    answer_.reset();
    if (open_) client_->send(rpc_request(id, method, params));
    if (!run_until([this] { return answer_ || !open_; }, time) || !answer_)
      return Error{fmt_lost(), "look at wall-probe serve there"};
    if (answer_->error) return Error{"at " + name_ + ": " + *answer_->error, ""};
    return json_value(std::move(answer_->result));
  }
  [[nodiscard]] std::string fmt_lost() const {
    return open_ ? "no answer from " + name_ : "lost the connection to " + name_ + (lost_.empty() ? "" : ": " + lost_);
  }
  void on_message(std::string_view text) {
    auto message = parse_rpc(text);
    if (auto* response = std::get_if<RpcResponse>(&message); response != nullptr && response->id == id_)
      answer_ = std::move(*response);
  }

  const std::string host_, name_;
  const std::atomic<bool>& stop_;
  std::string own_;
  boost::asio::io_context io_;
  std::unique_ptr<WebClient> client_;
  bool open_ = false;
  bool greeted_ = false;
  std::string lost_;
  int id_ = 0;
  std::optional<RpcResponse> answer_;
};

}  // namespace

std::unique_ptr<Peer> local_peer(const std::string& address, const std::filesystem::path& records) {
  return std::make_unique<LocalPeer>(address, records);
}

Result<std::unique_ptr<Peer>> connect_peer(const std::string& where, const std::atomic<bool>& stop) {
  auto parts = split_host_port(where);
  if (!parts) parts = HostAndPort{where, std::to_string(probe_port)};
  const auto port = whole_number<std::uint16_t>(parts->port);
  if (!port || !Address::parse(parts->host, *port))
    return Error{where + " is no numeric address", "write it like 10.0.0.2 or 10.0.0.2:9020"};
  auto peer = std::make_unique<RemotePeer>(*parts, *port, stop);
  if (const auto met = peer->greet(); !met) return met.error();
  return std::unique_ptr<Peer>(std::move(peer));
}

}  // namespace lw
