// The first start: which walls can be connected and why others cannot, the address that is typed, the demo wall, what
// this computer is ready for, and walls that announce themselves.
#include "tests/gui/own_settings.h"
#include "tests/gui/picture.h"
#include "tests/gui/private_bus.h"
#include "tests/gui/tls_server.h"
#include "wall-control/app/main_window.h"
#include "wall-control/connections/connection.h"
#include "wall-control/start/computer_facts.h"
#include "wall-control/start/computer_strip.h"
#include "wall-control/start/start_page.h"
#include "wall-control/start/start_row.h"
#include "wall-control/ui/look.h"
#include "wall-control/ui/question.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDir>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUrl>

#include <algorithm>
#include <memory>
#include <random>

using namespace lw;

namespace {

const QByteArray small_computer = R"({"facts": {"topology": {"cores": [{"cpus": [0, 1]}]},
  "limits": {"memory_available_bytes": 16750372454, "rmem_max_bytes": 212992}},
  "findings": [{"what": "net.core.rmem_max", "level": "warn", "have": "212992", "needed": "4194304",
                "mend": "sysctl -w net.core.rmem_max=4194304"}]})";

}  // namespace

class StartTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<Look> look_;
  // In this order: each uses those before it.
  std::unique_ptr<QWidget> window_;
  std::unique_ptr<ControlLink> link_;
  std::unique_ptr<Connection> connection_;
  std::unique_ptr<Discovery> discovery_;
  std::unique_ptr<DemoWall> demo_;
  StartPage* page_ = nullptr;

  void open_page(const DemoPrograms& programs = {}, const QDBusConnection& bus = QDBusConnection("none")) {
    close_page();
    window_ = std::make_unique<QWidget>();
    link_ = std::make_unique<ControlLink>();
    link_->set_trust({{}, KnownServers(folder_.filePath("known-servers"))});
    connection_ = std::make_unique<Connection>(*link_, *window_);
    discovery_ = std::make_unique<Discovery>(bus);
    demo_ = std::make_unique<DemoWall>(programs);
    page_ = new StartPage(*connection_, *discovery_, *demo_, window_.get());
    discovery_->start();
    window_->resize(1600, 940);
    page_->resize(window_->size());
    window_->show();
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
  }
  void close_page() {
    delete page_;
    page_ = nullptr;
    demo_.reset();
    discovery_.reset();
    connection_.reset();
    link_.reset();
    window_.reset();
  }
  template <class Widget>
  Widget* part(const char* name) {
    return page_->findChild<Widget*>(name);
  }
  QStringList texts() {
    QStringList all;
    for (const auto* label : page_->findChildren<QLabel*>())
      if (label->isVisible()) all << label->text();
    return all;
  }
  // A program of the demo: a shell script.
  QString script(const QString& name, const QByteArray& text) {
    const auto path = folder_.filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write("#!/bin/sh\n" + text);
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path;
  }
  DemoPrograms demo_programs(const QString& address) {
    const auto made = folder_.filePath("demo");
    QDir(made).removeRecursively();
    return {
        script("wall-samples", "mkdir -p \"$2/cosmos-2d\" \"$2/cosmos-3d\"\nprintf 'cosmos-2d: 40 of 80 frames' >&2\n"),
        script("wall-ingest",
               "for word in \"$@\"; do case $word in --name=*) name=${word#--name=};; esac; done\n"
               "echo '{\"event\": \"progress\", \"frames\": 20, \"frames_total\": 80}'\n"
               "mkdir -p \"$5/$name\" && echo '{}' > \"$5/$name/visualization.json\"\n"),
        script("wall-server", "echo $$ > " + made.toUtf8() + "/server.pid\nexec sleep 100\n"),
        script("wall-client", "echo \"$4\" >> " + made.toUtf8() + "/nodes\nexec sleep 100\n"),
        folder_.filePath("wall-samples"),  // any file
        made,
        address};
  }

