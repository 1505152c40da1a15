// The wall's other servers, as seen over the connections that this one makes to them: what each has answered, the
// newest line that it was sent, its figures, and whether it is alive. The connections come from outside (ServerLinks
// makes the real ones, a test its own). Control thread only.
#pragma once

#include "common/messages/rpc.h"
#include "common/messages/server_messages.h"
#include "common/messages/server_tables.h"
#include "common/wall/wall_file.h"
#include "server/control/event_log.h"
#include "server/control/heartbeat.h"
#include "server/control/other_library.h"
#include "server/control/site_watch.h"
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

  // All of these must outlive this object. `clock`: as of Session.
  OtherServers(const Wall& wall, const WallServer& self, EventLog& events, ClockKeeper* clock);

  void connected(const std::string& name, Send send);
  void lost(const std::string& name, const Moment& now);
  // `plays`: this server has a line that plays.
  void hear(const std::string& name, std::string_view message, bool plays, const Moment& now);

  // Tells all of them, and those that connect later, which epoch this server knows and whether it coordinates.
  void take_role(std::uint64_t epoch, bool coordinates);
  // Whether each has answered the newest hello, or could not be reached.
  [[nodiscard]] bool all_asked() const;
  // Of the answers to hello, the one with the highest epoch, and of these the one with the newest line.
  [[nodiscard]] std::optional<ServerHelloReply> newest_answer() const;

  // Asks a server again what it knows; when it last answered that it coordinates.
  void ask(const std::string& name);
  [[nodiscard]] std::optional<LocalTime> answered(const std::string& name) const;

  // For a coordinator. Whether a server that follows does not have the line of this number, or could not play it a
  // while ago; sends it to those, with those before it that they lack (Session::lines_after). How long before their
  // first ticks lines must be announced.
  [[nodiscard]] bool lack_line(std::uint64_t number, LocalTime now) const;
  using LinesAfter = std::function<std::vector<LineMessage>(std::uint64_t number)>;
  void send_lines(const LinesAfter& lines_after, std::uint64_t newest, const Moment& now);
  [[nodiscard]] Nanoseconds announce_time() const;
  void send_alive(ServerAlive alive, const Moment& now);
  // The longest playout delay that their flows need, if it is adapted.
  [[nodiscard]] std::optional<NeededDelay> delay_needed(LocalTime now) const;
  [[nodiscard]] std::vector<unsigned> wants_parity(LocalTime now) const;  // their flows
  // Of what plays and is still being written: the frames that all have who say so, and whether it is complete for all.
  [[nodiscard]] std::optional<Grown> grown(LocalTime now) const;
  // Those that are connected and not heard: perhaps they follow another server. Asks each once a second.
  void ask_silent(LocalTime now);
  // Whether it should play and is not heard, or does not play; and all of those.
  [[nodiscard]] bool is_silent(const std::string& name, bool plays, LocalTime now) const;
  [[nodiscard]] std::vector<std::string> silent(bool plays, LocalTime now) const;
  // Reads the libraries of those that follow, where they have changed; has them scan their content directories.
  void ask_for_libraries(LocalTime now);
  void have_libraries_scanned();
  // Null: it does not follow, or has not said yet what it has.
  [[nodiscard]] const OtherLibrary* library_of(const std::string& name) const;
  // Has those that follow, and may have this visualization, delete it in a moment, when they have also reached the line
  // that no longer plays it. Events say how each ends. Returns the others, which keep it.
  std::vector<std::string> remove(const std::string& visualization, LocalTime now);
  void send_removals(LocalTime now);
  // Has all of them import their tiles on their hosts, and end that.
  void begin_imports(const ImportRequest& request);
  void cancel_imports();
  // The newest import of a server; empty: none that is known.
  [[nodiscard]] std::optional<ImportMessage> import_of(const std::string& name) const;
  // The newest figures of the flows that they send. Of a server and its standby, one counts.
  [[nodiscard]] std::vector<SenderFlowReport> flows(const Moment& now) const;
  // The same of the wall's sites.
  [[nodiscard]] OthersSites sites(const Moment& now) const;

private:
  enum class Hello : std::uint8_t {
    unreachable,  // not connected, and at least one attempt has failed
    pending,      // not yet connected, or not yet answered
    answered,
    refused,
  };
  struct Server {
    Send send;  // empty: not connected
    Hello hello = Hello::pending;
    std::optional<ServerHelloReply> answer;
    std::optional<LocalTime> answered;
    bool follows = false;                    // this server's lines
    bool told = false;                       // operators heard that it does
    std::optional<std::uint64_t> line_sent;  // its number
    LocalTime line_sent_at{};
    std::string refusal;        // of this line; empty: none
    Nanoseconds round_trip{0};  // of the newest line
    Heartbeat heart;
    std::optional<NeededDelay> delay_needed;
    std::vector<unsigned> wants_parity;
    std::optional<Grown> grown;
    std::optional<std::int64_t> asks_time;  // ServerAlive
    WallTime asked_time{};                  // when that came
    LocalTime next_ask{};
    std::optional<ServerReport> report;
    std::optional<std::uint64_t> read_failures;  // of which operators have heard
    ServerTablesReceiver tables;
    LocalTime reported{};
    OtherLibrary library;
    std::optional<ImportMessage> import;
    bool import_asked = false;  // and not yet answered
  };

  void say_hello(const std::string& name, Server& server);
  [[nodiscard]] static bool lacks_line(const Server& server, std::uint64_t number, LocalTime now);
  void take_answer(const std::string& name, Server& server, const RpcResponse& answer, const Moment& now);
  void take_hello_answer(const std::string& name, Server& server, const RpcResponse& answer, const Moment& now);
  void take_alive(Server& server, const ServerAlive& alive, bool plays, const Moment& now) const;
  void take_library(const std::string& name, Server& server, const RpcResponse& answer, const Moment& now);
  void take_remove_answer(const std::string& name, const std::string& visualization, const RpcResponse& answer,
                          const Moment& now);
  static void take_import_answer(Server& server, const RpcResponse& answer);
  static void take_import(const std::string& name, Server& server, ImportMessage import);
  void take_tables(const std::string& name, Server& server, std::string_view message, const Moment& now);
  void take_report(const std::string& name, Server& server, const Moment& now);
  [[nodiscard]] bool reports(const std::string& name, const Moment& now) const;
  [[nodiscard]] bool reports_flow(const std::string& name, unsigned flow, const Moment& now) const;
  void tell(Severity severity, std::string code, std::string text, const Moment& now) {
    events_.add({severity, std::move(code), std::move(text), {}, {}}, now);
  }

  const Wall& wall_;
  const WallServer& self_;
  const std::vector<TileIndex> own_tiles_;
  EventLog& events_;
  ClockKeeper* const clock_;
  std::uint64_t epoch_ = 0;
  bool coordinates_ = false;
  std::map<std::string, Server> servers_;
  struct Removal {
    std::string visualization;
    LocalTime due{};
  };
  std::vector<Removal> removals_;
};

}  // namespace lw
