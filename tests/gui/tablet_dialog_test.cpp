// Open on a tablet: a camera reads the link of the server's ticket in every theme. An expired ticket is not shown.
// Where no tablet can log in, the dialog says why and what to do.
#include "wall-control/connections/tablet_dialog.h"
#include "tests/gui/own_settings.h"
#include "tests/gui/picture.h"
#include "tests/gui/tls_server.h"
#include "wall-control/app/main_window.h"
#include "wall-control/connections/qr_code.h"
#include "wall-control/ui/look.h"
#include "wall-control/ui/state_note.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>
#include <memory>
#include <random>

using namespace lw;
using LinkState = ControlLink::State;

namespace {

const QString fingerprint = "sha256:" + QString("0123456789abcdef").repeated(4);

QJsonObject ticket(int number, int valid_s = 120, const QString& place = "https://10.1.0.1:9010/tablet") {
  const auto letters = QString("7KQM3V%1").arg(number, 2, 10, QChar('0'));
  QJsonObject reply{{"ticket", letters.left(4) + '-' + letters.mid(4)},
                    {"address", place},
                    {"link", place + '#' + letters},
                    {"role", "operate"},
                    {"valid_s", valid_s}};
  if (place.startsWith("https:")) reply["fingerprint"] = fingerprint;
  return reply;
}

// The text of the QR code in a screenshot; empty: none, or zbarimg is missing.
QString read_by_camera(const QString& file) {
  QProcess zbar;
  zbar.start("zbarimg", {"--raw", "--quiet", file});
  return zbar.waitForFinished() ? QString::fromUtf8(zbar.readAllStandardOutput()).trimmed() : QString();
}

bool has_camera() { return !QStandardPaths::findExecutable("zbarimg").isEmpty(); }

}  // namespace

class TabletDialogTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<FakeServer> server_;
  std::unique_ptr<MainWindow> window_;
  TabletDialog* dialog_ = nullptr;

  template <class Widget>
  Widget* part(const char* name) {
    return dialog_->findChild<Widget*>(name);
  }
  QAction* action() {
    for (auto* one : window_->actions())
      if (one->text() == QString::fromUtf8("Open on a tablet\u2026")) return one;
    return nullptr;
  }
  void open() {
    window_ = std::make_unique<MainWindow>();
    window_->resize(1280, 720);
    window_->show();
    QVERIFY(!action()->isEnabled());
    window_->connect_to(server_->address());
    QTRY_COMPARE(window_->link().state(), LinkState::ready);
    QVERIFY(action()->isEnabled());
    action()->trigger();
    dialog_ = window_->findChild<TabletDialog*>();
    QVERIFY(dialog_ != nullptr && dialog_->isVisible());
  }
  void be(const QString& role) {
    auto info = server_->results["info"];
    info["you"] = QJsonObject{{"name", "desk"}, {"role", role}};
    server_->results["info"] = info;
  }
  QString code() { return part<QLabel>("tablet-code")->text(); }
  QString note() {
    const auto* note = dynamic_cast<StateNote*>(part<QWidget>("tablet-note"));
    return note->isVisible() ? note->words() : QString();
  }
  bool shows_picture() { return dynamic_cast<QrCode*>(part<QWidget>("qr-code"))->is_shown(); }
  QString picture(const QString& name) {
    QTest::qWait(50);
    const auto file = test::picture("tablet-dialog-" + name + ".png");
    return dialog_->grab().save(file) ? file : QString();
  }
  // The first text that has no room; empty: none.
  QString cut_text() {
    for (const auto* label : dialog_->findChildren<QLabel*>()) {
      if (!label->isVisible() || label->text().isEmpty()) continue;
      if (label->height() < label->heightForWidth(label->width())) return label->text();
      if (!label->wordWrap() && label->width() < label->sizeHint().width()) return label->text();
    }
    return {};
  }
  int tickets() {
    return static_cast<int>(
        std::ranges::count_if(server_->calls, [](const auto& call) { return call.first == "tablet_ticket"; }));
  }

