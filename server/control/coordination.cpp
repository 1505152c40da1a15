#include "server/control/coordination.h"

#include "common/plan/buffers.h"
#include "common/wall/shared_settings.h"
#include "server/control/line_messages.h"
#include "server/control/server_time.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

constexpr std::size_t lines_waiting_max = 64;
constexpr std::size_t report_unread_max = std::size_t{256} << 10U;  // of the coordinator, which then misses one
static_assert(Session::noticed_silent > Heartbeat::silence + 2 * Heartbeat::interval);

std::string place_of(const WallServer& server) {
  return fmt::format("{}:{}", server.control_host, server.control_port);
}

bool stands_for(const WallServer& server, const std::string& name) {
  return server.standby != Standby::none && server.standby_for == name;
}

}  // namespace

Coordination::Coordination(const Wall& wall, const WallServer& self, Session& session, EventLog& events)
    : wall_(wall),
      self_(self),
      may_coordinate_(&wall.coordinator() == &self || stands_for(self, wall.coordinator().name)),
      session_(session),
      clock_(session.clock()),
      events_(events) {
  if (wall.servers.size() == 1) {
    coordinates_ = anew_ = true;
    epoch_ = 1;
    coordinator_ = self.name;
    session_.coordinate(true);
    return;
  }
  others_.emplace(wall, self, events, clock_);
  asks_ = may_coordinate_;
  session_.coordinate(false);
  session_.send(self.standby != Standby::cold);
}

void Coordination::step(const Moment& now) {
  if (!others_) return;
  if (!began_) began_ = now.local;
  // Others were not silent while this server was frozen; and the wall may play something else by now, unless this
  // server decides that, and was not away for so long that another one has taken its place.
  if (const auto away = now.local - std::exchange(stepped_, now.local); away > Heartbeat::silence) {
    if (followed_since_) followed_since_ = now.local;
    if (!coordinates_ || away > takeover_after - Heartbeat::silence) doubts_until_ = now.local + Heartbeat::silence;
  }
  if (now.local >= doubts_until_) session_.trust_line(now.local + Heartbeat::silence);
  follow_waiting(now);
  if (asks_) settle(now);
  if (!asks_) hear_of_epochs(now);
  if (coordinates_) {
    if (const auto newest = session_.line_number(); others_->lack_line(newest, now.local))
      others_->send_lines([this](std::uint64_t number) { return lines_after(number); }, newest, now);
    session_.announce_ahead(others_->announce_time());
    session_.others_need(others_->delay_needed(now.local));
    session_.others_want_parity(others_->wants_parity(now.local));
    session_.others_grown(others_->grown(now.local));
    others_->ask_silent(now.local);
    others_->ask_for_libraries(now.local);
    others_->send_removals(now.local);
  }
  // A cold standby hears at once that its server has fallen silent. A coordinator that has just begun has not heard
  // any.
  std::vector<std::string> silent;
  if (coordinates_ && now.local - coordinates_since_ > Heartbeat::silence)
    silent = others_->silent(session_.plays(), now.local);
  if (now.local >= next_alive_ || silent != told_silent_) {
    next_alive_ = now.local + Heartbeat::interval;
    told_silent_ = silent;
    ServerAlive alive;
    alive.epoch = epoch_;
    alive.next_tick = session_.next_tick();
    if (coordinates_) {
      alive.silent = std::move(silent);
      alive.flows_every = flows_asked_every_;
      others_->send_alive(alive, now);
    } else if (leader_ != nullptr) {
      if (const auto need = session_.delay_needed()) {
        alive.delay_needed_ns = need->delay.count();
        alive.slowest_flow = need->flow;
      }
      alive.wants_parity = session_.wants_parity();
      if (const auto grown = session_.grown()) {
        alive.frames = grown->frames;
        alive.complete = grown->complete;
      }
      if (clock_ != nullptr)
        if (const auto asked = clock_->next_request()) alive.asks_time = asked->time_since_epoch().count();
      leader_->send(std::make_shared<const std::string>(rpc_notification("server.alive", to_json(alive))), true);
    }
  }
  if (!coordinates_) watch_coordinator(now);
  session_.play_on(!coordinates_ && has_line_ && leader_heart_.is_silent(false, now.local));
  if (self_.standby == Standby::cold) stand_in(now);
}

void Coordination::follow_waiting(const Moment& now) {
  if (waiting_.empty() || !clock_->error()) return;
  for (const auto& line : std::exchange(waiting_, {}))
    if (const auto followed = session_.follow(from_message(line)); !followed)
      tell(Severity::error, "server-cannot-play", "cannot play what the wall plays: " + followed.error().text(), now);
}

