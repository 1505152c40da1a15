// The answer, the problems and the five figures: laws that must hold whatever happens to the wall, then examples, then
// the strip and the list of problems as they are drawn.
#include "tests/gui/health_room.h"
#include "tests/gui/picture.h"
#include "wall-control/health/answer_block.h"
#include "wall-control/health/figure_cell.h"
#include "wall-control/health/health_strip.h"
#include "wall-control/health/problem_card.h"
#include "wall-control/health/problems_panel.h"
#include "wall-control/health/wall_summary.h"
#include "wall-control/models/uplinks.h"

#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QtTest>

#include <random>
#include <set>

using namespace lw;
using namespace lw::test;

namespace {

using Random = std::mt19937_64;

bool one_in(Random& random, unsigned count) { return random() % count == 0; }

// 0 is well, then degraded, faults.
int badness(State state) { return state == State::crit || state == State::off ? 2 : state == State::warn ? 1 : 0; }
int badness(WallState wall) { return wall == WallState::faults ? 2 : wall == WallState::degraded ? 1 : 0; }

// Changes a few scripts at random; most steps change nothing.
void disturb(Room& room, Random& random) {
  for (auto& tile : room.tiles) {
    tile.concealed = one_in(random, 900) ? 1 : 0;
    tile.not_shown = one_in(random, 1200) ? 1 : 0;
    tile.late = one_in(random, 1200) ? 2 : 0;
    if (one_in(random, 2500)) tile.lateness_us = one_in(random, 2) ? 25'000 : 1900;
    if (one_in(random, 2500)) tile.skew_us = one_in(random, 2) ? 9000 : 80;
  }
  for (auto& flow : room.flows) {
    if (one_in(random, 6000)) flow.lost = one_in(random, 2) ? 3 : 0;
    if (one_in(random, 6000)) flow.dropped = one_in(random, 2) ? flow.lost : 0;
    if (one_in(random, 8000)) flow.jitter_us = one_in(random, 2) ? 2500 : 29;
    flow.dropped = std::min(flow.dropped, flow.lost);
    flow.repaired = flow.lost;
  }
  for (auto& node : room.nodes)
    if (one_in(random, 1500)) node.connected = !node.connected;
}

// Of this step alone, by the scripts and the alarms that are raised.
int scripted_badness(const Room& room) {
  bool degraded = !room.alarms.raised().empty();
  for (std::size_t tile = 0; tile < Room::tile_count; ++tile) {
    const auto& script = room.tiles[tile];
    if (!room.nodes[tile / Room::rows].connected || script.concealed + script.not_shown + script.late > 0) return 2;
    degraded = degraded || script.lateness_us > 10'000 || script.skew_us > 5000;
  }
  for (const auto& flow : room.flows) degraded = degraded || flow.jitter_us > 1000;
  return degraded ? 1 : 0;
}

void heal(Room& room) {
  room.tiles = std::vector<TileScript>(Room::tile_count);
  room.flows = std::vector<FlowScript>(Room::flow_count);
  room.nodes = std::vector<NodeScript>(Room::columns);
  room.skew_us = 420;
}

// Every alarm of a tile, a flow or the wall, at random.
std::vector<RaisedAlarm> random_alarms(const Room& room, Random& random) {
  std::vector<RaisedAlarm> alarms;
  const auto count = random() % 30;
  for (std::size_t i = 0; i < count; ++i) {
    RaisedAlarm alarm;
    const auto& quantity = quantities()[random() % quantity_count];
    alarm.limit = {quantity.quantity, one_in(random, 5), 0, one_in(random, 3)};
    if (quantity.scope == Scope::flow) alarm.line = static_cast<int>(random() % Room::flow_count);
    if (quantity.scope == Scope::tile) alarm.line = static_cast<int>(random() % Room::tile_count);
    if (!one_in(random, 4)) alarm.value = static_cast<double>(random() % 10'000);
    alarm.since_ms = room.health.now_ms() - static_cast<qint64>(random() % 60'000);
    alarms.push_back(alarm);
  }
  return alarms;
}

const Problem* problem_named(const std::vector<Problem>& problems, const QString& name) {
  const auto found = std::ranges::find(problems, name, &Problem::name);
  return found == problems.end() ? nullptr : &*found;
}

}  // namespace

class HealthTest : public QObject {
  Q_OBJECT

private slots:
  void init() { dress(Theme::dark); }

  // Laws.

  void the_answer_is_never_better_than_a_tile_and_shows_every_fault_for_ten_seconds() {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      Random random(seed);
      Room room;
      room.steps(30);
      std::vector<qint64> seen(Room::tile_count, -1000);  // the newest step with a fault
      for (int i = 0; i < 900; ++i) {
        disturb(room, random);
        if (one_in(random, 250)) heal(room);
        room.step();
        for (std::size_t tile = 0; tile < Room::tile_count; ++tile) {
          const auto& script = room.tiles[tile];
          const auto& node = room.nodes[tile / Room::rows];
          if (!node.connected || script.concealed + script.not_shown + script.late > 0) seen[tile] = room.step_count();
          const auto state = room.tile_health(tile).state;
          if (room.step_count() - seen[tile] < 100)
            QVERIFY2(badness(state) == 2, qPrintable(QString("seed %1, step %2, tile %3").arg(seed).arg(i).arg(tile)));
          QVERIFY(badness(room.health.answer().wall) >= badness(state));
          // A tile that is not well says why; one that is well says nothing.
          QCOMPARE(room.tile_health(tile).badge.isEmpty(), state == State::ok);
        }
      }
    }
  }

  void the_answer_improves_only_when_nothing_was_worse_for_ten_seconds() {
    for (unsigned seed = 11; seed <= 13; ++seed) {
      Random random(seed);
      Room room;
      room.steps(30);
      int before = 0;
      std::array<qint64, 3> reason{-1000, -1000, -1000};  // the newest step with one of this badness
      for (int i = 0; i < 900; ++i) {
        if (i % 300 < 120)
          disturb(room, random);
        else
          heal(room);
        room.step();
        reason[static_cast<std::size_t>(scripted_badness(room))] = room.step_count();
        const int now = badness(room.health.answer().wall);
        if (now < 2 && before == 2) QVERIFY(room.step_count() - reason[2] >= 100);
        if (now < 1 && before >= 1) QVERIFY(room.step_count() - std::max(reason[1], reason[2]) >= 100);
        before = now;
      }
      QCOMPARE(before, 0);
    }
  }

  void every_alarm_and_every_tile_that_is_not_well_belongs_to_exactly_one_problem() {
    for (unsigned seed = 21; seed <= 23; ++seed) {
      Random random(seed);
      Room room;
      room.use_alarms = false;
      room.steps(30);
      for (int i = 0; i < 150; ++i) {
        disturb(room, random);
        room.step();
        const auto alarms = random_alarms(room, random);
        room.health.step(alarms);
        std::vector<int> alarm_uses(alarms.size()), tile_uses(Room::tile_count);
        for (const auto& problem : room.problems.now()) {
          for (const auto alarm : problem.alarms) ++alarm_uses[alarm];
          for (const auto tile : problem.tiles) ++tile_uses[tile];
          QVERIFY(!problem.name.isEmpty() && !problem.what.isEmpty() && !problem.sentence.isEmpty());
        }
        for (const auto uses : alarm_uses) QCOMPARE(uses, 1);
        for (std::size_t tile = 0; tile < Room::tile_count; ++tile) {
          QVERIFY(tile_uses[tile] <= 1);
          if (room.health.condition(tile).state != State::ok) QCOMPARE(tile_uses[tile], 1);
        }
      }
    }
  }

  void problems_are_sorted_and_as_bad_as_their_worst_tile() {
    Random random(31);
    Room room;
    room.steps(30);
    for (int i = 0; i < 300; ++i) {
      disturb(room, random);
      room.step();
      int worst = 3;
      for (const auto& problem : room.problems.now()) {
        const int rank = problem.state == State::crit   ? 3
                         : problem.state == State::off  ? 2
                         : problem.state == State::warn ? 1
                                                        : 0;
        QVERIFY(rank <= worst);
        worst = rank;
        for (const auto tile : problem.tiles)
          QVERIFY(badness(problem.state) >= badness(room.health.condition(tile).state));
      }
    }
  }

  void a_learned_limit_hides_no_fault() {
    Room room;
    for (auto& flow : room.flows) flow.jitter_us = 1400;  // above the rule's limit, and usual here
    for (std::size_t i = 0; i < room.flows.size(); i += 10) room.flows[i].lost = room.flows[i].repaired = 2;
    room.steps(2000);
    QVERIFY(room.health.limits().learned(Quantity::jitter));
    QVERIFY(room.health.limits().of(Quantity::jitter) > 1400);
    // Usual loss and jitter no longer count as a warning.
    QCOMPARE(room.health.answer().wall, WallState::healthy);
    QVERIFY(!room.health.alarms().empty());
    for (const auto& problem : room.problems.now()) QCOMPARE(problem.state, State::note);
    // A fault is one, however usual the loss.
    for (const auto& [member, words] : {std::pair{&TileScript::concealed, "concealed"},
                                        {&TileScript::not_shown, "not shown"},
                                        {&TileScript::late, "late"}}) {
      auto& tile = room.tiles[Room::tile_at(2, 1)];
      tile.*member = 1;
      room.step();
      tile.*member = 0;
      QCOMPARE(room.health.answer().wall, WallState::faults);
      QVERIFY(room.tile_health(Room::tile_at(2, 1)).badge.contains(words));
      room.steps(101);
      QCOMPARE(room.health.answer().wall, WallState::healthy);
    }
    // Nor does it quieten a rule that the operator calls an error.
    room.flows[0].dropped = room.flows[0].lost;
    room.steps(3);
    QCOMPARE(room.health.answer().wall, WallState::degraded);
  }

  void faults_are_not_learned() {
    Room room;
    for (auto& flow : room.flows) flow.jitter_us = 5000;
    room.tiles[3].concealed = 1;
    room.steps(2000);
    QVERIFY(!room.health.limits().learned(Quantity::jitter));
  }

  // The list of the guide, the first that holds.

  void the_answer_is_the_first_that_holds() {
    Room room;
    QCOMPARE(room.health.answer().wall, WallState::no_connection);
    room.playing = false;
    room.steps(2);
    QCOMPARE(room.health.answer().words, QString("Nothing is playing"));
    QCOMPARE(room.health.summaries().value(0), QString("15 of 15 tiles are ready · 60 flows"));
    room.playing = true;
    room.steps(5);
    QCOMPARE(room.health.answer().words, QString("Wall healthy"));
    QCOMPARE(room.health.summaries().value(0), QString("15 of 15 tiles in step · 60 flows"));
    room.flows[7].lost = room.flows[7].repaired = 1;
    room.step();
    QCOMPARE(room.health.answer().words, QString("Degraded, picture intact"));
    room.tiles[0].concealed = 3;
    room.step();
    QCOMPARE(room.health.answer().words, QString("Picture faults on 1 tile"));
    room.tiles[0].concealed = 0;
    QCOMPARE(room.tile_health(0).badge, QString("3 concealed"));
    room.nodes[4].connected = false;
    room.step();
    QCOMPARE(room.health.answer().words, QString("Picture faults on 4 tiles"));
    QCOMPARE(room.tile_health(Room::tile_at(4, 0)).badge, QString("No picture"));
    room.health.lose_contact("No answer from sara-hub.lab:9010. Trying again in 4 s.");
    QCOMPARE(room.health.answer().words, QString("No connection"));
    QVERIFY(room.health.summaries().value(0).startsWith("No answer"));
  }

  void a_start_is_no_fault_and_silence_is() {
    Room room;
    for (auto& flow : room.flows) flow.receiving = false;
    room.playing = false;
    room.steps(20);
    room.playing = true;
    room.steps(10);
    QCOMPARE(room.health.answer().wall, WallState::healthy);  // the first frames are on the way
    room.steps(30);
    QCOMPARE(room.health.answer().words, QString("Picture faults on 15 tiles"));
  }

  void a_report_that_is_missing_for_a_second_is_silence() {
    Room room;
    room.steps(10);
    room.nodes[2].reports = false;
    room.steps(8);
    QCOMPARE(room.health.answer().wall, WallState::healthy);
    room.steps(4);
    QCOMPARE(room.health.answer().words, QString("Picture faults on 3 tiles"));
    room.nodes[2].reports = true;
    room.step();
    QCOMPARE(room.tile_health(Room::tile_at(2, 0)).state, State::crit);  // the audience saw it
    QVERIFY(room.tile_health(Room::tile_at(2, 0)).badge.startsWith("dark for"));
    room.steps(100);
    QCOMPARE(room.health.answer().wall, WallState::healthy);
  }

  void counts_of_a_restarted_node_begin_again() {
    Room room;
    room.tiles[0].concealed = 5;
    room.steps(10);
    room.tiles[0].concealed = 0;
    room.steps(110);
    QCOMPARE(room.health.condition(0).concealed, 0);
    QCOMPARE(room.health.answer().wall, WallState::healthy);
  }

  // Problems.

  void all_flows_of_a_node_are_the_nodes_problem() {
    Room room;
    room.steps(30);
    room.lose_packets_on_one_node();
    room.be_late_on_one_tile();
    room.tiles[Room::tile_at(3, 1)].concealed = 1;
    room.steps(40);
    const auto problems = room.problems.now();
    QCOMPARE(problems.size(), std::size_t{2});
    QCOMPARE(problems[0].name, QString("render-4"));
    QCOMPARE(problems[0].what, QString("Packet loss on 3 of its 3 tiles"));
    QCOMPARE(problems[0].sentence, QString("Packet loss on node render-4"));
    QCOMPARE(problems[0].tiles.front(), Room::tile_at(3, 1));  // the worst first
    QCOMPARE(problems[0].showing, 1);
    QVERIFY(problems[0].context.contains("1 tile shows it"));
    QVERIFY(problems[0].worst > 0);
    QCOMPARE(problems[1].name, QString("Tile 1,2"));
    QVERIFY(problems[1].what.startsWith("Late: lateness p99 31 ms"));
    QCOMPARE(more_words(problems), QString("1 more problem: tile 1,2 is late"));
    // The skew is that of the late tile.
    for (const auto alarm : problems[1].alarms)
      QVERIFY(info(room.health.alarms()[alarm].limit.quantity).scope != Scope::flow);
    QVERIFY(!problems[1].alarms.empty());
  }

  void all_nodes_of_a_card_are_the_cards_problem() {
    Room room;
    Uplinks uplinks;
    for (int node = 1; node <= 5; ++node)
      uplinks.card_of_node[QString("render-%1").arg(node)] = node <= 2 ? "enp65s0f0" : "enp65s0f1";
    room.problems.set_uplinks(uplinks);
    room.steps(30);
    for (std::size_t flow = 0; flow < 2 * Room::rows * Room::flows_per_tile; ++flow)
      room.flows[flow].lost = room.flows[flow].repaired = 2;
    room.steps(5);
    auto problems = room.problems.now();
    QCOMPARE(problems.size(), std::size_t{1});
    QCOMPARE(problems[0].place, Problem::Place::card);
    QCOMPARE(problems[0].sentence, QString("Packet loss on all nodes behind enp65s0f0"));
    QCOMPARE(problems[0].what, QString("Packet loss on 6 of its 6 tiles"));
    // One node less, and each has its own problem.
    heal(room);
    room.steps(130);  // the alarms end after two seconds
    for (std::size_t flow = 0; flow < Room::rows * Room::flows_per_tile; ++flow) room.flows[flow].lost = 2;
    room.steps(5);
    problems = room.problems.now();
    QCOMPARE(problems.size(), std::size_t{1});
    QCOMPARE(problems[0].name, QString("render-1"));
  }

  void a_node_that_is_gone_is_one_problem() {
    Room room;
    room.steps(30);
    room.nodes[4].connected = false;
    room.steps(3);
    const auto problems = room.problems.now();
    QCOMPARE(problems.size(), std::size_t{1});
    QCOMPARE(problems[0].state, State::off);
    QCOMPARE(problems[0].what, QString("3 tiles without a picture"));
    QCOMPARE(problems[0].sentence, QString("No picture from node render-5"));
  }

  void a_tile_of_its_own_is_named() {
    Room room;
    room.steps(30);
    room.flows[0].lost = room.flows[0].repaired = 8;
    room.steps(3);
    const auto problems = room.problems.now();
    QVERIFY(problem_named(problems, "Tile 0,0") != nullptr);
    QCOMPARE(problems.size(), std::size_t{1});
    QVERIFY(room.tile_health(0).badge.endsWith("% loss"));
  }

  // Figures.

  void figures_in_people_s_units() {
    QCOMPARE(figure_text::number(35.44), QString("35.4"));
    QCOMPARE(figure_text::number(0.4213), QString("0.421"));
    QCOMPARE(figure_text::number(1.9), QString("1.9"));
    QCOMPARE(figure_text::number(2741), QString("2") + QChar(0x2009) + "740");
    QCOMPARE(figure_text::number(999.9), QString("1") + QChar(0x2009) + "000");
    QCOMPARE(figure_text::number(0), QString("0"));
    QCOMPARE(figure_text::number(-3.456), QString(QChar(0x2212)) + "3.46");
    QCOMPARE(figure_text::time(61.4).joined(), QString("61.4 µs"));
    QCOMPARE(figure_text::time(31'000).joined(), QString("31 ms"));
    QCOMPARE(figure_text::milliseconds(420).joined(), QString("0.42 ms"));
    QCOMPARE(figure_text::span(8040), QString("2 h 14 min"));
    QCOMPARE(figure_text::span(38), QString("38 s"));
  }

  void five_figures_with_their_limits() {
    Room room;
    room.steps(30);
    auto figures = room.health.figures();
    QCOMPARE(figures.size(), std::size_t{5});
    QCOMPARE(figures[0].value->joined(), QString("35.4 Gbit/s"));
    QCOMPARE(figures[1].value->joined(), QString("0 packets/s"));
    QCOMPARE(figures[2].contexts.value(0), QString("worst of 60 flows · limit 1 ms"));
    QCOMPARE(figures[3].value->joined(), QString("0.42 ms"));
    QCOMPARE(figures[4].contexts.value(0), QString("limit 10 ms · playout delay 80 ms"));
    for (const auto& figure : figures) QCOMPARE(figure.state, State::ok);
    Uplinks uplinks;
    uplinks.cards = 1;
    uplinks.gbit_per_s = 40;
    room.health.set_uplinks(uplinks);
    room.lose_packets_on_one_node();
    room.be_late_on_one_tile();
    room.tiles[Room::tile_at(3, 1)].concealed = 1;
    room.steps(30);
    figures = room.health.figures();
    QVERIFY(figures[0].contexts.value(0).endsWith("% of the 40 Gbit/s link"));
    QCOMPARE(figures[1].state, State::crit);  // the audience sees it
    QVERIFY2(figures[1].contexts.value(0).contains("recovered"), qPrintable(figures[1].contexts.value(0)));
    QCOMPARE(figures[3].state, State::warn);
    QCOMPARE(figures[3].contexts.value(0), QString("limit 5 ms · tile 1,2 behind the others"));
    QCOMPARE(figures[4].state, State::warn);
    QCOMPARE(figures[4].value->joined(), QString("31 ms"));
  }

  void what_is_not_measured_has_no_value() {
    Room room;
    for (const auto& figure : room.health.figures()) QVERIFY(!figure.value);
    HealthStrip strip(room.health, room.problems);
    for (const auto* cell : strip.findChildren<FigureCell*>())
      QVERIFY(cell->accessibleDescription().endsWith("not measured"));
  }

  // The widgets.

  void nothing_moves_when_something_breaks() {
    Room room;
    HealthStrip strip(room.health, room.problems);
    strip.resize(1600, strip.sizeHint().height());
    strip.show();
    const auto places = [&] {
      std::vector<QRect> all;
      for (auto* child : strip.findChildren<QWidget*>())
        if (qobject_cast<AnswerBlock*>(child) != nullptr || qobject_cast<FigureCell*>(child) != nullptr)
          all.push_back(child->geometry());
      for (auto* button : strip.findChildren<QPushButton*>())
        if (button->text() == "Show cause" || button->text() == "Acknowledge") all.push_back(button->geometry());
      return all;
    };
    room.steps(30);
    strip.refresh_now();
    const auto healthy = places();
    QVERIFY(!strip.findChild<QPushButton*>()->isVisible());
    room.lose_packets_on_one_node();
    room.tiles[Room::tile_at(3, 1)].concealed = 1;
    room.steps(30);
    strip.refresh_now();
    QCOMPARE(places(), healthy);
    QVERIFY(strip.findChild<QPushButton*>()->isVisible());
    QVERIFY(strip.findChild<AnswerBlock*>()->accessibleDescription().startsWith("Packet loss on node render-4 for"));
    room.health.lose_contact("No answer");
    strip.refresh_now();
    QCOMPARE(places(), healthy);
  }

  void figures_and_buttons_say_what_is_wanted() {
    Room room;
    room.steps(30);
    room.lose_packets_on_one_node();
    room.steps(30);
    HealthStrip strip(room.health, room.problems);
    strip.resize(1600, strip.sizeHint().height());
    strip.show();
    QSignalSpy figures(&strip, &HealthStrip::figure_chosen);
    QSignalSpy causes(&strip, &HealthStrip::show_cause);
    QSignalSpy acknowledged(&strip, &HealthStrip::acknowledge);
    const auto cells = strip.findChildren<FigureCell*>();
    QCOMPARE(cells.size(), 5);
    QTest::mouseClick(cells[3], Qt::LeftButton);
    QTest::keyClick(cells[1], Qt::Key_Space);
    QCOMPARE(figures.at(0).at(0).value<Quantity>(), Quantity::skew);
    QCOMPARE(figures.at(1).at(0).value<Quantity>(), Quantity::loss);
    QCOMPARE(cells[3]->accessibleDescription(), QString("Skew, p99: 0.42 ms, limit 5 ms, in limits"));
    for (auto* button : strip.findChildren<QPushButton*>())
      if (button->isVisible()) button->click();
    QCOMPARE(causes.size(), 1);
    QCOMPARE(causes.at(0).at(0).value<Problem>().name, QString("render-4"));
    QCOMPARE(acknowledged.size(), 1);
  }

  void nothing_is_cut_off() {
    Room room;
    room.steps(30);
    room.lose_packets_on_one_node();
    room.be_late_on_one_tile();
    room.tiles[Room::tile_at(3, 1)].concealed = 1;
    room.steps(380);
    for (const int width : {1024, 1280, 1600, 2560}) {
      HealthStrip strip(room.health, room.problems);
      strip.resize(width, strip.sizeHint().height());
      strip.show();
      for (const auto* cell : strip.findChildren<FigureCell*>()) {
        QVERIFY2(!cell->context().contains(QChar(0x2026)),
                 qPrintable(QString("%1 at %2").arg(cell->context()).arg(width)));
        QVERIFY(cell->x() + cell->width() <= width);
      }
    }
  }

  void problems_lead_to_their_part_of_the_wall() {
    Room room;
    room.steps(30);
    room.lose_packets_on_one_node();
    room.be_late_on_one_tile();
    room.tiles[Room::tile_at(3, 1)].concealed = 1;
    room.steps(40);
    ProblemsPanel panel({room.history, room.status, room.health, room.problems, room.causes, room.focus});
    panel.resize(360, 860);
    panel.show();
    QCOMPARE(panel.note(), QString("2"));
    const auto cards = panel.findChildren<ProblemCard*>();
    QCOMPARE(cards.size(), 2);
    QTest::mouseClick(cards[0], Qt::LeftButton, {}, {20, 20});
    QCOMPARE(room.focus.part().node, QString("render-4"));
    panel.select_next(1);
    QCOMPARE(room.focus.part(), (Part{1, 2, {}}));
    panel.select_next(1);  // again from the first: its worst tile
    QCOMPARE(room.focus.part(), (Part{3, 1, {}}));
    panel.select_next(-1);
    QCOMPARE(room.focus.part(), (Part{1, 2, {}}));
    QTest::keyClick(cards[0], Qt::Key_Return);
    QCOMPARE(room.focus.part().node, QString("render-4"));
    QSignalSpy hosts(&panel, &ProblemsPanel::hosts_wanted);
    for (auto* button : cards[0]->findChildren<QPushButton*>())
      if (button->text() == "Open in Hosts") button->click();
    QCOMPARE(hosts.at(0).at(0).toString(), QString("render-4"));
  }

  void pictures() {
    enum class Scene : unsigned char { healthy, incident, late, silent, stopped, lost };
    const std::vector<std::pair<Scene, QString>> scenes{{Scene::healthy, "healthy"}, {Scene::incident, "incident"},
                                                        {Scene::late, "late"},       {Scene::silent, "silent"},
                                                        {Scene::stopped, "stopped"}, {Scene::lost, "lost"}};
    for (const auto& [scene, name] : scenes) {
      Room room;
      Uplinks uplinks;
      uplinks.cards = 1;
      uplinks.gbit_per_s = 40;
      room.health.set_uplinks(uplinks);
      room.steps(300);
      if (scene == Scene::incident) {
        room.lose_packets_on_one_node();
        room.be_late_on_one_tile();
        room.steps(377);
        room.tiles[Room::tile_at(3, 1)].concealed = 1;
        room.steps(3);
      }
      if (scene == Scene::late) {
        room.be_late_on_one_tile();
        room.steps(140);
      }
      if (scene == Scene::silent) {
        room.nodes[4].connected = false;
        room.steps(90);
      }
      if (scene == Scene::stopped) {
        room.playing = false;
        room.steps(30);
      }
      if (scene == Scene::lost) room.health.lose_contact("No answer from sara-hub.lab:9010. Trying again in 4 s.");
      for (const auto& [theme, theme_name] :
           {std::pair{Theme::dark, "dark"}, {Theme::light, "light"}, {Theme::high_contrast, "contrast"}}) {
        dress(theme);
        if (scene == Scene::incident) room.focus.show({{}, {}, {}, "render-4"});
        HealthStrip strip(room.health, room.problems);
        for (const int width : {1280, 1600, 2560}) {
          if (width != 1600 && theme != Theme::dark) continue;
          strip.resize(width, strip.sizeHint().height());
          strip.show();
          QVERIFY(strip.grab().save(picture(QString("health-%1-%2-%3.png").arg(name, theme_name).arg(width))));
        }
        ProblemsPanel panel({room.history, room.status, room.health, room.problems, room.causes, room.focus});
        panel.resize(360, 640);
        panel.show();
        QTest::qWait(60);  // until it is laid out
        QVERIFY(panel.grab().save(picture(QString("problems-%1-%2.png").arg(name, theme_name))));
      }
    }
  }
};

QTEST_MAIN(HealthTest)
#include "health_test.moc"
