// The inside of ControlService: its state, shared by the files of method groups (methods_*.cpp). Control thread only.
#pragma once

#include "common/access/gate.h"
#include "common/clock/system_clock.h"
#include "common/messages/rpc.h"
#include "common/messages/stats.h"
#include "common/wall/geometry.h"
#include "common/web/web_server.h"
#include "server/control/control_service.h"
#include "server/control/event_limit.h"
#include "server/control/flight_watch.h"
#include "server/control/frame_history.h"
#include "server/control/loss_watch.h"
#include "server/control/path_watch.h"
#include "server/control/silence_watch.h"
#include "server/control/skew_watch.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace lw {

using RpcReply = std::variant<Json, RpcFailure>;

// What a method may want to know of its caller. `peer` is null for ControlService::answer.
struct Caller {
  WebPeer* peer = nullptr;

  [[nodiscard]] Visitor visitor() const { return peer == nullptr ? Visitor() : peer->visitor(); }
};

struct Subscription {
  bool stats = true;
  bool events = true;
  bool pictures = false;  // of what the tiles show
};

struct NodeState {
  WebPeer* peer = nullptr;                    // null: not connected
  std::optional<NodeReport> report;           // the newest
  LocalTime reported{};                       // of hello or the newest report
  SilenceWatch silence;                       // of all that it sends
  bool same_host = false;                     // it runs on this kernel, and has this clock
  std::optional<Json> machine;                // its host's facts, checked
  std::map<unsigned, unsigned> planned_cpus;  // of its flows, as its first report had them
  std::uint64_t records_dropped = 0;

  // As its newest report has it; nothing where nobody vouches for one.
  [[nodiscard]] std::optional<double> clock_error_us() const;
};

struct TileSettings {
  std::string pattern = "none";
  bool identify = false;
  bool mark = false;
  std::optional<LocalTime> picture;  // when the last one was passed on
};

class ControlService::Impl {
public:
  using Moves = std::vector<std::pair<unsigned, std::optional<unsigned>>>;  // flow; CPU, or wherever it may run

  Impl(boost::asio::io_context& io, const Wall& wall, Library& library, Session& session, PlanFunction plan,
       const std::filesystem::path& state);
  Result<void> listen(boost::asio::io_context& io, const WebSecurity& security);

  // Dispatch (control_service.cpp)
  std::string answer(std::string_view message, const Caller& caller);
  // Told at once, or held back and counted where there are too many of its kind.
  void on_event(const PlayEvent& event, const std::optional<std::string>& node = {}) {
    limit_.add(event, node, LocalClock::now());
  }
  void peer_closed(WebPeer& peer);

  // Methods, by group. Each has its name in the table of control_service.cpp.
  RpcReply info(const Json& params, const Caller& caller);  // methods_library.cpp
  RpcReply list(const Json& params);
  RpcReply image(const Json& params);
  RpcReply plan(const Json& params);
  RpcReply describe(const Json& params);
  RpcReply remove(const Json& params);
  RpcReply state(const Json& params);  // methods_play.cpp
  RpcReply load(const Json& params);
  RpcReply play(const Json& params);
  RpcReply pause(const Json& params);
  RpcReply stop(const Json& params);
  RpcReply seek(const Json& params);
  RpcReply rate(const Json& params);
  RpcReply loop(const Json& params);
  RpcReply playlist(const Json& params);
  RpcReply next(const Json& params);
  RpcReply identify(const Json& params);  // methods_node.cpp
  RpcReply mark(const Json& params);
  RpcReply pattern(const Json& params);
  RpcReply node_hello(const Json& params, const Caller& caller);
  RpcReply node_report(const Json& params, const Caller& caller);
  RpcReply node_picture(const Json& params, const Caller& caller);  // methods_picture.cpp
  RpcReply machines(const Json& params);                            // methods_machine.cpp
  RpcReply placement(const Json& params);                           // methods_place.cpp
  RpcReply place(const Json& params);
  RpcReply node_machine(const Json& params, const Caller& caller);
  RpcReply subscribe(const Json& params, const Caller& caller);  // methods_telemetry.cpp
  RpcReply unsubscribe(const Json& params, const Caller& caller);
  RpcReply stats(const Json& params);
  RpcReply trace(const Json& params);  // methods_trace.cpp
  RpcReply node_frames(const Json& params, const Caller& caller);

