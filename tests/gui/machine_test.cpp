// The wall's hosts: their hardware, the flows on their CPUs as they move, and bad pairings.
#include "tests/gui/as_read.h"
#include "tests/gui/fake_server.h"
#include "tests/gui/picture.h"
#include "wall-control/machines/machine_page.h"
#include "wall-control/messages/told.h"
#include "wall-control/ui/palette.h"

#include <QApplication>
#include <QLabel>
#include <QScrollArea>

#include <algorithm>

using namespace lw;

namespace {

QJsonObject core(int numa_node, const QJsonArray& cpus) { return {{"numa_node", numa_node}, {"cpus", cpus}}; }

QJsonObject card(const QString& name, const QString& address, int numa_node, const QJsonArray& irq_cpus) {
  return {{"name", name},
          {"addresses", QJsonArray{address}},
          {"numa_node", numa_node},
          {"link_gbit_per_s", 100.0},
          {"mtu", 9000},
          {"transmit_queues", QJsonArray{QJsonObject{{"queue", 0}, {"irq", 33}, {"irq_cpus", irq_cpus}}}}};
}

// Two NUMA nodes of two cores and a card each; flows 0 and 2 leave through the first card, 1 and 3 through the second.
QJsonObject two_sockets() {
  const QJsonObject topology{{"cpu_model", "Some CPU"},
                             {"numa_nodes", QJsonArray{QJsonObject{{"numa_node", 0}, {"memory_bytes", 68719476736.0}},
                                                       QJsonObject{{"numa_node", 1}, {"memory_bytes", 68719476736.0}}}},
                             {"cores", QJsonArray{core(0, {0, 4}), core(0, {1, 5}), core(1, {2, 6}), core(1, {3, 7})}}};
  const QJsonObject machine{
      {"name", "sender"},
      {"topology", topology},
      {"interfaces", QJsonArray{card("eth0", "10.0.0.1", 0, {0}), card("eth1", "10.1.0.1", 1, {2, 3})}},
      {"disks", QJsonArray{QJsonObject{{"directory", "/ssd1"}, {"device", "nvme0n1"}, {"numa_node", 1}}}}};
  QJsonArray flows;
  for (int flow = 0; flow < 4; ++flow)
    flows << QJsonObject{
        {"flow", flow}, {"leaves_by", flow % 2 == 0 ? "10.0.0.1" : "10.1.0.1"}, {"arrives_at", "10.0.0.9"}};
  return {{"machines", QJsonArray{QJsonObject{{"role", "server"}, {"name", "local"}, {"machine", machine}},
                                  QJsonObject{{"role", "node"}, {"name", "one"}}}},
          {"flows", flows}};
}

QJsonObject stats_with_cpus(const QList<int>& cpus) {
  auto all = stats(1000, 0);
  QJsonArray sender;
  for (int flow = 0; flow < cpus.size(); ++flow) sender << QJsonObject{{"flow", flow}, {"cpu", cpus[flow]}};
  all["sender"] = sender;
  return all;
}

}  // namespace

class MachineTest : public QObject {
  Q_OBJECT

  static std::vector<WrongPairing> wrong_with(const QList<int>& cpus) {
    FlowHistory history;
    history.set_wall(read_info(info(1)).wall);
    history.add(stats_from(stats_with_cpus(cpus)).value());
    Machines machines;
    machines.set(machines_from(two_sockets()).value());
    machines.place(history);
    return wrong_pairings(machines.all()[0]);
  }

private slots:
  void initTestCase() {
    colors::use(Theme::dark);
    QApplication::setPalette(colors::palette());
  }

  void what_is_well_placed_is_not_marked() { QVERIFY(wrong_with({4, 2, 1, 3}).empty()); }

  void a_flow_far_from_its_card_is_marked() {
    const auto wrong = wrong_with({4, 1, 5, 3});
    QVERIFY(!wrong.empty());
    QCOMPARE(wrong[0].flow, 1);
    QVERIFY2(wrong[0].reason.contains("eth1 is on node 1"), qPrintable(wrong[0].reason));
  }

