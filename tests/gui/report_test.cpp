// The report of a session: one file with the figures, plots, events and machines of the chosen time. Also the cost of a
// large wall, which is reported, not judged; but the kept data is bounded.
#include "wall-control/report/report.h"
#include "tests/gui/as_read.h"
#include "tests/gui/picture.h"
#include "tests/gui/wall_figures.h"
#include "wall-control/app/main_window.h"
#include "wall-control/messages/told.h"
#include "wall-control/network/network_panel.h"
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
    QVERIFY(report.contains(
        "<td>Packets lost by flow</td><td>packets/s</td><td>flow 5</td><td>0</td><td>0</td><td>10</td><td>10</td>"));
    QVERIFY(report.contains("<td>Throughput by flow</td><td>Gbit/s</td><td>flow 0</td>"));
    QVERIFY(!report.contains("Packets resent"));  // not measured
    QVERIFY(report.contains("at &lt;10&gt;") && report.contains("at &lt;31&gt;"));
    QVERIFY(report.contains("gpu1") && report.contains("Node one") && report.contains(QString::fromUtf8("2 \u00d7 2")));
    const QRegularExpression image("base64,([^\"]+)");
    int images = 0;
    for (auto found = image.globalMatch(report); found.hasNext(); ++images)
      QVERIFY(!QImage::fromData(QByteArray::fromBase64(found.next().captured(1).toLatin1())).isNull());
    QCOMPARE(images, 6);
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
    QVERIFY(measured.contains(QString::fromUtf8("<td>Skew, p99 of the wall</td><td>µs</td><td>wall</td>")));
    QVERIFY(measured.contains(QString::fromUtf8("<td>Skew, clock error of the wall</td><td>µs</td><td>wall</td>")));
    QVERIFY(!measured.contains("clock error not known"));
    QVERIFY(unknown.contains("<td>Skew, p99 of the wall</td><td></td><td>clock error not known</td>"));
    QVERIFY(!unknown.contains("Skew, clock error"));
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
    auto& time = window.findChild<NetworkPanel*>()->window();
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
