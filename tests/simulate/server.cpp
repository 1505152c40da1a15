#include "tests/simulate/server.h"

#include "common/wall/flow_routes.h"
#include "common/wall/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lw::simulate {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds seek_judged{100};
constexpr std::chrono::milliseconds settles_within{500};  // also in the middle of a fade

// A flow sends less than four times its pixels and one packet: it adds headers, padding, and parity, of which small
// frames need more.
constexpr double sent_most = 4;
// Resends that were saved up may leave at once (server/send/resender.h), and figures are at most this old.
constexpr double resent_at_once = 9;
constexpr std::chrono::milliseconds published_within{40};

}  // namespace

SenderPorts Server::ports_of(const Band& band) {
  SenderPorts ports;
  for (const auto& route : routes_of(wall_, self_, band)) {
    const auto port = [&](unsigned above) {
      const auto local = Address::parse(route.from, static_cast<std::uint16_t>(source_port(wall_, band.flow) + above));
      const auto peer = Address::parse(route.to, static_cast<std::uint16_t>(media_port(wall_, band.flow) + above));
      return std::make_unique<SimPort>(network_, host, local.value(), peer.value(), false);
    };
    ports.paths.push_back({port(0), port(1)});
  }
  ports.clock = host.clock();
  ports.server = self_.name;
  ports.numbers = {random_.word(), random_.word() & 0xffffU, random_.word(), static_cast<std::uint16_t>(random_.word()),
                   random_.word()};
  return ports;
}

Result<std::unique_ptr<FlowSender>> Server::make_flow(const Band& band) {
  return FlowSender::make(wall_, band, ports_of(band));
}

// Null if no node gets sound from this server.
std::shared_ptr<SoundSender> Server::make_sound() {
  std::vector<SoundSender::Stream> streams;
  for (const auto& sound : sounds_of(wall_, self_)) streams.push_back({sound, ports_of(sound.band)});
  return streams.empty() ? nullptr
                         : std::make_shared<SoundSender>(std::move(streams), std::nullopt, wall_.servers.size() == 1);
}

Result<std::unique_ptr<Playback>> Server::make_playback(std::vector<FlowSender*> flows) {
  flows_ = flows;
  PlaybackPorts ports;
  ports.reader = [this](unsigned reads_max, std::span<const std::span<std::byte>> /*memory*/, Doorbell& /*bell*/) {
    return std::make_unique<SimReader>(timeline_, random_, wall_, content_, disk, reads_max, [this] {
      if (playback_agent_) host.wake(*playback_agent_);
    });
  };
  ports.clock = host.clock();
  auto playback = Playback::make(wall_, self_, std::move(flows), std::move(ports));
  if (playback) playback_ = playback->get();
  return playback;
}

void Server::start() {
  ++process_;
  SessionPorts ports;
  ports.flow = [this](const Band& band) { return make_flow(band); };
  ports.playback = [this](std::vector<FlowSender*> flows) { return make_playback(std::move(flows)); };
  ports.sound = sound_ = make_sound();
  ports.clock = host.clock();
  ports.start.emplace();
  for (auto& byte : ports.start->secret) byte = static_cast<std::byte>(random_.word());
  if (wall_.clock == ClockSource::wall) ports.kept_clock = &host.clocks;
  session_ = Session::make(wall_, self_, library_, std::move(ports), [this](const PlayEvent& event) {
               if (operators_) operators_->on_event(event, host.now());
             }).value();
  std::vector<std::string> names;
  for (const auto& visualization : content_.all()) names.push_back(visualization.name);
  operators_ = std::make_unique<Operators>(wall_, self_, library_, *session_, std::move(names), on_break_);
  for (auto* flow : flows_) host.add(*flow);
  playback_agent_ = host.add(*playback_);
  control_plane_ = std::make_unique<Control>(*this);
  control_agent_ = host.add(*control_plane_);
  if (sound_) host.add(*sound_);
}

void Server::crash() {
  host.clear();
  playback_agent_.reset();
  control_agent_.reset();
  control_plane_.reset();
  seeked_.reset();
  operators_.reset();
  session_.reset();
  sound_.reset();
  flows_.clear();
  resent_.clear();
}

void Server::still_playback(bool still) {
  if (still)
    host.delay_thread(*playback_agent_, true);
  else
    host.resume_threads();
}

void Server::seek(std::uint32_t frame) {
  wish([&](Session& session) {
    const auto before = session.state().frame;
    if (!session.seek(frame)) return false;
    seeked_ = {frame, before, session.state().revision, timeline_.now().wall + seek_judged};
    return true;
  });
}

void Server::call(Random& chance) {
  if (!runs() || host.frozen()) return;
  operators_->call(chance, host.now());
  host.hear_bells();
}

void Server::load(const std::string& name, std::uint32_t frame, bool paused, const Transition& transition) {
  wish([&](Session& session) {
    const bool loads = session.load(name, frame, paused, transition).has_value();
    if (loads && !content_.is_whole(name)) on_break_("an incomplete store is loaded");
    return loads;
  });
}

