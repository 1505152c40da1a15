// One time range and one part of the wall for plots, heat map, distribution and event log.
#include "tests/gui/as_read.h"
#include "tests/gui/picture.h"
#include "tests/gui/wall_figures.h"
#include "wall-control/app/main_window.h"
#include "wall-control/events/event_log.h"
#include "wall-control/messages/told.h"
#include "wall-control/network/network_panel.h"
#include "wall-control/network/worst_panel.h"
#include "wall-control/plots/distribution.h"
#include "wall-control/plots/heat_map.h"
#include "wall-control/plots/strip_chart.h"
#include "wall-control/ui/palette.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

using namespace lw;

namespace {

// A minute of a 2x2 wall with two flows each; flow 5 loses 30 packets from second 30 to 33.
void fill(MainWindow& window, int tenths = 600) {
  const auto info = wall_info(2, 2, 2);
  emit window.link().ready(read_info(info));
  for (int tenth = 0; tenth < tenths; ++tenth)
    emit window.link().stats(stats_from(wall_stats(info, tenth, 5, std::clamp(tenth - 300, 0, 30))).value());
  emit window.link().caught_up();
  for (const int second : {10, 31, 50})
    emit window.link().happened(event_from({{"seq", second},
                                            {"time", time_of_tenth(10 * second)},
                                            {"severity", second == 31 ? "warning" : "info"},
                                            {"code", "loss-began"},
                                            {"text", QString("second %1").arg(second)}})
                                    .value());
}

}  // namespace

class ViewsTest : public QObject {
  Q_OBJECT

  std::unique_ptr<MainWindow> window_;

  NetworkPanel& panel() { return *window_->findChild<NetworkPanel*>(); }
  EventLog& log() { return *window_->findChild<EventLog*>(); }
  void show_tab(int tab) { window_->findChild<QTabWidget*>("network")->setCurrentIndex(tab); }
  void save(const QString& name) { QVERIFY(window_->grab().save(test::picture(name + ".png"))); }

private slots:
  void initTestCase() {
    QApplication::setStyle("Fusion");
    QApplication::setPalette(colors::palette());
  }
  void init() {
    window_ = std::make_unique<MainWindow>();
    window_->resize(1280, 720);
    window_->show();
    fill(*window_);
    log().findChild<QLineEdit*>()->setText("second");  // without the window's own events
  }
  void cleanup() { window_.reset(); }

