// Exports for print: drawings as SVG and the report as PDF, as vectors and text, not as pixels.
#include "wall-control/plots/export.h"
#include "tests/gui/as_read.h"
#include "tests/gui/picture.h"
#include "tests/gui/wall_figures.h"
#include "wall-control/app/main_window.h"
#include "wall-control/messages/told.h"
#include "wall-control/network/charts_panel.h"
#include "wall-control/network/network_page.h"
#include "wall-control/plots/lane_chart.h"
#include "wall-control/report/report_pdf.h"
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

#include <random>

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

  // An exported image has the chart, its legend and a caption with the wall, the time with its zone, quantity and unit:
  // nothing of the window, and the light theme whatever the window has.
  void every_chart_is_saved_without_the_window_around_it() {
    MainWindow window;
    window.resize(1280, 720);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const auto info = wall_info(2, 2, 2);
    emit window.link().ready(read_info(info));
    for (int tenth = 0; tenth < 100; ++tenth)
      emit window.link().stats(stats_from(wall_stats(info, tenth, 5, tenth)).value());
    emit window.link().caught_up();
    auto* panel = window.findChild<ChartsPanel*>();
    auto* tabs = window.findChild<QTabWidget*>("network");
    const auto theme = colors::theme();
    for (int tab = 0; tab < tabs->count(); ++tab) {
      tabs->setCurrentIndex(tab);
      QCoreApplication::processEvents();
      const auto path = folder_.filePath(QString("view-%1.svg").arg(tab));
      if (tabs->tabText(tab) == "Flows") {
        QVERIFY(panel->save(path).contains(".csv"));
        continue;
      }
      QCOMPARE(panel->save(path), QString());
      QSvgRenderer svg(path);
      QVERIFY2(svg.isValid(), qPrintable(tabs->tabText(tab)));
      const auto content = QString::fromUtf8(content_of(path));
      for (const auto* word : {"test wall", "2026-01-31", "UTC", "Whole wall"})
        QVERIFY2(content.contains(word), qPrintable(tabs->tabText(tab) + " lacks " + word));
      QVERIFY(!content.contains("Live"));  // a control beside the tabs
      QImage drawn(svg.viewBox().size(), QImage::Format_RGB32);
      drawn.fill(Qt::magenta);
      QPainter painter(&drawn);
      svg.render(&painter);
      painter.end();
      QVERIFY(QColor(drawn.pixel(2, 2)).lightness() > 230);
      QVERIFY(drawn.save(test::picture(QString("svg-%1.png").arg(tab))));
      const auto png = folder_.filePath(QString("view-%1.png").arg(tab)),
                 pdf = folder_.filePath(QString("view-%1.pdf").arg(tab));
      QCOMPARE(panel->save(png), QString());
      QCOMPARE(QImage(png).size(), svg.viewBox().size() * 2);
      QCOMPARE(panel->save(pdf), QString());
      QVERIFY(content_of(pdf).startsWith("%PDF-"));
      QCOMPARE(colors::theme(), theme);
    }
    tabs->setCurrentIndex(0);
    QVERIFY(panel->save(folder_.filePath("none/view.svg")).contains("cannot write"));
  }

  void a_chart_is_lines() {
    FlowHistory history;
    const auto info = wall_info(1, 1, 1);
    history.set_wall(read_info(info).wall);
    for (int tenth = 0; tenth < 100; ++tenth) history.add(stats_from(wall_stats(info, tenth)).value());
    TimeWindow window(history.times());
    Focus focus(history);
    LaneChart chart({history, window, focus}, {{Quantity::throughput, false}}, {});
    chart.resize(600, 150);
    chart.collect();
    const auto path = folder_.filePath("chart.svg");
    QCOMPARE(save_drawing(path, {chart.size(), [&](QPainter& painter) { chart.draw(painter); }, "Title", "Caption"}),
             QString());
    const auto svg = content_of(path);
    QVERIFY(svg.contains("<path") || svg.contains("<polyline"));
    QCOMPARE(svg.count("<image"), 0);
    QVERIFY(svg.contains("Title") && svg.contains("Caption"));
  }

  // Whatever the heights: blocks keep their order, none is divided, none is lost, and a heading is never alone at the
  // end of a page.
  void pages_divide_no_block() {
    std::mt19937 random(3);
    for (int round = 0; round < 200; ++round) {
      std::vector<ReportBlock> blocks(std::uniform_int_distribution<std::size_t>(1, 40)(random));
      std::vector<double> heights;
      for (auto& block : blocks) {
        block.kind = random() % 4 == 0 ? ReportBlock::Kind::section : ReportBlock::Kind::table;
        heights.push_back(
            block.kind == ReportBlock::Kind::section ? 30 : std::uniform_real_distribution<double>(10, 700)(random));
      }
      constexpr double page_height = 1000;
      std::size_t next = 0;
      for (const auto& page : pages_of(blocks, heights, page_height)) {
        QVERIFY(!page.empty());
        double used = 0;
        for (const auto block : page) {
          QCOMPARE(block, next++);
          used += heights[block];
        }
        QVERIFY(used <= page_height);
        const bool last = next == blocks.size();
        QVERIFY(last || blocks[page.back()].kind != ReportBlock::Kind::section ||
                blocks[page.back() + 1].kind == ReportBlock::Kind::section);
      }
      QCOMPARE(next, blocks.size());
    }
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
    QCOMPARE(text.count("/Subtype /Image"), 0);  // charts are lines
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
