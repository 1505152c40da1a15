#include "wall-control/models/problems.h"

#include "wall-control/ui/tile_names.h"
#include "wall-control/ui/within_sentence.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace lw {
namespace {

constexpr int minute_samples = 600;

// Off is worse than a warning: the tile is dark.
int rank(State state) {
  switch (state) {
    case State::crit:
      return 3;
    case State::off:
      return 2;
    case State::warn:
      return 1;
    case State::ok:
    case State::note:
      break;
  }
  return 0;
}

State worse(State a, State b) { return rank(b) > rank(a) ? b : a; }

void join(Problem& problem, const Problem& other) {
  problem.tiles.insert(problem.tiles.end(), other.tiles.begin(), other.tiles.end());
  problem.alarms.insert(problem.alarms.end(), other.alarms.begin(), other.alarms.end());
  problem.showing += other.showing;
  problem.state = worse(problem.state, other.state);
  if (other.since_ms > 0 && (problem.since_ms == 0 || other.since_ms < problem.since_ms))
    problem.since_ms = other.since_ms;
}

}  // namespace

struct Problems::Complaint {
  std::size_t tile = 0;
  Problem::Kind kind = Problem::Kind::arrival;
  State state = State::note;
  std::vector<std::size_t> alarms;
  bool flow_alarms = false, every_flow = false;
  qint64 since_ms = 0;
};

struct Problems::NodeTiles {
  QString name;
  std::size_t tiles = 0;
  std::vector<Complaint> complaints;
};

Problem::Kind Problems::kind_of(std::size_t tile, const Complaint& complaint) const {
  const auto& now = health_.condition(tile);
  if (now.lossy || now.dark || complaint.flow_alarms) return Problem::Kind::arrival;
  const bool tile_alarms = !complaint.alarms.empty();
  return now.slow || now.behind || now.late > 0 || tile_alarms ? Problem::Kind::timing : Problem::Kind::arrival;
}

std::vector<Problems::Complaint> Problems::complaints() const {
  std::map<std::size_t, Complaint> by_tile;
  for (std::size_t tile = 0; tile < history_.tiles().size(); ++tile) {
    const auto& now = health_.condition(tile);
    if (now.state == State::ok || now.state == State::note || now.since_ms == 0) continue;
    by_tile[tile].state = now.state;
    by_tile[tile].since_ms = now.since_ms;
  }
  std::map<std::size_t, std::set<int>> flows;
  const auto& alarms = health_.alarms();
  for (std::size_t i = 0; i < alarms.size(); ++i) {
    const auto scope = info(alarms[i].limit.quantity).scope;
    if (scope == Scope::wall) continue;
    const auto tile = scope == Scope::tile ? static_cast<std::size_t>(alarms[i].line)
                                           : health_.tile_of_flow(alarms[i].line).value_or(history_.tiles().size());
    auto& complaint = by_tile[tile];
    complaint.alarms.push_back(i);
    complaint.flow_alarms = complaint.flow_alarms || scope == Scope::flow;
    if (scope == Scope::flow) flows[tile].insert(alarms[i].line);
    if (complaint.since_ms == 0 || alarms[i].since_ms < complaint.since_ms) complaint.since_ms = alarms[i].since_ms;
  }
  std::map<std::pair<int, int>, std::size_t> flows_of;
  for (const auto& flow : history_.flows()) ++flows_of[{flow.column, flow.row}];
  std::vector<Complaint> all;
  for (auto& [tile, complaint] : by_tile) {
    if (tile >= history_.tiles().size()) continue;
    const auto& row = history_.tiles()[tile];
    complaint.tile = tile;
    complaint.kind = kind_of(tile, complaint);
    complaint.every_flow = flows[tile].size() == flows_of[{row.column, row.row}];
    all.push_back(std::move(complaint));
  }
  return all;
}

Problem Problems::problem_of(Problem::Kind kind, Problem::Place place, const QString& name,
                             const std::vector<Complaint>& complaints) const {
  Problem problem;
  problem.place = place;
  problem.kind = kind;
  problem.name = name;
  problem.state = State::note;
  for (const auto& complaint : complaints) {
    Problem one;
    one.state = complaint.state;
    one.tiles = {complaint.tile};
    one.alarms = complaint.alarms;
    one.showing = complaint.state == State::crit || complaint.state == State::off ? 1 : 0;
    one.since_ms = complaint.since_ms;
    join(problem, one);
  }
  const auto& first = history_.tiles()[problem.tiles.front()];
  if (place == Problem::Place::tile) problem.part = {first.column, first.row, {}};
  if (place == Problem::Place::node) problem.part = {{}, {}, {}, name};
  return problem;
}

