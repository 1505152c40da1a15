#include "tests/simulate/world.h"

#include "common/messages/fades.h"
#include "common/plan/buffers.h"
#include "common/wall/send_window.h"
#include "tests/simulate/connection.h"
#include "tests/simulate/network_ledger.h"
#include "tests/simulate/paths.h"
#include "tests/simulate/recovery.h"
#include "tests/simulate/sound_laws.h"
#include "tests/simulate/time_laws.h"
#include "tests/simulate/time_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace lw::simulate {
namespace {

using namespace std::chrono_literals;

// The share of a flow's recoverable losses that must be recovered; fewer losses are not judged.
constexpr double made_good_least = 0.6;
constexpr std::uint64_t losses_least = 20;
constexpr std::chrono::milliseconds looked_at{50};

class World {
public:
  World(const Settings& settings, const std::filesystem::path& content)
      : random_(settings.seed),
        wall_(wall_of(settings)),
        content_(content, wall_),
        network_(timeline_, random_, [this](const std::string& law) { breaks(law); }),
        paths_(network_, wall_, random_),
        ledger_([this](const std::string& law) { breaks(law); }),
        time_laws_(refresh_of(settings), [this](const std::string& law) { breaks(law); }),
        sound_laws_(content_, [this](const std::string& law) { breaks(law); }),
        library_({content}) {
    library_.scan();
    const auto on_break = [this](const std::string& law) { breaks(law); };
    server_ = std::make_unique<Server>(timeline_, random_, network_, wall_, wall_.coordinator(), content_, library_,
                                       on_break);
    for (const auto& node : wall_.nodes)
      nodes_.push_back(std::make_unique<Node>(timeline_, random_, network_, wall_, node, content_, on_break));
    time_service_ = std::make_unique<TimeService>(wall_, timeline_, random_, hosts());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      nodes_[i]->screen = draw_screen(refresh_of(settings), wall_, random_);
      nodes_[i]->screen.one_window = (static_cast<std::size_t>(nodes_[i]->screen.phase.count()) + i) % 2 == 1;
      nodes_[i]->start();
      connections_.push_back(std::make_unique<Connection>(timeline_, std::vector<const LinkState*>{&paths_.first(i)},
                                                          *server_, client_of(*nodes_[i])));
    }
    server_->start();
    time_laws_.know_server(*server_);
  }

  Outcome play(const std::vector<Episode>& episodes) {
    for (outcome_.episode = 0; outcome_.episode < episodes.size() && outcome_.broken.empty(); ++outcome_.episode)
      play(episodes[outcome_.episode]);
    if (!outcome_.broken.empty()) --outcome_.episode;
    sum_up();
    return outcome_;
  }

private:
  struct Seen {  // of a tile, at the beginning of the judged time
    std::uint64_t whole = 0, concealed = 0, not_shown = 0, not_committed = 0;
  };
  struct Losses {  // of all flows
    std::uint64_t lost = 0, made_good = 0;
  };

  [[nodiscard]] std::vector<Host*> hosts() const {
    std::vector<Host*> all{&server_->host};
    for (const auto& node : nodes_) all.push_back(&node->host);
    return all;
  }

  void breaks(const std::string& law) {
    if (!outcome_.broken.empty()) return;
    outcome_.broken = law;
    outcome_.at = timeline_.now().wall - began_;
  }

  void run_until(WallTime until) {
    timeline_.run(until, [this] { return !outcome_.broken.empty(); });
  }

  void play(const Episode& episode) {
    began_ = timeline_.now().wall;
    for (const auto& one : episode) {
      timeline_.at(began_ + one.at, [this, one] { begin(one); });
      timeline_.at(began_ + one.at + one.lasts, [this, one] { end(one); });
    }
    look();
    run_until(began_ + faults_last);
    if (!outcome_.broken.empty()) return;
    heal();
    if (stretch_paths()) {
      run_until(began_ + faults_last + adapts_within);
      time_laws_.know_server(*server_);
      judge_for(judged_for, "though the playout delay could have adapted to the path");
      return end_episode();
    }
    run_until(began_ + faults_last + heals_within);
    time_laws_.know_server(*server_);
    if (stays_paused_) return judge_paused();
    judge_without_faults();
    timeline_.at(timeline_.now().wall + stall(), [this] { server_->host.freeze(false); });
    server_->host.freeze(true);
    judge_for(stall_judged_for, fmt::format("though the server stalled for {} ms only", stall().count() / 1'000'000));
    for (const auto& node : nodes_) node->check_bounds();
    judge_slow_read();
    judge_losses();
    judge_control();
    end_episode();
  }
  void end_episode() {
    const auto end = began_ + episode_lasts;
    server_->check_ledgers();
    run_until(end - still_for);
    if (timeline_.now().wall + still_for > end || !outcome_.broken.empty()) return run_until(end);
    server_->still_playback(true);
    run_until(end);
    if (outcome_.broken.empty()) ledger_.compare(*server_, nodes_, network_);
    server_->still_playback(false);
  }
  // The time that the playout delay leaves beyond sending a frame, and the frames read ahead.
  [[nodiscard]] Nanoseconds stall() const {
    const auto room = wall_.streaming.playout_delay - send_margin(wall_.sync.mode) - wall_.frame_rate.duration_of(1);
    return std::min<Nanoseconds>(room, read_ahead) * 3 / 4;
  }