std::vector<LineMessage> Coordination::lines_after(std::uint64_t number) const {
  std::vector<LineMessage> lines;
  for (const auto& line : session_.lines_after(number)) lines.push_back(to_message(line, epoch_));
  return lines;
}

// Once all others have answered, or had the time to.
void Coordination::settle(const Moment& now) {
  if (!others_->all_asked() && now.local - *began_ < ask_for) return;
  asks_ = false;
  const auto known = others_->newest_answer();
  if (!known || known->epoch == 0) {
    if (&wall_.coordinator() != &self_) return;  // it will be heard
    anew_ = true;
    return coordinate(1, now);
  }
  if (known->coordinator != self_.name) return follow_another(known->epoch, known->coordinator, now);
  epoch_ = known->epoch;
  if (known->line) {
    if (const auto followed = session_.follow(from_message(*known->line)); !followed)
      tell(Severity::error, "server-cannot-play", "cannot continue what the wall plays: " + followed.error().text(),
           now);
  } else {
    anew_ = true;
  }
  coordinate(known->epoch, now);
}

// A higher epoch, of which another server has heard, counts.
void Coordination::hear_of_epochs(const Moment& now) {
  const auto known = others_->newest_answer();
  if (!known || known->epoch <= epoch_) return;
  if (known->coordinator == self_.name) return coordinate(known->epoch, now);
  follow_another(known->epoch, known->coordinator, now);
}

void Coordination::coordinate(std::uint64_t epoch, const Moment& now) {
  const bool takes_over = coordinator_ != self_.name && !coordinator_.empty();
  epoch_ = epoch;
  coordinator_ = self_.name;
  coordinates_ = true;
  coordinates_since_ = now.local;
  waiting_.clear();
  leader_ = nullptr;
  session_.coordinate(true);
  others_->take_role(epoch_, true);
  if (takes_over) tell(Severity::warning, "coordinator", fmt::format("server {} coordinates now", self_.name), now);
}

void Coordination::follow_another(std::uint64_t epoch, const std::string& name, const Moment& now) {
  if (coordinator_ != name) tell(Severity::warning, "coordinator", fmt::format("server {} coordinates now", name), now);
  const bool did = std::exchange(coordinates_, false);
  epoch_ = epoch;
  coordinator_ = name;
  anew_ = asks_ = false;
  waiting_.clear();
  followed_since_ = now.local;
  leader_heart_.forget();
  session_.coordinate(false);
  if (did) session_.announce_ahead(Nanoseconds{0});
  others_->take_role(epoch_, false);
}

Result<void> Coordination::take_over(const Moment& now) {
  if (coordinates_) return Error{fmt::format("server {} coordinates already", self_.name), "ask another server"};
  asks_ = false;
  coordinate(epoch_ + 1, now);
  return {};
}

// The other one of a server and its standby takes the place of a coordinator that is not heard.
void Coordination::watch_coordinator(const Moment& now) {
  const auto& coordinator = coordinator_.empty() ? wall_.coordinator().name : coordinator_;
  const auto* other = wall_.find_server(coordinator);
  if (asks_ || other == nullptr || !(stands_for(self_, coordinator) || stands_for(*other, self_.name))) return;
  // Its connection to this server may be broken while this one's to it is not.
  auto heard = std::max(leader_heart_.heard(), others_->answered(coordinator));
  if (followed_since_) heard = std::max(heard, followed_since_);
  const auto silent_for = now.local - heard.value_or(*began_);
  if (silent_for > Heartbeat::silence && now.local >= next_ask_) {
    next_ask_ = now.local + Heartbeat::silence;
    others_->ask(coordinator);
  }
  const Nanoseconds patience = heard ? Nanoseconds{takeover_after} : Nanoseconds{first_takeover_after};
  if (silent_for > patience) coordinate(epoch_ + 1, now);
}

// What this server knows by itself, or else what the coordinator says.
bool Coordination::is_silent(const std::string& server, LocalTime now) const {
  if (server == coordinator_) return leader_heart_.heard() && leader_heart_.is_silent(session_.plays(), now);
  if (!coordinates_) return std::ranges::find(silent_, server) != silent_.end();
  return others_->is_silent(server, session_.plays(), now);
}

void Coordination::stand_in(const Moment& now) {
  const bool needed = is_silent(self_.standby_for, now.local);
  if (std::exchange(stands_in_, needed) == needed) return;
  session_.send(needed);
  if (needed)
    tell(Severity::warning, "standby-sends",
         fmt::format("server {} sends in place of {}, which is not heard", self_.name, self_.standby_for), now);
  else
    tell(Severity::info, "standby-rests", fmt::format("server {} sends again; {} stops", self_.standby_for, self_.name),
         now);
}

