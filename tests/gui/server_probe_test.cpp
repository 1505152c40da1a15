// What a source on the server's host is, before its import: from a server that is scripted, of an earlier version,
// lost, or real.
#include "tests/gui/import_scene.h"
#include "tests/gui/own_settings.h"
#include "tests/gui/picture.h"
#include "wall-control/library/import_dialog.h"
#include "wall-control/library/library_panel.h"
#include "wall-control/library/library_view.h"
#include "wall-control/ui/state_note.h"

#include <QBuffer>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QTcpServer>

#include <memory>

using namespace lw;

class ServerProbeTest : public QObject {
  Q_OBJECT

  QTemporaryDir settings_;
  std::unique_ptr<test::ScriptedServer> server_;
  std::unique_ptr<MainWindow> window_;

  LibraryPanel* panel() { return window_->findChild<LibraryPanel*>(); }
  // What the server answers about a film, some time after the question.
  static QJsonObject source_message(const QString& input) {
    QImage frame(320, 180, QImage::Format_RGB32);
    frame.fill(Qt::darkCyan);
    QByteArray jpeg;
    QBuffer buffer(&jpeg);
    frame.save(&buffer, "jpg");
    return {{"input", input}, {"fit", "fit"},        {"name", "film"},     {"width", 1920},
            {"height", 1080}, {"frames", 250},       {"frame_rate", "25"}, {"input_bytes", 10e6},
            {"bytes", 922e6}, {"sound_channels", 2}, {"hdr", true},        {"preview", QString(jpeg.toBase64())}};
  }

private slots:
  void initTestCase() {
    test::look_like_the_program();
    test::keep_settings_in(settings_.path());
  }
  void init() {
    server_ = std::make_unique<test::ScriptedServer>();
    window_ = std::make_unique<MainWindow>();
    window_->resize(1280, 720);
    window_->show();
  }
  void cleanup() {
    window_.reset();
    server_.reset();
  }

  // Its size was known only once the import had begun, and its sound was dropped without a word.
  void the_server_says_what_a_source_on_its_host_is() {
    test::reconnect(*server_, *window_, "far.example.org", {"/srv/import"},
                    {test::folder_message("/ssd1", true, true, 800e9)}, "/etc/wall.toml", {"/srv/import/film.mp4"});
    panel()->import_files({"/home/me/film.mp4"});
    auto* dialog = window_->findChild<ImportDialog*>();
    const auto text = [&](const char* name) { return dialog->findChild<QLabel*>(name)->text(); };
    const auto has_preview = [&] { return !dialog->findChild<QLabel*>("preview")->pixmap(Qt::ReturnByValue).isNull(); };
    auto* notes = dialog->findChild<StateNote*>("import-notes");
    const auto reads = QString::fromUtf8("The server is reading it\u2026");
    QVERIFY(server_->was_asked("import.probe", {{"input", "/srv/import/film.mp4"}, {"fit", "fit"}}));
    QTRY_COMPARE(text("size-facts"), reads);
    auto source = source_message("/srv/import/film.mp4");
    auto other = source_message("/srv/import/other.mp4");
    other["bytes"] = 5e9;
    server_->tell("import.source", other);
    server_->tell("import.source", source);
    QTRY_COMPARE(text("size-facts"), QString("10 MB become 922 MB"));
    QCOMPARE(text("source-facts"), QString::fromUtf8("1920 \u00d7 1080 \u00b7 25 fps \u00b7 0:10"));
    QVERIFY2(notes->words().contains("sound is kept: 2 channels") && notes->words().contains("HDR"),
             qPrintable(notes->words()));
    QTRY_VERIFY(has_preview());
    QVERIFY(dialog->findChild<QPushButton*>("start")->isEnabled());
    QVERIFY(dialog->grab().save(test::picture("import-elsewhere-facts.png")));
    // Another fit is asked for again; the folder of the server has no room for it.
    server_->calls.clear();
    dialog->findChild<QComboBox*>("fit")->setCurrentIndex(1);
    QVERIFY(!has_preview());
    QVERIFY(server_->was_asked("import.probe", {{"input", "/srv/import/film.mp4"}, {"fit", "fill"}}));
    server_->tell("import.source", source);  // to the question before
    source["fit"] = "fill";
    source["bytes"] = 900e9;
    server_->tell("import.source", source);
    QTRY_COMPARE(text("size-facts"), QString("10 MB become 900 GB"));
    QVERIFY2(notes->words().contains("/ssd1 has no room for 900 GB"), qPrintable(notes->words()));
    // So is another format.
    auto* format = dialog->findChild<QComboBox*>("format");
    format->setCurrentIndex(format->findData("bc7"));
    QVERIFY(
        server_->was_asked("import.probe", {{"input", "/srv/import/film.mp4"}, {"fit", "fill"}, {"format", "bc7"}}));
    server_->tell("import.source", source);  // to the question before
    source["format"] = "bc7";
    source["bytes"] = 300e9;
    server_->tell("import.source", source);
    QTRY_COMPARE(text("size-facts"), QString("10 MB become 300 GB"));
    format->setCurrentIndex(0);
    source.remove("format");
    source["bytes"] = 900e9;
    QTRY_COMPARE(text("size-facts"), reads);
    server_->tell("import.source", source);
    QTRY_COMPARE(text("size-facts"), QString("10 MB become 900 GB"));
    // A preview that is not an image changes nothing.
    source["preview"] = "/9j/4AAQ";
    dialog->findChild<QComboBox*>("fit")->setCurrentIndex(0);
    source["fit"] = "fit";
    QTRY_COMPARE(text("size-facts"), reads);
    server_->tell("import.source", source);
    QTRY_COMPARE(text("size-facts"), QString("10 MB become 900 GB"));
    dialog->findChild<QComboBox*>("fit")->setCurrentIndex(1);
    QTRY_COMPARE(text("size-facts"), reads);
    server_->tell("import.source",
                  {{"input", "/srv/import/film.mp4"}, {"fit", "fill"}, {"reason", "film.mp4 is not a video"}});
    QTRY_COMPARE(text("source-facts"), QString("Cannot read the source"));
    QCOMPARE(text("size-facts"), QString("film.mp4 is not a video"));
    QVERIFY(!has_preview());
    server_->errors["import.probe"] = "16 sources wait to be read; try again in a few seconds";
    dialog->findChild<QComboBox*>("fit")->setCurrentIndex(0);
    QTRY_COMPARE(text("size-facts"), server_->errors["import.probe"]);
    // What may not be imported is not asked about.
    server_->calls.clear();
    dialog->findChild<QLineEdit*>("input")->setText("/home/me/film.mp4");
    QTest::qWait(500);
    for (const auto& [method, params] : server_->calls) QVERIFY(method != "import.probe");
  }