  void begin(const Happening& one);
  void end(const Happening& one);
  void change_store(const Happening& one, Random chance);
  void heal();
  [[nodiscard]] const Visualization* draw_played();
  [[nodiscard]] const Visualization* goes_on();
  [[nodiscard]] std::vector<Seen> seen();
  void judge_for(Nanoseconds time, const std::string& circumstances);
  void judge(const std::vector<Seen>& before, Nanoseconds time, const std::string& circumstances);
  void judge_step();
  void judge_without_faults();
  [[nodiscard]] bool stretch_paths();
  void judge_slow_read();
  [[nodiscard]] bool may_stay_paused() const;
  void judge_paused();
  [[nodiscard]] Losses losses() const;
  void judge_control();
  void judge_losses();
  void sum_up();
  void begin_anew() {
    began_anew_ = timeline_.now().wall;
    for (auto& node : nodes_)
      if (node->runs()) node->display().begin_anew();
  }
  void restart_server() {
    begin_anew();
    server_->crash();
    server_->start();
  }

  void look() {
    for (auto& link : connections_) link->look();
    server_->check_bounds();
    time_service_->look();
    time_laws_.check_clocks(*server_, nodes_, timeline_.now().wall);
    if (timeline_.now().wall < began_ + episode_lasts - looked_at)
      timeline_.at(timeline_.now().wall + looked_at, [this] { look(); });
  }

  Timeline timeline_;
  Random random_;
  const Wall wall_;
  Content content_;
  Network network_;
  Paths paths_;
  NetworkLedger ledger_;
  TimeLaws time_laws_;
  SoundLaws sound_laws_;
  Library library_;
  std::unique_ptr<Server> server_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::unique_ptr<TimeService> time_service_;
  std::vector<std::unique_ptr<Connection>> connections_;  // like nodes_
  bool store_changed_ = false;                            // in this episode
  const Visualization* plays_ = nullptr;                  // while the wall is judged
  bool stays_paused_ = false;                             // and is judged as operators left it
  WallTime began_{};
  WallTime began_anew_{};
  Outcome outcome_;
};

void World::begin(const Happening& one) {
  Random chance(one.chance);
  auto& node = *nodes_[one.where];
  switch (one.fault) {
    case Fault::lossy_link:
    case Fault::slow_link:
    case Fault::cut_link:
    case Fault::cut_network:
    case Fault::refusing_path:
      paths_.begin(one, chance);
      break;
    case Fault::slow_disk:
      server_->disk.latency = std::chrono::milliseconds{chance.between(10, 300)};
      server_->disk.jitter = std::chrono::milliseconds{chance.between(1, 100)};
      break;
    case Fault::failing_disk:
      server_->disk.fails = chance.once_in(2) ? 1 : 0.2;
      break;
    case Fault::hanging_disk:
      server_->disk.hangs = true;
      break;
    case Fault::frozen_server:
      server_->host.freeze(true);
      break;
    case Fault::frozen_node:
      if (!node.host.frozen()) node.frozen_at = timeline_.now().wall;
      node.host.freeze(true);
      break;
    case Fault::delayed_thread:
      if (chance.once_in(2)) {
        server_->host.delay_thread(chance.below(std::max<std::size_t>(1, server_->host.agents())), true);
      } else {
        if (!node.host.frozen()) node.frozen_at = timeline_.now().wall;
        node.host.delay_thread(chance.below(std::max<std::size_t>(1, node.host.agents())), true);
      }
      break;
    case Fault::crashed_server:
      server_->crash();
      begin_anew();
      break;
    case Fault::crashed_node:
      if (node.runs()) node.crash();
      break;
    case Fault::clock_set:
      if (time_service_->keeps()) begin_anew();
      [[fallthrough]];
    case Fault::clock_off:
    case Fault::clock_drifts:
      time_service_->begin(one, chance);
      break;
    case Fault::late_screen:
      node.screen.missed = std::chrono::milliseconds{chance.between(5, 80)};
      break;
    case Fault::changed_store:
      change_store(one, chance);
      break;
    case Fault::operator_does:
    case Fault::count:
      server_->operate(chance);
      break;
  }
}

