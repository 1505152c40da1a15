#include "tests/simulate/standby_world.h"

#include "tests/simulate/connection.h"
#include "tests/simulate/recovery.h"
#include "tests/simulate/sound_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace lw::simulate {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds looked_at{20};
constexpr std::chrono::milliseconds misses_at_most{500};
constexpr std::chrono::milliseconds silent_at_most{500};  // with a cold standby
constexpr std::chrono::milliseconds noticed_within{310};  // Heartbeat::silence, ticks, and the connections
constexpr std::chrono::seconds returns_within{4};         // and has all frames again
constexpr double lost_of_each = 0.05;                     // of two lossy paths
constexpr std::chrono::seconds reported_within{3};        // a loss
// By how much a coordinator's clock may differ from that of the one before: what its connections took.
constexpr std::chrono::milliseconds clocks_differ_most{3};

// What several servers need: decisions that both servers make alike.
Wall wall_with_standby(const Settings& settings, Standby standby, unsigned servers) {
  Random random(settings.seed * 77 + 5);
  auto wall = wall_of(settings);
  if (wall.sound_count() == 0) wall.nodes[random.below(wall.nodes.size())].audio = "simulated";
  wall.sync.mode = SyncMode::tile;
  auto& streaming = wall.streaming;
  streaming.playout_delay = std::max<std::chrono::milliseconds>(streaming.playout_delay, 250ms);
  if (streaming.playout_delay_max > 0ms) streaming.playout_delay_max = 2 * streaming.playout_delay;
  const auto primaries = standby == Standby::none ? servers : servers / 2;
  const auto model = wall.servers.front();
  wall.servers.clear();
  for (unsigned i = 0; i < servers; ++i) {
    auto& server = wall.servers.emplace_back(model);
    server.name = fmt::format("server-{}", i);
    server.control_port = static_cast<std::uint16_t>(9010 + i);
    for (auto& interface : server.interfaces)
      interface = interface.substr(0, interface.size() - 1) + std::to_string(i + 1);
    if (i < primaries) continue;
    server.standby = standby;
    server.standby_for = wall.servers[i - primaries].name;
  }
  for (unsigned i = 0; primaries > 1 && i < wall.tile_count(); ++i)
    wall.servers[i * primaries / wall.tile_count()].tiles.push_back(TileIndex{i});
  return wall;
}

class StandbyWorld {
public:
  StandbyWorld(const Settings& settings, Standby standby, unsigned servers, const std::filesystem::path& content)
      : random_(settings.seed),
        standby_(standby),
        wall_(wall_with_standby(settings, standby, servers)),
        content_(content, wall_),
        network_(timeline_, random_, [this](const std::string& law) { breaks(law); }),
        sound_laws_(content_, [this](const std::string& law) { breaks(law); }),
        library_({content}) {
    library_.scan();
    // Of two hosts, the link with the higher number counts: those of the servers.
    network_.links.resize(1 + servers);
    read_.resize(servers);
    const auto on_break = [this](const std::string& law) { breaks(law); };
    for (std::size_t i = 0; i < servers; ++i) {
      for (const auto& interface : wall_.servers[i].interfaces)
        network_.place(Address::parse(interface, 0).value(), 1 + i);
      servers_.push_back(std::make_unique<Server>(timeline_, random_, network_, wall_, wall_.servers[i], content_,
                                                  library_, on_break));
      set_clocks(servers_[i]->host);
    }
    for (const auto& node : wall_.nodes) {
      nodes_.push_back(std::make_unique<Node>(timeline_, random_, network_, wall_, node, content_, on_break));
      set_clocks(nodes_.back()->host);
      nodes_.back()->start();
    }
    for (std::size_t from = 0; from < servers; ++from)
      for (std::size_t to = 0; to < servers; ++to)
        if (to != from)
          connections_.push_back(std::make_unique<Connection>(
              timeline_, std::vector<const LinkState*>{&network_.links[1 + from], &network_.links[1 + to]},
              *servers_[to], client_of(*servers_[from], wall_.servers[to].name)));
    for (auto& server : servers_) server->start();
    look();
  }

  StandbyOutcome play(unsigned harms) {
    run(2s);
    if (coordinator() == nullptr) breaks("nobody coordinates at the start");
    if (outcome_.broken.empty()) load();
    run(3s);
    while (outcome_.harms < harms && outcome_.broken.empty()) {
      harm_one();
      ++outcome_.harms;
    }
    for (const auto& node : nodes_) outcome_.shown_whole += node->totals().shown_whole;
    outcome_.lasted = timeline_.now().wall - began_;
    return outcome_;
  }

private:
  enum class Harm : std::uint8_t { killed, frozen, cut, lossy, count };
  // Of one server, at the last look.
  struct Read {
    static constexpr std::size_t held_most = 4;
    std::vector<Line> held;  // the newest lines, the last one last
    std::int64_t next_tick = 0;

