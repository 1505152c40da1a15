// Alarms: raised after their hold time, ended after being better for a while, acknowledged, logged, kept as JSON.
#include "tests/gui/as_read.h"
#include "tests/gui/picture.h"
#include "tests/gui/wall_figures.h"
#include "wall-control/alarms/alarm_control.h"
#include "wall-control/alarms/alarm_dialog.h"
#include "wall-control/app/main_window.h"
#include "wall-control/events/event_log.h"
#include "wall-control/link/control_link.h"
#include "wall-control/messages/told.h"
#include "wall-control/ui/commands.h"
#include "wall-control/ui/palette.h"

#include <QApplication>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace lw;

namespace {

using Change = AlarmWatch::Change;

Change steps(AlarmWatch& watch, const AlarmRule& rule, std::optional<double> value, int count) {
  auto change = Change::none;
  for (int i = 0; i < count && change == Change::none; ++i) change = watch.step(rule, value, 0.1);
  return change;
}

// The same figures for the only node, with other counts of all its flows.
QJsonObject with_counts(QJsonObject stats, const QJsonObject& counts) {
  auto node = stats["nodes"].toArray()[0].toObject();
  auto report = node["report"].toObject();
  QJsonArray flows;
  for (auto entry : report["flows"].toArray()) {
    auto flow = entry.toObject();
    for (auto count = counts.begin(); count != counts.end(); ++count) flow[count.key()] = count.value();
    flows << flow;
  }
  report["flows"] = flows;
  node["report"] = report;
  stats["nodes"] = QJsonArray{node};
  return stats;
}

// Alarms by tenth of a second, for counts of each.
std::vector<Event> alarms_over(const std::vector<QJsonObject>& counts) {
  const auto info = wall_info(1, 1, 1);
  FlowHistory history;
  history.set_wall(read_info(info).wall);
  Alarms alarms;
  alarms.set_rules(lan_alarms());
  std::vector<Event> events;
  for (std::size_t tenth = 0; tenth < counts.size(); ++tenth) {
    history.add(stats_from(with_counts(wall_stats(info, static_cast<qint64>(tenth)), counts[tenth])).value());
    for (auto& event : alarms.step(history)) events.push_back(event);
  }
  return events;
}

}  // namespace

class AlarmsTest : public QObject {
  Q_OBJECT

  QTemporaryDir settings_;

private slots:
  void initTestCase() {
    qputenv("XDG_CONFIG_HOME", settings_.path().toUtf8());
    QApplication::setStyle("Fusion");
    QApplication::setPalette(colors::palette());
  }

  void it_is_raised_after_its_hold_time() {
    const AlarmRule rule{Quantity::jitter, false, 100, 20, 1, false};
    AlarmWatch watch;
    QCOMPARE(steps(watch, rule, 150, 9), Change::none);
    QCOMPARE(watch.state(), AlarmState::pending);
    QCOMPARE(steps(watch, rule, 50, 1), Change::none);
    QCOMPARE(watch.state(), AlarmState::ok);
    QCOMPARE(steps(watch, rule, 150, 9), Change::none);  // it starts again
    QCOMPARE(steps(watch, rule, 150, 1), Change::raised);
    QCOMPARE(watch.state(), AlarmState::raised);
  }

  void it_ends_when_it_is_better_for_a_while() {
    const AlarmRule rule{Quantity::jitter, false, 100, 20, 0, false};
    AlarmWatch watch;
    QCOMPARE(steps(watch, rule, 101, 1), Change::raised);
    QCOMPARE(steps(watch, rule, 90, 100), Change::none);  // within the hysteresis
    QCOMPARE(steps(watch, rule, 80, 19), Change::none);
    QCOMPARE(steps(watch, rule, 90, 1), Change::none);
    QCOMPARE(steps(watch, rule, 80, 19), Change::none);
    QCOMPARE(steps(watch, rule, std::nullopt, 50), Change::none);  // unknown
    QCOMPARE(steps(watch, rule, 80, 19), Change::none);
    watch.acknowledge();
    QCOMPARE(watch.state(), AlarmState::acknowledged);
    QCOMPARE(steps(watch, rule, 80, 1), Change::ended);
    QCOMPARE(watch.state(), AlarmState::ok);
  }

  void below_is_the_other_way_round() {
    const AlarmRule rule{Quantity::playout_level, true, 2, 1, 0, false};
    AlarmWatch watch;
    QCOMPARE(steps(watch, rule, 2, 1), Change::none);
    QCOMPARE(steps(watch, rule, 1, 1), Change::raised);
    QCOMPARE(steps(watch, rule, 2, 100), Change::none);
    QCOMPARE(steps(watch, rule, 3, 20), Change::ended);
  }

