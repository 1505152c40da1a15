// The likely cause of a fault by its evidence, and the inspector: it follows the selection, can be pinned, and shows
// only what was measured.
#include "wall-control/health/inspector.h"
#include "tests/gui/health_room.h"
#include "tests/gui/picture.h"
#include "wall-control/health/cause_card.h"
#include "wall-control/health/figure_cell.h"
#include "wall-control/health/flow_rows.h"
#include "wall-control/health/waterfall.h"
#include "wall-control/models/machines.h"
#include "wall-control/models/uplinks.h"
#include "wall-control/ui/sparkline.h"

#include <QAction>
#include <QClipboard>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

#include <algorithm>
#include <limits>

using namespace lw;
using namespace lw::test;

namespace {

const Part tile_3_1{3, 1, {}};
const Part tile_1_2{1, 2, {}};

Cause cause_after(Room& room, const Part& part, int steps = 30) {
  room.steps(steps);
  return room.causes.of(part);
}

// The hosts, with the CPU of node render-4 that takes its card's interrupts.
MachinesReply machines_of_room() {
  MachinesReply reply;
  MachineEntry server;
  server.role = HostRole::server;
  server.name = "hub";
  server.machine = MachineMessage{};
  server.machine->interfaces = {{}, {}};
  server.machine->interfaces[0].name = "enp65s0f0";
  server.machine->interfaces[0].addresses = std::vector<std::string>{"10.1.0.1"};
  server.machine->interfaces[0].link_gbit_per_s = 25;
  server.machine->interfaces[1].name = "enp65s0f1";
  server.machine->interfaces[1].addresses = std::vector<std::string>{"10.2.0.1"};
  server.machine->interfaces[1].link_gbit_per_s = 100;
  MachineEntry node;
  node.role = HostRole::node;
  node.name = "render-4";
  node.machine = MachineMessage{};
  node.machine->interfaces = {{}};
  node.machine->interfaces[0].name = "enp1s0";
  node.machine->interfaces[0].addresses = std::vector<std::string>{"10.0.0.4"};
  QueueFacts queue;
  queue.irq = 40;
  queue.irq_cpus = std::vector<unsigned>{5};
  node.machine->interfaces[0].transmit_queues = {queue};
  reply.machines = {server, node};
  for (unsigned flow = 0; flow < Room::flow_count; ++flow)
    reply.flows.push_back({flow, flow < 24 ? "10.1.0.1" : "10.2.0.1", "10.0.0." + std::to_string(flow / 12 + 1)});
  return reply;
}

}  // namespace

class InspectorTest : public QObject {
  Q_OBJECT

  static Inspector::Models models(Room& room) {
    return {room.history, room.status, room.stages, room.health, room.causes, room.focus};
  }

private slots:
  void init() { dress(Theme::dark); }

  // Also while all loss is repaired, and nothing is wrong with the frames.
  void a_figure_beyond_its_limit_says_so() {
    HealthFigure loss;
    loss.quantity = Quantity::loss;
    loss.value = figure_text::of(Quantity::loss, 871);
    loss.number = 871;
    loss.limit = 0;
    FigureCell cell;
    cell.show_figure(loss, {});
    QVERIFY2(cell.accessibleDescription().endsWith("beyond the limit"), qPrintable(cell.accessibleDescription()));
    loss.number = 0;
    cell.show_figure(loss, {});
    QVERIFY2(cell.accessibleDescription().endsWith("in limits"), qPrintable(cell.accessibleDescription()));
  }

  // The guide's table, in its order.

  void nothing_wrong_has_no_cause() {
    Room room;
    QCOMPARE(cause_after(room, tile_3_1).kind, Cause::Kind::none);
    QCOMPARE(room.causes.of(Part{}).kind, Cause::Kind::none);
  }

  void a_node_that_does_not_answer() {
    Room room;
    room.steps(30);
    room.lose_packets_on_one_node();
    room.nodes[3].connected = false;
    const auto cause = cause_after(room, tile_3_1, 5);
    QCOMPARE(cause.kind, Cause::Kind::silent);
    QCOMPARE(cause.title, QString("render-4 does not answer"));
  }

