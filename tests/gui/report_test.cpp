// The report of a session: one file with the figures, plots, events and machines of the chosen time. Also the cost of a
// large wall, which is reported, not judged; but the kept data is bounded.
#include "wall-control/report/report.h"
#include "tests/gui/as_read.h"
#include "tests/gui/picture.h"
#include "tests/gui/wall_figures.h"
#include "wall-control/app/main_window.h"
#include "wall-control/messages/told.h"
#include "wall-control/network/network_page.h"
#include "wall-control/report/incidents.h"
#include "wall-control/ui/palette.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include <ctime>

using namespace lw;

namespace {

double cpu_ms() { return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

class ReportTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

private slots:
  void initTestCase() {
    qputenv("XDG_CONFIG_HOME", folder_.path().toUtf8());
    QApplication::setStyle("Fusion");
    QApplication::setPalette(colors::palette());
  }

  void a_report_has_figures_plots_events_and_machines() {
    FlowHistory history;
    auto info = wall_info(2, 2, 2);
    auto wall = info["wall"].toObject();
    wall["name"] = "wall <b>";
    info["wall"] = wall;
    history.set_wall(read_info(info).wall);
    for (int tenth = 0; tenth < 600; ++tenth)
      history.add(stats_from(wall_stats(info, tenth, 5, std::clamp(tenth - 300, 0, 30))).value());
    EventModel events;
    for (const int second : {10, 31})
      events.add(*read_event(
          {{"time", time_of_tenth(10 * second)}, {"severity", "warning"}, {"text", QString("at <%1>").arg(second)}}));
    TimeWindow window(history.times());
    Focus focus(history);
    const PlotSource source{history, window, focus};
    const auto report = report_of(source, events, read_info(info));
    QVERIFY(report.contains("<h1>Wall wall &lt;b&gt;</h1>"));
    QVERIFY(report.contains("UTC"));  // the zone of all times
    QVERIFY(
        report.contains("<td class=\"text\">Packets lost</td><td class=\"text\">packets/s</td><td "
                        "class=\"text\">flow 5</td><td>0</td><td>0</td><td>10</td><td>10</td>"));
    QVERIFY(report.contains("<td class=\"text\">Throughput</td><td class=\"text\">Gbit/s</td>"));
    QVERIFY(!report.contains("Packets resent"));                        // not measured
    QVERIFY(!report.contains("<td class=\"text\">Packets reordered"));  // zero throughout
    QVERIFY(report.contains("Zero throughout: Packets reordered, Packets late."));
    QVERIFY(report.contains("at &lt;10&gt;") && report.contains("at &lt;31&gt;"));
    QVERIFY(report.contains("gpu1") && report.contains("<td class=\"text\">one</td>") &&
            report.contains(QString::fromUtf8("2 \u00d7 2")));
    // 30 packets in three seconds, of which no resend is known.
    QVERIFY(report.contains("30 packets lost on flow 5, 0 % repaired in time"));
    const QRegularExpression image("base64,([^\"]+)");
    int images = 0;
    for (auto found = image.globalMatch(report); found.hasNext(); ++images)
      QVERIFY(!QImage::fromData(QByteArray::fromBase64(found.next().captured(1).toLatin1())).isNull());
    QCOMPARE(images, 5);                // verdict, wall, five figures, the whole time, one incident
    QVERIFY(!report.contains("http"));  // nothing is fetched
    window.mark(50, 150);
    const auto part = report_of(source, events, read_info(info));
    QVERIFY(part.contains("at &lt;10&gt;") && !part.contains("at &lt;31&gt;"));
    QCOMPARE(save_report(folder_.filePath("report.html"), source, events, read_info(info)), QString());
    QVERIFY(QFile::exists(folder_.filePath("report.html")));
    QVERIFY(
        save_report(folder_.filePath("none/report.html"), source, events, read_info(info)).contains("cannot write"));
    QFile::remove(test::picture("report.html"));
    QVERIFY(QFile::copy(folder_.filePath("report.html"), test::picture("report.html")));
  }

  void a_skew_between_clocks_that_nobody_compares_is_not_measured() {
    const auto info = wall_info(2, 1, 1);
    const auto told = [&](bool bounded) {
      FlowHistory history;
      history.set_wall(read_info(info).wall);
      for (int tenth = 0; tenth < 10; ++tenth) {
        auto stats = wall_stats(info, tenth);
        auto wall = stats["wall"].toObject();
        if (!bounded) wall.remove("skew_error_us");
        stats["wall"] = wall;
        history.add(stats_from(stats).value());
      }
      TimeWindow window(history.times());
      Focus focus(history);
      return report_of({history, window, focus}, EventModel(), read_info(info));
    };
    const auto measured = told(true), unknown = told(false);
    QVERIFY(measured.contains("<td class=\"text\">Skew, p99</td>"));
    QVERIFY(measured.contains("<td class=\"text\">Skew, clock error</td>"));
    QVERIFY(!unknown.contains("<td class=\"text\">Skew"));
  }

  // Each incident is a time of losses; losses five seconds apart are two.
  void incidents_are_times_of_losses() {
    FlowHistory history;
    const auto info = wall_info(2, 1, 1);
    history.set_wall(read_info(info).wall);
    qint64 lost = 0;
    for (int tenth = 0; tenth < 600; ++tenth) {
      if ((tenth > 100 && tenth <= 120) || (tenth > 140 && tenth <= 150) || (tenth > 400 && tenth <= 410)) ++lost;
      history.add(stats_from(wall_stats(info, tenth, 1, lost)).value());
    }
    TimeWindow window(history.times());
    Focus focus(history);
    PlotNotes notes;
    const auto incidents = incidents_of({history, window, focus, &notes});
    QCOMPARE(incidents.size(), std::size_t{2});
    QCOMPARE(incidents[0].begin_ms, figures_begin_ms + 10'000);
    QCOMPARE(incidents[0].end_ms, figures_begin_ms + 15'900);
    QCOMPARE(incidents[1].begin_ms, figures_begin_ms + 40'000);
    QCOMPARE(incidents[0].state, State::crit);
    QVERIFY(incidents[0].text.startsWith("30 packets lost on flow 1"));
    // What the window knows comes first.
    notes.set_incidents({{State::warn, figures_begin_ms + 1000, {}, "known"}});
    QCOMPARE(incidents_of({history, window, focus, &notes}).size(), std::size_t{1});
  }

  void the_first_page_says_how_the_wall_was() {
    const LightTheme light;
    const auto info = wall_info(2, 1, 1);
    const auto verdict = [&](qint64 lost) {
      FlowHistory history;
      history.set_wall(read_info(info).wall);
      for (int tenth = 0; tenth < 200; ++tenth)
        history.add(stats_from(wall_stats(info, tenth, 1, tenth > 100 ? lost : 0)).value());
      TimeWindow window(history.times());
      Focus focus(history);
      const auto report = make_report({history, window, focus}, EventModel(), read_info(info));
      return report.blocks[2].drawing.title;
    };
    QCOMPARE(verdict(0), QString("Wall healthy"));
    QCOMPARE(verdict(10), QString("Picture faults"));
  }

  // The tables of a report have so few rows each that one always fits a page.
  void many_events_are_several_tables() {
    const LightTheme light;
    FlowHistory history;
    const auto info = wall_info(2, 1, 1);
    history.set_wall(read_info(info).wall);
    for (int tenth = 0; tenth < 600; ++tenth) history.add(stats_from(wall_stats(info, tenth)).value());
    EventModel events;
    for (int event = 0; event < 200; ++event)
      events.add(*read_event({{"seq", event + 1},
                              {"time", time_of_tenth(2 * event)},
                              {"severity", "info"},
                              {"text", QString("event %1").arg(event)}}));
    TimeWindow window(history.times());
    Focus focus(history);
    const auto report = make_report({history, window, focus}, events, read_info(info));
    std::size_t rows = 0;
    for (const auto& block : report.blocks)
      if (block.kind == ReportBlock::Kind::table && block.rows[0][0] == "Time") {
        QVERIFY(block.rows.size() <= 25);
        rows += block.rows.size() - 1;
      }
    QCOMPARE(rows, std::size_t{48});
  }

  void nothing_measured_makes_a_report_too() {
    const FlowHistory history;
    TimeWindow window(history.times());
    Focus focus(history);
    const auto report = report_of({history, window, focus}, EventModel(), {});
    QVERIFY(report.contains("None.") && report.endsWith("</html>\n"));
  }

  // 64 tiles of 4 flows, ten times a second.
  void a_large_wall_in_the_window() {
    MainWindow window;
    window.resize(1280, 720);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const auto info = wall_info(8, 8, 4);
    emit window.link().ready(read_info(info));
    auto* tabs = window.findChild<QTabWidget*>("network");
    qint64 tenth = 0;
    for (int tab = 0; tab < tabs->count(); ++tab) {
      tabs->setCurrentIndex(tab);
      constexpr int statistics = 50;
      std::vector<QJsonObject> told;
      for (int i = 0; i < statistics; ++i, ++tenth) told.push_back(wall_stats(info, tenth, 5, tenth));
      const double before = cpu_ms();
      for (const auto& stats : told) {
        emit window.link().stats(stats_from(stats).value());
        emit window.link().caught_up();
        QCoreApplication::processEvents();
      }
      const double each = (cpu_ms() - before) / statistics;
      qInfo("%s: %.1f ms CPU for each statistic, %.0f %% of a core at 10 Hz", qPrintable(tabs->tabText(tab)), each,
            each / 100 * 100);
    }
    auto& time = window.network().window();
    tabs->setCurrentIndex(0);
    QElapsedTimer clock;
    clock.start();
    time.zoom(2, 0);
    QCoreApplication::processEvents();
    qInfo("zoom of three plots: %lld ms", static_cast<long long>(clock.elapsed()));
  }

  void more_than_an_hour_keeps_one() {
    FlowHistory history;
    const auto info = wall_info(1, 1, 1);
    history.set_wall(read_info(info).wall);
    for (int tenth = 0; tenth < 37'000; ++tenth) history.add(stats_from(wall_stats(info, tenth)).value());
    const auto& jitter = history.flows()[0].series.of(Quantity::jitter);
    QCOMPARE(jitter.size(), TimeSeries::samples_max);
    QCOMPARE(jitter.seconds(), TimeSeries::seconds_max);
    QCOMPARE(history.times().count(), 37'000);
    QCOMPARE(history.times().sample_at(0), 37'000 - SampleTimes::samples_max);
    QVERIFY(history.tiles()[0].trouble_history.size() <= 20 && history.tiles()[0].fps_history.size() <= 10);
  }
};

QTEST_MAIN(ReportTest)
#include "report_test.moc"
