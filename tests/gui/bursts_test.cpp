// Bursts by flow: what the counts of each tenth of a second say about lost packets and about packets received together,
// under any order of reports; and the panel that shows them.
#include "wall-control/network/burst_panel.h"

#include "tests/gui/health_room.h"
#include "tests/gui/picture.h"
#include "wall-control/models/flow_paths.h"
#include "wall-control/plots/histogram.h"
#include "wall-control/ui/figure_table.h"
#include "wall-control/ui/tile_names.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>

#include <algorithm>
#include <limits>
#include <memory>
#include <random>

using namespace lw;
using test::Room;

namespace {

constexpr qint64 ever = std::numeric_limits<qint64>::max();

Figures<ReceiverFlowStats> counts(std::uint64_t lost, std::uint64_t runs, std::uint64_t packets = 0,
                                  std::uint64_t calls = 0) {
  Figures<ReceiverFlowStats> figures;
  figures["lost_settled"] = lost;
  figures["loss_runs"] = runs;
  figures["loss_run_max"] = std::uint64_t{lost > 0 ? 7U : 0U};
  figures["packets"] = packets;
  figures["calls"] = calls;
  return figures;
}

// A room with the counts that it lacks.
struct BurstRoom : Room {
  Bursts bursts{history};
  FlowPaths paths{history, status, stages};
  NetworkModels models{history, FlowEvidence{paths, bursts, causes}};

  // Flow 3 loses in two bursts, flow 40 a single packet; every call receives 40 packets, and 5 of flow 7.
  void play(int tenths) {
    for (int tenth = 0; tenth < tenths; ++tenth) {
      step();
      Stats stats;
      stats.nodes.resize(1);
      stats.nodes[0].report.emplace();
      for (std::size_t flow = 0; flow < flow_count; ++flow) {
        const bool bad = flow == 3 && ((at_ >= 20 && at_ < 25) || at_ == 40);
        const bool once = flow == 40 && at_ == 30;
        lost_[flow] += bad ? 6 : once ? 1 : 0;
        runs_[flow] += bad ? 2 : once ? 1 : 0;
        packets_[flow] += 840;
        calls_[flow] += flow == 7 ? 168 : 21;
        stats.nodes[0].report->flows.push_back({});
        auto& report = stats.nodes[0].report->flows.back();
        report.flow = static_cast<unsigned>(flow);
        report.figures = counts(lost_[flow], runs_[flow], packets_[flow], calls_[flow]);
      }
      bursts.add(stats);
      ++at_;
    }
    models.refresh();
  }

private:
  int at_ = 0;
  std::array<std::uint64_t, flow_count> lost_{}, runs_{}, packets_{}, calls_{};
};

}  // namespace

class BurstsTest : public QObject {
  Q_OBJECT

private slots:
  void initTestCase() { test::dress(Theme::dark); }
  void cleanup() { name_tiles({}); }

  void neighbouring_tenths_are_one_burst() {
    FlowBursts flow;
    const std::vector<std::pair<unsigned, unsigned>> reports{{0, 0}, {3, 1}, {5, 2}, {5, 2}, {9, 3}};
    for (std::size_t i = 0; i < reports.size(); ++i)
      flow.add(counts(reports[i].first, reports[i].second), static_cast<qint64>(i));
    const std::vector<LossBurst> wanted{{1, 2, 5, 2}, {4, 4, 4, 1}};
    QCOMPARE(flow.losses(0, ever), wanted);
    QCOMPARE(wanted[0].seconds(), 0.2);
    QCOMPARE(flow.losses(2, 3), std::vector{wanted[0]});
    QVERIFY(flow.losses(3, 3).empty());
    QCOMPARE(flow.longest_run(), std::optional<qint64>(7));
  }

  // A run is counted when it has ended, although nothing more was lost.
  void a_run_that_ends_later_belongs_to_its_burst() {
    FlowBursts flow;
    flow.add(counts(0, 0), 0);
    flow.add(counts(3, 0), 1);
    flow.add(counts(3, 1), 2);
    QCOMPARE(flow.losses(0, ever), (std::vector<LossBurst>{{1, 1, 3, 1}}));
  }

