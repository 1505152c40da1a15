// The way of a flow and what is measured on each part of it: each figure stands at the part that it is about, what is
// not measured says so, and the panel shows the selected flow and those that lost most.
#include "wall-control/network/path_panel.h"

#include "tests/gui/health_room.h"
#include "tests/gui/picture.h"
#include "wall-control/network/path_chain.h"
#include "wall-control/ui/figure_table.h"
#include "wall-control/ui/tile_names.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <memory>

using namespace lw;
using test::Room;

namespace {

MachineEntry host(HostRole role, const std::string& name, const std::string& card, const std::string& address,
                  double gbit_per_s) {
  MachineEntry entry;
  entry.role = role;
  entry.name = name;
  entry.machine = MachineMessage{};
  entry.machine->interfaces.resize(1);
  entry.machine->interfaces[0].name = card;
  entry.machine->interfaces[0].addresses = std::vector<std::string>{address};
  entry.machine->interfaces[0].link_gbit_per_s = gbit_per_s;
  return entry;
}

// A server with a card of 40 Gbit/s, and five nodes with one of 25 each. CPU 5 of render-4 takes its interrupts.
Machines hosts_of_room() {
  MachinesReply reply;
  reply.machines.push_back(host(HostRole::server, "hub", "enp65s0f0", "10.1.0.1", 40));
  for (int node = 1; node <= Room::columns; ++node) {
    const auto number = std::to_string(node);
    reply.machines.push_back(host(HostRole::node, "render-" + number, "enp1s0", "10.0.0." + number, 25));
  }
  QueueFacts queue;
  queue.irq = 40;
  queue.irq_cpus = std::vector<unsigned>{5};
  for (auto& machine : reply.machines)
    for (unsigned cpu = 0; cpu < 16; ++cpu) {
      CoreFacts core;
      core.cpus = std::vector<unsigned>{cpu};
      machine.machine->topology.cores.push_back(core);
    }
  reply.machines[4].machine->interfaces[0].transmit_queues = {queue};
  for (unsigned flow = 0; flow < Room::flow_count; ++flow)
    reply.flows.push_back({flow, "10.1.0.1", "10.0.0." + std::to_string(flow / 12 + 1)});
  Machines machines;
  machines.set(reply);
  return machines;
}

struct PathRoom : Room {
  Bursts bursts{history};
  FlowPaths paths{history, status, stages};
  NetworkModels models{history, FlowEvidence{paths, bursts, causes}};

  PathRoom() {
    receiver_cpus = true;
    paths.set_frame_interval(1e6 / 24);
  }
  FlowPath path_of(int flow) {
    paths.refresh();
    return paths.of(static_cast<std::size_t>(flow), models.window().span_of(models.window().chosen()));
  }
};

QString words(const HopFacts& hop) {
  QStringList all{hop.name};
  for (const auto& fact : hop.evidence) all << fact.text;
  return all.join(" | ");
}

}  // namespace

class PathsTest : public QObject {
  Q_OBJECT

private slots:
  void initTestCase() { test::dress(Theme::dark); }
  void cleanup() { name_tiles({}); }

  void each_figure_stands_where_it_is_measured() {
    PathRoom room;
    room.paths.set_machines(hosts_of_room());
    room.steps(100);
    const auto path = room.path_of(0);
    QCOMPARE(words(path.at(Hop::server)),
             QString::fromUtf8("hub, CPU 0 | Sends up to 200 \u00b5s late | Disk read, p99: 10 ms"));
    // 60 flows of 0.59 Gbit/s leave by one card; 12 of them arrive at each node.
    QCOMPARE(words(path.at(Hop::uplink)), QString("enp65s0f0 | Carries 35.4 of 40 Gbit/s"));
    QCOMPARE(words(path.at(Hop::downlink)), QString("enp1s0 | Carries 7.08 of 25 Gbit/s"));
    QCOMPARE(words(path.at(Hop::path)),
             QString::fromUtf8("To 10.0.0.1 | No packet lost | In flight, p99: up to 90 \u00b5s"));
    QCOMPARE(words(path.at(Hop::core)),
             QString("render-1, CPU 0 | No placement conflict found | wall-client uses 31 % of 16 CPUs"));
    QCOMPARE(words(path.at(Hop::buffer)), QString("Socket of flow 0 | No packet dropped"));
    for (const auto& hop : path.hops) QCOMPARE(hop.state, State::ok);
  }

