// Exports for print: drawings as SVG and the report as PDF, as vectors and text, not as pixels.
#include "wall-control/plots/export.h"
#include "tests/gui/as_read.h"
#include "tests/gui/picture.h"
#include "tests/gui/wall_figures.h"
#include "wall-control/app/main_window.h"
#include "wall-control/messages/told.h"
#include "wall-control/network/network_panel.h"
#include "wall-control/plots/strip_chart.h"
#include "wall-control/report/report.h"
#include "wall-control/ui/palette.h"

#include <QApplication>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace lw;

namespace {

QByteArray content_of(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class ExportTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

private slots:
  void initTestCase() {
    qputenv("XDG_CONFIG_HOME", folder_.path().toUtf8());
    QApplication::setStyle("Fusion");
    QApplication::setPalette(colors::palette());
  }

  void every_view_of_the_network_is_saved_as_svg() {
    MainWindow window;
    window.resize(1280, 720);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const auto info = wall_info(2, 2, 2);
    emit window.link().ready(read_info(info));
    for (int tenth = 0; tenth < 100; ++tenth)
      emit window.link().stats(stats_from(wall_stats(info, tenth, 5, tenth)).value());
    emit window.link().caught_up();
    auto* network = window.findChild<NetworkPanel*>();
    auto* tabs = window.findChild<QTabWidget*>("network");
    for (int tab = 0; tab < tabs->count(); ++tab) {
      tabs->setCurrentIndex(tab);
      QCoreApplication::processEvents();
      const auto path = folder_.filePath(QString("view-%1.svg").arg(tab));
      QCOMPARE(network->save(path), QString());
      QSvgRenderer svg(path);
      QVERIFY2(svg.isValid(), qPrintable(tabs->tabText(tab)));
      QCOMPARE(svg.viewBox().size(), tabs->currentWidget()->size());
      QVERIFY2(content_of(path).contains("<text"), qPrintable(tabs->tabText(tab)));
      QImage drawn(svg.viewBox().size(), QImage::Format_RGB32);
      drawn.fill(Qt::magenta);
      QPainter painter(&drawn);
      svg.render(&painter);
      painter.end();
      QVERIFY(drawn.save(test::picture(QString("svg-%1.png").arg(tab))));
    }
    QVERIFY(network->save(folder_.filePath("none/view.svg")).contains("cannot write"));
  }

  void a_chart_is_lines() {
    FlowHistory history;
    const auto info = wall_info(1, 1, 1);
    history.set_wall(read_info(info).wall);
    for (int tenth = 0; tenth < 100; ++tenth) history.add(stats_from(wall_stats(info, tenth)).value());
    TimeWindow window(history.times());
    Focus focus(history);
    StripChart chart({history, window, focus}, Quantity::throughput);
    chart.resize(600, 150);
    chart.collect();
    QCOMPARE(save_drawing(folder_.filePath("chart.svg"), chart), QString());
    const auto svg = content_of(folder_.filePath("chart.svg"));
    QVERIFY(svg.contains("<path") || svg.contains("<polyline"));
    QVERIFY(svg.count("<image") <= 1);  // the arrow of the box that chooses the quantity
  }

  void a_report_is_pages_of_a4_with_plots_as_lines() {
    FlowHistory history;
    const auto info = wall_info(2, 2, 2);
    history.set_wall(read_info(info).wall);
    for (int tenth = 0; tenth < 600; ++tenth)
      history.add(stats_from(wall_stats(info, tenth, 5, std::clamp(tenth - 300, 0, 30))).value());
    EventModel events;
    for (int second = 0; second < 60; ++second)
      events.add(*read_event(
          {{"time", time_of_tenth(10 * second)}, {"severity", "warning"}, {"text", QString("at %1").arg(second)}}));
    TimeWindow window(history.times());
    Focus focus(history);
    const auto path = folder_.filePath("report.pdf");
    QCOMPARE(save_report(path, {history, window, focus}, events, read_info(info)), QString());
    const auto pdf = content_of(path);
    QVERIFY(pdf.startsWith("%PDF-") && pdf.trimmed().endsWith("%%EOF"));
    const auto text = QString::fromLatin1(pdf);
    const QRegularExpression box(R"(/MediaBox \[0 0 ([\d.]+) ([\d.]+)\])");
    const auto found = box.match(text);
    QVERIFY(std::abs(found.captured(1).toDouble() - 595) < 2 && std::abs(found.captured(2).toDouble() - 842) < 2);
    QVERIFY(text.count(QRegularExpression("/Type /Page\\b")) >= 2);
    QVERIFY(text.contains("/Font"));
    // The heat map's cells and its scale; the charts contain no images.
    QVERIFY(text.count("/Subtype /Image") <= 4);
    QFile::remove(test::picture("report.pdf"));
    QVERIFY(QFile::copy(path, test::picture("report.pdf")));
    QVERIFY(save_report(folder_.filePath("none/a.pdf"), {history, window, focus}, events, read_info(info))
                .contains("cannot write"));
  }

  void a_report_of_nothing_is_a_page_too() {
    const FlowHistory history;
    TimeWindow window(history.times());
    Focus focus(history);
    const auto path = folder_.filePath("empty.pdf");
    QCOMPARE(save_report(path, {history, window, focus}, EventModel(), {}), QString());
    QVERIFY(content_of(path).startsWith("%PDF-"));
  }
};

QTEST_MAIN(ExportTest)
#include "export_test.moc"