  void what_was_lost_while_nothing_was_reported_is_no_burst() {
    FlowBursts flow;
    flow.add(counts(0, 0), 0);
    flow.add(counts(500, 5), 9);
    flow.add(counts(2, 1), 10);  // the node's program started again
    flow.add(counts(4, 2), 11);
    QCOMPARE(flow.losses(0, ever), (std::vector<LossBurst>{{11, 11, 2, 1}}));
  }

  void a_node_that_counts_no_runs_has_no_bursts() {
    FlowBursts flow;
    for (qint64 sample = 0; sample < 5; ++sample) {
      Figures<ReceiverFlowStats> figures;
      figures["lost"] = static_cast<std::uint64_t>(sample * 10);
      flow.add(figures, sample);
    }
    QVERIFY(!flow.counts_runs());
    QVERIFY(flow.losses(0, ever).empty() && flow.per_call(0, ever).empty());
  }

  // Whatever is lost when: bursts lie apart and in order, and together they have every packet and every run.
  void no_packet_is_counted_twice_or_forgotten() {
    for (unsigned seed = 1; seed <= 40; ++seed) {
      std::mt19937 random(seed);
      FlowBursts flow;
      std::uint64_t lost = 0, runs = 0, before_lost = 0, before_runs = 0;
      qint64 wanted_lost = 0, wanted_runs = 0, sample = 0;
      bool reported_before = false;
      for (int i = 0; i < 3000; ++i, ++sample) {
        const auto more = random() % 4 == 0 ? random() % 20 : 0;
        lost += more;
        runs += more > 0 ? 1 + random() % more : 0;
        if (random() % 50 == 0) {  // no report
          reported_before = false;
          continue;
        }
        if (reported_before) {
          wanted_lost += static_cast<qint64>(lost - before_lost);
          wanted_runs += static_cast<qint64>(runs - before_runs);
        }
        before_lost = lost;
        before_runs = runs;
        reported_before = true;
        flow.add(counts(lost, runs), sample);
      }
      qint64 found_lost = 0, found_runs = 0, last = -2;
      for (const auto& burst : flow.losses(0, ever)) {
        QVERIFY2(burst.first > last + 1 && burst.last >= burst.first && burst.lost >= burst.last - burst.first + 1,
                 qPrintable(QString::number(seed)));
        found_lost += burst.lost;
        found_runs += burst.runs;
        last = burst.last;
      }
      QCOMPARE(found_lost, wanted_lost);
      QCOMPARE(found_runs, wanted_runs);
    }
  }

  void memory_is_bounded_and_counts_cannot_overflow() {
    FlowBursts flow;
    for (qint64 sample = 0; sample < 3 * static_cast<qint64>(FlowBursts::bursts_max); ++sample)
      flow.add(counts(static_cast<std::uint64_t>(sample / 2), 0), sample);
    const auto kept = flow.losses(0, ever);
    QCOMPARE(kept.size(), FlowBursts::bursts_max);
    QVERIFY(kept.back().last >= 3 * static_cast<qint64>(FlowBursts::bursts_max) - 2);
    FlowBursts liar;
    for (qint64 sample = 0; sample < 5000; ++sample)
      liar.add(counts(sample % 2 == 0 ? 0 : std::numeric_limits<std::uint64_t>::max(), 0), sample);
    for (const auto& burst : liar.losses(0, ever)) QVERIFY(burst.lost > 0);
  }

  void packets_per_call_are_those_of_the_chosen_time() {
    FlowBursts flow;
    std::uint64_t packets = 0, calls = 0;
    for (qint64 sample = 0; sample < 7000; ++sample) {
      packets += sample < 6500 ? 100 : 90;
      calls += 10;
      if (sample != 6900) flow.add(counts(0, 0, packets, calls), sample);
    }
    const auto newest = flow.per_call(6990, 6999);
    QCOMPARE(newest, std::vector<float>(10, 9.0F));
    QCOMPARE(flow.per_call(6400, 6499), std::vector<float>(100, 10.0F));
    QCOMPARE(flow.per_call(6899, 6902).size(), std::size_t{2});  // 6900 was not reported, and 6901 has no growth
    QVERIFY(flow.per_call(0, 900).empty());                      // no longer kept
    QCOMPARE(flow.per_call(0, ever).size(), static_cast<std::size_t>(TimeSeries::samples_max - 2));
  }