  void drops_are_the_buffers_and_other_losses_the_paths() {
    PathRoom room;
    room.flows[5].lost = 4;
    room.flows[5].dropped = 3;
    room.flows[5].repaired = 4;
    room.flows[6].lost = 2;
    room.flows[6].repaired = 1;
    room.steps(100);
    const auto both = room.path_of(5);
    QCOMPARE(both.at(Hop::path).evidence[0].text, QString("10 packets/s lost"));
    QCOMPARE(both.at(Hop::buffer).evidence[0].text, QString("30 packets/s dropped, 75 % of the lost"));
    QCOMPARE(both.at(Hop::buffer).evidence[1].text, QString("100 % of the lost repaired"));
    // Repaired loss is a warning.
    QCOMPARE(both.at(Hop::path).state, State::warn);
    QCOMPARE(both.at(Hop::buffer).state, State::warn);
    const auto path = room.path_of(6);
    QCOMPARE(path.at(Hop::path).state, State::crit);
    QCOMPARE(path.at(Hop::buffer).state, State::ok);
  }

  void what_is_not_known_is_not_called_well() {
    PathRoom room;
    room.receiver_cpus = false;
    room.steps(20);
    const auto path = room.path_of(0);
    for (const auto hop : {Hop::uplink, Hop::downlink}) {
      QCOMPARE(words(path.at(hop)), QString(" | Hardware not known yet"));
      QCOMPARE(path.at(hop).state, State::note);
    }
    room.nodes[0].reports = false;
    room.steps(700);  // nothing of it in the last minute
    const auto silent = room.path_of(0);
    QCOMPARE(silent.at(Hop::path).evidence[0].text, QString("Loss not measured"));
    QCOMPARE(silent.at(Hop::buffer).evidence[0].text, QString("Drops not measured"));
    for (const auto hop : {Hop::path, Hop::buffer}) QCOMPARE(silent.at(hop).state, State::note);
  }

  void late_senders_full_links_and_bad_cpus_are_marked() {
    PathRoom room;
    auto machines = hosts_of_room();
    room.paths.set_machines(machines);
    room.flows[1].late_us = 50'000;
    room.nodes[3].load = 0.98;
    room.steps(20);
    QCOMPARE(room.path_of(1).at(Hop::server).state, State::warn);
    QCOMPARE(room.path_of(0).at(Hop::server).state, State::ok);
    // Flow 37 runs on CPU 5 of render-4, which takes the card's interrupts.
    const auto& core = room.path_of(37).at(Hop::core);
    QCOMPARE(core.state, State::warn);
    QVERIFY2(core.evidence[0].text.contains("interrupt of enp1s0"), qPrintable(core.evidence[0].text));
    QVERIFY(core.evidence[1].text.contains("98 % of 16 CPUs") && core.evidence[1].state == State::warn);
  }

  void the_worst_come_first_and_stay_in_their_places() {
    PathRoom room;
    room.flows[30].lost = 1;
    room.flows[12].lost = 5;
    room.steps(50);
    const auto span = [&] { return room.models.window().span_of(room.models.window().chosen()); };
    auto worst = room.paths.worst({}, span(), 4);
    QCOMPARE(worst, (std::vector<std::size_t>{12, 30, 0, 1}));
    for (int i = 0; i < 10; ++i) {
      room.step();  // jitter changes a little
      QCOMPARE(room.paths.worst({}, span(), 4), worst);
    }
    QCOMPARE(room.paths.worst({{}, {}, {}, "render-3"}, span(), 2), (std::vector<std::size_t>{30, 24}));
  }

  void the_panel_explains_the_selected_flow() {
    PathRoom room;
    room.paths.set_machines(hosts_of_room());
    room.lose_packets_on_one_node();
    room.steps(100);
    PathPanel panel(room.models);
    QVERIFY(test::is_shown(panel, QSize(980, 560)));
    QCOMPARE(panel.table().rowCount(), static_cast<int>(Room::flow_count));
    QCOMPARE(panel.table().rows()[0].node, QString("render-4"));
    QCOMPARE(panel.chain().path()->flow, panel.table().rows()[0].flow);
    auto* cause = panel.findChild<QLabel*>("path-cause");
    QVERIFY2(cause->text().startsWith("Likely cause: render-4 cannot empty its receive buffers"),
             qPrintable(cause->text()));
    // The keys go along the flows without selecting them; Enter selects.
    panel.view().setFocus();
    QTest::keyClick(&panel.view(), Qt::Key_Down);
    const int second = panel.table().rows()[1].flow;
    QCOMPARE(panel.chain().path()->flow, second);
    QVERIFY(room.models.focus().part() == Part{});
    QVERIFY(panel.chain().accessibleDescription().contains("Socket buffer"));
    // The figures are renewed, and the chosen row stays.
    room.steps(10);
    panel.refresh();
    QCOMPARE(panel.chain().path()->flow, second);
    QTest::keyClick(&panel.view(), Qt::Key_Return);
    QCOMPARE(room.models.focus().part().flow, std::optional<int>(second));
    QCOMPARE(panel.table().rowCount(), Room::flows_per_tile);  // of its tile
    QCOMPARE(panel.chain().path()->flow, second);
    QTest::keyClick(&panel.view(), Qt::Key_Backspace);
    QVERIFY(!room.models.focus().part().flow);
    // A healthy flow.
    room.models.focus().show_line(Scope::flow, 0);
    QCOMPARE(panel.chain().path()->flow, 0);
    QCOMPARE(cause->text(), QString("Nothing is wrong on this path."));
  }

