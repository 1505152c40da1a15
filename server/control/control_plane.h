// The control plane without its sockets: an agent that owns the parts, answers messages of peers, and at every tick
// polls the session, collects the figures and notifies subscribers. Control thread only.
#pragma once

#include "common/concurrency/agent.h"
#include "server/control/coordination.h"
#include "server/control/methods.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

class ControlPlane final : public Agent {
public:
  // `state`: the folder of tokens and audit log; empty: none. Wall, library and session must outlive this object.
  ControlPlane(const Wall& wall, const WallServer& self, Library& library, Session& session, const PlanFunction& plan,
               const std::filesystem::path& state, ImportPlace imports = {});

  Wait step(const Moment& now) override;
  void on_event(const PlayEvent& event, const Moment& now) { events_.add(event, now); }

  void opened(WebPeer& peer) { peers_.insert(&peer); }
  void closed(WebPeer& peer, const Moment& now);
  // Where tables of figures are encoded; without this, on the control thread.
  void encode_by(EncodingThread thread) { stream_.encode_by(std::move(thread)); }
  // Answers one message of a peer; empty if it needs no answer.
  std::string answer(std::string_view message, const Caller& caller);

  [[nodiscard]] Gate* gate() { return gate_ ? &*gate_ : nullptr; }  // null: only programs on this host may connect
  [[nodiscard]] std::vector<std::string> method_names() const { return dispatcher_.names(); }
  [[nodiscard]] std::string metrics_text() const;
  [[nodiscard]] Coordination& coordination() { return coordination_; }
  [[nodiscard]] TabletPage& tablet() { return tablet_; }

private:
  void report_to_coordinator(bool flows);
  void look_at_library(const Moment& now);
  void look_at_imports(const Moment& now);
  void collect(const Moment& now);
  void look_at_health(LocalTime now);
  void send_away_removed(LocalTime now);

  const Wall& wall_;
  const WallServer& self_;
  Session& session_;
  std::optional<Gate> gate_;
  Dispatcher dispatcher_;
  std::set<WebPeer*> peers_;
  Subscribers subscribers_;
  EventLog events_{wall_, subscribers_};
  NodeRegistry nodes_;
  TileOverlays overlays_;
  PictureRelay pictures_;
  TelemetryStream stream_;
  DetailWanted detail_;
  Telemetry telemetry_;
  HealthWatch health_;
  StatePublisher publisher_;
  LibraryWatch library_;
  SummaryStream summary_;
  Coordination coordination_;
  LibraryListing listing_;
  WallLibrary wall_library_;
  WallImport imports_;
  SourceProbe sources_;
  TabletPage tablet_;
  bool coordinates_ = false;  // did at the last tick
  unsigned ticks_ = 0;
};

}  // namespace lw