void Problems::add_node(std::vector<Problem>& problems, const NodeTiles& node) const {
  const bool all_complain = node.complaints.size() == node.tiles;
  const bool silent =
      all_complain && std::ranges::all_of(node.complaints, [&](const Complaint& complaint) {
        return health_.condition(complaint.tile).dark_tenths > 0 || health_.condition(complaint.tile).dark;
      });
  if (silent) {
    problems.push_back(problem_of(Problem::Kind::silence, Problem::Place::node, node.name, node.complaints));
    return;
  }
  for (const auto kind : {Problem::Kind::arrival, Problem::Kind::timing}) {
    std::vector<Complaint> of_kind;
    std::ranges::copy_if(node.complaints, std::back_inserter(of_kind),
                         [kind](const Complaint& complaint) { return complaint.kind == kind; });
    if (of_kind.empty()) continue;
    const bool several = of_kind.size() > 1;
    const bool of_node = kind == Problem::Kind::timing
                             ? several && of_kind.size() == node.tiles
                             : (several && 2 * of_kind.size() >= node.tiles) ||
                                   (of_kind.size() == node.tiles && of_kind.front().every_flow);
    if (of_node) {
      problems.push_back(problem_of(kind, Problem::Place::node, node.name, of_kind));
      continue;
    }
    for (const auto& complaint : of_kind) {
      const auto& tile = history_.tiles()[complaint.tile];
      problems.push_back(
          problem_of(kind, Problem::Place::tile, with_tile(tr("Tile %1,%2"), tile.column, tile.row), {complaint}));
    }
  }
}

// Where the cards are not known, all nodes of the wall have the server in common.
void Problems::join_cards(std::vector<Problem>& problems) const {
  std::map<QString, std::set<QString>> nodes;
  for (const auto& tile : history_.tiles()) {
    const auto card = uplinks_.card_of_node.find(tile.node);
    nodes[card == uplinks_.card_of_node.end() ? QString() : card->second].insert(tile.node);
  }
  for (const auto& [card, behind] : nodes) {
    if (behind.size() < 2 || (card.isEmpty() && nodes.size() > 1)) continue;
    for (const auto kind : {Problem::Kind::silence, Problem::Kind::arrival}) {
      const auto belongs = [&behind = behind, kind](const Problem& problem) {
        return problem.kind == kind && problem.place == Problem::Place::node && behind.contains(problem.name);
      };
      if (static_cast<std::size_t>(std::ranges::count_if(problems, belongs)) != behind.size()) continue;
      Problem joined;
      joined.place = card.isEmpty() ? Problem::Place::wall : Problem::Place::card;
      joined.kind = kind;
      joined.name = card.isEmpty() ? tr("All nodes") : card;
      joined.state = State::note;
      for (const auto& problem : problems)
        if (belongs(problem)) join(joined, problem);
      std::erase_if(problems, belongs);
      problems.push_back(std::move(joined));
    }
  }
}

// The skew is that of the tile that is furthest behind, if it is known which.
void Problems::add_wall_alarms(std::vector<Problem>& problems) const {
  std::optional<std::size_t> furthest;
  for (std::size_t tile = 0; tile < history_.tiles().size(); ++tile) {
    const auto behind = health_.condition(tile).behind_us;
    if (behind && (!furthest || *behind > *health_.condition(*furthest).behind_us)) furthest = tile;
  }
  const auto& alarms = health_.alarms();
  for (std::size_t i = 0; i < alarms.size(); ++i) {
    const auto quantity = alarms[i].limit.quantity;
    if (info(quantity).scope != Scope::wall) continue;
    auto known = problems.end();
    if (quantity == Quantity::skew && furthest && health_.condition(*furthest).state != State::ok)
      known = std::ranges::find_if(problems, [&](const Problem& problem) {
        return std::ranges::find(problem.tiles, *furthest) != problem.tiles.end();
      });
    if (known == problems.end())
      known = std::ranges::find_if(problems, [&](const Problem& problem) {
        return problem.kind == Problem::Kind::measured && problem.quantity == quantity;
      });
    if (known == problems.end()) {
      Problem problem;
      problem.name = tr("The wall");
      problem.quantity = quantity;
      problem.state = health_.limits().is_quiet(alarms[i]) ? State::note : State::warn;
      problem.worst = alarms[i].value;
      problem.since_ms = alarms[i].since_ms;
      problems.push_back(std::move(problem));
      known = problems.end() - 1;
    }
    known->alarms.push_back(i);
    known->since_ms = known->since_ms == 0 ? alarms[i].since_ms : std::min(known->since_ms, alarms[i].since_ms);
    if (!health_.limits().is_quiet(alarms[i])) known->state = worse(known->state, State::warn);
  }
}

