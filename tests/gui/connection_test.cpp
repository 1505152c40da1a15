// Which wall the window shows and whether it may change it: saved walls, the view-only mode, the lock, clocks that are
// off, and the themes.
#include "wall-control/connections/connection.h"
#include "tests/gui/fake_server.h"
#include "tests/gui/own_settings.h"
#include "tests/gui/picture.h"
#include "wall-control/app/main_window.h"
#include "wall-control/connections/connection_label.h"
#include "wall-control/connections/keep_dialog.h"
#include "wall-control/messages/told.h"
#include "wall-control/models/clock_watch.h"
#include "wall-control/transport/timeline_bar.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QToolTip>

#include <algorithm>
#include <memory>

using namespace lw;

namespace {

QJsonObject stats_with_clock(const QJsonObject& clock) {
  return {{"nodes", QJsonArray{QJsonObject{
                        {"node", "left"},
                        {"report", QJsonObject{{"clock", clock}, {"flows", QJsonArray{}}, {"tiles", QJsonArray{}}}}}}}};
}

}  // namespace

class ConnectionTest : public QObject {
  Q_OBJECT

  QTemporaryDir settings_;
  std::unique_ptr<FakeServer> server_;
  std::unique_ptr<MainWindow> window_;

  void open_window() {
    window_ = std::make_unique<MainWindow>();
    window_->show();
    be_active();
  }
  void be_active() {
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
  }
  void connect_window() {
    open_window();
    window_->connect_to(server_->address());
    QTRY_COMPARE(window_->link().state(), ControlLink::State::ready);
  }
  Connection& connection() { return *window_->findChild<Connection*>(); }
  Question* question(const char* name) {
    for (auto* dialog : window_->findChildren<Question*>(name))
      if (dialog->isVisible()) return dialog;
    return nullptr;
  }
  static QWidget* audience() {
    for (auto* widget : QApplication::topLevelWidgets())
      if (widget->objectName() == "audience" && widget->isVisible()) return widget;
    return nullptr;
  }
  [[nodiscard]] QString shown_state() const { return window_->findChild<QLabel*>("link-state")->text(); }

private slots:
  void initTestCase() { test::keep_settings_in(settings_.path()); }
  void init() {
    QSettings().clear();
    server_ = std::make_unique<FakeServer>();
  }
  void cleanup() {
    window_.reset();
    server_.reset();
  }

  void walls_are_kept_and_opened_as_they_were() {
    {
      Profiles profiles;
      QCOMPARE(profiles.keep({"Amsterdam", "10.0.0.1:9010", false}), QString());
      QCOMPARE(profiles.keep({"Geneva", server_->address(), true}), QString());
      QVERIFY(profiles.keep({"Geneva", "nowhere", false}).contains("HOST:PORT"));
      QVERIFY(profiles.keep({" ", "10.0.0.1:9010", false}).contains("name"));
    }
    const Profiles again;
    QCOMPARE(again.all().size(), 2U);
    QCOMPARE(again.all()[1], (Profile{"Geneva", server_->address(), true}));
    QCOMPARE(again.of_address("10.0.0.1:9010")->name, "Amsterdam");

    open_window();
    QTest::keyClick(window_.get(), Qt::Key_2, Qt::AltModifier);
    QTRY_COMPARE(window_->link().state(), ControlLink::State::ready);
    QCOMPARE(window_->link().address(), server_->address());
    QVERIFY(connection().view_only());
    QCOMPARE(window_->findChild<QLabel*>("link-address")->text(), server_->address());
  }

  void a_connection_is_saved_and_removed() {
    connect_window();
    connection().ask_to_save();
    QTRY_VERIFY(question("save-connection") != nullptr);
    auto* name = question("save-connection")->findChild<QLineEdit*>("wall-name");
    QCOMPARE(name->text(), "test wall");
    auto* token = question("save-connection")->findChild<QLineEdit*>("wall-token");
    token->setText("lw-12");
    QVERIFY(!question("save-connection")->yes()->isEnabled());
    token->clear();
    name->setText("Geneva");
    QTest::keyClick(name, Qt::Key_Return);
    QCOMPARE(Profiles().all(), (std::vector<Profile>{{"Geneva", server_->address(), false}}));
    QVERIFY(connection().is_kept(server_->address()));
    connection().ask_to_remove();
    QTRY_VERIFY(question("remove-connection") != nullptr);
    question("remove-connection")->yes()->click();
    QVERIFY(Profiles().all().empty());
    QVERIFY(!connection().is_kept(server_->address()));
  }

  void the_newest_walls_are_remembered() {
    connect_window();
    RecentWalls again;
    QCOMPARE(again.all().size(), 1U);
    QCOMPARE(again.all()[0], (RecentWall{server_->address(), "test wall", 2, 2, qint64{4} * 640 * 400}));
    for (int port = 1; port <= 20; ++port) again.add({QString("10.0.0.1:%1").arg(port), "wall", 1, 1, 0});
    again.add({"10.0.0.1:15", "again", 1, 1, 0});
    again.add({"nowhere", "wall", 1, 1, 0});
    const RecentWalls read;
    QCOMPARE(read.all().size(), RecentWalls::walls_max);
    QCOMPARE(read.all(), again.all());
    QCOMPARE(read.all()[0].name, "again");
    QCOMPARE(read.all()[1].address, "10.0.0.1:20");
  }

