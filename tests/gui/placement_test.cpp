// Trying a flow on another CPU: the server is asked to move it between two measured periods of equal length, both are
// shown, and the flow stays there or is moved back.
#include "tests/gui/fake_server.h"
#include "tests/gui/picture.h"
#include "wall-control/app/main_window.h"
#include "wall-control/machines/placement_panel.h"
#include "wall-control/messages/told.h"
#include "wall-control/models/placement_trial.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTabWidget>

#include <memory>

using namespace lw;

namespace {

// Flow 0 sends on `cpu`, and loses a packet with each of these where `loses`.
QJsonObject sample(int tenth, int cpu, bool loses = false) {
  const QJsonArray sender{
      QJsonObject{{"flow", 0}, {"cpu", cpu}, {"cpu_s", 0.05 * tenth}, {"late_us_max", loses ? 2500.0 : 40.0}},
      QJsonObject{{"flow", 1}, {"cpu", 1}, {"cpu_s", 0.0}}};
  const QJsonArray flows{QJsonObject{{"flow", 0},
                                     {"receiving", true},
                                     {"cpu", 3},
                                     {"cpu_s", 0.02 * tenth},
                                     {"lost", loses ? tenth : 0},
                                     {"gbit_per_s", 0.2},
                                     {"jitter_us", loses ? 90.0 : 10.0}}};
  return {{"interval_s", 0.1},
          {"sender", sender},
          {"nodes", QJsonArray{QJsonObject{{"node", "one"},
                                           {"connected", true},
                                           {"report", QJsonObject{{"flows", flows}, {"tiles", QJsonArray{}}}}}}}};
}

QJsonObject machines() {
  const auto core = [](int cpu) { return QJsonObject{{"numa_node", 0}, {"cpus", QJsonArray{cpu}}}; };
  const QJsonObject topology{{"numa_nodes", QJsonArray{QJsonObject{{"numa_node", 0}, {"memory_bytes", 1e9}}}},
                             {"cores", QJsonArray{core(0), core(1), core(2), core(3)}}};
  const QJsonObject machine{
      {"name", "h"}, {"topology", topology}, {"interfaces", QJsonArray{}}, {"disks", QJsonArray{}}};
  return {{"machines", QJsonArray{QJsonObject{{"role", "server"}, {"name", "local"}, {"machine", machine}},
                                  QJsonObject{{"role", "node"}, {"name", "one"}, {"machine", machine}}}},
          {"flows", QJsonArray{QJsonObject{{"flow", 0}, {"arrives_at", "127.0.0.1"}},
                               QJsonObject{{"flow", 1}, {"arrives_at", "127.0.0.1"}}}}};
}

}  // namespace

class PlacementTest : public QObject {
  Q_OBJECT

  std::unique_ptr<test::ScriptedServer> server_;
  std::unique_ptr<MainWindow> window_;
  int tenth_ = 0;

  template <class Widget>
  Widget* part(const char* name) {
    return window_->findChild<Widget*>(name);
  }
  QString stage() { return part<QLabel>("trial-stage")->text(); }
  void tell(int samples, int cpu, bool loses = false) {
    for (int i = 0; i < samples; ++i) server_->tell("stats", sample(++tenth_, cpu, loses));
  }
  void choose(const char* name, const QVariant& value) {
    auto* box = part<QComboBox>(name);
    QVERIFY2(box->findData(value) >= 0, name);
    box->setCurrentIndex(box->findData(value));
  }

private slots:
  void initTestCase() { test::look_like_the_program(); }
  void init() {
    tenth_ = 0;
    server_ = std::make_unique<test::ScriptedServer>();
    server_->results["machines"] = machines();
    window_ = std::make_unique<MainWindow>();
    window_->resize(1280, 800);
    window_->show();
    window_->connect_to(server_->address());
    QVERIFY(server_->was_asked("subscribe"));
    QTest::keyClick(window_.get(), Qt::Key_3, Qt::ControlModifier);
    QVERIFY(server_->was_asked("machines"));
    tell(1, 0);
    QTRY_COMPARE(part<QComboBox>("trial-flow")->count(), 2);
    choose("trial-cpu", 2);
  }
  void cleanup() {
    window_.reset();
    server_.reset();
  }

