// The charts of the dock and the Network workspace with twenty minutes of a wall of 15 tiles on five nodes, of which
// one had an incident: nothing is cut off or overlaps, and screenshots for people in three themes and sizes.
#include "wall-control/network/network_page.h"

#include "tests/gui/as_read.h"
#include "tests/gui/picture.h"
#include "tests/gui/scripted_server.h"
#include "tests/gui/wall_figures.h"
#include "wall-control/network/charts_panel.h"
#include "wall-control/network/choices.h"
#include "wall-control/network/line_panel.h"
#include "wall-control/report/report.h"
#include "wall-control/ui/look.h"

#include <QAbstractButton>
#include <QApplication>
#include <QTabWidget>
#include <QTest>

#include <cmath>
#include <random>

using namespace lw;

namespace {

constexpr int columns = 5, rows = 3, flows_per_tile = 4;
constexpr int minutes = 20, tenths = 600 * minutes;
constexpr int bad_column = 3, begin = 6200, end = 8900;  // the incident, in tenths

// Node n has the tiles of column n.
QJsonObject five_nodes() {
  auto info = wall_info(columns, rows, flows_per_tile);
  auto wall = info["wall"].toObject();
  QJsonArray nodes, flows;
  for (int column = 0; column < columns; ++column) {
    QJsonArray tiles;
    for (int row = 0; row < rows; ++row) tiles << QJsonArray{column, row};
    nodes << QJsonObject{{"name", QString("render-%1").arg(column + 1)},
                         {"address", QString("10.0.0.%1").arg(column + 1)},
                         {"tiles", tiles}};
  }
  for (auto entry : wall["flows"].toArray()) {
    auto flow = entry.toObject();
    flow["node"] = QString("render-%1").arg(flow["tile"].toArray()[0].toInt() + 1);
    flows << flow;
  }
  wall["name"] = QString::fromUtf8("SARA 5\u00d73");
  wall["nodes"] = nodes;
  wall["flows"] = flows;
  info["wall"] = wall;
  return info;
}

// One report, to be changed for each tenth: reading thousands of messages would take most of the test's time.
Stats template_of(const QJsonObject& info) {
  QJsonArray nodes;
  for (const auto& entry : info["wall"].toObject()["nodes"].toArray()) {
    QJsonArray flows, tiles;
    const auto name = entry.toObject()["name"].toString();
    for (const auto& flow : info["wall"].toObject()["flows"].toArray())
      if (flow.toObject()["node"].toString() == name)
        flows << QJsonObject{{"flow", flow.toObject()["flow"]},
                             {"receiving", true},
                             {"packets", 1},
                             {"lost", 0},
                             {"kernel_drops", 0},
                             {"repaired", 0},
                             {"gbit_per_s", 0.59},
                             {"jitter_us", 30.0}};
    for (const auto& place : entry.toObject()["tiles"].toArray())
      tiles << QJsonObject{{"tile", place}, {"frame", 1}, {"lateness_us_p99", 1900.0}};
    nodes << QJsonObject{
        {"node", name}, {"connected", true}, {"report", QJsonObject{{"flows", flows}, {"tiles", tiles}}}};
  }
  const QJsonObject stats{
      {"time", time_of_tenth(0)},
      {"interval_s", 0.1},
      {"wall",
       QJsonObject{
           {"skew_us_p50", 50.0}, {"skew_us_p99", 420.0}, {"skew_error_us", 18.0}, {"playout_delay_us", 80'000.0}}},
      {"nodes", nodes}};
  return stats_from(stats).value();
}

void fill(FlowHistory& history) {
  const auto info = five_nodes();
  history.set_wall(read_info(info).wall);
  auto stats = template_of(info);
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0, 3);
  std::vector<double> lost(columns * rows * flows_per_tile), repaired(lost.size()), dropped(lost.size());
  for (int tenth = 0; tenth < tenths; ++tenth) {
    stats.time = time_of_tenth(tenth).toStdString();
    const bool bad = tenth >= begin && tenth < end && (tenth < 7400 || tenth > 7500);
    for (std::size_t node = 0; node < stats.nodes.size(); ++node) {
      // The last node said nothing for a while.
      if (node == 4 && tenth > 3700 && tenth < 3850) continue;
      for (auto& flow : stats.nodes[node].report->flows) {
        const bool hit = bad && node == bad_column && flow.flow % 12 != 3;
        const double rise = std::min(1.0, (tenth - begin) / 300.0);
        const double jitter = 30 + static_cast<double>(flow.flow % 7) + noise(random) + (hit ? 420 * rise : 0);
        flow.figures["jitter_us"] = std::max(4.0, jitter);
        if (hit && tenth % 5 == 0) {
          lost[flow.flow] += 5 + static_cast<double>(flow.flow % 4);
          dropped[flow.flow] += 5;
          repaired[flow.flow] = std::floor(0.97 * lost[flow.flow]);
        }
        flow.figures["lost"] = static_cast<std::uint64_t>(lost[flow.flow]);
        flow.figures["kernel_drops"] = static_cast<std::uint64_t>(dropped[flow.flow]);
        flow.figures["repaired"] = static_cast<std::uint64_t>(repaired[flow.flow]);
      }
    }
    auto shown = stats;
    if (tenth > 3700 && tenth < 3850) shown.nodes.pop_back();
    history.add(shown);
  }
}

}  // namespace

class NetworkTest : public QObject {
  Q_OBJECT

  FlowHistory history_;
  std::unique_ptr<NetworkModels> models_;

  void choose_incident() {
    models_->window().set_seconds(60 * minutes);
    models_->window().mark(begin - 100, end + 100);
    models_->focus().show({{}, {}, {}, "render-4"});
  }
  // Words of buttons and boxes have their room, and no two controls overlap.
  void check_controls(const QWidget& widget) {
    QList<QRect> places;
    for (const auto* child : widget.findChildren<QWidget*>()) {
      const auto* button = qobject_cast<const QPushButton*>(child);
      const auto* box = qobject_cast<const QComboBox*>(child);
      if (!child->isVisibleTo(&widget) || (button == nullptr && box == nullptr)) continue;
      const QRect place(child->mapTo(&widget, QPoint()), child->size());
      const auto name = button != nullptr ? button->text() : box->currentText();
      const bool fixed = box != nullptr && box->sizeAdjustPolicy() == QComboBox::AdjustToMinimumContentsLengthWithIcon;
      const int needed = child->fontMetrics().horizontalAdvance(name) + (box != nullptr ? 24 : 8);
      QVERIFY2(fixed || place.width() >= needed, qPrintable(name));
      for (const auto& other : places) QVERIFY2(!other.intersects(place), qPrintable(name));
      QVERIFY2(widget.rect().contains(place), qPrintable(name));
      QVERIFY2(!child->accessibleName().isEmpty() || !name.isEmpty(), child->metaObject()->className());
      places << place;
    }
  }

private slots:
  void initTestCase() {
    test::look_like_the_program();
    fill(history_);
  }
  void init() {
    models_ = std::make_unique<NetworkModels>(history_);
    models_->set_wall(QString::fromUtf8("SARA 5\u00d73"));
    const auto at = [](int tenth) { return figures_begin_ms + 100 * tenth; };
    models_->notes().set_incidents({{State::crit, at(begin), at(end), "Packet loss on render-4"}});
    models_->notes().set_limits({{Quantity::jitter, 1000}});
  }

  void the_table_says_what_happened() {
    NetworkPage page(*models_);
    page.resize(1600, 840);
    page.show();
    models_->window().set_seconds(60 * minutes);
    models_->window().mark(begin, end);
    QTRY_COMPARE(page.lines().table().sentence(), QString("11 of 60 flows lost packets, all on render-4"));
    const auto& sorted = page.lines().sorted();
    QCOMPARE(sorted.index(0, LineTableModel::node).data().toString(), QString("render-4"));
    QVERIFY(sorted.index(0, LineTableModel::p99).data(LineTableModel::value_role).toDouble() > 400);
    QVERIFY(sorted.index(0, LineTableModel::repaired).data().toString().endsWith(" %"));
    QCOMPARE(sorted.index(59, LineTableModel::repaired).data().toString(), QString::fromUtf8("\u2013"));
    models_->window().mark(begin - 3000, begin - 2000);
    QTRY_COMPARE(page.lines().table().sentence(), QString("No packets lost"));
  }

  // For people to look at; report_test.cpp and export_test.cpp say what must be in it.
  void the_report_of_the_incident() {
    EventModel events;
    for (const auto& [tenth, text] :
         {std::pair{begin, "Packet loss on 11 flows"}, std::pair{end, "Packet loss cleared"}})
      events.add(
          *read_event({{"time", time_of_tenth(tenth)}, {"severity", "warning"}, {"node", "render-4"}, {"text", text}}));
    models_->window().set_seconds(60 * minutes);
    for (const auto* name : {"report-incident.pdf", "report-incident.html"})
      QCOMPARE(save_report(test::picture(name), models_->source(), events, read_info(five_nodes())), QString());
  }

  void pictures() {
    Look look;
    for (const auto* theme : {"dark", "light", "high-contrast"}) {
      for (const auto& size : {QSize(1280, 562), QSize(1600, 840), QSize(2560, 1280)}) {
        NetworkPage page(*models_);
        page.resize(size);
        page.show();
        choose_incident();
        if (size.width() == 1600) models_->focus().show({});
        models_->set_compares(true);
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        QTest::qWait(500);
        check_controls(page);
        QVERIFY(page.grab().save(test::picture(QString("network-%1-%2.png").arg(theme).arg(size.width()))));
      }
      ChartsPanel dock(*models_);
      dock.resize(1000, 250);
      dock.show();
      models_->focus().show({});
      models_->window().back();
      models_->window().back();
      models_->window().set_seconds(300);
      models_->set_quantity(Quantity::jitter);
      for (const bool held : {false, true}) {
        if (held) {
          models_->window().set_seconds(60 * minutes);
          models_->window().hold(true);
        }
        auto* tabs = dock.findChild<QTabWidget*>("network");
        for (int tab = 0; tab < tabs->count(); ++tab) {
          tabs->setCurrentIndex(tab);
          QTest::qWait(350);
          check_controls(dock);
          QVERIFY(dock.grab().save(
              test::picture(QString("dock-%1-%2-%3.png")
                                .arg(tabs->tabText(tab).toLower().replace(' ', '-'), theme, held ? "held" : "live"))));
        }
        tabs->setCurrentIndex(0);
      }
      models_->window().hold(false);
      look.next_theme();
    }
  }
};

QTEST_MAIN(NetworkTest)
#include "network_test.moc"
