// One time range and one part of the wall for plots, heat map, distribution and event log.
#include "tests/gui/as_read.h"
#include "tests/gui/picture.h"
#include "tests/gui/wall_figures.h"
#include "wall-control/app/main_window.h"
#include "wall-control/events/event_log.h"
#include "wall-control/messages/told.h"
#include "wall-control/network/charts_panel.h"
#include "wall-control/network/choices.h"
#include "wall-control/network/distribution_panel.h"
#include "wall-control/network/line_panel.h"
#include "wall-control/network/network_page.h"
#include "wall-control/plots/lane_chart.h"
#include "wall-control/plots/overview.h"
#include "wall-control/plots/time_ticks.h"
#include "wall-control/ui/figure_table.h"
#include "wall-control/ui/palette.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QScreen>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include <random>

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

  NetworkModels& panel() { return window_->network(); }
  ChartsPanel& dock() { return *window_->findChild<ChartsPanel*>(); }
  NetworkPage& page() { return *window_->findChild<NetworkPage*>(); }
  void show_page() { window_->use_workspace(1); }
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
    show_page();
    panel().set_quantity(Quantity::loss);
    auto* table = window_->findChild<QTableView*>("worst");
    const QAbstractItemModelTester tester(table->model());
    QCOMPARE(table->model()->index(0, LineTableModel::line).data().toString(), QString("5"));
    QCOMPARE(page().lines().table().rows()[5].p99, 10.0);
    window.mark(100, 200);
    QTRY_COMPARE(page().lines().table().rows()[5].samples, std::size_t{101});
    QCOMPARE(page().lines().table().rows()[5].p99, 0.0);
    QCOMPARE(log().shown().rowCount(), 1);
    QCOMPARE(log().shown().index(0, EventModel::text).data().toString(), QString("second 10"));
    auto* marked = page().findChild<QPushButton*>("marked");
    QVERIFY(marked->isVisible() && marked->text().contains(" to "));
    marked->click();
    QVERIFY(!marked->isVisible() && !window.marked());
    QCOMPARE(log().shown().rowCount(), 3);
    auto& map = page().heat_map();
    QVERIFY2(map.accessibleDescription().startsWith("worst: flow 5, up to 10"),
             qPrintable(map.accessibleDescription()));
    window.mark(400, 500);
    QVERIFY(map.accessibleDescription().contains("up to 0"));
  }

  void keys_and_mouse_mark_in_a_plot() {
    auto* chart = &dock().charts();
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
    const QPoint from = chart->area().center();
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
    auto* list = window_->findChild<QListView*>("events");
    emit list->activated(log().shown().index(log().shown().rowCount() - 2, 0));
    QCOMPARE(panel().window().moment(), 310);
    QVERIFY(!panel().window().live());
    auto* hold = window_->actions()[0];
    for (auto* action : window_->actions())
      if (action->text() == "Pause charts") hold = action;
    QVERIFY(hold->isChecked());
    hold->setChecked(false);
    QVERIFY(panel().window().live());
  }

  void shades_of_incidents_do_not_add_up() {
    auto& chart = dock().charts();
    const auto area = chart.area();
    // The commonest colour of a quarter of the chart: its ground.
    const auto ground_of = [&](const QImage& image, int quarter) {
      QHash<QRgb, int> pixels;
      for (int x = 0; x < area.width() / 4; ++x)
        for (int y = area.top(); y <= area.bottom(); ++y)
          ++pixels[image.pixel(area.left() + quarter * area.width() / 4 + x, y)];
      return std::max_element(pixels.begin(), pixels.end()).key();
    };
    const auto at = [](int tenth) { return figures_begin_ms + 100LL * tenth; };
    const auto shown_with = [&](std::vector<Incident> incidents) {
      panel().notes().set_incidents(std::move(incidents));
      QTest::qWait(50);
      return chart.grab().toImage();
    };
    const auto apart = shown_with({{State::warn, at(0), at(300), "a"}, {State::crit, at(300), {}, "b"}});
    const auto warn = ground_of(apart, 0), crit = ground_of(apart, 3);
    QVERIFY(warn != crit);
    const auto overlapping = shown_with({{State::warn, at(0), {}, "a"},
                                         {State::crit, at(300), {}, "b"},
                                         {State::warn, at(0), {}, "c"},
                                         {State::crit, at(300), {}, "d"}});
    QCOMPARE(QColor(ground_of(overlapping, 0)), QColor(warn));
    QCOMPARE(QColor(ground_of(overlapping, 3)), QColor(crit));
  }

  void handles_move_the_end_of_a_marked_time() {
    auto& chart = dock().charts();
    auto& window = panel().window();
    const auto drag = [&](const QPoint& from, const QPoint& to) {
      QTest::mousePress(&chart, Qt::LeftButton, {}, from);
      QMouseEvent move(QEvent::MouseMove, to, chart.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
      QApplication::sendEvent(&chart, &move);
      QTest::mouseRelease(&chart, Qt::LeftButton, {}, to);
    };
    const auto area = chart.area();
    const int y = area.center().y();
    drag({area.left() + 40, y}, {area.left() + 90, y});
    const auto before = *window.marked();
    drag({area.left() + 91, y}, {area.left() + 120, y});
    QCOMPARE(window.marked()->first, before.first);
    QVERIFY(window.marked()->last > before.last);
    drag({area.left() + 40, y}, {area.left() + 20, y});
    QVERIFY(window.marked()->first < before.first);
    QVERIFY(window.marked()->last > before.last);
  }

  // The box and the row of buttons that show the time span are never empty, whatever the zoom.
  void zooming_shows_the_span() {
    show_page();
    auto* box = window_->findChild<QComboBox*>("span");
    auto* buttons = window_->findChild<SpanButtons*>();
    auto& window = panel().window();
    QCOMPARE(box->currentText(), QString("1 min"));
    QCOMPARE(buttons->chosen(), QString("1 min"));
    window.zoom(0.7, 500);
    QCOMPARE(box->currentText(), QString("42 s"));
    QCOMPARE(buttons->chosen(), QString("42 s"));
    window.zoom(0.7, 500);
    QCOMPARE(box->currentText(), QString("29 s"));
    QCOMPARE(box->count(), 8);
    window.set_seconds(300);
    QCOMPARE(box->currentText(), QString("5 min"));
    QCOMPARE(buttons->chosen(), QString("5 min"));
    QCOMPARE(box->count(), 7);
  }

  // Of a time axis: full moments, in order, inside, and never so many that they touch.
  void ticks_are_full_moments_that_fit() {
    for (const qint64 seconds : {10, 42, 60, 300, 1200, 3600}) {
      const auto first = figures_begin_ms + 3217;
      const auto ticks = time_ticks(first, first + 1000 * seconds, 620, 90);
      QVERIFY(!ticks.empty() && ticks.size() <= 620 / 90 + 1);
      for (std::size_t i = 0; i < ticks.size(); ++i) {
        QVERIFY(ticks[i].time_ms >= first && ticks[i].time_ms <= first + 1000 * seconds);
        QCOMPARE(ticks[i].time_ms % 1000, 0);
        if (i > 0)
          QVERIFY(static_cast<double>(ticks[i].time_ms - ticks[i - 1].time_ms) * 620 >=
                  90.0 * 1000 * static_cast<double>(seconds));
      }
    }
    QVERIFY(dock().charts().tick_labels().size() >= 2);
    QCOMPARE(span_words(60), QString("1 min"));
    QCOMPARE(span_words(8040), QString("2 h 14 min"));
  }

  // Whatever the number of samples and columns: every sample has its column, in order, and a column that took samples
  // one by one has what it would have if all had come at once.
  void columns_are_the_same_whenever_samples_come() {
    std::mt19937 random(7);
    const auto any = [&](int from, int to) { return std::uniform_int_distribution(from, to)(random); };
    const auto info = wall_info(1, 1, 2);
    for (int round = 0; round < 20; ++round) {
      FlowHistory history;
      history.set_wall(read_info(info).wall);
      const ColumnGrid grid{any(20, 900), any(20, 900)};
      ColumnRows grown;
      const int samples = any(50, 400);
      for (int tenth = 0; tenth < samples; ++tenth) {
        if (any(0, 20) == 0)
          history.add_gap(any(1, 4));
        else
          history.add(stats_from(wall_stats(info, tenth, 1, any(0, 1000))).value());
        grown.update(history, Quantity::jitter, {}, grid, history.times().count() - 1);
      }
      ColumnRows made;
      made.update(history, Quantity::jitter, {}, grid, history.times().count() - 1);
      QCOMPARE(grown.first_column(), made.first_column());
      for (std::size_t row = 0; row < made.size(); ++row)
        for (qint64 column = made.first_column(); column <= made.last_column(); ++column) {
          const auto &a = grown.cell(row, column), &b = made.cell(row, column);
          QCOMPARE(a.any(), b.any());
          if (a.any()) QVERIFY(a.min == b.min && a.max == b.max);
        }
      for (qint64 sample = 0; sample < 500; ++sample) {
        QVERIFY(grid.column_of(sample + 1) >= grid.column_of(sample));
        const auto first = grid.sample_of(grid.column_of(sample));
        QVERIFY(first <= sample && grid.last_column_of(first) >= grid.column_of(sample));
      }
    }
  }

  // A live chart draws only what is new, and looks as if all of it had been drawn.
  void a_live_chart_moves_what_it_has_drawn() {
    auto& chart = dock().charts();
    chart.refresh();
    const auto info = wall_info(2, 2, 2);
    const int before = chart.drawn_completely();
    for (int tenth = 600; tenth < 640; ++tenth) {
      emit window_->link().stats(stats_from(wall_stats(info, tenth, 5, 30)).value());
      emit window_->link().caught_up();
    }
    QVERIFY(chart.drawn_completely() <= before + 2);  // a new order of the worst, at most
    const auto area = chart.area();
    const auto moved = chart.grab(area).toImage();
    QEvent style(QEvent::StyleChange);
    QApplication::sendEvent(&chart, &style);
    const auto anew = chart.grab(area).toImage();
    QCOMPARE(moved.size(), anew.size());
    int different = 0;
    for (int x = 0; x < moved.width(); ++x)
      for (int y = 0; y < moved.height(); ++y) different += moved.pixel(x, y) == anew.pixel(x, y) ? 0 : 1;
    QVERIFY2(different < moved.width() * moved.height() / 500, qPrintable(QString::number(different)));
  }

  void the_crosshair_is_in_all_charts() {
    show_page();
    auto& map = page().heat_map();
    const auto place = map.area().center();
    QMouseEvent move(QEvent::MouseMove, place, map.mapToGlobal(place), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(&map, &move);
    const auto pointed = panel().notes().pointed();
    QVERIFY(pointed && std::abs(*pointed - 300) < 8);
    QTRY_VERIFY(window_->findChild<QWidget*>("hover-card") != nullptr &&
                window_->findChild<QWidget*>("hover-card")->isVisible());
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&map, &leave);
    QVERIFY(!panel().notes().pointed());
  }

  void the_last_hour_chooses_a_time() {
    show_page();
    auto* strip = page().findChild<Overview*>();
    for (int tenth = 600; tenth < 3000; tenth += 5) {
      const auto info = wall_info(2, 2, 2);
      emit window_->link().stats(stats_from(wall_stats(info, tenth, 5, 30)).value());
    }
    emit window_->link().caught_up();
    strip->refresh();
    auto& window = panel().window();
    const auto rect = strip->window_rect();
    const QPoint from = rect.center().toPoint(), to = from - QPoint(30, 0);
    QTest::mousePress(strip, Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, strip->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(strip, &move);
    QTest::mouseRelease(strip, Qt::LeftButton, {}, to);
    QVERIFY(!window.live());
    QCOMPARE(window.seconds(), 60);
    QVERIFY(window.shown().last < panel().history().times().count() - 300);
  }

  void rows_are_copied_as_text_for_spreadsheets() {
    show_page();
    auto& table = page().lines().view();
    table.selectRow(0);
    window_->activateWindow();
    table.setFocus();
    QTRY_VERIFY(table.hasFocus());
    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
    const auto lines = QApplication::clipboard()->text().split('\n');
    QVERIFY(lines[0].contains("Flow\tTile") && lines[0].contains(QString::fromUtf8("p99, \u00b5s")));
    QVERIFY2(lines[1].startsWith("7\t1,1\tone\t27"), qPrintable(lines[1]));
  }

  void from_the_wall_to_a_tile_to_a_flow() {
    show_page();
    const auto& table = page().lines().table();
    auto* view = window_->findChild<QTableView*>("worst");
    const auto worst = [&] { return view->model()->index(0, LineTableModel::line).data().toString(); };
    QCOMPARE(table.rowCount(), 8);
    QCOMPARE(worst(), QString("7"));
    panel().focus().show_line(Scope::tile, 2);
    QCOMPARE(table.rowCount(), 2);
    auto* part = window_->findChild<QComboBox*>("part");
    QCOMPARE(part->currentText(), QString("Tile 0,1"));
    emit view->activated(view->model()->index(0, 0));
    QCOMPARE(part->currentText(), QString("Tile 0,1, flow 5"));
    QCOMPARE(table.rowCount(), 1);
    panel().focus().up();
    QCOMPARE(part->currentText(), QString("Tile 0,1"));
    panel().focus().up();
    QCOMPARE(part->currentText(), QString("Node one"));
    panel().focus().up();
    QCOMPARE(part->currentText(), QString("Whole wall"));
    panel().set_quantity(Quantity::throughput);
    QCOMPARE(worst(), QString("0"));  // the least is the worst
    save("views-distribution");
  }

  // The axis of the distribution and its table have one unit, and the table says which.
  void a_distribution_and_its_table_have_one_unit() {
    const auto info = wall_info(2, 2, 2);
    for (int tenth = 600; tenth < 700; ++tenth) {
      auto stats = wall_stats(info, tenth);
      auto nodes = stats["nodes"].toArray();
      auto node = nodes[0].toObject();
      auto report = node["report"].toObject();
      auto flows = report["flows"].toArray();
      for (auto entry : flows) {
        auto flow = entry.toObject();
        flow["jitter_us"] = 2500.0 + 10 * flow["flow"].toInt();
        entry = flow;
      }
      report["flows"] = flows;
      node["report"] = report;
      nodes[0] = node;
      stats["nodes"] = nodes;
      emit window_->link().stats(stats_from(stats).value());
    }
    emit window_->link().caught_up();
    show_page();
    panel().window().mark(610, 690);
    QTRY_COMPARE(page().distribution().distribution().unit().name, QString("ms"));
    const auto& table = page().distribution().table();
    QCOMPARE(table.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), QString("ms"));
    QCOMPARE(table.index(0, CurveTableModel::median).data().toString(), QString("2.53"));
    for (const auto& label : page().distribution().distribution().tick_labels()) QVERIFY(label.endsWith(" ms"));
  }

  void a_distribution_compares_with_others_and_with_before() {
    show_page();
    panel().window().mark(300, 330);
    panel().focus().show(Part{1, 1, {}});
    QTRY_COMPARE(page().distribution().distribution().curves().size(), std::size_t{2});
    panel().set_compares(true);
    const auto& curves = page().distribution().distribution().curves();
    QCOMPARE(curves.size(), std::size_t{3});
    QCOMPARE(curves[0].samples.size(), std::size_t{2 * 31});
    QCOMPARE(curves[1].samples.size(), std::size_t{6 * 31});
    QCOMPARE(curves[2].samples.size(), std::size_t{2 * 31});
    QVERIFY(curves[0].name.startsWith("Tile 1,1") && curves[2].name.contains("before"));
    for (const auto& curve : curves) QVERIFY(std::ranges::is_sorted(curve.samples));
  }

  void a_distribution_says_what_share_was_no_greater() {
    TimeSeries series;
    for (int i = 1; i <= 100; ++i) series.add(i);
    const auto span = last_seconds(60);
    const auto summary = summary_of({3, "flow 3", &series}, span);
    QCOMPARE(summary.median, 50.0);
    QCOMPARE(summary.p99, 99.0);
    QCOMPARE(summary.greatest, 100.0);
    Distribution plot;
    plot.resize(400, 300);
    plot.set(Quantity::jitter, {{"flow 3", sorted_samples(series, span)}}, {});
    QCOMPARE(plot.share_at(0, 25), 0.25);
    QCOMPARE(plot.share_at(0, 0), 0.0);
    QVERIFY(plot.text_at({200, 100}).contains("flow 3: "));
    QVERIFY(plot.text_at({200, 100}).contains("of 100 samples"));
    QVERIFY(plot.text_at({1, 1}).isEmpty());
  }

  void samples_are_sorted_as_by_comparison() {
    std::mt19937 random(11);
    for (const std::size_t count : {0UL, 1UL, 4095UL, 4096UL, 50'000UL}) {
      std::vector<float> samples(count);
      for (auto& sample : samples)
        sample = std::uniform_real_distribution<float>(-1e3F, 1e6F)(random) * (random() % 5 == 0 ? 1e-6F : 1.0F);
      auto expected = samples;
      std::ranges::sort(expected);
      sort_samples(samples);
      QVERIFY(samples == expected);
      if (count > 0) QCOMPARE(quantile_of(samples, 0.99), quantile(expected, 0.99));
    }
  }

  void many_flows_show_the_worst_as_lines() {
    FlowHistory history;
    const auto info = wall_info(4, 4, 1);
    history.set_wall(read_info(info).wall);
    for (int tenth = 0; tenth < 100; ++tenth) history.add(stats_from(wall_stats(info, tenth)).value());
    TimeWindow window(history.times());
    Focus focus(history);
    LaneChart chart({history, window, focus}, {{Quantity::jitter, false}, {Quantity::throughput, true}}, {});
    chart.resize(700, 240);
    chart.collect();
    QCOMPARE(chart.worst_names(), (QStringList{"flow 15", "flow 14", "flow 13"}));
    const auto area = chart.area();
    const auto text = chart.text_at(QPointF(area.right() - 2, area.top() + 20));
    QVERIFY2(text.contains(QString::fromUtf8("flow 15: 35 \u00b5s")) && text.contains("Median"), qPrintable(text));
    QVERIFY(!text.contains("flow 3:"));
    QVERIFY(chart.text_at(QPointF(area.left() + 5, area.top() + 20)).contains("not measured"));
    const auto sum = chart.text_at(QPointF(area.right() - 2, area.bottom() - 10));
    QVERIFY2(sum.contains("Sum: 3.32 Gbit/s"), qPrintable(sum));  // 16 times 0.2, and 0.12
  }

  // Each sample draws only a part of the chart again, which must not cut the texts around it.
  void a_live_chart_looks_as_if_drawn_completely() {
    FlowHistory history;
    const auto info = wall_info(4, 4, 1);
    history.set_wall(read_info(info).wall);
    int tenth = 0;
    const auto add = [&] { history.add(stats_from(wall_stats(info, tenth++)).value()); };
    while (tenth < 100) add();
    TimeWindow window(history.times());
    Focus focus(history);
    LaneChart chart({history, window, focus}, {{Quantity::jitter, false}, {Quantity::throughput, true}}, {});
    chart.resize(700, 240);
    chart.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chart));
    for (int i = 0; i < 8; ++i) {
      add();
      chart.collect();
      QTest::qWait(20);
    }
    const auto seen = chart.screen()->grabWindow(chart.winId()).toImage();
    QCOMPARE(seen.convertToFormat(QImage::Format_RGB32), chart.grab().toImage().convertToFormat(QImage::Format_RGB32));
  }

  void a_limit_is_part_of_the_scale() {
    PlotNotes notes;
    FlowHistory history;
    const auto info = wall_info(4, 4, 2);
    history.set_wall(read_info(info).wall);
    for (int tenth = 0; tenth < 100; ++tenth) history.add(stats_from(wall_stats(info, tenth)).value());
    TimeWindow window(history.times());
    Focus focus(history);
    LaneChart chart({history, window, focus, &notes}, {{Quantity::jitter, false}}, {});
    chart.resize(700, 160);
    chart.collect();
    QCOMPARE(chart.top_of(Quantity::jitter), 100.0);
    notes.set_limits({{Quantity::jitter, 101}});
    chart.collect();
    QCOMPARE(chart.top_of(Quantity::jitter), 200.0);
    notes.set_limits({{Quantity::jitter, 5000}});  // far away: not shown
    chart.collect();
    QCOMPARE(chart.top_of(Quantity::jitter), 100.0);
  }
};

QTEST_MAIN(ViewsTest)
#include "views_test.moc"