std::string Coordination::elsewhere() const {
  if (coordinates_) return {};
  if (asks_)
    return fmt::format("server {} has just started and asks the other servers what plays: try again", self_.name);
  const auto* coordinator = coordinator_.empty() ? &wall_.coordinator() : wall_.find_server(coordinator_);
  if (coordinator == nullptr || coordinator == &self_)
    return fmt::format("this is server {}, which has not heard of a coordinator yet", self_.name);
  return fmt::format("this is server {}, which follows {}: ask that at {}", self_.name, coordinator->name,
                     place_of(*coordinator));
}

Result<ServerHelloReply> Coordination::take_hello(const ServerHello& hello, WebPeer& peer, const Moment& now) {
  if (hello.protocol != protocol_version)
    return Error{fmt::format("server {} speaks protocol {}, server {} {}", hello.from, hello.protocol, self_.name,
                             protocol_version),
                 "install the same version on both"};
  if (hello.server != self_.name || wall_.find_server(hello.from) == nullptr)
    return Error{fmt::format("this is server '{}', not '{}'", self_.name, hello.server),
                 "give all servers the same wall file, and correct `control` of the [[server]]s"};
  if (const auto difference = settings_difference(hello.settings, shared_settings(wall_)); !difference.empty())
    return Error{"it was started with another wall file: " + difference, "give it the coordinator's"};
  const bool newer = hello.epoch > epoch_ || (hello.epoch == epoch_ && hello.from == coordinator_);
  if (hello.coordinates && newer && hello.from != self_.name) {
    if (hello.epoch != epoch_ || coordinates_) follow_another(hello.epoch, hello.from, now);
    if (clock_ != nullptr && leader_ != &peer) clock_->begin_anew();  // it may be restarted
    leader_ = &peer;
    leader_tables_.reset();
    if (hello.tables) leader_tables_.emplace();
    ServerAlive alive;
    alive.epoch = epoch_;
    leader_heart_.take(alive, session_.plays(), now.local);
  }
  ServerHelloReply reply{epoch_, coordinator_, {}};
  if (epoch_ > 0 && (coordinates_ || has_line_)) reply.line = to_message(session_.line(), epoch_);
  if (hello.asks_time) reply.time = server_time(clock_, *hello.asks_time, now.wall, now.wall);
  return reply;
}

Result<void> Coordination::take_line(const LineMessage& line, const WebPeer* peer) {
  if (peer == nullptr || peer != leader_)
    return Error{"a line from a connection that is not the coordinator's", "call server.hello first"};
  if (line.epoch < epoch_) return Error{fmt::format("server {} coordinates now", coordinator_), "follow it"};
  has_line_ = true;
  if (clock_ != nullptr && !clock_->error()) {
    if (waiting_.size() >= lines_waiting_max) waiting_.erase(waiting_.begin());
    waiting_.push_back(line);
    return {};
  }
  return session_.follow(from_message(line));
}

void Coordination::take_alive(const ServerAlive& alive, const WebPeer* peer, const Moment& now) {
  if (peer == nullptr || peer != leader_ || alive.epoch < epoch_) return;
  leader_heart_.take(alive, session_.plays(), now.local);
  silent_ = alive.silent;
  flows_every_ = alive.flows_every.value_or(1);
  take(alive.time, clock_);
  if (now.local < doubts_until_ && is_of_now(alive, now)) doubts_until_ = now.local;
}

// Rather than of the time before this server was frozen. All lines that were announced before it have arrived.
bool Coordination::is_of_now(const ServerAlive& alive, const Moment& now) const {
  const auto line = session_.line().line;
  if (!line.plays()) return false;
  const auto reads = line.media_time(std::max(alive.next_tick, line.first_tick())) - read_ahead;
  return std::chrono::abs(reads - now.wall) < Heartbeat::silence;
}

void Coordination::report(const ServerReport& report, bool flows) {
  if (leader_ == nullptr || leader_->unread_bytes() > report_unread_max) return;
  leader_->send(
      std::make_shared<const std::string>(leader_tables_ ? leader_tables_->message(report, flows)
                                                         : rpc_notification("server.report", to_json(report))),
      false);
}

void Coordination::closed(const WebPeer& peer) {
  if (leader_ != &peer) return;
  leader_ = nullptr;
  leader_heart_.lose();
}

}  // namespace lw
