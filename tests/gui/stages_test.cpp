// The stage times of flows and tiles as quantities of the plots: from sender, both ends, receiver and tile.
#include "wall-control/models/flow_history.h"

#include "tests/gui/as_read.h"
#include "tests/gui/picture.h"
#include "tests/gui/wall_figures.h"
#include "wall-control/messages/told.h"
#include "wall-control/models/focus.h"
#include "wall-control/models/time_window.h"
#include "wall-control/plots/lane_chart.h"

#include <QtTest>

#include <algorithm>
#include <set>

using namespace lw;

namespace {

QJsonObject with_stages(QJsonObject stats) {
  auto wall = stats["wall"].toObject();
  wall["flows"] = QJsonArray{QJsonObject{{"flow", 1}, {"flight_us_p50", 60.0}, {"flight_us_p99", 150.0}}};
  stats["wall"] = wall;
  stats["sender"] = QJsonArray{QJsonObject{{"flow", 0}, {"packets", 5}, {"queue_us_p99", 99'000.0}},
                               QJsonObject{{"flow", 1},
                                           {"packets", 5},
                                           {"read_us_p99", 2600.0},
                                           {"queue_us_p99", 100'000.0},
                                           {"send_us_p99", 19'600.0}}};
  auto nodes = stats["nodes"].toArray();
  auto node = nodes[0].toObject();
  auto report = node["report"].toObject();
  auto flows = report["flows"].toArray();
  auto flow = flows[1].toObject();
  flow["assemble_us_p99"] = 20'500.0;
  flows[1] = flow;
  report["flows"] = flows;
  auto tiles = report["tiles"].toArray();
  auto tile = tiles[0].toObject();
  tile["wait_us_p99"] = 72'000.0;
  tile["upload_us_p99"] = 900.0;
  tile["swap_us_p99"] = 30'000.0;
  tiles[0] = tile;
  report["tiles"] = tiles;
  node["report"] = report;
  nodes[0] = node;
  stats["nodes"] = nodes;
  return stats;
}

std::optional<double> newest(const FlowHistory& history, Quantity quantity, int line) {
  return history.lines(quantity)[static_cast<std::size_t>(line)].series->back(0);
}

}  // namespace

class StagesTest : public QObject {
  Q_OBJECT

private slots:
  void stages_come_from_who_measures_them() {
    FlowHistory history;
    const auto info = wall_info(2, 1, 1);
    history.set_wall(read_info(info).wall);
    history.add(stats_from(with_stages(wall_stats(info, 0))).value());
    for (const auto& [quantity, value] : {std::pair{Quantity::read, 2600.0},
                                          {Quantity::queue, 100'000.0},
                                          {Quantity::send, 19'600.0},
                                          {Quantity::flight, 150.0},
                                          {Quantity::assemble, 20'500.0}})
      QCOMPARE(newest(history, quantity, 1), value);
    QCOMPARE(newest(history, Quantity::wait, 0), 72'000.0);
    QCOMPARE(newest(history, Quantity::upload, 0), 900.0);
    QCOMPARE(newest(history, Quantity::swap, 0), 30'000.0);
    // Values that were not measured are gaps, and the receiver's packets are not the sender's.
    QVERIFY(!newest(history, Quantity::read, 0));
    QVERIFY(!newest(history, Quantity::flight, 0));
    QVERIFY(!newest(history, Quantity::upload, 1));
    QCOMPARE(history.flows()[1].packets, 0);
    QCOMPARE(history.flows()[1].sent, 5);
  }

  void a_node_that_is_gone_leaves_the_senders_stages() {
    FlowHistory history;
    const auto info = wall_info(2, 1, 1);
    history.set_wall(read_info(info).wall);
    history.add(stats_from(with_stages(wall_stats(info, 0))).value());
    auto stats = with_stages(wall_stats(info, 1));
    stats["nodes"] = QJsonArray{QJsonObject{{"node", "one"}, {"connected", false}}};
    auto wall = stats["wall"].toObject();
    wall.remove("flows");
    stats["wall"] = wall;
    history.add(stats_from(stats).value());
    QCOMPARE(newest(history, Quantity::queue, 1), 100'000.0);
    QVERIFY(!newest(history, Quantity::flight, 1));
    QVERIFY(!newest(history, Quantity::assemble, 1));
    QVERIFY(!newest(history, Quantity::throughput, 1));
    history.add_gap();
    QVERIFY(!newest(history, Quantity::queue, 1));
  }

  void every_quantity_has_a_key_a_title_and_a_definition_of_its_own() {
    std::set<QString> titles;
    for (const auto& quantity : quantities()) {
      QVERIFY(titles.insert(title_of(quantity)).second);
      QVERIFY(definition_of(quantity).endsWith('.'));
    }
    QCOMPARE(titles.size(), quantity_count);
  }

  void a_chart_shows_them() {
    FlowHistory history;
    const auto info = wall_info(4, 4, 1);
    history.set_wall(read_info(info).wall);
    for (int tenth = 0; tenth < 600; ++tenth) {
      auto stats = wall_stats(info, tenth);
      QJsonArray sender;
      for (int flow = 0; flow < 16; ++flow)
        sender << QJsonObject{{"flow", flow}, {"queue_us_p99", 98'000.0 + 100 * flow + 40 * (tenth % 17)}};
      stats["sender"] = sender;
      history.add(stats_from(stats).value());
    }
    TimeWindow window(history.times());
    Focus focus(history);
    LaneChart chart({history, window, focus}, {{Quantity::queue, false}}, {});
    chart.resize(900, 260);
    chart.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chart));
    QVERIFY(chart.grab().save(test::picture("stages.png")));
    QCOMPARE(chart.top_of(Quantity::queue), 200'000.0);
    QCOMPARE(chart.worst_names().front(), QString("flow 15"));
  }
};

QTEST_MAIN(StagesTest)
#include "stages_test.moc"