  void two_flows_on_a_core_while_others_are_idle_are_marked() {
    const auto wrong = wrong_with({1, 2, 5, 3});
    QCOMPARE(wrong.size(), std::size_t{1});
    QCOMPARE(wrong[0].flow, 2);
    QVERIFY(wrong[0].reason.contains("with flow 0"));
  }

  void a_flow_on_the_cpu_of_an_interrupt_is_marked() {
    const auto wrong = wrong_with({0, 2, 1, 3});
    QCOMPARE(wrong.size(), std::size_t{1});
    QCOMPARE(wrong[0].flow, 0);
    QVERIFY(wrong[0].reason.contains("interrupt of eth0"));
  }

  // Also when the server's answer comes afterwards, of which the boards are made again.
  void a_wanted_host_is_seen() {
    ControlLink link;
    FlowHistory history;
    history.set_wall(read_info(info(1)).wall);
    MachinePage page(link, history);
    page.resize(560, 300);
    page.show();
    auto answer = two_sockets();
    auto hosts = answer["machines"].toArray();
    auto node = hosts[1].toObject();
    node["machine"] = hosts[0].toObject()["machine"];
    hosts[1] = node;
    answer["machines"] = hosts;
    page.set_machines(machines_from(answer).value());
    const auto node_is_seen = [&] {
      const auto* view = page.findChild<QScrollArea*>()->viewport();
      const auto labels = page.findChildren<QLabel*>();
      return std::ranges::any_of(labels, [&](const QLabel* label) {
        return label->text().startsWith("Node ") && view->rect().contains(label->mapTo(view, QPoint()));
      });
    };
    page.show_host(page.machines().all()[1].name);
    QTRY_VERIFY(node_is_seen());
    page.set_machines(machines_from(answer).value());
    QTest::qWait(50);  // until the new boards have their places
    QTRY_VERIFY(node_is_seen());
  }

  void the_page_shows_hosts_and_flows_where_they_run() {
    ControlLink link;
    FlowHistory history;
    history.set_wall(read_info(info(1)).wall);
    MachinePage page(link, history);
    page.resize(560, 500);
    page.show();
    page.set_machines(machines_from(two_sockets()).value());
    QCOMPARE(page.machines().all().size(), std::size_t{2});
    history.add(stats_from(stats_with_cpus({4, 1, 5, 3})).value());
    page.refresh();
    const auto has_label = [&](const QStringList& words) {
      for (const auto* label : page.findChildren<QLabel*>()) {
        bool all = true;
        for (const auto& word : words) all = all && label->text().contains(word);
        if (all) return true;
      }
      return false;
    };
    QVERIFY(has_label({"Server local", "Some CPU"}));
    QVERIFY(has_label({"NUMA node 1", "64 GiB"}));
    QTRY_VERIFY(has_label({"CPU 4", "flow 0"}));
    QVERIFY(has_label({"CPU 1", QString::fromUtf8("\u25b2 flow 1")}));
    QVERIFY(has_label({"eth0", "100 Gbit/s", "interrupt 33 on CPU 0"}));
    QVERIFY(has_label({"/ssd1", "nvme0n1"}));
    QVERIFY(has_label({"Its facts have not come"}));
    QVERIFY(has_label({"flow 1 on CPU 1", "every packet crosses"}));
    QVERIFY(page.accessibleDescription().contains("flow 1 on CPU 1"));
    QTest::qWait(100);  // until it is laid out
    QVERIFY(page.grab().save(test::picture("machine.png")));
    history.add(stats_from(stats_with_cpus({4, 2, 5, 3})).value());
    page.refresh();
    QTRY_VERIFY(has_label({"CPU 2", "flow 1"}));
    QVERIFY(!has_label({"CPU 1", "flow 1"}));
  }
};

QTEST_MAIN(MachineTest)
#include "machine_test.moc"
