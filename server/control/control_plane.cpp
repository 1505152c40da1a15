#include "server/control/control_plane.h"

#include "server/control/metrics_text.h"
#include "server/control/reply_limits.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

constexpr std::chrono::milliseconds tick_interval{20};
constexpr unsigned ticks_per_stats = 5;   // 10 Hz
constexpr unsigned ticks_per_state = 25;  // 2 Hz
constexpr unsigned ticks_per_summary = 25;
constexpr unsigned ticks_per_look_at_tokens = 50;
constexpr unsigned ticks_per_look_at_library = 100;

}  // namespace

ControlPlane::ControlPlane(const Wall& wall, const WallServer& self, Library& library, Session& session,
                           const PlanFunction& plan, const std::filesystem::path& state, ImportPlace imports)
    : wall_(wall),
      self_(self),
      session_(session),
      gate_(state.empty() ? std::optional<Gate>() : std::optional<Gate>(std::in_place, state)),
      dispatcher_(gate(), reply_bytes_max(wall)),
      nodes_(wall, events_),
      overlays_(wall, nodes_),
      pictures_(wall, nodes_, subscribers_),
      detail_(wall, nodes_, subscribers_, stream_),
      telemetry_(wall, session, nodes_, events_),
      health_(wall),
      publisher_(session, library, overlays_, nodes_, subscribers_, wall.sound_count() > 0),
      library_(library, events_, publisher_),
      summary_(session, health_, library_),
      coordination_(wall, self, session, events_),
      listing_(wall, self, library),
      wall_library_(wall, self, library, listing_, coordination_),
      imports_(wall, self, std::move(imports), coordination_, events_),
      sources_(imports_.job()),
      tablet_(library, gate()) {
  offer_library_methods(dispatcher_, wall, self, library, session, library_, wall_library_, plan,
                        imports_.job().place());
  offer_telemetry_methods(dispatcher_, telemetry_, subscribers_, events_, pictures_, publisher_, stream_);
  if (wall.servers.size() > 1) {
    offer_server_methods(dispatcher_, coordination_);
    offer_server_library_methods(dispatcher_, listing_, library_);
    offer_server_import_methods(dispatcher_, imports_.job());
    dispatcher_.offer_if_here([this] { return coordination_.elsewhere(); });
  }
  offer_play_methods(dispatcher_, library, session, library_, wall_library_, publisher_);
  offer_import_methods(dispatcher_, imports_, sources_, publisher_);
  offer_tablet_methods(dispatcher_, wall, summary_, tablet_);
  offer_tile_methods(dispatcher_, overlays_, publisher_);
  offer_trace_methods(dispatcher_, wall, session, telemetry_, nodes_, detail_);
  offer_machine_methods(dispatcher_, wall, library, nodes_);
  offer_place_methods(dispatcher_, wall, session, nodes_, events_);
  offer_node_methods(dispatcher_, wall, nodes_, events_, telemetry_, overlays_, pictures_, publisher_, detail_,
                     coordination_);
}

void ControlPlane::report_to_coordinator(bool flows) {
  const auto reads = session_.read_totals();
  const auto& stats = *telemetry_.stats();
  coordination_.report(
      {stats.sender, reads.failures, reads.late, listing_.revision(), imports_.job().message(), stats.sites}, flows);
}

void ControlPlane::look_at_library(const Moment& now) {
  if (ticks_ % ticks_per_look_at_library == 0) library_.look(now);
  if (wall_.servers.size() == 1 || !listing_.step()) return;
  const auto has = std::ranges::count_if(listing_.entries(), &ServerVisualization::fits);
  library_.tell(fmt::format("visualizations that server {} can send: {}", self_.name, has), now);
}