void World::end(const Happening& one) {
  auto& node = *nodes_[one.where];
  switch (one.fault) {
    case Fault::lossy_link:
    case Fault::slow_link:
    case Fault::cut_link:
    case Fault::cut_network:
    case Fault::refusing_path:
      paths_.end(one);
      break;
    case Fault::slow_disk:
    case Fault::failing_disk:
    case Fault::hanging_disk:
      server_->disk = {};
      break;
    case Fault::frozen_server:
      server_->host.freeze(false);
      break;
    case Fault::frozen_node:
    case Fault::delayed_thread:
      node.host.freeze(false);
      node.host.resume_threads();
      server_->host.resume_threads();
      // Its sockets hold what was sent before.
      if (node.runs() && began_anew_ + SimDisplay::begins_anew_for >= node.frozen_at) node.display().begin_anew();
      break;
    case Fault::crashed_server:
      restart_server();
      server_->wish([](Session& session) { return session.load("long", 0, false, {}).has_value(); });
      break;
    case Fault::crashed_node:
      if (!node.runs()) node.start();
      break;
    case Fault::clock_set:
      if (time_service_->keeps()) begin_anew();
      [[fallthrough]];
    case Fault::clock_off:
    case Fault::clock_drifts:
      time_service_->end(one);
      break;
    case Fault::late_screen:
      node.screen.heal();
      break;
    case Fault::changed_store:
    case Fault::operator_does:
    case Fault::count:
      break;
  }
}

// Usually the visualization that is playing.
void World::change_store(const Happening& one, Random chance) {
  auto name = content_.all()[chance.below(content_.all().size())].name;
  if (server_->runs() && !server_->session().state().name.empty() && !chance.once_in(4))
    name = server_->session().state().name;
  if (!content_.begin_change(
          name, static_cast<Content::Change>(chance.below(static_cast<std::size_t>(Content::Change::count)))))
    return;
  store_changed_ = true;
  // An operator learns that it is new, and loads it.
  if (chance.once_in(3))
    timeline_.at(timeline_.now().wall + one.lasts / 2, [this, name] { server_->load(name, 0, false, {}); });
  for (const double share : {0.2, 0.3, 0.55, 0.85})
    timeline_.at(
        timeline_.now().wall + Nanoseconds{static_cast<std::int64_t>(share * static_cast<double>(one.lasts.count()))},
        [this, name, share] { content_.go_on(name, share); });
  timeline_.at(timeline_.now().wall + one.lasts, [this, name] { content_.end_change(name); });
}

// All faults are over, and the wall plays a visualization that does not end.
void World::heal() {
  paths_.heal();
  time_service_->heal();
  server_->disk = {};
  server_->host.freeze(false);
  server_->host.resume_threads();
  for (auto& node : nodes_) {
    node->host.freeze(false);
    node->host.resume_threads();
    node->screen.heal();
    if (!node->runs()) node->start();
  }
  if (!server_->runs()) restart_server();
  library_.scan();  // as the next `list` does
  stays_paused_ = may_stay_paused();
  if (stays_paused_) return;
  const auto* plays = goes_on();
  plays_ = plays != nullptr ? plays : draw_played();
  std::string refused;
  server_->wish([&](Session& session) {
    for (const auto& one : {session.set_playlist({}), session.set_loop(true, {}, {}), session.set_rate(1),
                            plays != nullptr ? session.play() : session.load(plays_->name, 0, false, {})})
      if (!one) refused = one.error().text();
    return true;
  });
  if (!refused.empty()) breaks("a wall without faults refuses to play: " + refused);
  // In the middle of a fade a cut still takes some 200 ms.
  const auto state = server_->session().state();
  if (state.name != plays_->name && !(state.coming && state.coming->name == plays_->name))
    breaks("a wall without faults does not load");
}

const Visualization* World::draw_played() {
  const auto& drawn = content_.all()[random_.below(content_.all().size())];
  return is_promised(wall_, drawn.rate) ? &drawn : content_.find("long");
}

// The visualization that plays, if its store changed and must be reopened; none if another store plays by now.
const Visualization* World::goes_on() {
  const auto state = server_->session().state();
  if (!std::exchange(store_changed_, false) || state.status == PlayStatus::stopped || state.entry || state.coming)
    return nullptr;
  const auto* plays = content_.find(state.name);
  return plays->frames == state.frame_count && is_promised(wall_, plays->rate) ? plays : nullptr;
}