private slots:
  void initTestCase() {
    test::look_like_the_program();
    test::keep_settings_in(folder_.path());
    look_ = std::make_unique<Look>();
  }
  void init() { QSettings().clear(); }
  void cleanup() { close_page(); }

  // Fault: shortcuts were typed into the address field after the start.
  void keys_of_the_window_are_not_typed() {
    MainWindow window;
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    auto* page = window.findChild<StartPage*>();
    QVERIFY(page->isVisible());
    auto* field = page->findChild<QLineEdit*>("address");
    QVERIFY(!field->hasFocus());
    QTest::keyClicks(QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : &window, "imp9");
    QCOMPARE(field->text(), QString());
    QTest::mouseClick(field, Qt::LeftButton);
    QTest::keyClicks(QApplication::focusWidget(), "10.0.0.1:9010");
    QCOMPARE(field->text(), "10.0.0.1:9010");
  }

  void walls_say_whether_they_can_be_connected() {
    FakeServer ready, old(0);
    auto info = old.results["info"];
    info["version"] = "0.0.9";
    old.results["info"] = info;
    const test::OwnCertificate own(folder_.path(), "own");
    test::TlsServer away(own);
    Profiles profiles;
    QCOMPARE(profiles.keep({"Hub", ready.address(), false}), QString());
    QCOMPARE(profiles.keep({"Atrium", away.address(), false}), QString());
    QCOMPARE(profiles.keep({"Dome floor", old.address(), false}), QString());
    QCOMPARE(profiles.keep({"Nobody", "127.0.0.1:1", false}), QString());
    RecentWalls().add({ready.address(), "test wall", 2, 2, qint64{4} * 640 * 400});
    open_page();
    QTRY_VERIFY(texts().contains("Ready"));
    QTRY_VERIFY(texts().contains("Asks for a token"));
    QTRY_VERIFY(texts().contains("Server 0.0.9 is too old"));
    QTRY_VERIFY(texts().contains("No answer"));
    QVERIFY(away.heads.isEmpty());  // no token, no attempt
    QVERIFY(texts().contains(ready.address() + QString::fromUtf8(" \u00b7 4 tiles, 1 megapixel")));
    const auto rows = page_->findChildren<StartRow*>();
    QCOMPARE(rows.size(), 4);  // the recent wall is the saved one
    QStringList buttons;
    for (auto* row : rows) buttons << row->findChild<QPushButton*>()->text();
    buttons.sort();
    QCOMPARE(buttons, (QStringList{"Connect", "Connect", QString::fromUtf8("Connect\u2026"),
                                   QString::fromUtf8("Details\u2026")}));
    for (auto* row : rows)
      if (row->findChild<QPushButton*>()->property("primary").toBool()) row->findChild<QPushButton*>()->click();
    QTRY_COMPARE(link_->state(), ControlLink::State::ready);
    QCOMPARE(link_->address(), ready.address());
  }

  void a_mistake_in_the_address_is_told_below_it() {
    FakeServer server;
    open_page();
    auto* field = part<QLineEdit>("address");
    field->setFocus();
    QTest::keyClicks(field, "nowhere");
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(part<QLabel>("address-problem")->isVisible());
    QVERIFY(part<QLabel>("address-problem")->text().contains("HOST:PORT"));
    QVERIFY(link_->address().isEmpty());
    field->clear();
    QTest::keyClicks(field, "127.0.0.1:1");
    QVERIFY(!part<QLabel>("address-problem")->isVisible());
    part<QPushButton>("connect")->click();
    QTRY_VERIFY(part<QLabel>("address-problem")->text().contains("No answer from 127.0.0.1:1"));
    field->setText(server.address());
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(link_->state(), ControlLink::State::ready);
    QVERIFY(!part<QLabel>("address-problem")->isVisible());
  }

  void whether_it_is_shown_is_remembered() {
    open_page();
    QVERIFY(StartPage::wanted());
    part<QCheckBox>("show-start-page")->click();
    QVERIFY(!StartPage::wanted());
    MainWindow window;
    window.show();
    QVERIFY(!window.findChild<StartPage*>()->isVisible());
  }

  void videos_can_be_dropped() {
    open_page();
    const QSignalSpy dropped(page_, &StartPage::files_dropped);
    QMimeData files;
    files.setUrls({QUrl::fromLocalFile("/films/one.mp4"), QUrl("https://example.org/two.mp4")});
    QDragEnterEvent enter({50, 50}, Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(page_->viewport(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(page_->viewport(), &drop);
    QCOMPARE(dropped.count(), 1);
    QCOMPARE(dropped[0][0].toStringList(), QStringList{"/films/one.mp4"});
  }

  void this_computer_is_described() {
    const auto facts = computer_facts(small_computer);
    QCOMPARE(facts.size(), 2U);
    QCOMPARE(facts[0].words, "2 CPUs, 15.6 GiB free");
    QCOMPARE(facts[0].state, lw::State::ok);
    QCOMPARE(facts[1].words, "Receive buffers of 208 KiB");
    QCOMPARE(facts[1].state, lw::State::warn);
    QCOMPARE(facts[1].fix, "sysctl -w net.core.rmem_max=4194304");
    auto large = small_computer;
    large.replace("212992", "4194304").replace("\"warn\"", "\"ok\"").replace("[0, 1]", "[0]");
    QCOMPARE(computer_facts(large)[1].words, "Receive buffers of 4 MiB");
    QVERIFY(computer_facts(large)[1].fix.isEmpty());
    QCOMPARE(computer_facts(large)[0].state, lw::State::warn);
    for (const char* wrong : {"", "[]", "{}", R"({"facts": 3, "findings": {}})", "\xff"})
      QVERIFY(computer_facts(wrong).empty());
    ComputerStrip strip;
    auto all = facts;
    all.push_back(port_fact(false));
    const int room = strip.sizeHint().height();
    strip.show_facts(all);
    QCOMPARE(strip.sizeHint().height(), room);  // nothing below it moves
    strip.findChild<QPushButton*>("copy-fix")->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), "sysctl -w net.core.rmem_max=4194304");
  }

  void the_demo_wall_is_made_once_and_ended() {
    FakeServer server;
    const auto programs = demo_programs(server.address());
    open_page(programs);
    const QSignalSpy ready(demo_.get(), &DemoWall::ready);
    QList<double> progress;
    connect(demo_.get(), &DemoWall::changed, this, [&] { progress << demo_->progress(); });
    part<QPushButton>("demo")->click();
    QVERIFY(part<QProgressBar>("demo-progress")->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(ready.count(), 1, 20'000);
    QVERIFY(progress.contains(0.5) && progress.contains(0.25));
    QCOMPARE(demo_->stage(), DemoWall::Stage::running);
    QTRY_COMPARE(link_->state(), ControlLink::State::ready);
    QVERIFY(!QDir(programs.folder + "/frames").exists());
    QFile pid(programs.folder + "/server.pid"), nodes(programs.folder + "/nodes");
    QTRY_VERIFY(pid.exists() && nodes.exists());
    QVERIFY(pid.open(QIODevice::ReadOnly));
    const auto process = "/proc/" + pid.readAll().trimmed();
    QVERIFY(QFile::exists(process));
    QTRY_VERIFY(QFileInfo(nodes).size() == qint64(sizeof("left\nright\n")) - 1);
    QCOMPARE(part<QPushButton>("demo")->text(), "End demo wall");
    // The window closes after it was asked about.
    QVERIFY(!page_->may_close());
    auto* dialog = window_->findChild<Question*>("end-demo");
    QVERIFY(dialog->isVisible());
    dialog->yes()->click();
    QVERIFY(!QFile::exists(process));
    QVERIFY(!window_->isVisible());
    QVERIFY(page_->may_close());
    QCOMPARE(demo_->stage(), DemoWall::Stage::idle);
    // The content is there now: no step before the start.
    progress.clear();
    demo_->start();
    QCOMPARE(demo_->stage(), DemoWall::Stage::starting);
    QTRY_COMPARE_WITH_TIMEOUT(ready.count(), 2, 10'000);
  }

  void a_demo_that_fails_says_why() {
    auto programs = demo_programs("127.0.0.1:1");
    programs.samples = script("wall-samples", "echo 'wall-samples: the disk is full' >&2\nexit 1\n");
    open_page(programs);
    demo_->start();
    QTRY_COMPARE(demo_->words(), "wall-samples: the disk is full");
    QCOMPARE(demo_->stage(), DemoWall::Stage::idle);
    QCOMPARE(part<QLabel>("demo-note")->text(), demo_->words());
    programs.samples.clear();
    programs.client.clear();
    open_page(programs);
    QCOMPARE(part<QLabel>("demo-about")->text(),
             "Install lambdawall-client, lambdawall-samples to try a wall on this computer.");
    QVERIFY(!part<QPushButton>("demo")->isVisible());
  }

  void walls_on_the_network_are_found_and_forgotten() {
    test::PrivateBus bus;
    if (!bus.start() || !bus.start_avahi()) QSKIP("dbus-daemon or Python's dbus and gi are missing");
    FakeServer server;
    open_page({}, QDBusConnection::connectToBus(bus.address(), "test"));
    QTRY_VERIFY(discovery_->searching());
    QVERIFY(texts().contains("Looking on this network"));
    bus.say({"add", "hub", "127.0.0.1", QString::number(server.port()), "wall=Hub wall", "columns=5", "rows=3",
             "pixels=61440000", "version=0.1.0", "protocol=1"});
    bus.say({"add", "old", "10.20.0.5", "9010", "wall=Dome floor", "columns=8", "rows=4", "version=0.0.9", "protocol=0",
             "protocol=nonsense"});
    bus.say({"add", "six", "fd00::7", "9010", "wall=Six"});
    QTRY_COMPARE(discovery_->walls().size(), 3U);
    QCOMPARE(discovery_->walls()[0].name, "Dome floor");
    QCOMPARE(discovery_->walls()[1].address, server.address());
    QCOMPARE(discovery_->walls()[2].address, "[fd00::7]:9010");
    QTRY_VERIFY(texts().contains("Hub wall") && texts().contains("Ready"));
    bus.say({"remove", "hub"});
    QTRY_COMPARE(discovery_->walls().size(), 2U);
    bus.end_avahi();
    QTRY_VERIFY(discovery_->walls().empty());
    QVERIFY(!discovery_->searching());
    QDBusConnection::disconnectFromBus("test");
  }

  void without_a_bus_nothing_is_found_and_nothing_is_said() {
    open_page();
    QVERIFY(!discovery_->searching());
    QVERIFY(discovery_->walls().empty());
    QVERIFY(texts().contains("No wall is connected yet"));
  }

  // Bytes from the network: whatever they are, texts stay short and printable, and addresses can be connected.
  void announcements_are_checked() {
    QVERIFY(!found_wall("a", "fe80::1", 9010, {}));
    QVERIFY(!found_wall("a", "hub.local", 9010, {}));
    QVERIFY(!found_wall("a", "10.0.0.1", 0, {}));
    QCOMPARE(found_wall("a", "10.0.0.1", 9010, {"columns=9999", "pixels=-5"})->columns, 0);
    std::mt19937 random(11);
    const QList<QByteArray> keys{"wall=", "columns=", "rows=", "pixels=", "version=", "protocol=", "", "="};
    for (int round = 0; round < 2000; ++round) {
      QList<QByteArray> txt;
      for (auto entry = random() % 50; entry > 0; --entry) {
        auto bytes = keys[static_cast<qsizetype>(random() % 8)];
        for (auto count = random() % 300; count > 0; --count) bytes += static_cast<char>(random() % 256);
        txt << bytes;
      }
      const auto wall = found_wall(QString::fromLatin1(txt.value(0)), "10.0.0.1", 9010, txt);
      QVERIFY(wall);
      QVERIFY(address_problem(wall->address).isEmpty());
      QVERIFY(wall->columns >= 0 && wall->columns <= 64 && wall->rows >= 0 && wall->rows <= 64 && wall->pixels >= 0);
      for (const auto& text : {wall->name, wall->service, wall->version}) {
        QVERIFY(text.size() <= 200);
        for (const auto character : text) QVERIFY(character.unicode() >= ' ' && character.unicode() != 0x7f);
      }
    }
  }

  void pictures() {
    FakeServer ready, old(0);
    auto info = old.results["info"];
    info["version"] = "0.0.9";
    old.results["info"] = info;
    const test::OwnCertificate own(folder_.path(), "own");
    test::TlsServer away(own);
    Profiles profiles;
    QCOMPARE(profiles.keep({QString::fromUtf8("SARA 5\u00d73"), ready.address(), false}), QString());
    QCOMPARE(profiles.keep({"Atrium", away.address(), false}), QString());
    QCOMPARE(profiles.keep({"Dome floor", old.address(), false}), QString());
    RecentWalls recent;
    recent.add({old.address(), "Dome floor", 8, 4, 0});
    recent.add({away.address(), "Atrium", 4, 2, 16'000'000});
    auto programs = demo_programs("127.0.0.1:1");
    for (const char* theme : {"dark", "light", "high-contrast"}) {
      for (const auto size : {QSize(1920, 1020), QSize(1600, 940), QSize(1280, 660)}) {
        if (size.width() != 1600 && QString(theme) != "dark") continue;
        open_page(programs);
        window_->resize(size);
        page_->resize(size);
        QTRY_VERIFY(texts().contains("Ready") && texts().contains("Asks for a token"));
        auto facts = computer_facts(small_computer);
        facts.push_back(port_fact(false));
        QTest::qWait(50);
        page_->findChild<ComputerStrip*>()->show_facts(facts);
        QTest::qWait(50);
        QVERIFY(page_->grab().save(test::picture(QString("start-%1-%2.png").arg(theme).arg(size.width()))));
        // Nothing lies over anything else, and nothing is cut.
        for (const auto* label : page_->findChildren<QLabel*>()) {
          if (!label->isVisible() || label->text().isEmpty()) continue;
          QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
          QVERIFY2(label->wordWrap() || label->width() >= label->sizeHint().width() || !label->toolTip().isEmpty(),
                   qPrintable(label->text()));
        }
        QVERIFY(page_->widget()->minimumSizeHint().width() <= size.width());
      }
      look_->next_theme();
    }
  }
};

QTEST_MAIN(StartTest)
#include "start_test.moc"