    // The newest line, or one before it that had not ended: a coordinator that knows only that one has taken over.
    [[nodiscard]] bool has(const Line& line) const {
      if (!held.empty() && held.back().generation() == line.generation()) return true;
      return std::ranges::any_of(held, [&](const Line& known) {
        const auto tick = std::max(known.first_tick(), line.first_tick());
        return known.generation() == line.generation() && known.from(tick) == line.from(tick);
      });
    }
    void hold(const Line& line) {
      if (!held.empty() && held.back().generation() == line.generation()) held.pop_back();
      if (held.size() == held_most) held.erase(held.begin());
      held.push_back(line);
    }
  };
  struct Seen {
    TileIndex tile;
    std::uint64_t due = 0, whole = 0, concealed = 0, not_shown = 0;
  };

  void breaks(const std::string& law) {
    if (!outcome_.broken.empty()) return;
    outcome_.broken = law;
    outcome_.circumstances = circumstances_;
  }
  void run(Nanoseconds time) {
    timeline_.run(timeline_.now().wall + time, [this] { return !outcome_.broken.empty(); });
  }
  // A server that nothing happens to hears of each line before it has read one of its ticks, or begins it by itself by
  // then: what it has sent of the line before would take the numbers of other frames.
  void check_lines() {
    for (std::size_t i = 0; i < servers_.size(); ++i) {
      auto& server = *servers_[i];
      if (!server.runs() || server.host.frozen()) continue;
      const auto line = server.session().line().line;
      auto& read = read_[i];
      const bool begins = line.plays() && !read.has(line);
      if (i != harmed_ && begins && line.first_tick() < read.next_tick)
        breaks(fmt::format("server {} has read {} ticks of a line before it begins that", wall_.servers[i].name,
                           read.next_tick - line.first_tick()));
      read.hold(line);
      read.next_tick = server.session().next_tick();
    }
  }
  void look() {
    check_lines();
    for (auto& connection : connections_) connection->look();
    timeline_.at(timeline_.now().wall + looked_at, [this] { look(); });
  }