  void frames_are_not_missed_where_nothing_plays() {
    const auto info = wall_info(1, 1, 1);
    const auto raised = [&](bool plays) {
      FlowHistory history;
      history.set_wall(read_info(info).wall);
      Alarms alarms;
      alarms.set_rules({{Quantity::playout_level, true, 1, 0, 0, false}});
      auto stats = wall_stats(info, 1);
      auto wall = stats["wall"].toObject();
      if (plays) wall["frame"] = 7;
      stats["wall"] = wall;
      auto node = stats["nodes"].toArray()[0].toObject();
      auto report = node["report"].toObject();
      auto tile = report["tiles"].toArray()[0].toObject();
      tile["playout_frames"] = 0;
      report["tiles"] = QJsonArray{tile};
      node["report"] = report;
      stats["nodes"] = QJsonArray{node};
      history.add(stats_from(stats).value());
      return !alarms.step(history).empty();
    };
    QVERIFY(raised(true));
    QVERIFY(!raised(false));
  }

  void it_says_which_flow_and_when() {
    FlowHistory history;
    const auto info = wall_info(2, 2, 2);
    history.set_wall(read_info(info).wall);
    Alarms alarms;
    alarms.set_rules({{Quantity::loss, false, 0, 0, 0, true}});
    std::vector<Event> events;
    for (int tenth = 0; tenth < 100; ++tenth) {
      history.add(stats_from(wall_stats(info, tenth, 5, std::clamp(tenth - 20, 0, 10))).value());
      for (auto& event : alarms.step(history)) events.push_back(event);
      if (tenth == 25) {
        QCOMPARE(alarms.raised().size(), std::size_t{1});
        QCOMPARE(alarms.raised()[0].line.name, QString("flow 5"));
        QCOMPARE(alarms.raised()[0].value, 10.0);
      }
    }
    QCOMPARE(events.size(), std::size_t{2});
    QCOMPARE(events[0].code, QString("alarm-raised"));
    QCOMPARE(events[0].severity, Severity::error);
    QCOMPARE(events[0].time_ms, figures_begin_ms + 2100);
    QCOMPARE(place_of(events[0]), QString("node one, tile 0,1, flow 5"));
    QCOMPARE(events[1].code, QString("alarm-ended"));
    QCOMPARE(events[1].time_ms, figures_begin_ms + 5000);
    QVERIFY(alarms.raised().empty());
  }

  void reordered_packets_are_not_lost() {
    std::vector<QJsonObject> counts;  // one packet in ten reports is overtaken, and one in thirty dropped by the kernel
    for (int tenth = 0; tenth < 60; ++tenth)
      counts.push_back({{"lost", tenth % 10 == 5 ? 3 : 0},
                        {"lost_settled", 0},
                        {"kernel_drops", tenth % 30 == 5 ? 1 : 0},
                        {"kernel_drops_settled", 0}});
    QVERIFY(alarms_over(counts).empty());
    for (int tenth = 50; tenth < 60; ++tenth) counts[static_cast<std::size_t>(tenth)]["lost_settled"] = 2;
    const auto events = alarms_over(counts);
    QCOMPARE(events.size(), std::size_t{1});
    QCOMPARE(events[0].code, QString("alarm-raised"));
    QCOMPARE(events[0].time_ms, figures_begin_ms + 5000);
  }

  void figures_of_older_sessions_are_read() {
    std::vector<QJsonObject> counts;
    for (int tenth = 0; tenth < 20; ++tenth)
      counts.push_back({{"lost", tenth >= 10 ? 4 : 0}, {"kernel_drops", tenth >= 15 ? 4 : 0}});
    const auto events = alarms_over(counts);
    QCOMPARE(events.size(), std::size_t{2});
    QCOMPARE(events[0].time_ms, figures_begin_ms + 1000);
    QCOMPARE(events[1].time_ms, figures_begin_ms + 1500);
    const auto rules =
        alarm_rules_from(R"({"alarms": [{"quantity": "lost", "above": 5}, {"quantity": "kernel_drops", "above": 0}]})");
    QVERIFY(rules.has_value());
    QCOMPARE((*rules)[0].quantity, Quantity::loss);
    QCOMPARE((*rules)[1].quantity, Quantity::kernel_drops);
    QVERIFY(to_json(*rules).contains("lost_settled"));
  }