  void equal_times_before_and_after_are_measured() {
    for (const char* name : {"trial-host", "trial-flow", "trial-cpu"})
      QVERIFY(!part<QComboBox>(name)->accessibleName().isEmpty());
    QCOMPARE(part<QLineEdit>("cpus-line")->text(), "cpus = [0, 1]  # [[server]]");
    QVERIFY(!part<QPushButton>("keep")->isEnabled() && !part<QPushButton>("take-back")->isEnabled());
    QTest::mouseClick(part<QPushButton>("try"), Qt::LeftButton);
    QVERIFY(stage().contains("on CPU 0: measuring"));
    tell(PlacementTrial::window_samples - 1, 0);
    QTRY_VERIFY(stage().contains("1 s"));
    QVERIFY(std::ranges::none_of(server_->calls, [](const auto& call) { return call.first == "place"; }));
    tell(1, 0);
    const QJsonArray there{QJsonObject{{"flow", 0}, {"cpu", 2}}};
    QVERIFY(server_->was_asked("place", {{"flows", there}}));
    tell(PlacementTrial::settle_samples, 0);
    tell(PlacementTrial::window_samples, 2, true);
    QTRY_VERIFY2(stage().contains("was moved from CPU 0 to CPU 2"), qPrintable(stage()));
    const auto figures = part<QLabel>("trial-figures")->text();
    const auto has = [&](const QString& name, const QStringList& values) {
      QString row = "<td>" + name + "</td>";
      for (const auto& value : values) row += "<td align=right>" + value + "</td>";
      return figures.contains(row);
    };
    const auto dash = QString::fromUtf8("\u2013");  // no kernel drops were reported
    QVERIFY2(has("before", {"0.200", "0.04", "10.0", "0", dash, "50.0"}), qPrintable(figures));
    QVERIFY2(has("after", {"0.200", "2.50", "90.0", "49", dash, "50.0"}), qPrintable(figures));
    QTRY_COMPARE(part<QLineEdit>("cpus-line")->text(), "cpus = [2, 1]  # [[server]]");
    QTest::qWait(100);
    QVERIFY(window_->grab().save(test::picture("placement.png")));
    QTest::mouseClick(part<QPushButton>("take-back"), Qt::LeftButton);
    QVERIFY(server_->was_asked("place", {{"flows", QJsonArray{QJsonObject{{"flow", 0}, {"cpu", 0}}}}}));
    QVERIFY(!part<QPushButton>("try")->isEnabled());  // it is still on that CPU
    tell(1, 0);
    QTRY_VERIFY(part<QPushButton>("try")->isEnabled());
  }

  void reordered_packets_are_not_lost() {
    PlacementTrial trial;
    trial.begin({"", 0, 0, 2});
    for (int tenth = 1; tenth <= PlacementTrial::window_samples; ++tenth) {
      auto stats = sample(tenth, 0);
      auto node = stats["nodes"].toArray()[0].toObject();
      auto report = node["report"].toObject();
      auto flow = report["flows"].toArray()[0].toObject();
      flow["lost"] = tenth == PlacementTrial::window_samples ? 9 : tenth % 3;
      flow["lost_settled"] = tenth > 20 ? 2 : 0;
      report["flows"] = QJsonArray{flow};
      node["report"] = report;
      stats["nodes"] = QJsonArray{node};
      trial.add(stats_from(stats).value());
    }
    QCOMPARE(trial.before().lost, std::optional<qint64>(2));
  }

  void a_node_is_asked_for_its_own_and_kept() {
    choose("trial-host", "one");
    choose("trial-cpu", 1);
    QCOMPARE(part<QLineEdit>("cpus-line")->text(), "cpus = [3]  # [[node]] one");
    part<QPushButton>("try")->findChild<QMenu*>("copies")->actions().at(0)->trigger();
    QVERIFY(QGuiApplication::clipboard()->text().contains(R"("node":"one")"));
    QTest::mouseClick(part<QPushButton>("try"), Qt::LeftButton);
    tell(PlacementTrial::window_samples, 0);
    QVERIFY(
        server_->was_asked("place", {{"node", "one"}, {"flows", QJsonArray{QJsonObject{{"flow", 0}, {"cpu", 1}}}}}));
    tell(PlacementTrial::settle_samples + PlacementTrial::window_samples, 0);
    QTRY_VERIFY(stage().contains("did not come to CPU 1"));  // the reports name CPU 3 all the time
    server_->calls.clear();
    QTest::mouseClick(part<QPushButton>("keep"), Qt::LeftButton);
    QVERIFY(stage().contains("Choose another CPU"));
    QVERIFY(server_->calls.isEmpty());
  }

  void what_is_refused_is_said() {
    server_->errors["place"] = "this process may not run on CPU 2";
    QTest::mouseClick(part<QPushButton>("try"), Qt::LeftButton);
    tell(PlacementTrial::window_samples, 0);
    QTRY_VERIFY(stage().contains("may not run on CPU 2"));
    QVERIFY(part<QPushButton>("try")->isEnabled());
  }

  void nothing_is_moved_by_who_may_only_look() {
    window_->link().set_guard(ControlLink::Guard::view_only);
    QVERIFY(!part<QPushButton>("try")->isEnabled());
  }

  void while_nothing_plays_nothing_is_measured() {
    PlacementTrial trial;
    trial.begin({{}, 0, 0, 2});
    for (int i = 0; i < 200; ++i) QVERIFY(!trial.add(stats_from({{"interval_s", 0.1}}).value()));
    QCOMPARE(trial.before().samples, 0);
    QVERIFY(!trial.before().gbit_per_s && !trial.before().lost);
  }
};

QTEST_MAIN(PlacementTest)
#include "placement_test.moc"
