// A render node of a simulated wall: receivers, presenter and screen on a simulated host.
#pragma once

#include "common/clock/clock_keeper.h"
#include "tests/simulate/display.h"
#include "tests/simulate/network.h"
#include "tests/simulate/sound.h"
#include "wall-client/control/node_reporter.h"
#include "wall-client/present/presenter.h"
#include "wall-client/receive/flow_receiver.h"
#include "wall-client/sound/sound_receiver.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lw::simulate {

class Node {
public:
  using Break = SimDisplay::Break;

  Node(Timeline& timeline, Random& random, Network& network, const Wall& wall, const WallNode& node,
       const Content& content, Break on_break)
      : host(timeline, random),
        timeline_(timeline),
        random_(random),
        network_(network),
        wall_(wall),
        node_(node),
        content_(content),
        on_break_(std::move(on_break)) {}

  void start();
  void crash();
  [[nodiscard]] bool runs() const { return presenter_ != nullptr; }
  [[nodiscard]] Presenter& presenter() { return *presenter_; }
  [[nodiscard]] SimDisplay& display() { return *display_; }
  [[nodiscard]] const SimDisplay& display() const { return *display_; }
  [[nodiscard]] SimSound* sound() { return sound_ ? &*sound_ : nullptr; }  // null: it gets none
  [[nodiscard]] SoundNodeStats sound_stats() const { return sound_receiver_->stats(); }
  [[nodiscard]] NodeReporter& reporter() { return *reporter_; }
  // With [clock] source = "wall".
  [[nodiscard]] std::optional<ClockStats> clock_stats() const {
    return clock_ ? std::optional(clock_->stats()) : std::nullopt;
  }
  [[nodiscard]] std::uint64_t process() const { return process_; }  // grows with each start
  // The packets that this node's process lately reported to the server, and the fades that it follows.
  [[nodiscard]] const std::deque<std::uint64_t>& packets_told() const { return packets_told_; }
  [[nodiscard]] const Fades& fades() const { return fades_; }
  [[nodiscard]] const std::string& name() const { return node_.name; }
  void check_ledger(std::size_t agent) const;  // of the one that was stepped
  void check_bounds() const;                   // when nothing was lost for longer than the playout delay
  // Of all processes that this node had.
  struct Totals {
    std::uint64_t shown_whole = 0;
    std::uint64_t shown_concealed = 0;
    std::uint64_t lost = 0;
    std::uint64_t repaired = 0;
    std::uint64_t rebuilt = 0;
  };
  [[nodiscard]] Totals totals() const;
  [[nodiscard]] std::vector<ReceiverFlowStats> flow_stats() const;

  Host host;
  WallTime frozen_at{};  // the last time
  DisplayState screen;
  std::function<void(std::string)> say_to_server;  // while connected

private:
  std::unique_ptr<FlowReceiver> make_flow(const Band& band);
  std::unique_ptr<DatagramPort> make_media_port(unsigned flow);
  void start_sound();
  ReportedNode reported();

  Timeline& timeline_;
  Random& random_;
  Network& network_;
  const Wall& wall_;
  const WallNode& node_;
  const Content& content_;
  const Break on_break_;
  Doorbell presenter_bell_;
  std::optional<ClockKeeper> clock_;
  std::unique_ptr<PassingBoard> finished_;  // for the presenter
  std::unique_ptr<NodeHoldings> holdings_;
  std::vector<std::unique_ptr<FlowReceiver>> flows_;
  std::optional<SimSound> sound_;
  std::unique_ptr<SoundReceiver> sound_receiver_;
  std::unique_ptr<SimDisplay> display_;
  std::unique_ptr<Presenter> presenter_;
  std::unique_ptr<NodeReporter> reporter_;
  std::uint64_t process_ = 0;
  std::deque<std::uint64_t> packets_told_;
  Fades fades_;
  Totals past_;  // of processes that crashed
};

}  // namespace lw::simulate