// Some requests are impossible.
void Server::operate(Random chance) {
  if (chance.once_in(2)) return call(chance);
  const auto& visualization = content_.all()[chance.below(content_.all().size())];
  const auto frame = static_cast<std::uint32_t>(chance.below(visualization.frames + 3));
  const Transition transition{chance.once_in(3) ? std::chrono::milliseconds{chance.between(100, 1500)} : 0ms};
  switch (chance.below(9)) {
    case 0:
    case 1:
      return load(visualization.name, frame, chance.once_in(4), transition);
    case 2:
      return seek(runs() && chance.once_in(2) ? static_cast<std::uint32_t>(chance.below(session_->state().frame_count))
                                              : frame);
    case 3:
      return wish([&](Session& s) { return s.set_rate(static_cast<double>(chance.below(20)) - 9).has_value(); });
    case 4:
      return wish([](Session& s) { return s.pause().has_value(); });
    case 5:
      return wish([](Session& s) { return s.play().has_value(); });
    case 6:
      wish([&](Session& s) {
        Playlist playlist;
        for (std::size_t i = chance.below(4); i > 0; --i) {
          PlaylistEntry entry;
          entry.name = content_.all()[chance.below(content_.all().size())].name;
          entry.seconds = static_cast<double>(chance.between(0, 20)) / 10;
          playlist.entries.push_back(entry);
        }
        playlist.repeat = chance.once_in(2);
        return s.set_playlist(playlist).has_value();
      });
      return wish([&](Session& s) { return s.next(transition).has_value(); });
    case 7:
      return wish([&](Session& s) {
        return s.set_loop(chance.once_in(2), frame, static_cast<std::uint32_t>(frame + chance.below(9))).has_value();
      });
    default:
      return wish([](Session& s) { return s.stop().has_value(); });
  }
}

void Server::hear(WebPeer& peer, const std::string& message) {
  auto answer = operators_->control().answer(message, {host.now(), &peer});
  if (!answer.empty()) peer.send(std::move(answer));
}

void Server::check_frame_told() {
  if (!seeked_) return;
  const auto state = session_->state();
  if (state.revision != seeked_->revision || state.range || timeline_.now().wall > seeked_->until)
    return seeked_.reset();
  // How far playing can get meanwhile, in either direction.
  const auto ticks = state.frame_rate.hertz() * std::chrono::duration<double>(seek_judged).count() + 1;
  const auto far = static_cast<std::uint32_t>(std::ceil(ticks * std::abs(state.rate)));
  const auto apart = [&](std::uint32_t a, std::uint32_t b) {
    const auto distance = std::max(a, b) - std::min(a, b);
    return std::min(distance, state.frame_count - distance);
  };
  if (apart(seeked_->frame, seeked_->before) > 4 * far && apart(state.frame, seeked_->before) <= far)
    on_break_(fmt::format("after a seek to frame {} frame {} is reported", seeked_->frame, state.frame));
}

void Server::check_bounds() {
  const auto now = timeline_.now().wall;
  const auto elapsed = now - std::exchange(bounds_checked_, now);
  if (!runs()) return;
  check_position(session_->state());
  check_resends(elapsed);
}

void Server::check_position(const PlayState& state) {
  if (state.status != PlayStatus::stopped && state.frame >= state.frame_count)
    on_break_(fmt::format("frame {} of {} is reported", state.frame, state.frame_count));
  const auto now = timeline_.now().wall;
  // A frame is reported after it was read and after the control thread asked what is playing.
  const bool may_lag = host.frozen() || host.delays(*playback_agent_) || host.delays(*control_agent_) || state.coming ||
                       !disk.works() || !content_.is_whole(state.name);
  if (std::exchange(revision_checked_, state.revision) != state.revision || may_lag) settled_ = now + settles_within;
  if (now >= settled_ && state.range && !state.range->has(state.frame))
    on_break_(
        fmt::format("frame {} is reported, outside {} to {}", state.frame, state.range->first, state.range->last));
}

// A leaky bucket that drains at the resends' share of what the flow sends, and that may hold what was saved up.
void Server::check_resends(Nanoseconds elapsed) {
  resent_.resize(flows_.size());
  for (const auto& band : all_bands(wall_)) {
    auto& resent = resent_[band.flow];
    const auto bytes = flows_[band.flow]->stats().resent_bytes;
    const auto more = bytes - std::exchange(resent.bytes, bytes);
    const auto frame = frame_bytes_max(wall_.tile(band.tile).place.width, band.rows) + wall_.streaming.mtu;
    const auto share =
        sent_most * static_cast<double>(frame) * wall_.frame_rate.hertz() * wall_.streaming.resend_percent / 100.0;
    const auto of = [&](Nanoseconds time) { return share * std::chrono::duration<double>(time).count(); };
    resent.saved_up = std::max(0.0, resent.saved_up + static_cast<double>(more) - of(elapsed));
    if (resent.saved_up > resent_at_once * wall_.streaming.mtu + of(published_within))
      on_break_(fmt::format("flow {} resends {:.0f} bytes beyond its share", band.flow, resent.saved_up));
  }
}

void Server::check_ledgers() {
  for (const auto* flow : flows_) {
    const auto stats = flow->stats();
    if (stats.send_errors > 0) on_break_("a simulated socket reported send errors");
    if (stats.packets > 0 && stats.frames + stats.frames_skipped == 0 && stats.bytes == 0)
      on_break_("packets of no frame");
  }
}

}  // namespace lw::simulate