  // Where the wall keeps its own clock, those of the hosts are right only by chance.
  void set_clocks(Host& host) {
    if (wall_.clock == ClockSource::system) return;
    host.clocks.set_oscillator((static_cast<double>(random_.below(90)) - 45) * 1e-6);
    host.clocks.step_system(std::chrono::milliseconds{random_.below(200'000)} - 100s);
  }

  [[nodiscard]] Server* coordinator() {
    Server* coordinates = nullptr;
    for (auto& server : servers_) {
      if (!server->runs() || !server->coordination().coordinates()) continue;
      if (coordinates != nullptr) return nullptr;
      coordinates = server.get();
    }
    return coordinates;
  }

  const Visualization& drawn() {
    const auto& one = content_.all()[random_.below(content_.all().size())];
    return is_promised(wall_, one.rate) ? one : *content_.find("long");
  }
  void load() {
    const auto& one = drawn();
    coordinator()->load(one.name, 0, false, {});
    circumstances_ = "while " + one.name + " plays";
    if (random_.once_in(2)) play_list(*coordinator());
  }
  void play_list(Server& server) {
    Playlist playlist;
    playlist.repeat = true;
    for (auto entries = random_.between(1, 4); entries > 0; --entries) {
      PlaylistEntry entry;
      entry.name = drawn().name;
      if (random_.once_in(2))
        entry.seconds = static_cast<double>(random_.between(300, 4000)) / 1000;
      else
        entry.loops = static_cast<std::uint32_t>(random_.between(1, 5));
      playlist.entries.push_back(entry);
    }
    server.wish([&](Session& s) { return s.set_playlist(playlist).has_value() && s.next({}).has_value(); });
  }

  // Nothing that interrupts what plays: the same ticks follow.
  void operate() {
    auto* server = coordinator();
    if (server == nullptr || !server->runs()) return;
    const auto count = server->session().state().frame_count;
    switch (random_.below(5)) {
      case 0:
        return play_list(*server);
      case 1:
        return server->seek(static_cast<std::uint32_t>(random_.below(count)));
      case 2:
        return server->wish([&](Session& s) {
          return s.set_rate(std::array{2., -1., 1., 1.}[random_.below(4)]).has_value();
        });
      case 3:
        return server->wish([&](Session& s) { return s.pause().has_value(); });
      default:
        return server->wish([&](Session& s) { return s.play().has_value(); });
    }
  }

  void harm_one() {
    const auto before = seen();
    for (const auto& node : nodes_) {
      node->display().forget_times();
      if (node->sound() != nullptr) node->sound()->forget();
    }
    // Of two servers without a standby, the coordinator: the other one's tiles are judged.
    const auto which = standby_ == Standby::none && servers_.size() == 2 ? 0 : random_.below(servers_.size());
    harmed_ = which;
    const auto harm = static_cast<Harm>(random_.below(static_cast<std::size_t>(Harm::count)));
    const auto lasts =
        std::chrono::milliseconds{random_.once_in(2) ? random_.between(20, 400) : random_.between(400, 5000)};
    circumstances_ = fmt::format(
        "in harm {}: {} is {} for {} ms", outcome_.harms, wall_.servers[which].name,
        std::array{"killed", "frozen", "cut off", "behind a lossy path, like all,"}[static_cast<std::size_t>(harm)],
        lasts.count());
    begin(harm, which);
    run(lasts);
    agree();
    end(harm, which);
    run(returns_within);
    judge_gaps(harm == Harm::lossy);
    if (random_.once_in(2)) operate();
    run(1s);
    judge(before, harm == Harm::lossy);
    judge_sound(harm == Harm::lossy);
    if (harm == Harm::lossy && lasts >= reported_within) check_parity();
  }
  void begin(Harm harm, std::size_t which) {
    if (harm == Harm::killed) servers_[which]->crash();
    if (harm == Harm::frozen) servers_[which]->host.freeze(true);
    if (harm == Harm::cut) network_.links[1 + which].cut = true;
    if (harm == Harm::lossy) lose(lost_of_each);
  }
  void end(Harm harm, std::size_t which) {
    if (harm == Harm::killed) servers_[which]->start();
    if (harm == Harm::frozen) servers_[which]->host.freeze(false);
    if (harm == Harm::cut) network_.links[1 + which].cut = false;
    if (harm == Harm::lossy) lose(0);
  }
  void lose(double share) {
    for (std::size_t i = 0; i < servers_.size(); ++i) network_.links[1 + i].loss = share;
  }

  // Each server that runs knows what plays now, also without the others.
  void agree() {
    for (std::size_t i = 1; i < servers_.size(); ++i)
      for (std::size_t k = 0; k < i; ++k) agree(*servers_[i], *servers_[k]);
  }
  void agree(Server& first, Server& second) {
    if (!first.runs() || !second.runs() || first.host.frozen() || second.host.frozen()) return;
    auto one = first.session().line(), other = second.session().line();
    if (one.line.generation() != other.line.generation()) return;  // one of them has planned what comes next
    const auto tick = std::max(one.line.first_tick(), other.line.first_tick());
    if (one.name != other.name || one.entry != other.entry || one.line.from(tick) != other.line.from(tick))
      breaks(fmt::format("the servers play different lines: {} and {}", one.name, other.name));
  }

  // Whether a tile misses no frame: it has a hot standby, or another server sends it than the one that was harmed.
  [[nodiscard]] bool is_safe(TileIndex tile) const {
    if (standby_ == Standby::hot || !harmed_) return true;
    const auto& sender = wall_.server_of(tile);
    const auto* harmed = &wall_.servers[*harmed_];
    return harmed != &sender && harmed != wall_.standby_of(sender);
  }
  [[nodiscard]] std::vector<Seen> seen() const {
    std::vector<Seen> all;
    for (const auto& node : nodes_)
      for (const auto& tile : node->presenter().tile_stats())
        all.push_back({tile.tile, tile.frames_due, tile.shown_whole, tile.shown_concealed, tile.not_shown});
    return all;
  }

  // Packets lost on the paths of both servers may be missing.
  void judge(const std::vector<Seen>& before, bool lost_packets) {
    if (!outcome_.broken.empty()) return;
    if (coordinator() == nullptr) return breaks("not exactly one server coordinates");
    check_decisions();
    const auto after = seen();
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (after[i].whole == before[i].whole) return breaks(fmt::format("tile {} shows nothing any more", i));
      if (!is_safe(after[i].tile) || lost_packets) continue;
      if (after[i].not_shown != before[i].not_shown || after[i].concealed != before[i].concealed)
        return breaks(fmt::format("tile {} does not show {} frames, and {} in part", i,
                                  after[i].not_shown - before[i].not_shown, after[i].concealed - before[i].concealed));
    }
    for (const auto& node : nodes_)
      for (const auto& [tile, times] : node->display().times()) {
        if (lost_packets || (standby_ == Standby::none && !is_safe(tile))) continue;
        for (std::size_t i = 1; i < times.size(); ++i) {
          const auto gap = times[i] - times[i - 1];
          outcome_.longest_gap = std::max(outcome_.longest_gap, gap);
          // The visualization's own rate decides how far apart frames are.
          const auto interval = slowest_interval();
          const auto most = is_safe(tile) ? interval * 3 / 2 : interval + missed_at_most(interval);
          if (gap > most)
            return breaks(fmt::format("tile {} shows no new frame for {:.1f} ms", tile.value,
                                      static_cast<double>(gap.count()) / 1e6));
        }
      }
  }
  // A node with a standby misses no packet, or as much as a cold one needs to notice. Before operators pause something.
  // At each repeat a part of a sample is missing.
  void judge_gaps(bool lost_packets) {
    for (const auto& node : nodes_) {
      if (node->sound() == nullptr || lost_packets || !outcome_.broken.empty()) continue;
      const auto gap = node->sound()->longest_gap();
      const bool safe = hears_safely(*node);
      if (safe || standby_ == Standby::cold) outcome_.longest_silence = std::max(outcome_.longest_silence, gap);
      if (safe ? gap >= 1ms : standby_ == Standby::cold && gap >= silent_at_most)
        return breaks(fmt::format("{} is silent for {:.1f} ms", node->name(), static_cast<double>(gap.count()) / 1e6));
    }
  }
  [[nodiscard]] bool hears_safely(const Node& node) const {
    return is_safe(sound_of(wall_, *wall_.find_node(node.name()))->band.tile);
  }
  void judge_sound(bool lost_packets) {
    for (const auto& node : nodes_) {
      if (node->sound() == nullptr || !outcome_.broken.empty()) continue;
      sound_laws_.judge_heard(*node, lost_packets || !hears_safely(*node), circumstances_);
    }
  }
  // All servers keep to the same playout delay and send the same parity, and all hosts have the same time.
  void check_decisions() {
    const auto& leader = *coordinator();
    const auto now = leader.host.now().wall;
    const auto decided = coordinator()->session().line();
    const auto is_told = [&](const std::optional<PlayoutRamp>& ramp) { return !ramp || ramp->start < now; };
    for (const auto& server : servers_) {
      const auto known = server->session().line();
      if (known.delay != decided.delay && is_told(known.delay) && is_told(decided.delay))
        breaks("the servers keep to different playout delays");
      if (known.number == decided.number && known.parity != decided.parity) breaks("the servers send different parity");
    }
    if (wall_.clock == ClockSource::system) return;
    for (const auto& node : nodes_) {
      const auto apart = std::chrono::abs(node->host.now().wall - now);
      if (const auto error = node->clock_stats()->error; !error || apart > *error + clocks_differ_most)
        breaks(fmt::format("the clock of {} is {:.3f} ms off, and reports at most {:.3f} ms", node->name(),
                           static_cast<double>(apart.count()) / 1e6,
                           static_cast<double>(error.value_or(0ns).count()) / 1e6));
    }
  }
  // Where each packet has one path, and nothing but parity recovers it.
  void check_parity() {
    const auto& streaming = wall_.streaming;
    if (!outcome_.broken.empty() || standby_ != Standby::none || streaming.fec != FecUse::needed || streaming.resend)
      return;
    const auto parity = servers_[0]->session().line().parity;
    if (std::ranges::none_of(parity, [](const auto& of_flow) { return of_flow.second.on; }))
      breaks("no flow sends parity though packets were lost");
  }
  // By a cold standby's tiles: the frames of which one server had sent a part, and that of which the other one could
  // only send a part, are missing as a whole.
  [[nodiscard]] static Nanoseconds missed_at_most(Nanoseconds interval) {
    return std::max<Nanoseconds>(misses_at_most, noticed_within + 2 * interval);
  }
  [[nodiscard]] Nanoseconds slowest_interval() const {
    Nanoseconds slowest{0};
    for (const auto& one : content_.all()) slowest = std::max(slowest, one.rate.duration_of(1));
    return slowest;
  }

  Timeline timeline_;
  Random random_;
  const Standby standby_;
  const Wall wall_;
  Content content_;
  Network network_;
  SoundLaws sound_laws_;
  Library library_;
  std::vector<std::unique_ptr<Server>> servers_;
  std::vector<Read> read_;
  std::optional<std::size_t> harmed_;  // most recently
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::unique_ptr<Connection>> connections_;
  StandbyOutcome outcome_;
  std::string circumstances_ = "at the start";
  const WallTime began_ = timeline_.now().wall;
};

}  // namespace

StandbyOutcome play_with_standby(const Settings& settings, Standby standby, unsigned servers, unsigned harms,
                                 const std::filesystem::path& content) {
  StandbyWorld world(settings, standby, servers, content);
  return world.play(harms);
}

}  // namespace lw::simulate