  void an_old_report() {
    Room room;
    room.steps(30);
    room.nodes[3].age_s = 3;
    const auto cause = cause_after(room, tile_3_1, 30);
    QCOMPARE(cause.kind, Cause::Kind::silent);
    QVERIFY(cause.text.contains("3 s old"));
  }

  void receive_buffers_by_kernel_drops() {
    Room room;
    room.steps(30);
    room.lose_packets_on_one_node();
    room.flows[36].dropped = 0;  // of one flow, the network lost them
    const auto cause = cause_after(room, tile_3_1);
    QCOMPARE(cause.kind, Cause::Kind::receive_buffers);
    QCOMPARE(cause.title, QString("render-4 cannot empty its receive buffers"));
    QVERIFY2(cause.text.contains(" % of the lost packets were dropped"), qPrintable(cause.text));
    QCOMPARE(cause.stage, Stage::assemble);
    QCOMPARE(cause.host, QString("render-4"));
    QVERIFY(cause.flows.empty());  // nobody knows the host's hardware
  }

  void the_cpu_that_takes_interrupts_and_flows_is_named() {
    Room room;
    room.lose_packets_on_one_node();
    room.steps(30);
    Machines machines;
    machines.set(machines_of_room());
    machines.place(room.history);
    room.causes.set_machines(&machines);
    // No receiver reports its CPU in this wall, so that none can be named.
    QVERIFY(room.causes.of(tile_3_1).flows.empty());
    room.receiver_cpus = true;
    room.steps(2);
    machines.place(room.history);
    const auto cause = room.causes.of(tile_3_1);
    QVERIFY2(cause.text.contains("CPU 5 takes network interrupts and receives flow"), qPrintable(cause.text));
    QVERIFY(!cause.flows.empty());
    for (const int flow : cause.flows) QCOMPARE(flow % 16, 5);
  }

  void losses_on_the_way() {
    Room room;
    room.steps(30);
    room.lose_packets_on_one_node();
    for (auto& flow : room.flows) flow.dropped = 0;
    auto cause = cause_after(room, tile_3_1);
    QCOMPARE(cause.kind, Cause::Kind::path);
    QCOMPARE(cause.title, QString("Packets are lost on the way to render-4"));
    // Several nodes behind one card of the server.
    Machines machines;
    machines.set(machines_of_room());
    machines.place(room.history);
    const auto uplinks = uplinks_of(machines, room.history);
    QCOMPARE(uplinks.cards, 2);
    QCOMPARE(uplinks.gbit_per_s, std::optional(125.0));
    QCOMPARE(uplinks.card_of_node.at("render-4"), QString("enp65s0f1"));
    room.causes.set_uplinks(uplinks);
    QCOMPARE(room.causes.of(tile_3_1).title, QString("Packets are lost on the way to render-4"));
    for (std::size_t flow = 48; flow < 60; ++flow) room.flows[flow].lost = room.flows[flow].repaired = 3;
    cause = cause_after(room, tile_3_1);
    QCOMPARE(cause.title, QString("Packets are lost after enp65s0f1"));
  }

  void a_server_that_sends_late() {
    Room room;
    room.steps(30);
    room.tiles[Room::tile_at(1, 2)].concealed = 1;
    room.flows[21].late_us = 60'000;
    auto cause = cause_after(room, tile_1_2, 5);
    QCOMPARE(cause.kind, Cause::Kind::late_sender);
    QCOMPARE(cause.title, QString("The server sends late: CPU 5"));
    QCOMPARE(cause.stage, Stage::send);
    room.flows[22].read_us = 90'000;
    cause = cause_after(room, tile_1_2, 5);
    QCOMPARE(cause.title, QString("The server sends late: its disk is slow"));
    QCOMPARE(cause.stage, Stage::read);
  }

  void a_slow_upload() {
    Room room;
    room.steps(30);
    room.be_late_on_one_tile();
    const auto cause = cause_after(room, tile_1_2);
    QCOMPARE(cause.kind, Cause::Kind::slow_upload);
    QCOMPARE(cause.title, QString("Tile 1,2 uploads slowly"));
    QCOMPARE(cause.brief, QString("Upload takes 20.9 ms, wall median 3.41 ms"));
  }

