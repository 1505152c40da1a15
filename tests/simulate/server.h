// The server of a simulated wall: the session with its playback and flows, on a simulated host.
#pragma once

#include "server/play/library.h"
#include "server/play/playback.h"
#include "server/play/session.h"
#include "server/play/sound_sender.h"
#include "server/send/flow_sender.h"
#include "tests/simulate/disk.h"
#include "tests/simulate/network.h"
#include "tests/simulate/operators.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lw::simulate {

class Server {
public:
  using Break = std::function<void(const std::string& law)>;

  Server(Timeline& timeline, Random& random, Network& network, const Wall& wall, const WallServer& self,
         const Content& content, Library& library, Break on_break)
      : host(timeline, random),
        timeline_(timeline),
        random_(random),
        network_(network),
        wall_(wall),
        self_(self),
        content_(content),
        library_(library),
        on_break_(std::move(on_break)) {}

  void start();
  void crash();
  [[nodiscard]] bool runs() const { return session_ != nullptr; }
  [[nodiscard]] Session& session() { return *session_; }
  [[nodiscard]] Coordination& coordination() { return operators_->control().coordination(); }
  // An operator's request: a refused one must change nothing.
  template <class Wish>
  void wish(Wish wish) {
    if (!runs() || host.frozen()) return;
    const auto before = session_->state();
    if (!wish(*session_) && session_->state().revision != before.revision)
      on_break_("a refused request changed something");
    host.hear_bells();
  }
  // From then on no frame after the old position is reported.
  void seek(std::uint32_t frame);
  void load(const std::string& name, std::uint32_t frame, bool paused, const Transition& transition);
  // An operator does something, perhaps something impossible.
  void operate(Random chance);
  // Several operators at the same instant.
  void call(Random& chance);
  void check_ledgers();
  // Call regularly: the frame is within the visualization and the range, and resends stay within their share.
  void check_bounds();
  // While still, nothing is read or sent.
  void still_playback(bool still);
  [[nodiscard]] SenderFlowStats flow_stats(unsigned flow) const { return flows_[flow]->stats(); }
  // Nodes that connect to the control plane, send messages, and disconnect.
  void opened(WebPeer& peer) { operators_->control().opened(peer); }
  void closed(WebPeer& peer) { operators_->control().closed(peer, host.now()); }
  void hear(WebPeer& peer, const std::string& message);
  [[nodiscard]] std::uint64_t process() const { return process_; }  // grows with each start
  // What an operator sees of all nodes.
  [[nodiscard]] std::vector<NodeStats> node_stats() { return operators_->node_stats(host.now()); }

  Host host;
  DiskState disk;

private:
  // The control thread: the control plane, and checks of its reports.
  class Control final : public Agent {
  public:
    explicit Control(Server& server) : server_(server) {}
    Wait step(const Moment& now) override {
      const auto wait = server_.operators_->step(now);
      server_.check_frame_told();
      return wait;
    }

  private:
    Server& server_;
  };
  struct Seeked {
    std::uint32_t frame = 0;
    std::uint32_t before = 0;    // reported at that time
    std::uint64_t revision = 0;  // the session's: a later request has another one
    WallTime until{};
  };
  void check_frame_told();
  void check_position(const PlayState& state);
  void check_resends(Nanoseconds elapsed);

  SenderPorts ports_of(const Band& band);
  std::shared_ptr<SoundSender> make_sound();
  Result<std::unique_ptr<FlowSender>> make_flow(const Band& band);
  Result<std::unique_ptr<Playback>> make_playback(std::vector<FlowSender*> flows);

  Timeline& timeline_;
  Random& random_;
  Network& network_;
  const Wall& wall_;
  const WallServer& self_;
  const Content& content_;
  Library& library_;
  const Break on_break_;
  std::vector<FlowSender*> flows_;
  Playback* playback_ = nullptr;
  std::optional<std::size_t> playback_agent_;
  std::optional<std::size_t> control_agent_;
  std::shared_ptr<SoundSender> sound_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Operators> operators_;
  std::unique_ptr<Control> control_plane_;
  std::optional<Seeked> seeked_;
  struct Resent {  // of a flow
    std::uint64_t bytes = 0;
    double saved_up = 0;  // unused share
  };
  std::vector<Resent> resent_;
  WallTime bounds_checked_{};
  std::uint64_t revision_checked_ = 0;  // of the session
  WallTime settled_{};                  // when its requests were carried out
  std::uint64_t process_ = 0;
};

}  // namespace lw::simulate