// By what the audience sees: the state, on how many tiles, how many frames. Frames count by powers of two, so that
// problems of like weight do not change places ten times a second; of these, the older is first.
void Problems::sort_by_weight(std::vector<Problem>& problems) const {
  const auto weight = [this](const Problem& problem) {
    qint64 faults = 0;
    for (const auto tile : problem.tiles) faults += health_.condition(tile).faults();
    return std::tuple(rank(problem.state), problem.showing, std::bit_width(static_cast<quint64>(faults)),
                      problem.tiles.size());
  };
  std::ranges::stable_sort(problems, [&](const Problem& a, const Problem& b) {
    const auto one = weight(a), other = weight(b);
    return one != other ? one > other : a.since_ms < b.since_ms;
  });
}

std::vector<Problem> Problems::now() const {
  std::vector<NodeTiles> nodes;
  std::map<QString, std::size_t> place_of_node;
  for (const auto& tile : history_.tiles()) {
    const auto [known, fresh] = place_of_node.try_emplace(tile.node, nodes.size());
    if (fresh) nodes.push_back({tile.node, 0, {}});
    ++nodes[known->second].tiles;
  }
  for (auto& complaint : complaints()) {
    auto& node = nodes[place_of_node[history_.tiles()[complaint.tile].node]];
    node.complaints.push_back(std::move(complaint));
  }
  std::vector<Problem> problems;
  for (const auto& node : nodes)
    if (!node.complaints.empty()) add_node(problems, node);
  join_cards(problems);
  add_wall_alarms(problems);
  for (auto& problem : problems) {
    std::ranges::stable_sort(problem.tiles, [&](std::size_t a, std::size_t b) {
      const auto& one = health_.condition(a);
      const auto& other = health_.condition(b);
      return std::tuple(rank(one.state), one.faults(), one.lost) >
             std::tuple(rank(other.state), other.faults(), other.lost);
    });
    describe(problem);
  }
  sort_by_weight(problems);
  return problems;
}

int Problems::tiles_of(const Problem& problem) const {
  return static_cast<int>(std::ranges::count_if(history_.tiles(), [&](const TileRow& tile) {
    if (problem.place == Problem::Place::node) return tile.node == problem.name;
    const auto card = uplinks_.card_of_node.find(tile.node);
    return problem.place == Problem::Place::wall ||
           (card != uplinks_.card_of_node.end() && card->second == problem.name);
  }));
}

// The figure that shows the problem best: of its flows or tiles, or of its first alarm.
void Problems::describe_figure(Problem& problem) const {
  if (problem.kind == Problem::Kind::measured) return;
  const auto line = minute_of(problem);
  problem.worst.reset();
  if (!line.empty() && !std::isnan(line.back())) problem.worst = line.back();
}