  void samples_know_their_times() {
    SampleTimes times;
    QVERIFY(!times.time_of(0));
    times.add(1000);
    QCOMPARE(times.missing_before(1100), 0);
    QCOMPARE(times.missing_before(1300), 0);  // a little late
    QCOMPARE(times.missing_before(2000), 9);
    QCOMPARE(times.missing_before(500), 0);
    for (int i = 1; i < 50'000; ++i) times.add(1000 + 100 * i);
    QCOMPARE(times.time_of(49'999), 1000 + 100 * 49'999);
    QCOMPARE(times.sample_at(1000 + 100 * 40'000 + 50), 40'000);
    QCOMPARE(times.sample_at(0), 50'000 - SampleTimes::samples_max);
    times.add(5);  // a clock that was set back
    QCOMPARE(times.time_of(50'000), 1000 + 100 * 49'999 + 1);
  }

  void statistics_that_stayed_away_are_a_gap_of_their_length() {
    FlowHistory history;
    const auto info = wall_info(1, 1, 1);
    history.set_wall(read_info(info).wall);
    for (const int tenth : {0, 1, 2, 52, 53}) history.add(stats_from(wall_stats(info, tenth)).value());
    QCOMPARE(history.times().count(), 54);
    const auto& jitter = history.flows()[0].series.of(Quantity::jitter);
    QVERIFY(jitter.back(1) && !jitter.back(2) && !jitter.back(50) && jitter.back(51));
  }

  void the_window_zooms_marks_and_goes_back() {
    SampleTimes times;
    for (int i = 0; i < 2000; ++i) times.add(100 * i);
    TimeWindow window(times);
    QCOMPARE(window.shown(), (TimeWindow::Range{1400, 1999}));
    window.zoom(0.5, 1500);
    QCOMPARE(window.shown(), (TimeWindow::Range{1700, 1999}));
    window.mark(1800, 1750);
    QCOMPARE(window.chosen(), (TimeWindow::Range{1750, 1800}));
    QVERIFY(!window.live());
    times.add(200'000);
    QCOMPARE(window.shown(), (TimeWindow::Range{1700, 1999}));  // it is held
    QCOMPARE(window.span_of(window.chosen()).newer, 200);
    window.extend_mark(-20);  // the end that moved last
    QCOMPARE(window.chosen(), (TimeWindow::Range{1730, 1800}));
    window.show_marked();
    QCOMPARE(window.shown().count(), 100);  // the shortest
    QVERIFY(window.shown().first <= 1730 && window.shown().last >= 1800);
    window.back();
    QVERIFY(!window.marked() && !window.live());
    window.back();
    QVERIFY(window.live());
    window.zoom(1000, 0);
    QCOMPARE(window.seconds(), TimeWindow::longest_s);
    window.zoom(1e-6, 0);
    QCOMPARE(window.seconds(), TimeWindow::shortest_s);
    window.point_to(500);
    QVERIFY(window.shown().first <= 500 && window.shown().last >= 500);
  }

  void a_marked_range_filters_everything() {
    auto& window = panel().window();
    show_tab(3);
    auto* worst = window_->findChild<WorstPanel*>();
    worst->set_quantity(Quantity::loss);
    auto* rows = window_->findChild<QTableView*>("worst")->model();
    const QAbstractItemModelTester tester(rows);
    QCOMPARE(worst->table().at(0).line.name, QString("flow 5"));
    QCOMPARE(worst->table().at(0).greatest, 10.0);
    window.mark(100, 200);
    QCOMPARE(worst->table().at(0).samples, std::size_t{101});
    QCOMPARE(worst->table().at(0).greatest, 0.0);
    QCOMPARE(log().shown().rowCount(), 1);
    QCOMPARE(log().shown().index(0, EventModel::text).data().toString(), QString("second 10"));
    QVERIFY(window_->findChild<QLabel*>("time-shown")->text().contains("marked"));
    window.back();
    QCOMPARE(log().shown().rowCount(), 3);
    show_tab(1);
    auto* map = window_->findChild<HeatMap*>();
    QVERIFY(map->accessibleDescription().startsWith("worst: flow 5, up to 10"));
    window.mark(400, 500);
    QVERIFY(map->accessibleDescription().contains("up to 0"));
  }

  void keys_and_mouse_mark_in_a_plot() {
    auto* chart = window_->findChildren<StripChart*>()[0];
    auto& window = panel().window();
    chart->setFocus();
    QTest::keyClick(chart, Qt::Key_Right, Qt::ShiftModifier);
    QTest::keyClick(chart, Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(window.marked()->count(), 25);  // from the middle, one fiftieth at a time
    QTest::keyClick(chart, Qt::Key_Return);
    QCOMPARE(window.seconds(), TimeWindow::shortest_s);
    QTest::keyClick(chart, Qt::Key_Escape);
    QTest::keyClick(chart, Qt::Key_Escape);
    QVERIFY(window.live());
    QTest::keyClick(chart, Qt::Key_Minus);
    QCOMPARE(window.seconds(), 15);
    window.set_seconds(60);
    const QPoint from(chart->width() / 2, chart->height() / 2);
    QTest::mousePress(chart, Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, from + QPoint(50, 0), chart->mapToGlobal(from + QPoint(50, 0)), Qt::NoButton,
                     Qt::LeftButton, {});
    QApplication::sendEvent(chart, &move);
    QTest::mouseRelease(chart, Qt::LeftButton, {}, from + QPoint(50, 0));
    QVERIFY(window.marked() && window.marked()->count() > 20);
    QVERIFY(log().shown().rowCount() < 3);
    save("views-marked");
  }

  void an_event_points_into_the_plots() {
    auto* table = window_->findChild<QTableView*>("events");
    emit table->activated(log().shown().index(1, 0));
    QCOMPARE(panel().window().moment(), 310);
    QVERIFY(!panel().window().live());
    auto* hold = window_->actions()[0];
    for (auto* action : window_->actions())
      if (action->text() == "Hold plots") hold = action;
    QVERIFY(hold->isChecked());
    hold->setChecked(false);
    QVERIFY(panel().window().live());
  }

  void from_the_wall_to_a_tile_to_a_flow() {
    show_tab(3);
    auto* worst = window_->findChild<WorstPanel*>();
    worst->set_quantity(Quantity::jitter);
    QCOMPARE(worst->table().rowCount(), 8);
    QCOMPARE(worst->table().at(0).line.name, QString("flow 7"));
    panel().focus().show_line(Scope::tile, 2);
    QCOMPARE(worst->table().rowCount(), 2);
    auto* part = window_->findChild<QComboBox*>("part");
    QCOMPARE(part->currentText(), QString("Tile 0,1"));
    auto* table = window_->findChild<QTableView*>("worst");
    emit table->activated(table->model()->index(0, 0));
    QCOMPARE(part->currentText(), QString("Tile 0,1, flow 5"));
    QCOMPARE(worst->table().rowCount(), 1);
    panel().focus().up();
    QCOMPARE(part->currentText(), QString("Tile 0,1"));
    panel().focus().up();
    QCOMPARE(part->currentText(), QString("Whole wall"));
    worst->set_quantity(Quantity::throughput);
    QCOMPARE(worst->table().at(0).line.name, QString("flow 0"));  // the least is the worst
    save("views-distribution");
  }

  void a_distribution_says_what_share_was_no_greater() {
    TimeSeries series;
    for (int i = 1; i <= 100; ++i) series.add(i);
    const SeriesLine line{3, "flow 3", &series};
    const auto span = last_seconds(60);
    const auto summary = summary_of(line, span);
    QCOMPARE(summary.median, 50.0);
    QCOMPARE(summary.p99, 99.0);
    QCOMPARE(summary.greatest, 100.0);
    Distribution plot;
    plot.resize(400, 300);
    plot.set(Quantity::jitter, {summary}, span, false);
    QCOMPARE(plot.share_at(0, 25), 0.25);
    QCOMPARE(plot.share_at(0, 0), 0.0);
    QVERIFY(plot.text_at({200, 100}).contains("flow 3: "));
    QVERIFY(plot.text_at({1, 1}).isEmpty());
    plot.set(Quantity::jitter, {summary, summary}, span, true);
    QVERIFY(plot.text_at({200, 100}).contains("of 200 samples"));
  }

  void many_flows_show_the_worst_as_lines() {
    FlowHistory history;
    const auto info = wall_info(4, 4, 1);
    history.set_wall(read_info(info).wall);
    for (int tenth = 0; tenth < 100; ++tenth) history.add(stats_from(wall_stats(info, tenth)).value());
    TimeWindow window(history.times());
    Focus focus(history);
    StripChart chart({history, window, focus}, Quantity::jitter);
    chart.resize(500, 200);
    chart.collect();
    const auto text = chart.text_at({480, 100});
    QVERIFY2(text.contains("flow 15: 35") && text.contains("8 more"), qPrintable(text));
    QVERIFY(!text.contains("flow 3:"));
    QVERIFY(chart.text_at({100, 100}).contains("nothing measured"));
  }
};

QTEST_MAIN(ViewsTest)
#include "views_test.moc"