  void tiles_of_a_free_shape_are_named() {
    PathRoom room;
    room.flows[1].lost = 3;
    room.steps(20);
    test::name_first_tile("left");
    PathPanel panel(room.models);
    QVERIFY(test::is_shown(panel, QSize(980, 560)));
    QCOMPARE(panel.table().rows()[0].flow, 1);
    QCOMPARE(panel.table().index(0, PathTableModel::tile).data().toString(), QString("left"));
    QCOMPARE(panel.chain().accessibleName(), QString("Path of flow 1, tile left"));
    QCOMPARE(panel.findChild<QLabel*>("path-title")->text(), QString("Flow 1, tile left on render-1"));
  }

  void without_figures_it_says_the_next_step() {
    PathRoom room;
    PathPanel panel(room.models);
    QVERIFY(test::is_shown(panel, QSize(980, 560)));
    QCOMPARE(panel.findChild<QLabel*>("empty-what")->text(), QString("Nothing measured yet"));
    const QSignalSpy library(&panel, &PathPanel::library_wanted);
    panel.findChild<QPushButton*>("empty-action")->click();
    QCOMPARE(library.size(), 1);
  }

  void a_hidden_panel_does_nothing() {
    PathRoom room;
    room.steps(20);
    PathPanel panel(room.models);
    panel.refresh();
    room.models.refresh();
    QVERIFY(panel.table().rows().empty());
  }

  // Of 2048 flows, only the worst are looked at.
  void a_large_wall_is_cheap() {
    WallInfo wall;
    wall.columns = 32;
    wall.rows = 16;
    NodeInfo node{"one", "10.0.0.1", {}};
    for (unsigned tile = 0; tile < 512; ++tile) {
      node.tiles.push_back({tile % 32, tile / 32});
      for (unsigned band = 0; band < 4; ++band)
        wall.flows.push_back({4 * tile + band, {tile % 32, tile / 32}, "one", 0, 400, 0});
    }
    wall.nodes.push_back(node);
    FlowHistory history;
    history.set_wall(wall);
    WallStatus status;
    status.set_wall(wall);
    StageTimes stages{history};
    Health health{history, status};
    Causes causes{history, status, stages, health};
    Bursts bursts{history};
    FlowPaths paths{history, status, stages};
    NetworkModels models{history, FlowEvidence{paths, bursts, causes}};
    Stats stats;
    stats.interval_s = 0.1;
    stats.nodes.resize(1);
    stats.nodes[0].node = "one";
    stats.nodes[0].report.emplace();
    for (unsigned flow = 0; flow < 2048; ++flow) {
      stats.nodes[0].report->flows.push_back({});
      stats.nodes[0].report->flows.back().flow = flow;
    }
    for (std::uint64_t tenth = 0; tenth < 100; ++tenth) {
      for (auto& flow : stats.nodes[0].report->flows)
        flow.figures["lost_settled"] = std::uint64_t{flow.flow == 2000 ? 3 * tenth : 0};
      history.add(stats);
      bursts.add(stats);
    }
    PathPanel panel(models);
    QVERIFY(test::is_shown(panel, QSize(980, 560)));
    QCOMPARE(panel.table().rows().size(), PathTableModel::rows_max);
    QCOMPARE(panel.table().rows()[0].flow, 2000);
    QElapsedTimer work;
    work.start();
    for (int i = 0; i < 20; ++i) panel.refresh();
    qInfo("2048 flows: %.1f ms for each refresh of the paths", static_cast<double>(work.elapsed()) / 20);
  }

  void pictures() {
    PathRoom room;
    room.paths.set_machines(hosts_of_room());
    room.lose_packets_on_one_node();
    room.steps(100);
    for (const auto& [theme, name] :
         {std::pair{Theme::dark, "dark"}, {Theme::light, "light"}, {Theme::high_contrast, "high-contrast"}}) {
      test::dress(theme);
      for (const auto& size : {QSize(780, 420), QSize(980, 620), QSize(1560, 900)}) {
        PathPanel panel(room.models);
        panel.resize(size);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QCOMPARE(panel.size(), size);
        // Everything of the chain has its room.
        QVERIFY(panel.chain().height() >= panel.chain().heightForWidth(panel.chain().width()));
        QVERIFY(panel.grab().save(test::picture(QString("paths-%1-%2.png").arg(name).arg(size.width()))));
      }
    }
    test::dress(Theme::dark);
  }
};

QTEST_MAIN(PathsTest)
#include "paths_test.moc"