  void a_clock_that_is_off() {
    Room room;
    room.steps(30);
    room.tiles[Room::tile_at(1, 2)].lateness_us = 31'000;
    room.nodes[1].clock_error_us = 40'000;
    const auto cause = cause_after(room, tile_1_2);
    QCOMPARE(cause.kind, Cause::Kind::clock);
    QCOMPARE(cause.title, QString("The clock of render-2 is off"));
  }

  void otherwise_the_stage_furthest_from_the_wall() {
    Room room;
    room.steps(30);
    room.tiles[Room::tile_at(1, 2)].concealed = 1;
    for (std::size_t flow = 20; flow < 24; ++flow) room.flows[flow].assemble_us = 66'000;
    const auto cause = cause_after(room, tile_1_2);
    QCOMPARE(cause.kind, Cause::Kind::unclear);
    QCOMPARE(cause.title, QString("Cause unclear"));
    QCOMPARE(cause.stage, Stage::assemble);
    QVERIFY(cause.text.contains("66 ms, and 39.8 ms"));
  }

  // The panel.

  void it_follows_the_selection_unless_it_is_pinned() {
    Room room;
    room.steps(30);
    Inspector inspector(models(room));
    inspector.resize(360, 860);
    inspector.show();
    QCOMPARE(inspector.part(), Part{});
    room.focus.show(tile_3_1);
    QCOMPARE(inspector.part(), tile_3_1);
    QVERIFY(inspector.as_text().startsWith("Tile 3,1 on render-4"));
    inspector.pin()->setChecked(true);
    room.focus.show(tile_1_2);
    QCOMPARE(inspector.part(), tile_3_1);
    inspector.pin()->setChecked(false);
    QCOMPARE(inspector.part(), tile_1_2);
  }

  void the_breadcrumb_walks_up_and_the_flows_down() {
    Room room;
    room.steps(30);
    room.focus.show(tile_3_1);
    Inspector inspector(models(room));
    inspector.resize(360, 860);
    inspector.show();
    auto* flows = inspector.findChild<FlowRows*>();
    QCOMPARE(flows->rows().size(), std::size_t{4});
    QCOMPARE(flows->rows().front().flow, 40);
    QTest::keyClick(flows, Qt::Key_Down);
    QCOMPARE(room.focus.part(), (Part{3, 1, 40}));
    QTest::keyClick(flows, Qt::Key_Down);
    QCOMPARE(room.focus.part(), (Part{3, 1, 41}));
    const auto click = [&](const QString& text) {
      for (auto* crumb : inspector.findChildren<QToolButton*>())
        if (crumb->text() == text) return crumb->click();
      QFAIL(qPrintable(text));
    };
    click("Tile 3,1");
    QCOMPARE(room.focus.part(), tile_3_1);
    click("render-4");
    QCOMPARE(room.focus.part(), (Part{{}, {}, {}, "render-4"}));
    QCOMPARE(flows->rows().size(), std::size_t{FlowRows::rows_max});
    QCOMPARE(flows->others(), 4);
    click("Wall");
    QCOMPARE(room.focus.part(), Part{});
    QVERIFY(inspector.as_text().contains("Throughput: 35.4 Gbit/s"));
    QVERIFY(inspector.as_text().contains("Skew, p99: 0.42 ms"));
  }

  void what_was_not_measured_says_so() {
    Room room;
    Inspector inspector(models(room));
    inspector.resize(360, 860);
    inspector.show();
    room.focus.show(tile_3_1);
    const auto text = inspector.as_text();
    QVERIFY(text.contains("Disk read: not measured"));
    QVERIFY(text.contains("Skew: not measured"));
    QVERIFY(!text.contains(": 0"));
    QVERIFY(inspector.findChild<Waterfall*>()->is_empty());
    // A node that is gone leaves nothing that looks measured.
    room.steps(30);
    room.nodes[3].connected = false;
    room.steps(2);
    room.focus.show({});
    room.focus.show(tile_3_1);
    QVERIFY(inspector.as_text().contains("Upload: not measured"));
    QVERIFY(inspector.as_text().contains("Frame: not measured"));
    QVERIFY(inspector.as_text().contains("Disk read: 9.1 ms"));  // the server still reads its frames
  }