private slots:
  void initTestCase() {
    test::look_like_the_program();
    test::keep_settings_in(folder_.path());
  }
  void init() {
    QSettings().clear();
    server_ = std::make_unique<FakeServer>();
    server_->results["tablet_ticket"] = ticket(1);
  }
  void cleanup() {
    window_.reset();
    server_.reset();
  }

  // Whatever the text, the code has its light border, and nothing but dark and light.
  void codes_are_dark_on_light_within_a_border() {
    std::mt19937 random(5);
    for (int round = 0; round < 200; ++round) {
      QByteArray text;
      for (auto count = 1 + random() % 300; count > 0; --count) text += static_cast<char>(random() % 256);
      const auto modules = qr_modules(text);
      QVERIFY(!modules.isNull());
      QCOMPARE(modules.width(), modules.height());
      QCOMPARE((modules.width() - 2 * qr_border_modules - 17) % 4, 0);  // the sizes of ISO/IEC 18004
      for (int y = 0; y < modules.height(); ++y)
        for (int x = 0; x < modules.width(); ++x) {
          const auto grey = qGray(modules.pixel(x, y));
          const bool inside = std::min({x, y, modules.width() - 1 - x, modules.height() - 1 - y}) >= qr_border_modules;
          QVERIFY(grey == 255 || (grey == 0 && inside));
        }
    }
    QVERIFY(qr_modules({}).isNull());
    QVERIFY(qr_modules(QByteArray(3000, 'a')).isNull());
  }

  void a_camera_reads_the_link_in_every_theme() {
    open();
    QTRY_COMPARE(code(), "7KQM-3V01");
    QCOMPARE(part<QLabel>("tablet-address")->text(), "https://10.1.0.1:9010/tablet");
    QCOMPARE(part<QLabel>("fingerprint")->accessibleDescription(), fingerprint);
    QVERIFY(part<QLabel>("time-left")->text().startsWith("Valid for 2:00") ||
            part<QLabel>("time-left")->text().startsWith("Valid for 1:59"));
    QVERIFY(shows_picture());
    QCOMPARE(note(), QString());
    Look look;
    for (const char* theme : {"dark", "light", "high-contrast"}) {
      const auto file = picture(theme);
      if (has_camera()) QCOMPARE(read_by_camera(file), "https://10.1.0.1:9010/tablet#7KQM3V01");
      look.next_theme();
    }
    if (!has_camera()) QSKIP("zbarimg is missing: scripts/install-deps test");
  }

  void it_fits_at_every_text_size() {
    open();
    QTRY_VERIFY(shows_picture());
    Look look;
    for (const int points : {-2, 2, 4}) {
      look.change_text(points);
      QTRY_COMPARE(cut_text(), QString());
      QTRY_COMPARE(part<QWidget>("qr-code")->height(), part<QWidget>("qr-code")->width());
      QVERIFY(dialog_->height() <= 720);
      const auto file = picture(QString("text-%1").arg(points));
      if (has_camera()) QCOMPARE(read_by_camera(file), "https://10.1.0.1:9010/tablet#7KQM3V01");
    }
    look.reset_text();
  }

  void an_expired_code_is_not_shown() {
    server_->results["tablet_ticket"] = ticket(1, 2);
    open();
    QTRY_COMPARE(code(), "7KQM-3V01");
    QTRY_VERIFY(!shows_picture());
    QVERIFY(!code().contains("7KQM"));
    QVERIFY(note().contains("expired"));
    picture("expired");
    server_->results["tablet_ticket"] = ticket(2);
    QTest::keySequence(dialog_, QKeySequence::Refresh);
    QTRY_COMPARE(code(), "7KQM-3V02");
    QVERIFY(shows_picture());
    QCOMPARE(note(), QString());
  }

  void a_tablet_may_only_look() {
    open();
    QTRY_COMPARE(code(), "7KQM-3V01");
    QVERIFY(server_->was_asked("tablet_ticket", {{"role", "operate"}}));
    server_->results["tablet_ticket"] = ticket(2);
    part<QCheckBox>("tablet-view-only")->click();
    QTRY_COMPARE(code(), "7KQM-3V02");
    QVERIFY(server_->was_asked("tablet_ticket", {{"role", "view"}}));
  }

  // The ticket stays out of the clipboard.
  void the_address_is_copied() {
    open();
    QTRY_VERIFY(shows_picture());
    part<QPushButton>("copy-address")->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), "https://10.1.0.1:9010/tablet");
  }

  void without_tls_it_says_what_to_set() {
    server_->results["tablet_ticket"] = ticket(1, 120, "http://127.0.0.1:9010/tablet");
    open();
    QTRY_COMPARE(code(), "7KQM-3V01");
    QVERIFY(!shows_picture());
    QVERIFY(note().contains("set control to an address"));
    QVERIFY(part<QLabel>("fingerprint") == nullptr || !part<QLabel>("fingerprint")->isVisible());
    picture("loopback");
  }

  void refusals_say_what_to_do() {
    be("view");
    open();
    QVERIFY(note().contains("--role operate"));
    QVERIFY(!shows_picture() && !code().contains("7KQM"));
    QCOMPARE(tickets(), 0);
    picture("refused");
    dialog_->close();
    be("operate");
    window_->connect_to(server_->address());
    QTRY_COMPARE(window_->link().info().you->role, std::string("operate"));
    server_->errors["tablet_ticket"] = "no random numbers";
    action()->trigger();
    dialog_ = window_->findChildren<TabletDialog*>().last();
    QTRY_VERIFY(note().contains("no random numbers"));
    server_->errors.clear();
    part<QPushButton>("new-code")->click();
    QTRY_COMPARE(code(), "7KQM-3V01");
    window_->link().set_guard(ControlLink::Guard::view_only);
    QVERIFY(note().contains("View only"));
    QVERIFY(!shows_picture());
    window_->link().set_guard(ControlLink::Guard::locked);
    QVERIFY(note().contains("locked"));
    window_->link().set_guard(ControlLink::Guard::none);
    QTRY_VERIFY(shows_picture());
    server_->stop();
    QTRY_VERIFY(note().contains("No connection"));
    QVERIFY(!shows_picture());
    QVERIFY(!part<QPushButton>("new-code")->isEnabled());
  }

  void answers_that_come_late_or_are_wrong_change_nothing() {
    server_->results["tablet_ticket"] = {{"ticket", 3}};
    open();
    QTRY_VERIFY(note().contains("cannot be read"));
    part<QPushButton>("new-code")->click();
    dialog_->close();
    QTRY_VERIFY(window_->findChild<TabletDialog*>() == nullptr);
    QTRY_COMPARE(tickets(), 2);
    QTest::qWait(50);
  }

  void everything_has_a_name_and_the_keyboard_reaches_it() {
    open();
    QTRY_VERIFY(shows_picture());
    for (const char* name : {"qr-code", "tablet-code", "tablet-address", "time-left", "fingerprint"})
      QVERIFY2(!part<QWidget>(name)->accessibleName().isEmpty(), name);
    dialog_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(dialog_));
    QStringList reached;
    for (int i = 0; i < 12; ++i) {
      if (auto* focused = dialog_->focusWidget()) reached << focused->objectName();
      QTest::keyClick(dialog_, Qt::Key_Tab);
    }
    for (const char* name : {"new-code", "tablet-view-only", "copy-address", "close-tablet"})
      QVERIFY2(reached.contains(name), name);
    QTest::keyClick(dialog_, Qt::Key_Escape);
    QTRY_VERIFY(window_->findChild<TabletDialog*>() == nullptr);
  }
};

QTEST_MAIN(TabletDialogTest)
#include "tablet_dialog_test.moc"
