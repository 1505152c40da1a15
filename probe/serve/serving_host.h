// What `wall-probe serve` does for its clients: one measurement at a time, which belongs to the connection that
// prepared it and ends with it, or when its time is over. One thread (the web server's).
#pragma once

#include "common/access/gate.h"
#include "common/messages/rpc.h"
#include "common/net/flood_limit.h"
#include "common/web/web_server.h"
#include "probe/capacity/capacity_end.h"
#include "probe/measure/address_proof.h"
#include "probe/measure/run_side.h"
#include "probe/serve/allowed_clients.h"
#include "probe/serve/serve_limits.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace lw {

class ServingHost {
public:
  struct Settings {
    AllowedClients allowed = {};
    std::optional<Gate> gate = {};     // accepts tokens from clients that are not allowed by address
    std::filesystem::path files = {};  // empty: no files are written
    ServeLimits limits = {};
    bool interrupts = false;       // a client may choose the CPU that handles arriving packets (InterruptCore)
    bool hardware_stamps = false;  // a client may have this host's network cards stamp what arrives
  };
  // A client that prepares a measurement and never starts it blocks others for this long.
  static constexpr std::chrono::seconds start_within{300};
  // Without a command from the client, a measurement stops sending this long after its end, and is then dropped.
  static constexpr std::chrono::seconds overtime{15};
  static constexpr std::chrono::seconds finish_within{60};
  static constexpr std::size_t intervals_told_max = 1024;  // per message

  explicit ServingHost(Settings settings) : settings_(std::move(settings)) {}
  WebHandlers handlers();
  // Call often: reloads the tokens if they have changed, and ends what is overdue.
  void step(LocalTime now);

private:
  enum class Phase : std::uint8_t { prepared, started, stopped };

  std::variant<Visitor, HttpReply> admit(const WebRequest& request);
  void closed(WebPeer& peer);
  HttpReply get(std::string_view path);
  void on_message(WebPeer& peer, std::string_view text);
  Result<Json> answer(WebPeer& peer, const RpcRequest& request);
  Result<Json> challenge(WebPeer& peer, const Json& json);
  Result<Json> prepare(WebPeer& peer, const Json& json);
  // A client's run, if it contains only what the client may request from this host.
  Result<RunSpec> checked_run(WebPeer& peer, const Json& json);
  Result<Json> start();
  Result<Json> finish(const WebPeer& peer);
  Result<Json> prepare_capacity(WebPeer& peer, const Json& json);
  Result<Json> finish_capacity(const WebPeer& peer);
  [[nodiscard]] bool measuring() const { return side_ != nullptr || capacity_ != nullptr; }
  void let_go();

  Settings settings_;
  std::map<WebPeer*, AddressProofs> peers_;
  FloodLimit challenges_{16, 64};
  std::unique_ptr<RunSide> side_;  // one of the two at a time
  std::unique_ptr<CapacityEnd> capacity_;
  const WebPeer* owner_ = nullptr;
  Phase phase_ = Phase::prepared;
  double run_seconds_ = 0;
  LocalTime due_{};  // end of the current phase
  std::uint64_t measurements_ = 0;
};

}  // namespace lw
