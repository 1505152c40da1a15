// Which of the wall's servers decides what plays: the coordinator. The others follow its lines, and play on along the
// newest one while it is not heard. Each coordinator has a higher epoch than the one before, and whoever has heard of a
// higher epoch no longer listens to a lower one: of two servers that both believe to coordinate, one soon stops.
//
// - A server that starts and that the wall file marks as coordinator asks the others first. If they play, it continues
//   their line, or follows the server that coordinates meanwhile.
// - Of the coordinator and its standby, the other one takes its place when it is not heard for a second. An
//   administrator can choose any server (method `coordinate`).
// - A cold standby sends while the server that it stands for is silent.
//
// An agent's part, without sockets: the connections come from outside. Control thread only.
#pragma once

#include "common/base/result.h"
#include "common/messages/server_messages.h"
#include "common/messages/server_tables.h"
#include "common/wall/wall_file.h"
#include "common/web/web_server.h"
#include "server/control/event_log.h"
#include "server/control/heartbeat.h"
#include "server/control/other_servers.h"
#include "server/play/session.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lw {

class Coordination {
public:
  // How long a coordinator is not heard before its standby takes its place; and the same for one that the standby has
  // not heard at all since it started.
  static constexpr std::chrono::milliseconds takeover_after{1000};
  static constexpr std::chrono::seconds first_takeover_after{10};
  // How long a coordinator that starts waits for the others' answers.
  static constexpr std::chrono::milliseconds ask_for{1500};

  // All of these must outlive this object. A wall of one server has a coordinator without others.
  Coordination(const Wall& wall, const WallServer& self, Session& session, EventLog& events);

  // Call at every tick.
  void step(const Moment& now);
  [[nodiscard]] bool coordinates() const { return coordinates_; }
  // Of the newest coordinator that this server knows.
  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }
  // Whether it coordinates, and nothing played when it began: what is to play first may be loaded.
  [[nodiscard]] bool begins_anew() const { return coordinates_ && anew_; }
  // Whether it needs connections to the others: what coordinates or may soon do so.
  [[nodiscard]] bool needs_links() const { return others_ && (coordinates_ || may_coordinate_); }
  // For callers of methods that only the coordinator has: where it is. Empty: here.
  [[nodiscard]] std::string elsewhere() const;
  // By hand.
  Result<void> take_over(const Moment& now);

  // Of the connections made from here.
  void connected(const std::string& name, OtherServers::Send send) { others_->connected(name, std::move(send)); }
  void lost(const std::string& name, const Moment& now) { others_->lost(name, now); }
  void hear(const std::string& name, std::string_view message, const Moment& now) {
    others_->hear(name, message, session_.plays(), now);
  }
  // The newest figures of the flows that other servers send, if this one coordinates.
  [[nodiscard]] std::vector<SenderFlowReport> flows_of_others(const Moment& now) const {
    return others_ && coordinates_ ? others_->flows(now) : std::vector<SenderFlowReport>{};
  }
  // As the coordinator: their reports have figures of flows so many reports apart.
  void ask_for_flows(unsigned every) { flows_asked_every_ = every; }
  // What they see of the sites.
  [[nodiscard]] OthersSites sites_of_others(const Moment& now) const {
    return others_ && coordinates_ ? others_->sites(now) : OthersSites{};
  }
  // Of a wall with several servers, at the coordinator; null: elsewhere.
  [[nodiscard]] OtherServers* followers() { return others_ && coordinates_ ? &*others_ : nullptr; }

  // Messages over connections that other servers made to this one.
  Result<ServerHelloReply> take_hello(const ServerHello& hello, WebPeer& peer, const Moment& now);
  Result<void> take_line(const LineMessage& line, const WebPeer* peer);
  void take_alive(const ServerAlive& alive, const WebPeer* peer, const Moment& now);
  void closed(const WebPeer& peer);
  // Whether another server coordinates, and is connected.
  [[nodiscard]] bool follows() const { return leader_ != nullptr; }
  // Sends it this server's figures, if it is connected, and has read the earlier ones. `flows`: also those of flows,
  // which it wants every so many reports.
  void report(const ServerReport& report, bool flows);
  [[nodiscard]] unsigned flows_every() const { return flows_every_; }

private:
  [[nodiscard]] std::vector<LineMessage> lines_after(std::uint64_t number) const;
  void settle(const Moment& now);
  void follow_waiting(const Moment& now);
  void hear_of_epochs(const Moment& now);
  void coordinate(std::uint64_t epoch, const Moment& now);
  void follow_another(std::uint64_t epoch, const std::string& name, const Moment& now);
  void watch_coordinator(const Moment& now);
  void stand_in(const Moment& now);
  [[nodiscard]] bool is_silent(const std::string& server, LocalTime now) const;
  [[nodiscard]] bool is_of_now(const ServerAlive& alive, const Moment& now) const;
  void tell(Severity severity, std::string code, std::string text, const Moment& now) {
    events_.add({severity, std::move(code), std::move(text), {}, {}}, now);
  }

  const Wall& wall_;
  const WallServer& self_;
  const bool may_coordinate_;  // without being asked by hand: the wall file's coordinator, and its standby
  Session& session_;
  ClockKeeper* const clock_;  // as of Session
  EventLog& events_;
  std::optional<OtherServers> others_;
  std::uint64_t epoch_ = 0;
  std::string coordinator_;  // its name; empty: not known
  bool coordinates_ = false;
  LocalTime coordinates_since_{};
  bool anew_ = false;
  bool asks_ = false;  // the others, before it coordinates
  std::optional<LocalTime> began_;
  LocalTime stepped_{};
  LocalTime doubts_until_{};  // that its line is the wall's
  WebPeer* leader_ = nullptr;
  std::optional<ServerTablesSender> leader_tables_;  // empty: it is of a version that reads JSON only
  unsigned flows_every_ = 1;                         // reports, by its wish
  unsigned flows_asked_every_ = 1;                   // by this server's, if it coordinates
  Heartbeat leader_heart_;
  std::vector<std::string> silent_;       // servers that the coordinator does not hear
  std::vector<std::string> told_silent_;  // the same, as this one has told the others, if it coordinates
  bool has_line_ = false;                 // from a coordinator
  std::vector<LineMessage> waiting_;      // for the wall's time, before which they cannot be played
  bool stands_in_ = false;                // a cold standby sends
  LocalTime next_alive_{};
  std::optional<LocalTime> followed_since_;  // this coordinator
  LocalTime next_ask_{};                     // whether the coordinator is there
};

}  // namespace lw