void Problems::describe(Problem& problem) const {
  const bool one_tile = problem.place == Problem::Place::tile;
  const auto name = one_tile ? within_sentence(problem.name) : problem.name;
  const auto count = [&](const auto& holds) {
    return static_cast<int>(
        std::ranges::count_if(problem.tiles, [&](std::size_t tile) { return holds(health_.condition(tile)); }));
  };
  const int lossy = count([](const TileCondition& now) { return now.lossy; });
  const int dark = count([](const TileCondition& now) { return now.dark; });
  const int late = count([](const TileCondition& now) { return now.slow || now.late > 0; });
  const int behind = count([](const TileCondition& now) { return now.behind; });
  const int faulty = count([](const TileCondition& now) { return now.faults() > 0; });
  const auto where = one_tile                                ? name
                     : problem.place == Problem::Place::node ? tr("node %1").arg(name)
                     : problem.place == Problem::Place::card ? tr("all nodes behind %1").arg(name)
                                                             : tr("all nodes");
  const auto* first = problem.tiles.empty() ? nullptr : &health_.condition(problem.tiles.front());
  const auto say = [&](const QString& what, const QString& sentence, const QString& phrase) {
    problem.what = what;
    problem.sentence = sentence;
    problem.phrase = phrase;
  };
  if (problem.kind == Problem::Kind::silence) {
    problem.quantity = Quantity::throughput;
    const int tiles = static_cast<int>(problem.tiles.size());
    const auto without = tiles == 1 ? tr("1 tile without a picture") : tr("%1 tiles without a picture").arg(tiles);
    if (dark > 0)
      say(without, tr("No picture from %1").arg(where), tr("no picture from %1").arg(name));
    else
      say(tr("Had no picture, shows it again"), tr("%1 had no picture").arg(one_tile ? problem.name : name),
          tr("%1 had no picture").arg(name));
  } else if (problem.kind == Problem::Kind::arrival && lossy > 0) {
    problem.quantity = Quantity::loss;
    say(one_tile ? tr("Packet loss, %1").arg(figure_text::share(first->loss_share()).joined())
                 : tr("Packet loss on %1 of its %2 tiles").arg(lossy).arg(tiles_of(problem)),
        tr("Packet loss on %1").arg(where), tr("packet loss on %1").arg(name));
  } else if (problem.kind == Problem::Kind::arrival && dark > 0) {
    problem.quantity = Quantity::throughput;
    say(tr("Nothing arrives"), tr("Nothing arrives at %1").arg(where), tr("%1 is dark").arg(name));
  } else if (problem.kind == Problem::Kind::timing && late > 0) {
    problem.quantity = Quantity::lateness;
    say(first->lateness_us ? tr("Late: lateness p99 %1").arg(figure_text::milliseconds(*first->lateness_us).joined())
                           : tr("Late"),
        tr("Late frames on %1").arg(where), tr("%1 is late").arg(name));
  } else if (problem.kind == Problem::Kind::timing && behind > 0) {
    problem.quantity = Quantity::lateness;
    say(first->behind_us ? tr("%1 behind the others").arg(figure_text::milliseconds(*first->behind_us).joined())
                         : tr("Behind the others"),
        tr("Skew on %1").arg(where), tr("%1 is behind").arg(name));
  } else if (faulty > 0) {
    problem.quantity = Quantity::late_packets;
    say(tr("Frames incomplete or missing"), tr("Incomplete frames on %1").arg(where), tr("%1 is incomplete").arg(name));
  } else if (!problem.alarms.empty()) {
    const auto& alarm = health_.alarms()[problem.alarms.front()];
    problem.quantity = alarm.limit.quantity;
    const auto title = figure_text::title(problem.quantity);
    say(alarm.value ? QString("%1 %2").arg(
                          title, figure_text::with_limit(problem.quantity, *alarm.value, alarm.limit.threshold))
                    : title,
        problem.kind == Problem::Kind::measured ? title : tr("%1 on %2").arg(title, where),
        problem.kind == Problem::Kind::measured ? within_sentence(title)
                                                : tr("%1 on %2").arg(within_sentence(title), name));
  } else {
    say(tr("Recovering"), tr("%1 is recovering").arg(one_tile ? problem.name : name), tr("%1 is recovering").arg(name));
  }
  describe_figure(problem);
  QStringList context;
  if (one_tile) context << tr("on %1").arg(history_.tiles()[problem.tiles.front()].node);
  if (problem.showing > 0 && !one_tile)
    context << (problem.showing == 1 ? tr("1 tile shows it") : tr("%1 tiles show it").arg(problem.showing));
  if (problem.since_ms > 0)
    context << tr("for %1").arg(figure_text::span(static_cast<double>(health_.now_ms() - problem.since_ms) / 1000));
  problem.context = context.join(QString::fromUtf8(" \u00b7 "));
}

std::vector<float> Problems::minute_of(const Problem& problem) const {
  constexpr float gap = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> minute(minute_samples, gap);
  const auto& quantity = info(problem.quantity);
  const bool sum = problem.quantity == Quantity::loss || problem.quantity == Quantity::throughput;
  const auto add = [&](const TimeSeries& series) {
    for (int age = 0; age < std::min(minute_samples, series.size()); ++age) {
      const auto value = series.back(age);
      if (!value) continue;
      auto& slot = minute[static_cast<std::size_t>(minute_samples - 1 - age)];
      const auto sample = static_cast<float>(*value);
      slot = std::isnan(slot)      ? sample
             : sum                 ? slot + sample
             : quantity.low_is_bad ? std::min(slot, sample)
                                   : std::max(slot, sample);
    }
  };
  if (quantity.scope == Scope::wall) add(history_.wall().series.of(problem.quantity));
  for (const auto tile : problem.tiles) {
    if (tile >= history_.tiles().size()) continue;
    const auto& row = history_.tiles()[tile];
    if (quantity.scope == Scope::tile) add(row.series.of(problem.quantity));
    if (quantity.scope != Scope::flow) continue;
    for (const auto& flow : history_.flows())
      if (flow.column == row.column && flow.row == row.row) add(flow.series.of(problem.quantity));
  }
  return minute;
}

QString more_words(const std::vector<Problem>& problems) {
  if (problems.size() < 2) return {};
  if (problems.size() == 2) return Problems::tr("1 more problem: %1").arg(problems[1].phrase);
  QStringList names;
  for (std::size_t i = 1; i < std::min<std::size_t>(problems.size(), 3); ++i)
    names << (problems[i].place == Problem::Place::tile ? within_sentence(problems[i].name) : problems[i].name);
  return Problems::tr("%1 more: %2").arg(problems.size() - 1).arg(names.join(", "));
}

}  // namespace lw