  void two_control_rooms_that_save_walls_lose_none() {
    Profiles here;
    Profiles there;
    QCOMPARE(here.keep({"Amsterdam", "10.0.0.1:9010", false}), QString());
    QCOMPARE(there.keep({"Geneva", "10.0.0.2:9010", false}), QString());
    QCOMPARE(here.forget("Amsterdam"), QString());
    QCOMPARE(there.set_token("10.0.0.1:9010", "lw-" + QString(64, 'a')), QString());  // of a server that was removed
    QCOMPARE(there.all().size(), 1U);
    QCOMPARE(Profiles().all(), (std::vector<Profile>{{"Geneva", "10.0.0.2:9010", false}}));
  }

  void what_is_no_wall_in_the_settings_is_left_out() {
    QSettings settings;
    settings.beginWriteArray("walls");
    settings.setArrayIndex(0);
    settings.setValue("name", "half");
    settings.setArrayIndex(1);
    settings.setValue("name", "whole");
    settings.setValue("address", "127.0.0.1:9010");
    settings.endArray();
    const Profiles profiles;
    QCOMPARE(profiles.all().size(), 1U);
    QCOMPARE(profiles.all()[0].name, "whole");
  }

  void texts_of_a_server_are_shown_as_they_stand() {
    const QString hostile = QString::fromUtf8("<img src='http://10.0.0.1/'><b>host</b>\x1b[2J\n\u202eforged\u009b2J");
    const auto told = QString::fromUtf8("<img src='http://10.0.0.1/'><b>host</b>\\u001b[2J\n\\u202eforged\\u009b2J");
    auto info = server_->results["info"];
    info["host"] = hostile;
    info["version"] = hostile;
    server_->results["info"] = info;
    auto store = visualization("alpha", true);
    for (const auto* key : {"title", "description", "reason"}) store[key] = hostile;
    server_->results["list"] = {{"visualizations", QJsonArray{store}}};
    connect_window();
    QCOMPARE(QString::fromStdString(window_->link().info().host), told);
    auto state = playing_state;
    server_->tell("state", state);
    server_->tell("event",
                  {{"time", "2026-01-31T12:00:00.100Z"}, {"severity", "error"}, {"code", "x"}, {"text", hostile}});
    QTRY_VERIFY(window_->findChild<ConnectionLabel*>()->toolTip().contains("forged"));
    const auto is_printable = [](QChar character) {
      return character == '\n' ||
             (character.unicode() >= ' ' && (character.unicode() < 0x7f || character.unicode() > 0x9f) &&
              (character.unicode() < 0x202a || character.unicode() > 0x202e));
    };
    for (auto* label : window_->findChildren<QLabel*>()) {
      label->ensurePolished();
      QVERIFY2(label->textFormat() != Qt::AutoText, qPrintable(label->objectName() + label->text()));
      if (label->textFormat() == Qt::RichText) QVERIFY2(!label->text().contains("<img"), qPrintable(label->text()));
      QVERIFY(std::ranges::all_of(label->text(), is_printable));
    }
    for (const auto* widget : window_->findChildren<QWidget*>())
      QVERIFY(std::ranges::all_of(widget->toolTip(), is_printable));

    QMessageBox box(QMessageBox::Question, "title", hostile, QMessageBox::Ok, window_.get());
    box.show();
    for (auto* label : box.findChildren<QLabel*>()) QVERIFY(label->textFormat() == Qt::PlainText);
    box.close();
    QToolTip::showText(QPoint(10, 10), "<b>tip</b>", window_.get());
    bool found = false;
    for (auto* widget : QApplication::topLevelWidgets()) {
      auto* tip = qobject_cast<QLabel*>(widget);
      if (tip == nullptr || tip->text() != "<b>tip</b>") continue;
      found = true;
      QVERIFY(tip->textFormat() == Qt::PlainText);
    }
    QVERIFY(found);
    QToolTip::hideText();
  }

  void who_only_views_changes_nothing() {
    connect_window();
    server_->tell("state", playing_state);
    QTRY_VERIFY(window_->findChild<TimelineBar*>()->isEnabled());
    connection().set_view_only(true);
    QVERIFY(!window_->findChild<TimelineBar*>()->isEnabled());
    QVERIFY(shown_state().contains("View only"));
    server_->calls.clear();
    QString error;
    window_->link().call("stop", {}, [&](const QJsonValue&, const QString& why) { error = why; });
    QVERIFY(error.contains("viewing only"));
    QTest::keyClick(window_.get(), Qt::Key_Space);
    // The window may still ask for the list and the machines; no action has reached the server before this call.
    window_->link().call("list", {{"offset", 7}});
    QVERIFY(server_->was_asked("list", {{"offset", 7}}));
    for (const auto& [method, params] : server_->calls)
      QVERIFY2(method != "stop" && method != "play" && method != "pause", qPrintable(method));
    // The call it would make can still be copied.
    QCOMPARE(window_->link().calls_of([this] { window_->link().call("stop"); }).size(), 1U);
  }

