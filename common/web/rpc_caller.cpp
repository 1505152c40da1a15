#include "common/web/rpc_caller.h"

#include "common/base/whole_number.h"
#include "common/net/address.h"
#include "common/web/web_client.h"

#include <boost/asio/io_context.hpp>

#include <optional>

namespace lw {
namespace {

constexpr std::chrono::milliseconds look_up{50};

class Caller final : public RpcCaller {
public:
  explicit Caller(std::string where) : where_(std::move(where)) {}

  Result<void> open(const std::string& host, std::uint16_t port, const std::atomic<bool>& stop,
                    Credentials credentials) {
    client_ = WebClient::connect(io_, host, port,
                                 {[this] { open_ = true; }, [this](std::string_view text) { on_message(text); },
                                  [this](const std::string& reason) {
                                    open_ = false;
                                    lost_ = reason;
                                  }},
                                 std::move(credentials));
    run_until([&] { return open_ || lost_ || stop; }, patience);
    if (open_) return {};
    if (lost_)
      return Error{"no connection to " + where_ + ": " + *lost_, "start what is there, or correct the address"};
    return Error{"nobody answers at " + where_, "start what is there, or correct the address"};
  }

  Result<Json> call(std::string_view method, const Json& params, std::chrono::milliseconds answer_within) override {
    answer_.reset();
    lost_.reset();
    ++id_;
    if (open_) client_->send(rpc_request(id_, method, params));
    run_until([this] { return answer_ || !open_; }, answer_within);
    if (!answer_) {
      const auto why = open_ ? "no answer from " + where_ : "lost the connection to " + where_;
      return Error{why + (lost_ ? ": " + *lost_ : ""), "look at the log there"};
    }
    if (answer_->error) return Error{std::string(method) + ": " + *answer_->error, ""};
    return {boost::system::in_place_value, std::move(answer_->result)};
  }

private:
  template <class Done>
  void run_until(Done done, std::chrono::milliseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    while (!done() && std::chrono::steady_clock::now() < until) {
      io_.restart();
      io_.run_one_for(look_up);
    }
  }
  void on_message(std::string_view text) {
    auto message = parse_rpc(text);
    if (auto* response = std::get_if<RpcResponse>(&message); response != nullptr && response->id == id_)
      answer_ = std::move(*response);
  }

  const std::string where_;
  boost::asio::io_context io_{1};
  std::unique_ptr<WebClient> client_;
  bool open_ = false;
  std::optional<std::string> lost_;
  int id_ = 0;
  std::optional<RpcResponse> answer_;
};

}  // namespace

Result<std::unique_ptr<RpcCaller>> RpcCaller::connect(const std::string& where, const std::atomic<bool>& stop,
                                                      const CredentialOptions& options) {
  const auto parts = split_host_port(where);
  const auto port = parts ? whole_number<std::uint16_t>(parts->port) : std::nullopt;
  if (!port || !Address::parse(parts->host, *port))
    return Error{"'" + where + "' is not a numeric address with a port", "write it like 127.0.0.1:9010"};
  auto credentials = credentials_for(parts->host, options);
  if (!credentials) return credentials.error();
  auto caller = std::make_unique<Caller>(where);
  if (const auto opened = caller->open(parts->host, *port, stop, std::move(*credentials)); !opened)
    return opened.error();
  return std::unique_ptr<RpcCaller>(std::move(caller));
}

}  // namespace lw