  void the_cause_leads_on() {
    Room room;
    room.steps(30);
    room.lose_packets_on_one_node();
    room.steps(30);
    room.focus.show(tile_3_1);
    Inspector inspector(models(room));
    inspector.resize(360, 860);
    inspector.show();
    auto* card = inspector.findChild<CauseCard*>();
    QVERIFY(card->isVisible());
    QSignalSpy hosts(&inspector, &Inspector::hosts_wanted);
    QSignalSpy identify(&inspector, &Inspector::identify_wanted);
    for (auto* button : inspector.findChildren<QPushButton*>())
      if (button->isVisible()) button->click();
    QCOMPARE(hosts.at(0).at(0).toString(), QString("render-4"));
    QCOMPARE(identify.at(0).at(0).value<Part>(), tile_3_1);
    QSignalSpy copied(&inspector, &Inspector::copied);
    inspector.tools().back()->trigger();
    QVERIFY(copied.at(0).at(0).toString().contains("Likely cause: render-4 cannot empty"));
    // Healthy, it has no card.
    room.focus.show(Part{0, 0, {}});
    QVERIFY(!card->isVisible());
  }

  void hidden_it_takes_no_updates() {
    Room room;
    Inspector inspector(models(room));
    room.steps(30);
    room.focus.show(tile_3_1);
    inspector.refresh();
    QVERIFY(inspector.findChild<FlowRows*>()->rows().empty());
    inspector.show();
    QCOMPARE(inspector.findChild<FlowRows*>()->rows().size(), std::size_t{4});
  }

  // Where a line had more pixels than samples, it went on through gaps.
  void a_gap_in_a_small_line_stays_a_gap() {
    std::vector<float> values(60, 1);
    std::fill(values.begin() + 20, values.begin() + 40, std::numeric_limits<float>::quiet_NaN());
    for (const int width : {20, 60, 90, 200}) {
      QImage image(width, 20, QImage::Format_RGB32);
      image.fill(Qt::black);
      QPainter painter(&image);
      paint_sparkline(painter, image.rect(), values, Qt::white);
      painter.end();
      const auto is_drawn = [&](int x) {
        for (int y = 0; y < image.height(); ++y)
          if (image.pixelColor(x, y) == Qt::white) return true;
        return false;
      };
      for (int x = 0; x < width; ++x) {
        if (x > width * 0.4 && x < width * 0.6)
          QVERIFY2(!is_drawn(x), qPrintable(QString("%1 of %2").arg(x).arg(width)));
        if (x < width * 0.3) QVERIFY2(is_drawn(x), qPrintable(QString("%1 of %2").arg(x).arg(width)));
      }
    }
  }

  void pictures() {
    for (const auto& [theme, name] :
         {std::pair{Theme::dark, "dark"}, {Theme::light, "light"}, {Theme::high_contrast, "contrast"}}) {
      dress(theme);
      Room room;
      room.steps(700);
      room.lose_packets_on_one_node();
      room.receiver_cpus = true;
      room.be_late_on_one_tile();
      room.steps(370);
      room.tiles[Room::tile_at(3, 1)].concealed = 1;
      room.steps(3);
      room.tiles[Room::tile_at(3, 1)].concealed = 0;
      room.steps(8);
      Machines machines;
      machines.set(machines_of_room());
      machines.place(room.history);
      room.causes.set_machines(&machines);
      const std::vector<std::pair<Part, QString>> parts{{tile_3_1, "tile"},
                                                        {tile_1_2, "late"},
                                                        {Part{0, 0, {}}, "healthy"},
                                                        {Part{{}, {}, {}, "render-4"}, "node"},
                                                        {Part{}, "wall"}};
      for (const auto& [part, what] : parts) {
        room.focus.show(part);
        Inspector inspector(models(room));
        inspector.resize(360, 860);
        inspector.show();
        QTest::qWait(60);  // until it is laid out
        QVERIFY(inspector.grab().save(picture(QString("inspector-%1-%2.png").arg(what, name))));
      }
    }
  }
};

QTEST_MAIN(InspectorTest)
#include "inspector_test.moc"