  void classes_grow_by_powers_of_two() {
    const std::vector<std::pair<double, QString>> wanted{{0.5, "1"},
                                                         {1, "1"},
                                                         {1.1, "2"},
                                                         {2, "2"},
                                                         {3, QString::fromUtf8("3\u20134")},
                                                         {4.2, QString::fromUtf8("5\u20138")},
                                                         {1e12, QString::fromUtf8("> 16\u2009384")}};
    for (const auto& [size, name] : wanted) QCOMPARE(Histogram::name_of(Histogram::class_of(size)), name);
  }

  void the_panel_lists_the_flows_that_lost() {
    BurstRoom room;
    room.play(60);
    BurstPanel panel(room.models);
    QVERIFY(test::is_shown(panel, QSize(620, 420)));
    const auto& sorted = panel.sorted();
    QCOMPARE(sorted.rowCount(), 2);
    const auto cell = [&](int row, int column) { return sorted.index(row, column).data().toString(); };
    QCOMPARE(cell(0, BurstTableModel::flow), QString("3"));
    QCOMPARE(cell(0, BurstTableModel::bursts), QString("2"));
    QCOMPARE(cell(0, BurstTableModel::lost), QString("36"));
    QCOMPARE(cell(0, BurstTableModel::greatest), QString("30"));
    QCOMPARE(cell(0, BurstTableModel::longest), QString("0.5 s"));
    QCOMPARE(cell(0, BurstTableModel::mean_run), QString("3"));
    QCOMPARE(cell(0, BurstTableModel::longest_run), QString("7"));
    QCOMPARE(cell(1, BurstTableModel::flow), QString("40"));
    QCOMPARE(panel.histogram().counts(), (std::vector<qint64>{1, 0, 0, 1, 0, 1}));
    QVERIFY(panel.histogram().accessibleDescription().contains(QString::fromUtf8("17\u201332: 1 of 3")));
    // Enter selects the flow everywhere; then only its bursts count.
    panel.view().setFocus();
    panel.view().setCurrentIndex(sorted.index(0, 0));
    QTest::keyClick(&panel.view(), Qt::Key_Return);
    QCOMPARE(room.models.focus().part().flow, std::optional<int>(3));
    QCOMPARE(panel.histogram().counts(), (std::vector<qint64>{0, 0, 0, 1, 0, 1}));
    QTest::keyClick(&panel.view(), Qt::Key_Backspace);
    QVERIFY(!room.models.focus().part().flow);
    // The marked time limits them.
    room.models.focus().show({});
    room.models.window().mark(28, 35);
    QTRY_COMPARE(panel.histogram().counts(), std::vector<qint64>{1});
    QCOMPARE(sorted.rowCount(), 1);
  }

  // The other views compare with the same length of time before; so does this one.
  void the_time_before_is_compared() {
    BurstRoom room;
    room.play(60);
    BurstPanel panel(room.models);
    QVERIFY(test::is_shown(panel, QSize(620, 420)));
    room.models.window().mark(28, 50);  // a packet of flow 40, and the second burst of flow 3
    QTRY_COMPARE(panel.histogram().counts(), (std::vector<qint64>{1, 0, 0, 1}));
    QVERIFY(panel.histogram().compared_counts().empty());
    room.models.set_compares(true);  // with the first burst of flow 3
    QTRY_COMPARE(panel.histogram().compared_counts(), (std::vector<qint64>{0, 0, 0, 0, 0, 1}));
    QCOMPARE(panel.histogram().counts(), (std::vector<qint64>{1, 0, 0, 1, 0, 0}));
    QVERIFY(panel.histogram().accessibleDescription().contains(
        QString::fromUtf8("17\u201332: 0 of 2; 2.3 s before: 1 of 1")));
    QCOMPARE(panel.sorted().rowCount(), 2);
    QTest::qWait(50);
    QVERIFY(panel.grab().save(test::picture("bursts-compared.png")));
    // Nothing is lost in the marked time: what was lost before is still said.
    room.models.window().unmark();
    room.models.window().mark(45, 59);
    QTRY_COMPARE(panel.findChild<QLabel*>("empty-why")->text(), QString("In the 1.5 s before, 2 flows lost packets."));
  }

  void tiles_of_a_free_shape_are_named() {
    BurstRoom room;
    room.play(60);
    test::name_first_tile("left");
    BurstPanel panel(room.models);
    QVERIFY(test::is_shown(panel, QSize(620, 420)));
    const auto worst = panel.sorted().index(0, BurstTableModel::flow);
    QCOMPARE(worst.data().toString(), QString("3"));
    QCOMPARE(worst.siblingAtColumn(BurstTableModel::tile).data().toString(), QString("left"));
  }