// Operators see how far they are, and what they made, at once.
void ControlPlane::look_at_imports(const Moment& now) {
  sources_.step(now);
  const bool ran = imports_.job().runs();
  if (!imports_.step(now)) return;
  if (ran && !imports_.job().runs()) library_.look(now);
  publisher_.show_imports(imports_.messages());
  publisher_.publish(!imports_.runs());
}

Wait ControlPlane::step(const Moment& now) {
  session_.poll();
  coordination_.step(now);
  if (const bool before = std::exchange(coordinates_, coordination_.coordinates()); before && !coordinates_)
    nodes_.send_away(coordination_.elsewhere());
  events_.flush(now);
  ++ticks_;
  if (ticks_ % ticks_per_stats == 0) {
    telemetry_.take_records();
    nodes_.look_for_silence(now);
    telemetry_.look_who_reports();
    detail_.look(now.local);
    coordination_.ask_for_flows(detail_.every());
    collect(now);
    if (subscribers_.any(&Subscription::stats))
      subscribers_.notify("stats", to_json(*telemetry_.stats()), &Subscription::stats, true);
  }
  if (ticks_ % ticks_per_look_at_tokens == 0) send_away_removed(now.local);
  look_at_library(now);
  look_at_imports(now);
  const bool is_new = publisher_.is_new();
  if (is_new || (ticks_ % ticks_per_state == 0 && session_.state().status == PlayStatus::playing))
    publisher_.publish(is_new);
  look_at_health(now.local);
  return {.until = now.local + tick_interval, .hears_bell = false};
}

// Figures of the server's own flows are copied, and those of the nodes' flows are: as often as they are wanted.
void ControlPlane::collect(const Moment& now) {
  const auto every = coordination_.follows() ? std::min(detail_.every(), coordination_.flows_every()) : detail_.every();
  const bool all = telemetry_.stats() == nullptr || ticks_ / ticks_per_stats % every == 0;
  if (all || stream_.any())
    telemetry_.collect(now, all ? std::optional(coordination_.flows_of_others(now)) : std::nullopt,
                       coordination_.sites_of_others(now));
  if (stream_.any()) stream_.send(telemetry_.shared_stats());
  if (coordination_.follows()) report_to_coordinator(all);
}

void ControlPlane::look_at_health(LocalTime now) {
  const bool is_due = ticks_ % ticks_per_summary == 0;
  if (is_due && telemetry_.stats() != nullptr) health_.update(*telemetry_.stats(), session_.state().status, now);
  summary_.step(is_due);
}

void ControlPlane::closed(WebPeer& peer, const Moment& now) {
  peers_.erase(&peer);
  coordination_.closed(peer);
  subscribers_.remove(&peer);
  stream_.remove(&peer);
  summary_.remove(&peer);
  sources_.remove(&peer);
  pictures_.look_who_wants();
  nodes_.disconnect(peer, now);
}

std::string ControlPlane::answer(std::string_view message, const Caller& caller) {
  if (caller.peer != nullptr) nodes_.hear(*caller.peer, caller.now);
  if (is_cbor(message)) {
    take_node_tables(message, caller, nodes_, telemetry_, detail_);
    return {};
  }
  return dispatcher_.answer(message, caller);
}

// Closes connections whose token has been removed, or whose session has ended.
void ControlPlane::send_away_removed(LocalTime now) {
  if (gate_) {
    gate_->tell_attempts(now);
    gate_->refresh();
  }
  const auto has_access = [&](const Visitor& visitor) { return !gate_ || gate_->knows(visitor); };
  auto& sessions = tablet_.sessions();
  for (auto* peer : peers_) {
    const auto& visitor = peer->visitor();
    if (!(visitor.by_session ? sessions.keep(visitor, now) : has_access(visitor)))
      peer->close(visitor.by_session ? "the session has ended" : "the token was removed");
  }
  sessions.look(has_access, now);
}

std::string ControlPlane::metrics_text() const {
  return lw::metrics_text(wall_, telemetry_.stats(), telemetry_.histograms());
}

}  // namespace lw