std::vector<World::Seen> World::seen() {
  std::vector<Seen> all;
  for (auto& node : nodes_)
    for (const auto& tile : node->presenter().tile_stats())
      all.push_back({tile.shown_whole, tile.shown_concealed, tile.not_shown, tile.not_committed});
  return all;
}

void World::judge_for(Nanoseconds time, const std::string& circumstances) {
  if (!outcome_.broken.empty()) return;
  const auto before = seen();
  for (auto& node : nodes_) node->display().forget_times();
  time_laws_.begin(nodes_);
  run_until(timeline_.now().wall + time);
  if (!outcome_.broken.empty()) return;
  const auto text = fmt::format("in {:.1f} s {}", std::chrono::duration<double>(time).count(), circumstances);
  judge(before, time, text);
  time_laws_.judge(nodes_, text);
  judge_step();
}

// While at most one of two paths is bad; also while all system clocks are set, if the wall keeps its own. The first
// path is the shorter one: once both are good, nothing is missing.
void World::judge_without_faults() {
  constexpr auto good_again = 100ms;
  if (!time_service_->keeps()) time_service_->set_all();
  const auto harmed = paths_.harm_one_path();
  const auto before = losses();
  sound_laws_.begin(nodes_);
  if (harmed.empty()) {
    judge_for(judged_for, "though nothing is wrong any more");
  } else {
    timeline_.at(timeline_.now().wall + judged_for - good_again, [this] { paths_.heal(); });
    judge_for(judged_for, harmed);
  }
  if (!outcome_.broken.empty()) return;
  sound_laws_.judge(nodes_, *plays_, harmed.empty() ? "without faults" : harmed);
  for (const auto& node : nodes_) node->check_bounds();
  if (const auto lost = losses().lost; lost > before.lost)
    breaks(fmt::format("{} packets count as lost {}", lost - before.lost, harmed.empty() ? "without faults" : harmed));
}

void World::judge(const std::vector<Seen>& before, Nanoseconds time, const std::string& circumstances) {
  const auto after = seen();
  const auto due = std::chrono::duration<double>(time).count() * plays_->rate.hertz();
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto concealed = after[i].concealed - before[i].concealed;
    const auto not_shown = after[i].not_shown - before[i].not_shown;
    if (concealed + not_shown > 0)
      return breaks(fmt::format("tile {} of the list conceals {} frames and skips {} ({} of them complete) {}", i,
                                concealed, not_shown, after[i].not_committed - before[i].not_committed, circumstances));
    if (static_cast<double>(after[i].whole - before[i].whole) < due - 3)
      return breaks(fmt::format("tile {} of the list shows {} frames of {:.0f} {}", i, after[i].whole - before[i].whole,
                                due, circumstances));
  }
  WallTime least = WallTime::max();
  WallTime most = WallTime::min();
  for (auto& node : nodes_)
    for (const auto& [tile, shown] : node->display().shown()) {
      if (shown.version != nullptr && shown.version->gone)
        return breaks("a tile shows content that is no longer on any disk");
      least = std::min(least, shown.media_time);
      most = std::max(most, shown.media_time);
    }
  if (most - least > plays_->rate.duration_of(1) + 1ms) breaks("tiles show frames of different times");
}

// [sync] mode = "wall": all tiles showed the same frames, except for the newest.
void World::judge_step() {
  if (wall_.sync.mode != SyncMode::wall || !outcome_.broken.empty()) return;
  const std::vector<WallTime>* first = nullptr;
  for (auto& node : nodes_)
    for (const auto& [tile, times] : node->display().times()) {
      if (times.size() < 3) return;
      if (first == nullptr) first = &times;
      const auto from = std::max(first->front(), times.front());
      const auto to = std::min(first->back(), times.back());
      const auto between = [&](const std::vector<WallTime>& all) {
        return std::span(std::ranges::lower_bound(all, from), std::ranges::upper_bound(all, to));
      };
      if (!std::ranges::equal(between(*first), between(times)))
        return breaks(
            fmt::format("tile {} shows other frames than another though all are to show the same", tile.value));
    }
}

// In half of the episodes in which the playout delay adapts: as much as it can adapt to. With [sync] mode = "wall" a
// frame takes three times the path: it arrives, is reported and is committed. Not with intermittent parity: frames
// without it take longer, since they are sent over the whole window, so the delay adapts again when parity ends.
bool World::stretch_paths() {
  const auto more = wall_.streaming.longest_playout_delay() - wall_.streaming.playout_delay;
  if (stays_paused_ || more <= 0ms || wall_.streaming.fec == FecUse::needed || random_.once_in(2)) return false;
  paths_.set_delay(more / (wall_.sync.mode == SyncMode::wall ? 4 : 2));
  return true;
}

