// Servers on other machines: the token is sent only to trusted certificates, the operator is asked in plain words, and
// what a role does not allow cannot be pressed.
#include "wall-control/link/access.h"
#include "tests/gui/own_settings.h"
#include "tests/gui/picture.h"
#include "tests/gui/tls_server.h"
#include "wall-control/app/main_window.h"
#include "wall-control/connections/access_questions.h"
#include "wall-control/connections/profiles.h"
#include "wall-control/events/event_log.h"
#include "wall-control/link/control_url.h"
#include "wall-control/transport/timeline_bar.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QToolButton>

#include <algorithm>
#include <memory>

using namespace lw;
using test::good_token;
using LinkState = ControlLink::State;

class AccessTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<test::OwnCertificate> own_, other_;
  std::unique_ptr<test::TlsServer> server_;
  std::unique_ptr<MainWindow> window_;

  [[nodiscard]] QString known_file() const { return folder_.filePath("known-servers"); }
  [[nodiscard]] Trust trust() const { return {{}, KnownServers(known_file())}; }
  static QByteArray content(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  void know(const test::OwnCertificate& certificate) const {
    QVERIFY(trust().known.add(server_->host_and_port(), certificate.fingerprint()).has_value());
  }
  template <class Widget>
  Widget* part(const char* name) {
    return window_->findChild<Widget*>(name);
  }
  // The one that is open; null if there is none.
  Question* question() {
    for (auto* dialog : window_->findChildren<Question*>())
      if (dialog->isVisible()) return dialog;
    return nullptr;
  }
  // Of the open question.
  template <class Widget>
  Widget* in_question(const char* name) {
    return question() != nullptr ? question()->findChild<Widget*>(name) : nullptr;
  }
  QStringList fingerprints() {
    QStringList shown;
    for (const auto* label : question()->findChildren<QLabel*>("fingerprint")) shown << label->accessibleDescription();
    return shown;
  }
  void open_window() {
    window_ = std::make_unique<MainWindow>();
    window_->link().set_trust(trust());
    window_->show();
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
  }
  void connect_window(const QString& token = good_token) {
    open_window();
    window_->connect_to(server_->address(), token);
  }
  void save_picture(const QString& name) {
    QTest::qWait(50);
    auto* shown = question() != nullptr ? static_cast<QWidget*>(question()) : window_.get();
    QVERIFY(shown->grab().save(test::picture("access-" + name + ".png")));
  }
  QAction* action(const QString& text) {
    for (auto* action : window_->actions())
      if (action->text() == text || action->text() == text + QChar(0x2026)) return action;
    return nullptr;
  }
  void be(const QString& role) {
    auto info = server_->results["info"];
    info["you"] = QJsonObject{{"name", "desk"}, {"role", role}};
    server_->results["info"] = info;
  }

private slots:
  void initTestCase() {
    test::look_like_the_program();
    test::keep_settings_in(folder_.path());
    own_ = std::make_unique<test::OwnCertificate>(folder_.path(), "own");
    other_ = std::make_unique<test::OwnCertificate>(folder_.path(), "other");
    QVERIFY(!own_->certificate().isNull() && !other_->certificate().isNull());
  }
  void init() {
    QFile::remove(known_file());
    QSettings().clear();
    server_ = std::make_unique<test::TlsServer>(*own_);
    server_->results["list"] = {{"visualizations", QJsonArray{visualization("alpha", true)}}};
  }
  void cleanup() {
    window_.reset();
    server_.reset();
  }

  void addresses_tell_where_tls_is_wanted() {
    for (const char* here : {"127.0.0.1:9010", "localhost:9010", "[::1]:9010", "127.8.0.1:1"})
      QCOMPARE(control_url(here).scheme(), "ws");
    for (const char* away : {"10.0.0.1:9010", "wall.example:9010", "[fe80::1]:9010", "localhost.example:9010"})
      QCOMPARE(control_url(away).scheme(), "wss");
    QCOMPARE(control_url("wss://127.0.0.1:9010").scheme(), "wss");
    QCOMPARE(host_and_port(control_url("wss://Wall.example:9010")), "wall.example:9010");
    QCOMPARE(host_and_port(control_url("[fe80::1]:9010")), "[fe80::1]:9010");
    for (const char* wrong : {"wall", "wall:", ":9010", "a@b:1", "wall:9010/x", "wall:9010?x", "wss://"})
      QVERIFY2(!control_url(wrong).isValid(), wrong);
  }

  void on_this_machine_the_token_stays_here() {
    FakeServer plain;
    open_window();
    window_->connect_to(plain.address(), good_token);
    QTRY_COMPARE(window_->link().state(), LinkState::ready);
    QVERIFY(!plain.shown_token);
    QVERIFY(!part<QLabel>("role")->isVisible());
  }

  void a_server_met_for_the_first_time_is_asked_about() {
    connect_window();
    QTRY_COMPARE(window_->link().state(), LinkState::refused);
    QCOMPARE(window_->link().state_text(), "New server: check its fingerprint");
    QTRY_VERIFY(question() != nullptr);
    QCOMPARE(fingerprints(), QStringList{own_->fingerprint()});
    QCOMPARE(in_question<QLabel>("fingerprint")->text().count('\n'), 3);
    QCOMPARE(in_question<QLabel>("fingerprint")->text().remove(' ').remove('\n'), own_->fingerprint().mid(7));
    in_question<QPushButton>("copy-fingerprint")->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), own_->fingerprint());
    QVERIFY(!QFile::exists(known_file()));
    QTest::qWait(100);
    QVERIFY(server_->heads.isEmpty());
    save_picture("first-use");
    // The safe answer comes first, and Return gives neither.
    QVERIFY(in_question<QPushButton>("close-access")->hasFocus());
    QTest::keyClick(question(), Qt::Key_Return);
    QCOMPARE(window_->link().state(), LinkState::refused);
    QTest::keyClick(question(), Qt::Key_Tab);
    QVERIFY(in_question<QPushButton>("trust")->hasFocus());
    QTest::keyClick(in_question<QPushButton>("trust"), Qt::Key_Space);
    QTRY_COMPARE(window_->link().state(), LinkState::ready);
    QTRY_VERIFY(question() == nullptr);
    QCOMPARE(content(known_file()), (server_->host_and_port() + " " + own_->fingerprint() + "\n").toUtf8());
    QCOMPARE(QFile::permissions(known_file()) & QFile::Permissions(0x77), QFile::Permissions());
    QVERIFY(server_->was_asked("subscribe"));
    connect_window();
    QTRY_COMPARE(window_->link().state(), LinkState::ready);
  }

  void who_does_not_trust_it_is_not_asked_again() {
    connect_window();
    QTRY_VERIFY(question() != nullptr);
    in_question<QPushButton>("close-access")->click();
    QTRY_VERIFY(question() == nullptr);
    QTest::qWait(400);
    QCOMPARE(window_->link().state(), LinkState::refused);
    QVERIFY(server_->heads.isEmpty());
  }

  void another_certificate_never_sees_the_token() {
    know(*other_);
    connect_window();
    QTRY_COMPARE(window_->link().state(), LinkState::refused);
    QVERIFY(window_->link().state_text().contains("has changed"));
    QTRY_VERIFY(question() != nullptr);
    QCOMPARE(fingerprints(), (QStringList{other_->fingerprint(), own_->fingerprint()}));
    QVERIFY(std::ranges::any_of(question()->findChildren<QLabel*>(),
                                [this](const QLabel* label) { return label->text().contains(known_file()); }));
    QVERIFY(in_question<QPushButton>("trust") == nullptr);
    QTest::qWait(400);
    QVERIFY(server_->heads.isEmpty());
    save_picture("other-certificate");
  }

  // The second connection, the WebSocket's, reaches a different server.
  void nor_does_one_that_comes_between_knocking_and_entering() {
    know(*own_);
    server_->after_first_head = [this] { server_->use(*other_); };
    connect_window();
    QTRY_COMPARE_WITH_TIMEOUT(window_->link().state(), LinkState::refused, 10'000);
    QCOMPARE(window_->link().refusal().kind, Refusal::Kind::other_certificate);
    QCOMPARE(server_->heads.size(), 1);
  }

  void an_unreadable_list_of_servers_is_not_an_empty_one() {
    know(*own_);
    open_window();
    window_->link().set_trust({{}, KnownServers(folder_.path())});  // a folder
    window_->connect_to(server_->address(), good_token);
    QTRY_COMPARE(window_->link().state(), LinkState::refused);
    QVERIFY2(window_->link().cause().contains("cannot be read"), qPrintable(window_->link().cause()));
    QVERIFY(server_->heads.isEmpty());
  }

  void an_authority_counts_instead() {
    know(*other_);
    open_window();
    window_->link().set_trust({own_->certificate_file, trust().known});
    window_->connect_to(server_->address(), good_token);
    QTRY_COMPARE(window_->link().state(), LinkState::ready);
    const auto asked = server_->heads.size();
    window_->link().set_trust({other_->certificate_file, trust().known});
    window_->connect_to(server_->address(), good_token);
    QTRY_COMPARE(window_->link().state(), LinkState::refused);
    QCOMPARE(window_->link().refusal().kind, Refusal::Kind::bad_certificate);
    QCOMPARE(server_->heads.size(), asked);
    window_->link().set_trust({folder_.filePath("none.pem"), trust().known});
    window_->connect_to(server_->address(), good_token);
    QTRY_VERIFY(window_->link().cause().contains("no certificate in"));
  }

  void a_token_is_asked_for_and_kept_with_the_wall() {
    know(*own_);
    be("administer");
    QCOMPARE(Profiles().keep({"Geneva", server_->address(), false}), QString());
    connect_window({});
    QTRY_VERIFY(question() != nullptr);
    QVERIFY(window_->link().state_text().contains("asks for a token"));
    const auto field = [this] { return in_question<QLineEdit>("token"); };
    QTRY_VERIFY(field()->hasFocus());
    QCOMPARE(field()->echoMode(), QLineEdit::Password);
    QTest::keyClicks(field(), "lw-1234");
    QVERIFY(!in_question<QPushButton>("give-token")->isEnabled());
    QTest::keyClick(field(), Qt::Key_Return);
    QVERIFY(question() != nullptr);
    save_picture("token");
    field()->clear();
    QTest::keyClicks(field(), "lw-" + QString(64, '0'));
    QTest::keyClick(field(), Qt::Key_Return);
    QTRY_VERIFY(window_->link().state_text().contains("does not know this token"));
    QTRY_VERIFY(field() != nullptr && field()->text().isEmpty());
    QTest::keyClicks(field(), good_token);
    QTest::keyClick(field(), Qt::Key_Return);
    QTRY_COMPARE(window_->link().state(), LinkState::ready);
    QTRY_VERIFY(question() == nullptr);
    QCOMPARE(Profiles().of_address(server_->address())->token, good_token);
    const auto settings = QSettings().fileName();
    QVERIFY(content(settings).contains(good_token.toLatin1()));
    QCOMPARE(QFile::permissions(settings) & QFile::Permissions(0x77), QFile::Permissions());
    // It is still there after the next start.
    connect_window({});
    QTRY_COMPARE(window_->link().state(), LinkState::ready);
  }

  void the_token_is_shown_nowhere() {
    know(*own_);
    be("operate");
    connect_window();
    QTRY_COMPARE(window_->link().state(), LinkState::ready);
    const auto hears_state =
        [this] {  // again, as a server does twice a second: the first may precede the answer to `subscribe`
          server_->tell("state", playing_state);
          return window_->findChild<TimelineBar*>()->asked() == 17;
        };
    QTRY_VERIFY(hears_state());
    window_->findChild<TimelineBar*>()->findChild<QMenu*>("copies")->actions().at(0)->trigger();
    QVERIFY(QGuiApplication::clipboard()->text().contains("--call seek"));
    QVERIFY(!QGuiApplication::clipboard()->text().contains(good_token));
    QVERIFY(!window_->link().state_text().contains(good_token));
    for (const auto* label : window_->findChildren<QLabel*>())
      QVERIFY(!label->text().contains(good_token) && !label->toolTip().contains(good_token));
    auto& events = window_->findChild<EventLog*>()->model();
    for (int row = 0; row < events.rowCount(); ++row)
      for (int column = 0; column < events.columnCount(); ++column)
        QVERIFY(!events.index(row, column).data().toString().contains(good_token));
  }

  void too_many_failures_are_waited_for() {
    know(*own_);
    server_->closed_with = "429 Too Many Requests\r\nRetry-After: 2";
    connect_window();
    QTRY_COMPARE(window_->link().state_text(), "Too many wrong tokens. Trying again in 2 s.");
    QTRY_VERIFY(window_->link().state_text().contains("again in 1 s"));
    QCOMPARE(server_->heads.size(), 1);
    server_->closed_with.clear();
    QTRY_COMPARE(window_->link().state(), LinkState::ready);
  }

  void what_is_no_wall_server_is_told() {
    know(*own_);
    server_->closed_with = "200 OK";
    connect_window();
    QTRY_COMPARE(window_->link().state(), LinkState::refused);
    QVERIFY(window_->link().state_text().contains("HTTP 200"));
    FakeServer plain;
    window_->connect_to("wss://" + plain.address());
    QTRY_COMPARE_WITH_TIMEOUT(window_->link().state(), LinkState::unreachable, 10'000);
  }

  void what_a_role_does_not_allow_cannot_be_pressed() {
    know(*own_);
    be("view");
    connect_window();
    QTRY_COMPARE(window_->link().state(), LinkState::ready);
    QCOMPARE(part<QLabel>("role")->text(), "Viewer");
    QVERIFY(part<QLabel>("role")->isVisible());
    const auto hears_state =
        [this] {  // again, as a server does twice a second: the first may precede the answer to `subscribe`
          server_->tell("state", playing_state);
          return window_->findChild<TimelineBar*>()->asked() == 17;
        };
    QTRY_VERIFY(hears_state());
    for (auto* control : {action("Identify"), action("Pause"), action("Edit details"), action("Delete")}) {
      QVERIFY(!control->isEnabled());
      QVERIFY2(control->toolTip().contains("desk has the role view"), qPrintable(control->toolTip()));
    }
    QVERIFY(!window_->findChild<TimelineBar*>()->isEnabled());
    QVERIFY(part<QComboBox>("transition")->toolTip().contains("needs the role operate"));
    save_picture("role-view");
    be("operate");
    connect_window();
    QTRY_COMPARE(window_->link().state(), LinkState::ready);
    for (auto* control : {action("Identify"), action("Stop")}) QVERIFY(control->isEnabled());
    QVERIFY(!action("Edit details")->isEnabled());
    QVERIFY(action("Edit details")->toolTip().contains("needs the role administer"));
    be("administer");
    connect_window();
    QTRY_COMPARE(window_->link().state(), LinkState::ready);
    QVERIFY(action("Edit details")->isEnabled());
    QVERIFY(!action("Edit details")->toolTip().contains("role"));
    // The lock also shows its reason, and can be released.
    window_->link().set_guard(ControlLink::Guard::locked);
    QVERIFY(action("Edit details")->toolTip().contains("locked"));
    window_->link().set_guard(ControlLink::Guard::none);
    QVERIFY(!action("Edit details")->toolTip().contains("locked"));
  }

  void tokens_are_read_from_file_or_environment() {
    const auto file = folder_.filePath("token");
    const auto write = [&](const QByteArray& text) {
      QFile to(file);
      QVERIFY(to.open(QIODevice::WriteOnly));
      to.write(text);
    };
    write(good_token.toLatin1() + "\n");
    const AccessOptions options{file.toStdString(), "", folder_.path().toStdString()};
    QCOMPARE(access_of(options)->token, good_token);
    QCOMPARE(access_of(options)->trust.known.file(), known_file());
    write("secret");
    const auto error = QString::fromStdString(access_of(options).error().text());
    QVERIFY(error.contains(file) && !error.contains("secret"));
    QVERIFY(!access_of({"/no/such/file", "", ""}).has_value());
    qputenv("LAMBDAWALL_TOKEN", good_token.toLatin1());
    QCOMPARE(access_of({"", "", folder_.path().toStdString()})->token, good_token);
    qunsetenv("LAMBDAWALL_TOKEN");
    QCOMPARE(access_of({"", "", folder_.path().toStdString()})->token, QString());
  }

  // Without an operator: the first certificate is trusted and reported, another one is refused.
  void a_script_calls_with_a_token() {
    be("view");
    server_->results["state"] = playing_state;
    QProcess program;
    auto environment = QProcessEnvironment::systemEnvironment();
    const auto call = [&](const QString& token) {
      environment.insert("LAMBDAWALL_TOKEN", token);
      program.setProcessEnvironment(environment);
      program.start(QCoreApplication::applicationDirPath() + "/wall-control",
                    {"--connect", server_->address(), "--state", folder_.path(), "--call", "state"});
      return QTest::qWaitFor([&] { return program.state() == QProcess::NotRunning; }, 10'000) ? program.exitCode() : -1;
    };
    QCOMPARE(call(good_token), 0);
    QCOMPARE(QJsonDocument::fromJson(program.readAllStandardOutput()).object(), playing_state);
    QVERIFY(program.readAllStandardError().contains(own_->fingerprint().toLatin1()));
    QCOMPARE(call(good_token), 0);
    QCOMPARE(program.readAllStandardError(), QByteArray());
    QCOMPARE(call("lw-" + QString(64, '0')), 1);
    const auto words = program.readAllStandardError();
    QVERIFY2(words.contains("refused: token") && words.contains("--token-file"), words);
    const auto asked = server_->heads.size();
    server_->use(*other_);
    QCOMPARE(call(good_token), 1);
    QVERIFY(program.readAllStandardError().contains("is another one"));
    QCOMPARE(server_->heads.size(), asked);
  }
};

QTEST_MAIN(AccessTest)
#include "access_test.moc"