  void the_lock_is_opened_only_when_that_is_meant() {
    connect_window();
    QTest::keyClick(window_.get(), Qt::Key_K, Qt::ControlModifier);
    QCOMPARE(window_->link().guard(), ControlLink::Guard::locked);
    QVERIFY(shown_state().contains("Locked"));
    QTest::keyClick(window_.get(), Qt::Key_K, Qt::ControlModifier);
    QTRY_VERIFY(question("unlock") != nullptr);
    question("unlock")->no()->click();
    QCOMPARE(window_->link().guard(), ControlLink::Guard::locked);
    QTRY_VERIFY(question("unlock") == nullptr);
    be_active();
    QTest::keyClick(window_.get(), Qt::Key_K, Qt::ControlModifier);
    QTRY_VERIFY(question("unlock") != nullptr);
    // Nothing waits for the answer.
    server_->tell("stats", stats_with_clock({{"state", "waiting"}}));
    QTRY_VERIFY(shown_state().contains("Clock off"));
    question("unlock")->yes()->click();
    QCOMPARE(window_->link().guard(), ControlLink::Guard::none);
  }

  void clocks_that_are_off_are_told() {
    constexpr double interval_us = 33'333;
    QCOMPARE(clock_problem(stats_from(stats_with_clock({{"state", "system"}})).value(), interval_us), QString());
    QCOMPARE(clock_problem(stats_from(stats_with_clock({{"state", "kept"}, {"error_us", 900.0}})).value(), interval_us),
             QString());
    QVERIFY(
        clock_problem(stats_from(stats_with_clock({{"state", "kept"}, {"error_us", 40'000.0}})).value(), interval_us)
            .contains("40 ms"));
    QVERIFY(clock_problem(stats_from(stats_with_clock({{"state", "waiting"}})).value(), interval_us).contains("left"));
    QVERIFY(clock_problem(stats_from(stats_with_clock({{"state", "holdover"}})).value(), interval_us)
                .contains("without the server"));
    QCOMPARE(clock_problem(stats_from({}).value(), interval_us), QString());

    connect_window();
    QVERIFY(shown_state().contains("Connected"));
    server_->tell("stats", stats_with_clock({{"state", "waiting"}}));
    QTRY_VERIFY(shown_state().contains("Clock off: node left"));
    server_->tell("stats", stats_with_clock({{"state", "kept"}, {"error_us", 100.0}}));
    QTRY_VERIFY(!shown_state().contains("Clock off"));
  }

  void themes_and_size_of_text_are_remembered() {
    open_window();
    const auto dark = QApplication::palette().color(QPalette::Window);
    const int usual = QApplication::font().pointSize();
    QTest::keyClick(window_.get(), Qt::Key_T, Qt::ControlModifier);
    const auto light = QApplication::palette().color(QPalette::Window);
    QVERIFY(light.lightness() > 200 && dark.lightness() < 50);
    QTest::keyClick(window_.get(), Qt::Key_Equal, Qt::ControlModifier);
    QCOMPARE(QApplication::font().pointSize(), usual + 1);
    QCOMPARE(window_->findChild<QLineEdit*>("address")->font().pointSize(), usual + 1);
    open_window();
    QCOMPARE(QApplication::palette().color(QPalette::Window), light);
    QCOMPARE(QApplication::font().pointSize(), usual + 1);
    QTest::keyClick(window_.get(), Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(QApplication::font().pointSize(), usual);
    QTest::keyClick(window_.get(), Qt::Key_T, Qt::ControlModifier);
    QTest::keyClick(window_.get(), Qt::Key_T, Qt::ControlModifier);
    QCOMPARE(QApplication::palette().color(QPalette::Window), dark);
  }

  void an_audience_has_its_own_window() {
    connect_window();
    QTest::keyClick(window_.get(), Qt::Key_F11);
    QTRY_VERIFY(audience() != nullptr);
    QVERIFY(audience()->isFullScreen());
    QVERIFY(window_->isVisible());
    QTest::keyClick(audience(), Qt::Key_Escape);
    QTRY_VERIFY(audience() == nullptr);
  }

  void all_of_it_fits_a_small_screen() {
    connect_window();
    for (const auto size : {QSize(1280, 720), QSize(3840, 2160)}) {
      window_->resize(size);
      QTest::qWait(20);
      QCOMPARE(window_->size(), size);
    }
    for (const char* name : {"dark", "light", "high-contrast"}) {
      window_->resize(1280, 720);
      server_->tell("state", playing_state);
      for (int i = 0; i < 30; ++i) server_->tell("stats", stats(1000 * (i + 1), i > 20 ? 5 : 0));
      QTest::qWait(100);
      QVERIFY(window_->grab().save(test::picture(QString("connection-%1.png").arg(name))));
      QTest::keyClick(window_.get(), Qt::Key_T, Qt::ControlModifier);
    }
  }
};

QTEST_MAIN(ConnectionTest)
#include "connection_test.moc"