// One read takes long: one tile misses one frame, which no tile shows with [sync] mode = "wall".
void World::judge_slow_read() {
  if (!outcome_.broken.empty()) return;
  const auto before = seen();
  server_->disk.next_read = 400ms;
  run_until(timeline_.now().wall + slow_read_judged_for);
  if (!outcome_.broken.empty()) return;
  const auto after = seen();
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto lost = after[i].concealed - before[i].concealed + after[i].not_shown - before[i].not_shown;
    if (lost > 1) return breaks(fmt::format("tile {} of the list lacks {} frames though one read was slow", i, lost));
  }
}

// Half of the walls that were left paused with an unchanged store.
bool World::may_stay_paused() const {
  const auto state = server_->session().state();
  return state.status == PlayStatus::paused && !state.coming && !store_changed_ && state.frame % 2 == 0;
}

// A paused frame is read until that succeeds, and sent repeatedly: all tiles show it, whatever they missed.
void World::judge_paused() {
  if (!outcome_.broken.empty()) return;
  const auto frame = server_->session().state().frame;
  const auto now = server_->host.now().wall;
  for (auto& node : nodes_)
    for (const auto& tile : node->presenter().tile_stats()) {
      const auto& all = node->display().shown();
      const auto shown = all.find(tile.tile);
      if (shown == all.end() || !shown->second.whole || shown->second.frame != frame ||
          now - shown->second.media_time > wall_.streaming.longest_playout_delay() + 1s)
        return breaks(fmt::format("tile {} does not show the paused frame {}", tile.tile.value, frame));
    }
  end_episode();
}

// The server knows all nodes, and the last or a recent report of each; nodes follow the server's fades.
void World::judge_control() {
  if (!outcome_.broken.empty()) return;
  const auto fades = fades_of(message_of(server_->session().state().fades));  // in microseconds
  const auto told = server_->node_stats();
  for (const auto& node : nodes_) {
    if (fades != Fades{} && node->fades() != fades)
      return breaks(node->name() + " follows other fades than the server's");
    const auto known = std::ranges::find(told, node->name(), &NodeStats::node);
    if (known == told.end() || !known->connected || !known->report)
      return breaks("the server knows nothing of " + node->name());
    double packets = 0;
    for (const auto& flow : known->report->flows) packets += flow.figures["packets"].number().value_or(0);
    if (std::ranges::find(node->packets_told(), static_cast<std::uint64_t>(packets)) == node->packets_told().end())
      return breaks(
          fmt::format("the server reports {} packets of {}, which were never reported to it", packets, node->name()));
  }
}

World::Losses World::losses() const {
  Losses losses;
  for (const auto& node : nodes_) {
    const auto totals = node->totals();
    losses.lost += totals.lost;
    losses.made_good += totals.repaired + totals.rebuilt;
  }
  return losses;
}

void World::judge_losses() {
  if (!outcome_.broken.empty()) return;
  const auto before = losses();
  for (auto& node : nodes_) node->display().forget_times();
  paths_.set_loss(0.02);
  run_until(timeline_.now().wall + loss_judged_for);
  paths_.heal();
  run_until(timeline_.now().wall + 500ms);
  if (!outcome_.broken.empty()) return;
  judge_step();
  const auto after = losses();
  const auto lost = after.lost - before.lost;
  const auto made_good = after.made_good - before.made_good;
  if (recovers_lone_losses(wall_, plays_->rate, plays_->format) && lost >= losses_least &&
      static_cast<double>(made_good) < made_good_least * static_cast<double>(lost))
    breaks(fmt::format("of {} packets that were lost alone {} were recovered", lost, made_good));
}

void World::sum_up() {
  outcome_.packets = network_.carried();
  outcome_.lost = network_.lost();
  outcome_.steps = server_->host.steps();
  for (auto& node : nodes_) {
    outcome_.steps += node->host.steps();
    const auto totals = node->totals();
    outcome_.shown_whole += totals.shown_whole;
    outcome_.shown_concealed += totals.shown_concealed;
    outcome_.repaired += totals.repaired;
    outcome_.rebuilt += totals.rebuilt;
  }
}

}  // namespace

Outcome play(const Settings& settings, const std::vector<Episode>& episodes, const std::filesystem::path& content) {
  std::error_code ignored;
  std::filesystem::remove_all(content, ignored);
  std::filesystem::create_directories(content);
  World world(settings, content);
  return world.play(episodes);
}

}  // namespace lw::simulate
