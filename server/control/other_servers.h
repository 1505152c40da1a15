// The wall's other servers, as the coordinator sees them: sends each its newest line, and keeps what they report. The
// connections come from outside (ServerLinks makes the real ones, a test its own). Control thread only.
#pragma once

#include "common/messages/line_message.h"
#include "common/messages/rpc.h"
#include "common/wall/wall_file.h"
#include "server/control/event_log.h"
#include "server/play/session.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

class OtherServers {
public:
  using Send = std::function<void(std::string)>;

  // All of these must outlive this object.
  OtherServers(const Wall& wall, const WallServer& self, Session& session, EventLog& events);

  void connected(const std::string& name, Send send);
  void lost(const std::string& name, const Moment& now);
  void hear(const std::string& name, std::string_view message, const Moment& now);
  // Sends each server the newest line that it does not have. Call at every tick.
  void step(const Moment& now);
  // The newest figures of the flows that they send.
  [[nodiscard]] std::vector<SenderFlowReport> flows(const Moment& now) const;

private:
  struct Server {
    Send send;                               // empty: not connected
    bool greeted = false;                    // it has accepted this coordinator's wall file
    std::optional<std::uint64_t> line_sent;  // its number
    LocalTime line_sent_at{};
    Nanoseconds round_trip{0};  // of the newest line
    std::optional<ServerReport> report;
    LocalTime reported{};
  };

  void take_answer(const std::string& name, Server& server, const RpcResponse& answer, const Moment& now);
  void take_report(const std::string& name, Server& server, const Json& params, const Moment& now);
  void tell(Severity severity, std::string code, std::string text, const Moment& now) {
    events_.add({severity, std::move(code), std::move(text), {}, {}}, now);
  }

  const Wall& wall_;
  Session& session_;
  EventLog& events_;
  std::map<std::string, Server> servers_;
};

}  // namespace lw