  [[nodiscard]] Json state_json() const;
  [[nodiscard]] Json overlays_json() const;        // methods_node.cpp
  [[nodiscard]] std::string metrics_text() const;  // metrics_text.cpp
  [[nodiscard]] static std::vector<std::string> method_names();

private:
  [[nodiscard]] Result<void> needs_unused(const std::string& name) const;
  void tell_library(const std::string& what);
  void scan_library();
  void look_at_library();
  RpcReply done(const Result<void>& result);  // the new state, told to all subscribers, or the failure
  void tick();
  void on_tick();
  RpcReply run(const RpcRequest& request, const Caller& caller);
  void send_away_removed();
  void write_audit(const RpcRequest& request, const Caller& caller, const RpcFailure* failure);  // null: it was done
  void write_attempt(const RpcRequest& request, const Caller& caller, std::string_view outcome);
  void collect_stats();
  void take_records();
  [[nodiscard]] std::vector<WallFlowReport> flights() const;
  [[nodiscard]] Json paths_json() const;  // of flows between the hosts' addresses
  void look_for_silent_nodes(LocalTime now);
  void hear(WebPeer& peer, LocalTime now);
  void tell_event(const PlayEvent& event, const std::optional<std::string>& node);
  void look_for_losses(const NodeReport& report, const std::string& node);
  void look_for_skew(const NodeReport& report);
  void tell_state(bool is_new = true);  // else it may be left out for who reads slowly: another one comes
  void push_overlay(TileId tile);
  void push_fades(const NodeState& node) const;
  void tell_who_wants_pictures();
  void push_picture_wish(const NodeState& node) const;
  void pass_on(const Json& picture);
  static std::map<unsigned, unsigned> cpus_in(const std::optional<NodeReport>& report);  // by flow
  Result<void> place_here(Moves moves, bool planned);
  Result<void> place_on_node(const std::string& name, Moves moves, bool planned);
  void notify(std::string_view method, const Json& params, bool Subscription::*wanted, bool droppable);
  RpcReply switch_on_tiles(const Json& params, bool TileSettings::*setting);
  Result<void> change_tiles(const std::optional<std::pair<unsigned, unsigned>>& tile,
                            const std::function<void(TileSettings&)>& change);

  const Wall& wall_;
  Library& library_;
  Session& session_;
  PlanFunction plan_;
  boost::asio::steady_timer timer_;
  std::optional<Gate> gate_;  // nothing: only this host's programs come in
  std::set<WebPeer*> peers_;
  std::map<WebPeer*, Subscription> subscribers_;
  std::map<std::string, NodeState, std::less<>> nodes_;  // of the wall file
  std::map<WebPeer*, std::string> node_of_peer_;
  std::vector<TileSettings> tiles_;  // by tile index
  std::vector<LossWatch> losses_;    // by flow, as are
  std::vector<PathWatch> two_paths_;
  SkewWatch skew_;
  std::vector<FlightWatch> flights_;  // by flow
  FrameHistory history_;
  SystemClock system_clock_;
  EventLimit limit_{
      [this](const PlayEvent& event, const std::optional<std::string>& node) { tell_event(event, node); }};
  std::deque<Json> events_;
  std::uint64_t event_count_ = 0;
  std::vector<SenderFlowStats> sender_before_;
  std::optional<LocalTime> stats_time_;
  Stats stats_;   // once there is stats_time_
  Json machine_;  // this host's facts, once asked for
  std::uint64_t revision_told_ = 0;
  Fades fades_told_;
  unsigned ticks_ = 0;
  bool pictures_wanted_ = false;       // by any subscriber: the nodes know
  std::unique_ptr<WebServer> server_;  // last: goes first
};

inline RpcFailure bad_params(std::string what) { return {nullptr, rpc_code::bad_params, std::move(what)}; }
inline RpcFailure cannot(const Error& error) { return {nullptr, rpc_code::cannot, error.text()}; }

}  // namespace lw