  // Nothing waits for an answer that cannot come.
  void a_lost_server_answers_no_question_about_a_source() {
    test::reconnect(*server_, *window_, "far.example.org", {"/srv/import"},
                    {test::folder_message("/ssd1", true, true, 800e9)}, "/etc/wall.toml");
    panel()->import_files({"/srv/import/film.mp4"});
    auto* dialog = window_->findChild<ImportDialog*>();
    auto* size = dialog->findChild<QLabel*>("size-facts");
    QTRY_COMPARE(size->text(), QString::fromUtf8("The server is reading it\u2026"));
    const auto port = server_->port();
    server_->stop();
    QTRY_COMPARE(size->text(), QString("The connection to the server was lost"));
    server_->calls.clear();
    server_->listen(port);
    QTRY_VERIFY_WITH_TIMEOUT(
        server_->calls.contains({"import.probe", QJsonObject{{"input", "/srv/import/film.mp4"}, {"fit", "fit"}}}),
        10'000);
  }

  void a_server_of_an_earlier_version_shows_no_preview_and_the_dialog_says_so() {
    test::reconnect(*server_, *window_, "far.example.org", {"/srv/import"},
                    {test::folder_message("/ssd1", true, true, 800e9)}, "/etc/wall.toml", {},
                    {"info", "import.places"});
    panel()->import_files({"/srv/import/film.mp4"});
    auto* dialog = window_->findChild<ImportDialog*>();
    QCOMPARE(dialog->findChild<QLabel*>("size-facts")->text(),
             QString("The server's version has no preview. Its size is known when the import begins."));
    QTRY_VERIFY(dialog->findChild<QPushButton*>("start")->isEnabled());
    QTest::qWait(500);
    for (const auto& [method, params] : server_->calls) QVERIFY(method != "import.probe");
    QVERIFY(dialog->grab().save(test::picture("import-elsewhere-earlier.png")));
  }

  // With the real server and wall-ingest: the same facts as those of the same source on this host.
  void a_real_server_says_what_the_source_is_and_imports_it() {
    const QTemporaryDir folder;
    const auto films = test::make_films(folder);
    QTcpServer port;
    QVERIFY(port.listen(QHostAddress::LocalHost));
    const auto address = QString("127.0.0.1:%1").arg(port.serverPort());
    port.close();
    QFile wall(folder.filePath("wall.toml"));
    QVERIFY(wall.open(QIODevice::Append));
    wall.write(QString("control = \"%1\"\n").arg(address).toUtf8());
    wall.close();
    QProcess server;
    server.start(QCoreApplication::applicationDirPath() + "/wall-server",
                 {"--wall", wall.fileName(), "--content", folder.filePath("content"), "--import-from", folder.path(),
                  "--state", folder.filePath("state")});
    window_->connect_to(address);
    QTRY_VERIFY2_WITH_TIMEOUT(window_->link().state() == ControlLink::State::ready,
                              server.readAllStandardError().constData(), 20'000);
    panel()->import_files({films[0]});
    auto* dialog = window_->findChild<ImportDialog*>();
    const auto text = [&](const char* name) { return dialog->findChild<QLabel*>(name)->text(); };
    const auto preview = [&] { return dialog->findChild<QLabel*>("preview")->pixmap(Qt::ReturnByValue); };
    auto* place = dialog->findChild<QComboBox*>("place");
    place->setCurrentIndex(0);
    QTRY_VERIFY_WITH_TIMEOUT(text("size-facts").contains("become"), 20'000);
    const auto size = text("size-facts"), source = text("source-facts");
    const auto image = preview().toImage();
    QVERIFY(!image.isNull());
    place->setCurrentIndex(1);
    QVERIFY(preview().isNull());
    QTRY_COMPARE_WITH_TIMEOUT(text("size-facts"), size, 20'000);
    QCOMPARE(text("source-facts"), source);
    QTRY_COMPARE(preview().toImage(), image);
    QVERIFY(dialog->grab().save(test::picture("import-real-server.png")));
    dialog->findChild<QLineEdit*>("input")->setText(folder.filePath("content"));
    QTRY_COMPARE_WITH_TIMEOUT(text("source-facts"), QString("Cannot read the source"), 20'000);
    QVERIFY2(text("size-facts").contains("has no images"), qPrintable(text("size-facts")));
    dialog->findChild<QLineEdit*>("input")->setText(films[0]);
    dialog->findChild<QPushButton*>("start")->click();
    QTRY_COMPARE_WITH_TIMEOUT(text("words"), QString("one is in the library"), 30'000);
    window_->link().disconnect_from();
    server.terminate();
    QVERIFY(server.waitForFinished(10'000));
  }
};

QTEST_MAIN(ServerProbeTest)
#include "server_probe_test.moc"
