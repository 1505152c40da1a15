// The operators of a simulated wall, and the control plane that they call: several connections at the same instant of
// virtual time, each with the role of its token, with good values and bad ones. A refused call changes nothing.
//
// Beginning with the text of a message, the real code runs: parsing, roles, parameters, the session, the answer, and
// notifications to all subscribers. Not covered are the connections themselves (sockets, TLS, WebSocket, admission,
// peers that read slowly), and the threads that `place` moves: the simulated session only records their CPUs.
#pragma once

#include "server/control/control_plane.h"
#include "tests/support/network.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lw::simulate {

using truth::Random;

// Passes requests on, except for the CPUs of flows, which have no threads here.
class PlacedSession final : public Session {
public:
  PlacedSession(Session& session, unsigned flows);

  Result<void> load(const std::string& name, std::uint32_t frame, bool paused, const Transition& transition) override {
    return session_.load(name, frame, paused, transition);
  }
  Result<void> play() override { return session_.play(); }
  Result<void> pause() override { return session_.pause(); }
  Result<void> stop() override { return session_.stop(); }
  Result<void> seek(std::uint32_t frame) override { return session_.seek(frame); }
  Result<void> set_rate(double rate) override { return session_.set_rate(rate); }
  Result<void> set_loop(bool loop, std::optional<std::uint32_t> first, std::optional<std::uint32_t> last) override {
    return session_.set_loop(loop, first, last);
  }
  Result<void> set_playlist(Playlist playlist) override { return session_.set_playlist(std::move(playlist)); }
  Result<void> set_sound(const SoundLevel& level) override { return session_.set_sound(level); }
  Result<void> next(const std::optional<Transition>& transition) override { return session_.next(transition); }
  [[nodiscard]] AnnouncedLine line() const override { return session_.line(); }
  [[nodiscard]] std::uint64_t line_number() const override { return session_.line_number(); }
  [[nodiscard]] std::vector<AnnouncedLine> lines_after(std::uint64_t number) const override {
    return session_.lines_after(number);
  }
  [[nodiscard]] bool plays() const override { return session_.plays(); }
  [[nodiscard]] std::int64_t next_tick() const override { return session_.next_tick(); }
  void announce_ahead(Nanoseconds time) override { session_.announce_ahead(time); }
  ClockKeeper* clock() override { return session_.clock(); }
  [[nodiscard]] std::optional<NeededDelay> delay_needed() const override { return session_.delay_needed(); }
  void others_need(const std::optional<NeededDelay>& need) override { session_.others_need(need); }
  [[nodiscard]] std::vector<unsigned> wants_parity() const override { return session_.wants_parity(); }
  void others_want_parity(std::vector<unsigned> flows) override { session_.others_want_parity(std::move(flows)); }
  [[nodiscard]] std::optional<Grown> grown() const override { return session_.grown(); }
  void others_grown(const std::optional<Grown>& least) override { session_.others_grown(least); }
  void coordinate(bool coordinates) override { session_.coordinate(coordinates); }
  void play_on(bool alone) override { session_.play_on(alone); }
  void trust_line(LocalTime until) override { session_.trust_line(until); }
  void send(bool sends) override { session_.send(sends); }
  Result<void> follow(const AnnouncedLine& line) override { return session_.follow(line); }
  [[nodiscard]] ReadTotals read_totals() const override { return session_.read_totals(); }
  Result<void> move_flow(unsigned flow, std::optional<unsigned> cpu) override;
  [[nodiscard]] std::vector<FlowCpu> placement() const override { return placement_; }
  std::vector<std::uint64_t> turns() override { return session_.turns(); }
  void poll() override { session_.poll(); }
  [[nodiscard]] PlayState state() const override { return session_.state(); }
  [[nodiscard]] std::string resources() const override { return session_.resources(); }
  [[nodiscard]] std::vector<SenderFlowStats> sender_stats() const override { return session_.sender_stats(); }
  [[nodiscard]] std::vector<std::vector<SiteStats>> site_stats() const override { return session_.site_stats(); }
  [[nodiscard]] std::vector<std::pair<unsigned, const SenderFlowHistograms*>> sender_histograms() const override {
    return session_.sender_histograms();
  }
  void take_records(const std::function<void(const FrameRecord&)>& take) override { session_.take_records(take); }
  [[nodiscard]] std::uint64_t records_dropped() const override { return session_.records_dropped(); }

  static constexpr unsigned cpus = 4;  // available to the process

private:
  Session& session_;
  std::vector<FlowCpu> placement_;
};

class Operators {
public:
  using Break = std::function<void(const std::string& law)>;

  Operators(const Wall& wall, const WallServer& self, Library& library, Session& session,
            std::vector<std::string> names, Break on_break);
  ~Operators();

  // The control plane's turn: it polls the session.
  Wait step(const Moment& now) { return control_->step(now); }
  void on_event(const PlayEvent& event, const Moment& now) { control_->on_event(event, now); }
  // For nodes, which connect by themselves.
  [[nodiscard]] ControlPlane& control() { return *control_; }
  [[nodiscard]] std::vector<NodeStats> node_stats(const Moment& now);
  // Some of them call, one after the other.
  void call(Random& chance, const Moment& now);

private:
  class Peer;
  struct Call {
    std::string method;
    Json params;
    bool wrong = false;  // must be refused, whoever calls
  };
  Call draw(Random& chance);
  static void draw_transition(Random& chance, Call& call);
  void call(Peer& peer, const Call& call);
  std::string answer(Peer& peer, std::string_view method, const Json& params);
  // Everything that an operator can see, and everything sent to nodes.
  [[nodiscard]] std::string state();

  PlacedSession session_;
  const std::vector<std::string> names_;  // of visualizations
  const unsigned flows_;
  const Break on_break_;
  Moment now_;  // of the calls
  std::vector<std::unique_ptr<Peer>> peers_;
  std::unique_ptr<ControlPlane> control_;
};

}  // namespace lw::simulate
