// The sites of a wall: what the table says of figures, and when the window has one.
#include "tests/gui/as_read.h"
#include "tests/gui/fake_server.h"
#include "tests/gui/picture.h"
#include "wall-control/app/main_window.h"
#include "wall-control/messages/told.h"
#include "wall-control/sites/sites_page.h"
#include "wall-control/ui/palette.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QTabWidget>
#include <QTableView>

using namespace lw;

namespace {

QJsonObject node(const QString& name) { return {{"name", name}, {"tiles", QJsonArray{}}}; }

QJsonObject info_with_sites() {
  auto all = info(1);
  auto wall = all["wall"].toObject();
  wall["sites"] = QJsonArray{QJsonObject{{"name", "amsterdam"},
                                         {"address", "232.1.1.1"},
                                         {"playout_delay_ms", 200},
                                         {"resend_percent", 25},
                                         {"nodes", QJsonArray{node("left"), node("right")}}},
                             QJsonObject{{"name", "bonn"},
                                         {"address", "10.3.0.1"},
                                         {"relay", true},
                                         {"group", "232.1.2.1"},
                                         {"playout_delay_ms", 250},
                                         {"resend_percent", 10},
                                         {"nodes", QJsonArray{node("bonn")}}}};
  all["wall"] = wall;
  return all;
}

QJsonObject figures(int heard, int flows, int lost, int resent) {
  return {{"flows_heard", heard}, {"flows", flows},
          {"lost", lost},         {"resent", resent},
          {"resends_refused", 0}, {"resent_bytes", 1000 * resent},
          {"rtt_us", 9500.0},     {"resend_budget_bytes_per_s", 100'000.0}};
}

// amsterdam's right node is silent; its left one loses and gets again 10 packets a second. bonn is heard.
QJsonObject stats_of_sites(int tenth, int lost_each = 1) {
  const auto with = [](QJsonObject all, const QString& key, const QJsonValue& value) {
    all[key] = value;
    return all;
  };
  const auto left = figures(1, 1, lost_each * tenth, tenth), right = figures(0, 1, 0, 0), bonn = figures(2, 2, 0, 0);
  auto all = stats(1000, 0);
  const QJsonArray nodes{with(left, "node", "left"), with(right, "node", "right")};
  all["sites"] = QJsonArray{with(with(figures(1, 2, tenth, tenth), "site", "amsterdam"), "nodes", nodes),
                            with(with(bonn, "site", "bonn"), "nodes", QJsonArray{with(bonn, "node", "bonn")})};
  return all;
}

QString shown(const SiteModel& table, int row, int column) {
  return table.data(table.index(row, column), Qt::DisplayRole).toString();
}

}  // namespace

class SitesTest : public QObject {
  Q_OBJECT

private slots:
  void initTestCase() {
    QApplication::setStyle("Fusion");
    colors::use(Theme::dark);
    QApplication::setPalette(colors::palette());
  }

  void sites_and_their_nodes_are_rows() {
    SiteModel table;
    const QAbstractItemModelTester tester(&table);
    table.set_wall(read_info(info_with_sites()).wall);
    QCOMPARE(table.rowCount(), 5);
    QCOMPARE(shown(table, 0, SiteModel::place), QString("amsterdam"));
    QCOMPARE(shown(table, 1, SiteModel::place).trimmed(), QString("left"));
    QCOMPARE(table.data(table.index(1, SiteModel::place), Qt::AccessibleTextRole).toString(),
             QString("Node left of site amsterdam"));
    QCOMPARE(shown(table, 0, SiteModel::sent_by), QString("Multicast"));
    QCOMPARE(shown(table, 3, SiteModel::sent_by), QString("Relay"));
    QCOMPARE(table.data(table.index(3, SiteModel::sent_by), Qt::ToolTipRole).toString(),
             QString("Relay 10.3.0.1, then multicast from 232.1.2.1"));
    QCOMPARE(shown(table, 3, SiteModel::delay), QString("250"));
    for (int column = 0; column < SiteModel::column_count; ++column)
      QVERIFY(!table.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
  }

  void what_is_not_measured_is_absent() {
    SiteModel table;
    table.set_wall(read_info(info_with_sites()).wall);
    table.refresh();
    QCOMPARE(shown(table, 0, SiteModel::state), QString("Not measured"));
    for (const int column :
         {SiteModel::heard, SiteModel::lost, SiteModel::resent, SiteModel::budget, SiteModel::round_trip})
      QCOMPARE(shown(table, 0, column), QString::fromUtf8("\u2013"));
    // One sample gives no rates.
    table.add(stats_from(stats_of_sites(0)).value());
    QCOMPARE(shown(table, 0, SiteModel::heard), QString("1 of 2"));
    QCOMPARE(shown(table, 0, SiteModel::lost), QString::fromUtf8("\u2013"));
    table.add_gap();
    QCOMPARE(shown(table, 0, SiteModel::heard), QString::fromUtf8("\u2013"));
  }

  void rates_are_those_of_the_last_seconds() {
    SiteModel table;
    table.set_wall(read_info(info_with_sites()).wall);
    table.set_playing(true);
    for (int tenth = 0; tenth < 100; ++tenth) table.add(stats_from(stats_of_sites(tenth)).value());
    table.refresh();
    const auto& rows = table.rows();
    QVERIFY(std::abs(*rows[0].lost_per_s - 10) < 0.01);
    QVERIFY(std::abs(*rows[1].resent_per_s - 10) < 0.01);
    QVERIFY(std::abs(*rows[0].budget_used_percent - 10) < 0.01);
    QCOMPARE(rows[3].lost_per_s, std::optional(0.0));
    // Nobody knows what a silent node loses, or how far it is.
    QVERIFY(!rows[2].lost_per_s && !rows[2].round_trip_ms);
    QCOMPARE(rows[2].resent_per_s, std::optional(0.0));
    QCOMPARE(shown(table, 0, SiteModel::round_trip), QString("9.5"));
    for (int tenth = 100; tenth < 200; ++tenth) table.add(stats_from(stats_of_sites(tenth, 1000)).value());
    QCOMPARE(shown(table, 1, SiteModel::lost), QString("10000"));
    // Losses end: after the time of the rate they are gone.
    const auto ended = stats_of_sites(199);
    for (int tenth = 0; tenth < 60; ++tenth) table.add(stats_from(ended).value());
    QCOMPARE(table.rows()[0].lost_per_s, std::optional(0.0));
    // A server that was restarted counts from 0.
    table.add(stats_from(stats_of_sites(0)).value());
    QVERIFY(!table.rows()[0].resent_per_s);
  }

  void states_are_words() {
    SiteModel table;
    table.set_wall(read_info(info_with_sites()).wall);
    table.add(stats_from(stats_of_sites(1)).value());
    table.refresh();
    QCOMPARE(shown(table, 3, SiteModel::state), QString("Nothing is playing"));
    table.set_playing(true);
    table.refresh();
    QCOMPARE(shown(table, 0, SiteModel::state), QString("Partly heard"));
    QCOMPARE(shown(table, 1, SiteModel::state), QString("Heard"));
    QCOMPARE(shown(table, 2, SiteModel::state), QString("Silent"));
    QCOMPARE(table.count(SiteState::heard), 1);
    QCOMPARE(table.count(SiteState::partly_heard), 1);
    QCOMPARE(table.count(SiteState::silent), 0);
  }

  void the_window_has_a_page_for_walls_with_sites() {
    MainWindow window;
    window.resize(1800, 800);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    auto& pages = *window.findChild<QTabWidget*>("hosts");
    auto& page = *window.findChild<SitesPage*>();
    const int tab = pages.indexOf(&page);
    emit window.link().ready(read_info(info(1)));
    QVERIFY(!pages.isTabVisible(tab));
    emit window.link().ready(read_info(info_with_sites()));
    QVERIFY(pages.isTabVisible(tab));
    emit window.link().play_state(state_from(playing_state).value());
    for (int tenth = 0; tenth < 20; ++tenth) emit window.link().stats(stats_from(stats_of_sites(tenth)).value());
    emit window.link().caught_up();
    QTest::keyClick(&window, Qt::Key_3, Qt::ControlModifier);
    pages.setCurrentWidget(&page);
    auto& rows = *page.findChild<QTableView*>();
    QVERIFY(rows.focusPolicy() & Qt::TabFocus);
    QTRY_VERIFY(pages.tabText(tab).contains("1 partly heard"));
    QVERIFY(page.findChild<QLabel*>("sites-summary")->text().contains("Partly heard: 1"));
    QTest::qWait(100);  // until it is laid out
    QVERIFY(page.grab().save(test::picture("sites.png")));
  }
};

QTEST_MAIN(SitesTest)
#include "sites_test.moc"