  void the_other_tab_has_packets_per_call() {
    BurstRoom room;
    room.play(60);
    BurstPanel panel(room.models);
    QVERIFY(test::is_shown(panel, QSize(620, 420)));
    panel.findChild<QTabBar*>("bursts-of")->setCurrentIndex(1);
    QCOMPARE(panel.sorted().rowCount(), static_cast<int>(Room::flow_count));
    const auto last = panel.sorted().index(Room::flow_count - 1, BurstTableModel::flow);
    QCOMPARE(last.data().toString(), QString("7"));
    QCOMPARE(last.siblingAtColumn(BurstTableModel::median).data().toString(), QString("5"));
    QCOMPARE(last.siblingAtColumn(BurstTableModel::samples).data().toString(), QString("59"));
    QCOMPARE(panel.sorted().index(0, BurstTableModel::p99).data().toString(), QString("40"));
  }

  void without_bursts_it_says_the_next_step() {
    BurstRoom room;
    BurstPanel panel(room.models);
    QVERIFY(test::is_shown(panel, QSize(620, 420)));
    auto* what = panel.findChild<QLabel*>("empty-what");
    auto* button = panel.findChild<QPushButton*>("empty-action");
    QCOMPARE(what->text(), QString("Nothing measured yet"));
    const QSignalSpy library(&panel, &BurstPanel::library_wanted);
    button->click();
    QCOMPARE(library.size(), 1);
    room.play(60);
    room.models.window().mark(45, 59);
    panel.refresh();
    QTRY_COMPARE(what->text(), QString("No packets were lost"));
    QTest::qWait(50);
    QVERIFY(panel.grab().save(test::picture("bursts-none.png")));
    QVERIFY(button->isVisible());
    button->click();
    QVERIFY(!room.models.window().marked());
    QCOMPARE(room.models.window().seconds(), TimeWindow::longest_s);
    QTRY_COMPARE(panel.sorted().rowCount(), 2);
  }

  void nodes_that_count_no_runs_are_named() {
    BurstRoom room;
    Stats stats;
    stats.nodes.resize(1);
    stats.nodes[0].report.emplace().flows.emplace_back();
    room.step();
    room.bursts.add(stats);
    BurstPanel panel(room.models);
    QVERIFY(test::is_shown(panel, QSize(620, 420)));
    QCOMPARE(panel.findChild<QLabel*>("empty-what")->text(), QString("Not counted by the nodes"));
    QVERIFY(!panel.findChild<QPushButton*>("empty-action")->isVisible());
    // Calls are counted; the marked time has none of them.
    room.play(30);
    room.models.window().mark(-20, -10);
    panel.findChild<QTabBar*>("bursts-of")->setCurrentIndex(1);
    QCOMPARE(panel.findChild<QLabel*>("empty-what")->text(), QString("Nothing measured in this time"));
    panel.findChild<QPushButton*>("empty-action")->click();
    QTRY_COMPARE(panel.sorted().rowCount(), static_cast<int>(Room::flow_count));
  }

  void a_hidden_panel_does_nothing() {
    BurstRoom room;
    BurstPanel panel(room.models);
    room.play(60);
    panel.refresh();
    QVERIFY(panel.table().rows().empty());
  }

  void pictures() {
    BurstRoom room;
    room.play(60);
    for (const auto& [theme, name] :
         {std::pair{Theme::dark, "dark"}, {Theme::light, "light"}, {Theme::high_contrast, "high-contrast"}}) {
      test::dress(theme);
      for (const auto& size : {QSize(490, 250), QSize(612, 358), QSize(980, 520)}) {
        BurstPanel panel(room.models);
        panel.resize(size);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QCOMPARE(panel.size(), size);
        QVERIFY(panel.grab().save(test::picture(QString("bursts-%1-%2.png").arg(name).arg(size.width()))));
        panel.findChild<QTabBar*>("bursts-of")->setCurrentIndex(1);
        QVERIFY(panel.grab().save(test::picture(QString("bursts-calls-%1-%2.png").arg(name).arg(size.width()))));
      }
    }
    test::dress(Theme::dark);
  }
};

QTEST_MAIN(BurstsTest)
#include "bursts_test.moc"
