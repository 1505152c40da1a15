// The operator's window against a fake server: every action becomes the right call, everything the server reports is
// shown, and invalid data, another version and a server that disappears are reported in plain words.
#include "tests/gui/as_read.h"
#include "tests/gui/fake_server.h"
#include "tests/gui/picture.h"
#include "wall-control/app/main_window.h"
#include "wall-control/health/figure_cell.h"
#include "wall-control/messages/told.h"
#include "wall-control/models/flow_table_model.h"
#include "wall-control/network/charts_panel.h"
#include "wall-control/plots/columns.h"
#include "wall-control/plots/heat_map.h"
#include "wall-control/plots/lane_chart.h"
#include "wall-control/transport/timeline_bar.h"
#include "wall-control/wallview/wall_view.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace lw;

namespace {

QJsonObject large_wall() {
  QJsonArray flows;
  QJsonArray tiles;
  for (int tile = 0; tile < 64; ++tile) {
    tiles << QJsonArray{tile % 8, tile / 8};
    for (int band = 0; band < 4; ++band)
      flows << QJsonObject{{"flow", 4 * tile + band}, {"tile", tiles.last()}, {"node", "one"},
                           {"first_row", 0},          {"rows", 270},          {"port", 50'000}};
  }
  return {{"wall", QJsonObject{{"name", "large"},
                               {"columns", 8},
                               {"rows", 8},
                               {"flows_per_tile", 4},
                               {"playout_delay_ms", 80},
                               {"nodes", QJsonArray{QJsonObject{{"name", "one"}, {"tiles", tiles}}}},
                               {"flows", flows}}}};
}

// Flow 77 is unsteady, and at one moment all flows are.
QJsonObject large_stats(int tenth) {
  QJsonArray flows;
  for (int flow = 0; flow < 256; ++flow) {
    const double own = 20 + 10 * std::sin(0.05 * tenth + flow);
    const double jitter = flow == 77 && tenth > 200 ? 400 + own : tenth > 450 && tenth < 470 ? 200 + own : own;
    flows << QJsonObject{
        {"flow", flow}, {"receiving", true}, {"packets", 1000 * tenth}, {"lost", 0}, {"jitter_us", jitter}};
  }
  return {{"interval_s", 0.1},
          {"nodes", QJsonArray{QJsonObject{{"node", "one"},
                                           {"connected", true},
                                           {"report", QJsonObject{{"flows", flows}, {"tiles", QJsonArray{}}}}}}}};
}

}  // namespace

class GuiTest : public QObject {
  Q_OBJECT

  std::unique_ptr<FakeServer> server_;
  std::unique_ptr<MainWindow> window_;

  bool was_called(const QString& method, const QJsonObject& params = {}) {
    return QTest::qWaitFor([&] { return server_->calls.contains(std::pair{method, params}); }, 2000);
  }
  QString link_text() { return window_->link().state_text(); }

private slots:
  void init() {
    server_ = std::make_unique<FakeServer>();
    window_ = std::make_unique<MainWindow>();
    window_->show();
    window_->connect_to(server_->address());
    QTRY_COMPARE(window_->link().state(), ControlLink::State::ready);
    QVERIFY(was_called("subscribe"));
    QVERIFY(was_called("plan", {{"name", "alpha"}}));  // the last automatic request
  }
  void cleanup() {
    window_.reset();
    server_.reset();
  }

  void library_shows_what_the_server_has() {
    auto* view = window_->findChild<QListView*>("library");
    QTRY_COMPARE(view->model()->rowCount(), 2);
    const QAbstractItemModelTester tester(view->model());
    QCOMPARE(view->model()->index(0, 0).data().toString(), "Title of alpha");
    QVERIFY(view->model()->index(1, 0).data(Qt::ToolTipRole).toString().contains("another wall"));
    view->setCurrentIndex(view->model()->index(1, 0));
    emit view->activated(view->currentIndex());
    QVERIFY(was_called("load", {{"name", "beta"}}));
  }

  void every_key_reaches_the_server() {
    server_->tell("state", playing_state);
    QTRY_COMPARE(window_->findChild<TimelineBar*>()->asked(), 17);
    window_->setFocus();
    QTest::keyClick(window_.get(), Qt::Key_Space);
    QVERIFY(was_called("pause"));
    QTest::keyClick(window_.get(), Qt::Key_Home);
    QVERIFY(was_called("seek", {{"frame", 0}}));
    QTest::keyClick(window_.get(), Qt::Key_End);
    QVERIFY(was_called("seek", {{"frame", 89}}));
    QTest::keyClick(window_.get(), Qt::Key_Right);
    QVERIFY(was_called("seek", {{"frame", 18}}));
    QTest::keyClick(window_.get(), Qt::Key_Left);
    QVERIFY(was_called("seek", {{"frame", 16}}));
    QTest::keyClick(window_.get(), Qt::Key_J);
    QVERIFY(was_called("rate", {{"rate", -1.0}}));
    QTest::keyClick(window_.get(), Qt::Key_L);
    QVERIFY(was_called("rate", {{"rate", 2.0}}));
    QTest::keyClick(window_.get(), Qt::Key_I);
    QVERIFY(was_called("identify", {{"on", true}}));
    QTest::keyClick(window_.get(), Qt::Key_Period, Qt::ControlModifier);
    QVERIFY(was_called("stop"));
    auto* timeline = window_->findChild<TimelineBar*>();
    QTest::mouseClick(timeline, Qt::LeftButton, {}, QPoint(qRound(timeline->x_of(40)), 25));
    QVERIFY(was_called("seek", {{"frame", 40}}));
  }

  void state_is_the_servers() {
    server_->calls.clear();
    server_->tell("state", playing_state);
    QTRY_COMPARE(window_->findChild<TimelineBar*>()->frames(), 90);
    QTest::qWait(50);
    QVERIFY(server_->calls.isEmpty());  // following the server must not call it
  }

  void statistics_reach_wall_and_table() {
    for (int i = 0; i < 30; ++i) server_->tell("stats", stats(1000 * (i + 1), i > 20 ? 5 : 0));
    server_->tell("state", playing_state);
    auto* wall = window_->findChild<WallView*>();
    QTRY_VERIFY(wall->words_of(0, 0).contains("frame 17"));
    QTest::qWait(100);
    QVERIFY(window_->grab().save(test::picture("gui.png")));
  }

  void plots_show_what_is_chosen() {
    auto figures = stats(1000, 0);
    // Without a bound for the clocks' error, as servers up to 0.1.0 reported it, it is not shown as measured.
    figures["wall"] = QJsonObject{{"skew_us_p50", 52.0}, {"skew_us_p99", 1300.0}, {"playout_delay_us", 80000.0}};
    server_->tell("stats", figures);
    auto* label = window_->findChild<QLabel*>("status-clocks");
    QTRY_COMPARE(label->text(), QString("Clock error not known"));
    QVERIFY(window_->grab().save(test::picture("skew-unknown.png")));
    figures["wall"] = QJsonObject{
        {"skew_us_p50", 52.0}, {"skew_us_p99", 1300.0}, {"skew_error_us", 240.0}, {"playout_delay_us", 80000.0}};
    for (int i = 0; i < 30; ++i) server_->tell("stats", figures);
    QTRY_COMPARE(label->text(), QString::fromUtf8("Clocks within 240 \u00b5s"));
    const auto skew = [&] {
      for (const auto* cell : window_->findChildren<FigureCell*>())
        if (cell->figure().quantity == Quantity::skew) return cell->accessibleDescription();
      return QString();
    };
    QTRY_VERIFY2(skew().contains("1.3"), qPrintable(skew()));
    window_->network().set_quantity(Quantity::skew);
    const auto tabs = window_->findChild<QTabWidget*>("network");
    tabs->setCurrentIndex(1);
    auto* choice = tabs->findChild<QComboBox*>("quantity");
    QVERIFY(choice->isVisible());
    QCOMPARE(choice->count(), static_cast<int>(quantity_count));
    QCOMPARE(choice->currentText(), QString("Skew, p99"));
    choice->setCurrentText("Lateness of swaps, p99");
    emit choice->activated(choice->currentIndex());
    QCOMPARE(window_->network().quantity(), Quantity::lateness);
    QVERIFY(choice->toolTip().contains("swap"));
    tabs->setCurrentIndex(0);
  }

  void the_heat_map_lies_by_node_and_has_gaps() {
    window_->findChild<QTabWidget*>("network")->setCurrentIndex(1);
    auto& map = window_->findChild<ChartsPanel*>()->heat_map();
    window_->network().set_quantity(Quantity::loss);
    for (int i = 0; i < 30; ++i) server_->tell("stats", stats(1000 * (i + 1), i > 20 ? 5 * (i - 20) : 0));
    QTRY_VERIFY(map.accessibleDescription().contains("worst: flow 2"));
    QVERIFY(map.accessibleDescription().contains("50 packets/s"));
    const auto area = map.area();
    const auto place_of = [&](qsizetype row, int x) {
      return QPointF(x, area.top() + area.height() * (static_cast<double>(row) + 0.5) /
                                         static_cast<double>(map.row_names().size()));
    };
    const auto lossy = map.row_names().indexOf("flow 2"), other = map.row_names().indexOf("flow 3");
    const auto text = map.text_at(place_of(lossy, area.right() - 1));
    QVERIFY2(text.startsWith("flow 2") && text.contains("50 packets/s"), qPrintable(text));
    QVERIFY(map.text_at(place_of(other, area.right() - 1)).contains(": 0 packets/s"));
    QVERIFY(map.text_at(place_of(lossy, area.center().x())).contains("not measured"));
    QVERIFY(map.text_at(QPointF(1, 1)).isEmpty());
    window_->network().set_rows(Rows::worst_first);
    QCOMPARE(map.row_names().first(), QString("flow 2"));
    window_->network().set_quantity(Quantity::throughput);
    QVERIFY(map.accessibleDescription().contains("worst: flow 0"));  // of throughput, the least
    window_->network().set_quantity(Quantity::lateness);
    QVERIFY(map.accessibleName().contains("by tile"));
  }

  void every_control_tells_what_it_calls() {
    server_->tell("state", playing_state);
    QTRY_COMPARE(window_->findChild<TimelineBar*>()->asked(), 17);
    server_->calls.clear();
    const auto copied = [&](const QWidget* control, int way) {
      control->findChild<QMenu*>("copies")->actions().at(way)->trigger();
      return QGuiApplication::clipboard()->text();
    };
    const auto button = [&](const QString& text) -> QWidget* {
      for (auto* made : window_->findChildren<QToolButton*>())
        if (made->defaultAction() != nullptr && made->defaultAction()->text() == text) return made;
      return nullptr;
    };
    const auto command = "wall-control --connect " + server_->address() + " --call ";
    QCOMPARE(copied(window_->findChild<TimelineBar*>(), 0), command + "seek '{\"frame\":17}'");
    QCOMPARE(copied(button("Identify"), 0), command + "identify '{\"on\":true}'");
    QCOMPARE(copied(button("Pause"), 0), command + "pause");
    const auto json = copied(button("Loop"), 1);
    QCOMPARE(QJsonDocument::fromJson(json.toUtf8()).object()["params"].toObject(), (QJsonObject{{"loop", false}}));
    const auto step = copied(button("Frame back"), 0).split('\n');
    QCOMPARE(step, (QStringList{command + "pause", command + "seek '{\"frame\":16}'"}));
    QTest::qWait(50);
    QVERIFY(server_->calls.isEmpty());
  }

  void what_is_shown_can_be_exported() {
    const QTemporaryDir folder;
    auto* panel = window_->findChild<ChartsPanel*>();
    for (int i = 0; i < 30; ++i) server_->tell("stats", stats(1000 * (i + 1), i > 20 ? 5 * (i - 20) : 0));
    QTRY_VERIFY(window_->findChild<WallView*>()->words_of(0, 0).contains("frame 17"));
    QTest::qWait(100);
    const auto content = [](const QString& path) {
      QFile file(path);
      return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    };
    QCOMPARE(panel->save(folder.filePath("plots.csv")), QString());
    const auto lines = content(folder.filePath("plots.csv")).split("\r\n");
    QCOMPARE(lines[0], "quantity,unit,line,time,min,max");
    QCOMPARE(lines.filter("gbit_per_s,Gbit/s,flow 3,").size(), 30);
    QCOMPARE(lines.filter("lost_settled,packets/s,flow 2,").filter(",50,50").size(), 9);
    QCOMPARE(panel->save(folder.filePath("plots.json")), QString());
    QVERIFY(QJsonDocument::fromJson(content(folder.filePath("plots.json")).toUtf8()).array().size() > 300);
    QCOMPARE(panel->save(folder.filePath("plots.png")), QString());
    QVERIFY(!QImage(folder.filePath("plots.png")).isNull());
    auto* network = window_->findChild<QTabWidget*>("network");
    network->setCurrentIndex(1);
    window_->network().set_quantity(Quantity::loss);
    QCOMPARE(panel->save(folder.filePath("map.csv")), QString());
    QVERIFY(!content(folder.filePath("map.csv")).contains("gbit_per_s"));
    network->setCurrentIndex(2);
    QCOMPARE(panel->save(folder.filePath("flows.csv")), QString());
    QCOMPARE(content(folder.filePath("flows.csv")).split("\r\n").filter("\"0,1\"").size(), 1);
    QVERIFY(panel->save(folder.filePath("no-such-folder/a.csv")).contains("cannot write"));
    QVERIFY(panel->save(folder.filePath("a.txt")).contains(".csv"));
  }

  // 64 tiles of 4 flows each, a minute; the cost is reported, not judged.
  void a_large_wall_fits_the_heat_map() {
    FlowHistory history;
    history.set_wall(read_info(large_wall()).wall);
    QElapsedTimer clock;
    clock.start();
    for (int tenth = 0; tenth < 600; ++tenth) history.add(stats_from(large_stats(tenth)).value());
    qInfo("stats of 256 flows: %.2f ms each", static_cast<double>(clock.nsecsElapsed()) / 600e6);
    TimeWindow window(history.times());
    Focus focus(history);
    HeatMap map({history, window, focus});
    map.set_quantity(Quantity::jitter);
    map.resize(420, 620);
    map.show();
    QVERIFY(QTest::qWaitForWindowExposed(&map));
    clock.restart();
    map.refresh();
    const auto picture = map.grab();
    qInfo("heat map of 256 flows: %.2f ms", static_cast<double>(clock.nsecsElapsed()) / 1e6);
    QVERIFY(picture.save(test::picture("heat-map.png")));
    QVERIFY(map.accessibleDescription().contains("worst: flow 77"));
  }

  void a_call_that_fails_is_told() {
    server_->errors["identify"] = "the disk is on fire";
    const QSignalSpy failed(&window_->link(), &ControlLink::call_failed);
    window_->link().call("identify", {{"on", true}});
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(failed[0][1].toString(), "the disk is on fire");
  }

  void a_server_that_goes_and_comes_back_is_found_again() {
    const auto port = server_->port();
    server_->stop();
    QTRY_COMPARE(window_->link().state(), ControlLink::State::unreachable);
    QVERIFY(link_text().contains("No answer from"));
    server_->listen(port);
    QTRY_COMPARE_WITH_TIMEOUT(window_->link().state(), ControlLink::State::ready, 6000);
  }

  void another_version_is_refused_in_words() {
    FakeServer other(99);
    window_->connect_to(other.address());
    QTRY_COMPARE(window_->link().state(), ControlLink::State::refused);
    QVERIFY(link_text().contains("protocol 99"));
  }

  void a_wall_that_cannot_be_read_is_refused_in_words() {
    FakeServer other;
    auto answer = info(1);
    auto wall = answer["wall"].toObject();
    wall["columns"] = 3;
    answer["wall"] = wall;
    other.results["info"] = answer;
    window_->connect_to(other.address());
    QTRY_COMPARE(window_->link().state(), ControlLink::State::refused);
    QVERIFY2(link_text().contains("no node has the tile [2, 0]"), qPrintable(link_text()));
  }

  void garbage_is_refused_in_words() {
    server_->send_text("\x01garbage {");
    QTRY_COMPARE(window_->link().state(), ControlLink::State::refused);
    QVERIFY(link_text().contains("JSON-RPC"));
  }

  void a_wrong_address_is_refused_in_words() {
    window_->connect_to("no address");
    QCOMPARE(window_->link().state(), ControlLink::State::refused);
    QVERIFY(link_text().contains("HOST:PORT"));
  }

  void an_hour_keeps_its_spikes() {
    TimeSeries series;
    for (int tenth = 0; tenth < 40'000; ++tenth) {
      const bool spike = tenth == 20'003;
      const bool gap = tenth >= 30'000 && tenth < 30'050;
      series.add(gap ? std::nullopt : std::optional(spike ? 500.0 : 1.0));
    }
    QCOMPARE(series.size(), TimeSeries::samples_max);
    QCOMPARE(series.seconds(), TimeSeries::seconds_max);
    const auto hour = columns_of(series, last_seconds(3600), 360);
    QCOMPARE(greatest_of(hour), 500.0);
    QCOMPARE(std::ranges::count_if(hour, [](const Column& column) { return column.max == 500 && column.min == 1; }), 1);
    const auto seconds = columns_of(series, last_seconds(3600), 3600);
    QCOMPARE(std::ranges::count_if(seconds, [](const Column& column) { return !column.any; }), 5);
    QCOMPARE(greatest_of(columns_of(series, last_seconds(600), 300)), 1.0);
  }

  void the_history_counts_gaps_as_gaps() {
    FlowHistory history;
    history.set_wall(read_info(info(1)).wall);
    history.add(stats_from(stats(100, 0)).value());
    history.add_gap();
    history.add(stats_from(stats(200, 3)).value());
    const auto& throughput = history.flows()[2].series.of(Quantity::throughput);
    QVERIFY(throughput.back(0));
    QVERIFY(!throughput.back(1));
    QVERIFY(throughput.back(2));
    QVERIFY(!throughput.back(3));
    QCOMPARE(history.flows()[2].lost, 3);
    // The growth of a count over a gap is unknown.
    const auto& loss = history.flows()[2].series.of(Quantity::loss);
    QVERIFY(!loss.back(0));
    history.add(stats_from(stats(300, 7)).value());
    QCOMPARE(loss.back(0), 40.0);
    history.add(stats_from(stats(10, 0)).value());  // the node was restarted
    QVERIFY(!loss.back(0));
    QVERIFY(!history.flows()[2].series.of(Quantity::completion).back(0));  // not measured
  }
};

QTEST_MAIN(GuiTest)
#include "gui_test.moc"