  void rules_are_json_and_checked() {
    for (const auto& rules : {lan_alarms(), wan_alarms()}) QCOMPARE(*alarm_rules_from(to_json(rules)), rules);
    const auto problem = [](const QByteArray& json) {
      const auto rules = alarm_rules_from(json);
      return rules ? QString() : QString::fromStdString(rules.error().text());
    };
    QCOMPARE(problem("{\"alarms\": []}"), QString());
    QVERIFY(problem("nonsense").contains("alarms"));
    QVERIFY(problem("[]").contains("no alarms"));
    QVERIFY(problem("{\"alarms\": [5]}").contains("alarm 1"));
    QVERIFY(problem(R"({"alarms": [{"quantity": "beauty", "above": 1}]})").contains("jitter_us"));
    QVERIFY(problem(R"({"alarms": [{"quantity": "lost"}]})").contains("threshold"));
    QVERIFY(problem(R"({"alarms": [{"quantity": "lost", "above": 1, "below": 2}]})").contains("either"));
    QVERIFY(problem(R"({"alarms": [{"quantity": "lost", "above": "x"}]})").contains("no number"));
    QVERIFY(problem(R"({"alarms": [{"quantity": "lost", "above": 1, "hold_s": 1e9}]})").contains("hold_s"));
    QVERIFY(problem(R"({"alarms": [{"quantity": "lost", "above": 1, "hold": 1}]})").contains("'hold'"));
    QVERIFY(problem(R"({"alarms": [{"quantity": "lost", "above": 1, "severity": "bad"}]})").contains("severity"));
  }

  void the_editor_keeps_imports_and_exports() {
    const QTemporaryDir folder;
    AlarmDialog dialog(lan_alarms());
    QCOMPARE(dialog.rules(), lan_alarms());
    dialog.set_rules(wan_alarms());
    QCOMPARE(dialog.save(folder.filePath("a.json")), QString());
    dialog.set_rules({});
    QCOMPARE(dialog.load(folder.filePath("a.json")), QString());
    QCOMPARE(dialog.rules(), wan_alarms());
    QVERIFY(dialog.load(folder.filePath("none.json")).contains("cannot read"));
    QVERIFY(dialog.save(folder.filePath("none/a.json")).contains("cannot write"));
    dialog.show();
    QVERIFY(dialog.grab().save(test::picture("alarm-dialog.png")));
  }

  void changed_rules_can_be_undone() {
    ControlLink link;
    QWidget window;
    Commands commands(link, window);
    const FlowHistory history;
    AlarmControl alarms(history);
    alarms.set_rules(lan_alarms());
    const QSignalSpy remembered(&commands, &Commands::remembered);
    alarms.change_rules(wan_alarms(), commands);
    QCOMPARE(alarms.alarms().rules(), wan_alarms());
    QCOMPARE(remembered.size(), 1);
    alarms.change_rules(wan_alarms(), commands);  // nothing is changed, nothing to undo
    QCOMPARE(remembered.size(), 1);
    const QSignalSpy used(&alarms, &AlarmControl::rules_changed);
    commands.undo();
    QCOMPARE(alarms.alarms().rules(), lan_alarms());
    QCOMPARE(AlarmControl(history).alarms().rules(), lan_alarms());  // also for the next run
    commands.redo();
    QCOMPARE(alarms.alarms().rules(), wan_alarms());
    QCOMPARE(used.size(), 2);
  }

  void the_window_shows_logs_and_acknowledges() {
    MainWindow window;
    window.resize(1280, 720);
    window.show();
    auto& alarms = window.alarms();
    alarms.set_rules({{Quantity::loss, false, 0, 0, 0, false}});
    const auto info = wall_info(2, 2, 2);
    emit window.link().ready(read_info(info));
    for (int tenth = 0; tenth < 30; ++tenth)
      emit window.link().stats(stats_from(wall_stats(info, tenth, 5, tenth)).value());
    emit window.link().caught_up();
    const auto* bell = window.findChild<QToolButton*>("bell");
    QCOMPARE(bell->text(), QString("1"));
    QVERIFY2(bell->toolTip().startsWith("flow 5: "), qPrintable(bell->toolTip()));
    QVERIFY(bell->toolTip().contains("(10 packets/s)"));
    QVERIFY(window.grab().save(test::picture("alarms.png")));
    const auto codes = [&] {
      QStringList all;
      for (const auto& event : window.findChild<EventLog*>()->model().events()) all << event.code;
      return all;
    };
    QVERIFY(codes().contains("alarm-raised"));
    QVERIFY(QTest::qWaitForWindowActive(&window));
    window.setFocus();
    QTest::keyClick(&window, Qt::Key_A);
    QCOMPARE(bell->text(), QString());
    QVERIFY(bell->toolTip().endsWith(", acknowledged"));
    QVERIFY(codes().contains("alarm-acknowledged"));
    const FlowHistory history;
    const AlarmControl again(history);
    QCOMPARE(again.alarms().rules(), alarms.alarms().rules());
  }
};

QTEST_MAIN(AlarmsTest)
#include "alarms_test.moc"
