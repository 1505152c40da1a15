// Imports: on this host with wall-ingest, and on the server's host; what comes from the server, the questions before
// one starts, the sources that follow, and its end.
#include "common/base/host_name.h"
#include "tests/gui/import_scene.h"
#include "tests/gui/library_entry.h"
#include "tests/gui/picture.h"
#include "wall-control/app/main_window.h"
#include "wall-control/library/import_dialog.h"
#include "wall-control/library/library_panel.h"
#include "wall-control/library/library_view.h"
#include "wall-control/models/library_model.h"
#include "wall-control/ui/elided_label.h"
#include "wall-control/ui/state_note.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <memory>

using namespace lw;
using test::visualization;

class ImportTest : public QObject {
  Q_OBJECT

  std::unique_ptr<test::ScriptedServer> server_;
  std::unique_ptr<MainWindow> window_;

  LibraryPanel* panel() { return window_->findChild<LibraryPanel*>(); }
  QStringList names() {
    QStringList names;
    const auto* model = window_->findChild<LibraryView*>()->model();
    for (int row = 0; row < model->rowCount(); ++row)
      names << model->index(row, 0).data(LibraryModel::name_role).toString();
    return names;
  }

private slots:
  void initTestCase() { test::look_like_the_program(); }
  void init() {
    server_ = std::make_unique<test::ScriptedServer>();
    server_->results["list"] = {{"visualizations", QJsonArray{visualization("waves", {"water"}, 0.7, 2e9, 3)}}};
    window_ = std::make_unique<MainWindow>();
    window_->resize(1280, 720);
    window_->show();
    window_->connect_to(server_->address());
    QTRY_COMPARE(names(), QStringList{"waves"});
  }
  void cleanup() {
    window_.reset();
    server_.reset();
  }

  void import_goes_on_after_a_cancel() {
    const QTemporaryDir folder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    QFile wall(folder.filePath("wall.toml"));
    QVERIFY(wall.open(QIODevice::WriteOnly));
    wall.write(test::two_tiles_file);
    wall.close();
    QVERIFY(QDir(folder.path()).mkdir("content"));
    window_->setFocus();
    QTest::keyClick(window_.get(), Qt::Key_I, Qt::ControlModifier);
    QTRY_VERIFY(window_->findChild<ImportDialog*>() != nullptr);
    auto* dialog = window_->findChild<ImportDialog*>();
    const auto field = [&](const char* name) { return dialog->findChild<QLineEdit*>(name); };
    auto* start = dialog->findChild<QPushButton*>("start");
    auto* words = dialog->findChild<QLabel*>("words");
    QVERIFY(!start->isEnabled());
    field("wall-file")->setText(folder.filePath("wall.toml"));
    field("out")->setText(folder.filePath("nowhere"));
    field("input")->setText("lavfi:testsrc2=size=128x40:rate=30:duration=100000");
    QVERIFY(words->text().contains("is not a folder"));
    field("out")->setText(folder.filePath("content"));
    field("name")->setText("made");
    QVERIFY2(start->isEnabled(), qPrintable(words->text()));
    start->click();
    QTRY_VERIFY_WITH_TIMEOUT(words->text().contains(" fps"), 20'000);
    QVERIFY(dialog->grab().save(test::picture("import.png")));
    dialog->findChild<QPushButton*>("cancel")->click();
    QTRY_COMPARE_WITH_TIMEOUT(start->text(), "Resume", 20'000);
    QVERIFY(start->isEnabled());
    const auto done = words->text();
    QVERIFY2(done.contains("interrupted after"), qPrintable(done));
    start->click();
    QTRY_VERIFY_WITH_TIMEOUT(words->text().contains(" fps"), 20'000);
    static const QRegularExpression number("\\d+");
    const auto resumed = number.match(words->text()).captured().toInt();
    const auto before = number.match(done).captured().toInt();
    QVERIFY2(before > 0 && resumed >= before, qPrintable(words->text() + " / " + done));
    dialog->findChild<QPushButton*>("cancel")->click();
    QTRY_VERIFY_WITH_TIMEOUT(start->isEnabled(), 20'000);
    field("input")->setText("lavfi:testsrc2=size=128x40:rate=30:duration=1");
    field("name")->setText("short");
    QCOMPARE(start->text(), "Import");
    server_->calls.clear();
    start->click();
    QTRY_COMPARE_WITH_TIMEOUT(words->text(), "short is in the library", 20'000);
    QVERIFY(server_->was_asked("list"));
    QVERIFY(QFile::exists(folder.filePath("content/short/visualization.json")));
    // Importing again failed with a word about an option, and offered nothing.
    auto* replace = dialog->findChild<QCheckBox*>("replace");
    QVERIFY(!replace->isVisible());
    start->click();
    QTRY_VERIFY_WITH_TIMEOUT(replace->isVisible(), 20'000);
    QVERIFY2(words->text().contains("has short already"), qPrintable(words->text()));
    QVERIFY(!words->text().contains("--overwrite"));
    QVERIFY(!start->isEnabled());
    replace->setChecked(true);
    QCOMPARE(start->text(), "Replace");
    QVERIFY(dialog->grab().save(test::picture("import-replace.png")));
    words->clear();
    start->click();
    QTRY_COMPARE_WITH_TIMEOUT(words->text(), "short is in the library", 20'000);
    field("input")->setText(folder.filePath("no-such-film.mp4"));
    start->click();
    QTRY_VERIFY_WITH_TIMEOUT(words->text().contains("no-such-film.mp4"), 20'000);
    dialog->reject();
    // The settings of the import are remembered.
    ControlLink nothing;
    const ImportDialog again(nothing);
    QCOMPARE(again.request().wall_file, folder.filePath("wall.toml"));
    QCOMPARE(again.request().out, QStringList{folder.filePath("content")});
  }

  void import_runs_on_the_servers_host() {
    auto info = server_->results["info"];
    info["host"] = "far.example.org";
    info["import_from"] = QJsonArray{"/srv/import"};
    info["you"] = QJsonObject{{"name", "desk"}, {"role", "administer"}};
    server_->results["info"] = info;
    server_->calls.clear();
    window_->connect_to(server_->address());
    QVERIFY(server_->was_asked("list"));
    window_->setFocus();
    QTest::keyClick(window_.get(), Qt::Key_I, Qt::ControlModifier);
    QTRY_VERIFY(window_->findChild<ImportDialog*>() != nullptr);
    auto* dialog = window_->findChild<ImportDialog*>();
    auto* start = dialog->findChild<QPushButton*>("start");
    auto* words = dialog->findChild<QLabel*>("words");
    auto* place = dialog->findChild<QComboBox*>("place");
    QCOMPARE(place->currentText(), "The server's host, far.example.org");
    QVERIFY(!dialog->findChild<QLineEdit*>("wall-file")->isVisible());
    QVERIFY2(words->text().contains("below /srv/import"), qPrintable(words->text()));
    QVERIFY(!start->isEnabled());
    dialog->findChild<QLineEdit*>("input")->setText("/srv/import/film.mp4");
    dialog->findChild<QLineEdit*>("name")->setText("film");
    QVERIFY2(start->isEnabled(), qPrintable(words->text()));
    const auto state = [](const QString& status, int frames, const QString& reason) {
      const QJsonObject a{{"server", "a"},     {"number", 1},      {"input", "/srv/import/film.mp4"},
                          {"name", "film"},    {"status", "done"}, {"frames", 80},
                          {"frames_total", 80}};
      QJsonObject b{{"server", "b"},      {"number", 1},        {"input", "/srv/import/film.mp4"},
                    {"name", "film"},     {"status", status},   {"frames", frames},
                    {"frames_total", 80}, {"frames_per_s", 30}, {"mb_per_s", 12}};
      if (!reason.isEmpty()) b["reason"] = reason;
      return QJsonObject{{"status", "stopped"}, {"imports", QJsonArray{a, b}}};
    };
    server_->results["import"] = state("running", 0, {});
    start->click();
    QVERIFY(server_->was_asked("import", {{"input", "/srv/import/film.mp4"}, {"name", "film"}, {"fit", "fit"}}));
    server_->tell("state", state("running", 20, {}));
    QTRY_COMPARE(words->text(), "frame 20 of 80, 30.0 fps, 12 MB/s, server b, 0:02 left");
    QVERIFY(dialog->grab().save(test::picture("import-server.png")));
    dialog->findChild<QPushButton*>("cancel")->click();
    QVERIFY(server_->was_asked("import.cancel"));
    server_->tell("state", state("cancelled", 20, {}));
    QTRY_COMPARE(start->text(), "Resume");
    start->click();
    QTRY_VERIFY2(words->text().startsWith("frame 0 of 80"), qPrintable(words->text()));
    server_->tell("state", state("failed", 20, "no space left"));
    QTRY_VERIFY2(words->text().contains("b: no space left"), qPrintable(words->text()));
    server_->errors["import"] = "server 'a' is importing other.mp4";
    start->click();
    QTRY_VERIFY2(words->text().contains("is importing other.mp4"), qPrintable(words->text()));
    // One that somebody else began; it goes on when the dialog is closed.
    server_->tell("state", state("running", 40, {}));
    QTRY_VERIFY(words->text().startsWith("frame 40 of 80"));
    server_->calls.clear();
    dialog->reject();
    QTRY_VERIFY(window_->findChild<ImportDialog*>() == nullptr);
    QVERIFY(!server_->calls.contains({"import.cancel", QJsonObject{}}));
  }

  // Wall file and content folder had to be typed.
  void a_server_on_this_host_names_wall_file_and_folders() {
    const QTemporaryDir folder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    const auto films = test::make_films(folder);
    QVERIFY(QDir(folder.path()).mkdir("more"));
    test::reconnect(*server_, *window_, host_name(), {},
                    {test::folder_message(folder.filePath("content"), true, true, 800e9),
                     test::folder_message(folder.filePath("more"), true, false, 1000)},
                    folder.filePath("wall.toml"));
    panel()->import_files({films[0]});
    auto* dialog = window_->findChild<ImportDialog*>();
    auto* list = dialog->findChild<QListWidget*>("folders");
    auto* start = dialog->findChild<QPushButton*>("start");
    auto* notes = dialog->findChild<StateNote*>("import-notes");
    auto* words = dialog->findChild<QLabel*>("words");
    QTRY_VERIFY(list->isVisible());
    QVERIFY(!dialog->findChild<QLineEdit*>("wall-file")->isVisible());
    QVERIFY(!dialog->findChild<QLineEdit*>("out")->isVisible());
    QCOMPARE(dialog->findChild<ElidedLabel*>("servers-wall-file")->text(), folder.filePath("wall.toml"));
    QVERIFY2(list->item(0)->text().contains("800 GB of 2.0 TB free"), qPrintable(list->item(0)->text()));
    QVERIFY2(start->isEnabled(), qPrintable(words->text()));  // nothing to type
    QTRY_VERIFY_WITH_TIMEOUT(dialog->findChild<QLabel*>("size-facts")->text().contains("become"), 20'000);
    QVERIFY(!notes->isVisible());
    QVERIFY(dialog->grab().save(test::picture("import-from-server.png")));
    list->item(1)->setCheckState(Qt::Checked);
    QVERIFY2(notes->words().contains("/more has no room"), qPrintable(notes->words()));
    for (int row = 0; row < 2; ++row) list->item(row)->setCheckState(Qt::Unchecked);
    QCOMPARE(words->text(), "Choose a folder that can have stores");
    QVERIFY(!start->isEnabled());
    list->item(0)->setCheckState(Qt::Checked);
    start->click();
    QTRY_COMPARE_WITH_TIMEOUT(words->text(), "one is in the library", 30'000);
    QVERIFY(QFile::exists(folder.filePath("content/one/visualization.json")));
    // What the server says is not remembered for another one.
    ControlLink nothing;
    QVERIFY(ImportDialog(nothing).request().wall_file.isEmpty());
  }

  void a_store_of_another_wall_is_cut_for_this_one() {
    const QTemporaryDir folder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    test::make_films(folder);
    QFile other(folder.filePath("other.toml"));
    QVERIFY(other.open(QIODevice::WriteOnly));
    other.write(QByteArray(test::two_tiles_file)
                    .replace("columns = 2", "columns = 1")
                    .replace("tile_width = 64", "tile_width = 96")
                    .replace(", { column = 1, row = 0 }", ""));
    other.close();
    const auto content = folder.filePath("content");
    const QStringList of_old{"lavfi:testsrc2=size=96x40:rate=30:duration=0.5",
                             "--wall",
                             other.fileName(),
                             "--out",
                             content,
                             "--name",
                             "narrow"};
    QCOMPARE(QProcess::execute(IngestRun::program(), of_old), 0);
    auto narrow = visualization("narrow", {}, 0.1, 2e6, 3);
    narrow["cut_from"] = content + "/narrow";
    server_->results["list"] = {{"visualizations", QJsonArray{narrow, visualization("waves", {"water"}, 0.7, 2e9, 3)}}};
    test::reconnect(*server_, *window_, host_name(), {}, {test::folder_message(content, true, true, 800e9)},
                    folder.filePath("wall.toml"));
    auto* view = window_->findChild<LibraryView*>();
    auto* menu = view->findChild<QMenu*>("card-menu");
    auto* cut = window_->findChild<QAction*>("cut-for-this-wall");
    QTRY_COMPARE(names().size(), 2);
    const auto open_menu_of = [&](const QString& name) {
      view->setCurrentIndex(view->model()->index(static_cast<int>(names().indexOf(name)), 0));
      emit menu->aboutToShow();
    };
    QVERIFY(menu->actions().contains(cut));
    open_menu_of("waves");
    QVERIFY(!cut->isEnabled());  // it fits
    open_menu_of("narrow");
    QVERIFY(cut->isEnabled());
    cut->trigger();
    auto* dialog = window_->findChild<ImportDialog*>();
    QVERIFY(dialog != nullptr);
    QCOMPARE(dialog->findChild<QLineEdit*>("input")->text(), content + "/narrow");
    QCOMPARE(dialog->findChild<QLineEdit*>("name")->text(), "narrow-2x1");
    auto* start = dialog->findChild<QPushButton*>("start");
    auto* words = dialog->findChild<QLabel*>("words");
    QTRY_VERIFY_WITH_TIMEOUT(dialog->findChild<QLabel*>("source-facts")->text().startsWith("96 \u00d7 40"), 20'000);
    QVERIFY2(start->isEnabled(), qPrintable(words->text()));
    QVERIFY(dialog->grab().save(test::picture("import-cut.png")));
    start->click();
    QTRY_COMPARE_WITH_TIMEOUT(words->text(), "narrow-2x1 is in the library", 30'000);
    QVERIFY(QFile::exists(content + "/narrow-2x1/tile-1-0.npy"));
  }

  // A server on another host takes its own stores, although they are not below its folders for imports.
  void a_store_of_another_wall_is_cut_on_the_servers_host() {
    auto narrow = visualization("narrow", {}, 0.1, 2e6, 3);
    narrow["cut_from"] = "/ssd1/narrow";
    server_->results["list"] = {{"visualizations", QJsonArray{narrow}}};
    test::reconnect(
        *server_, *window_, "far.example.org", {"/srv/import"},
        {test::folder_message("/ssd1", true, true, 800e9), test::folder_message("/ssd2", false, true, 700e9)},
        "/etc/lambdawall/wall.toml");
    auto* view = window_->findChild<LibraryView*>();
    QTRY_COMPARE(names(), QStringList{"narrow"});
    view->setCurrentIndex(view->model()->index(0, 0));
    emit view->findChild<QMenu*>("card-menu")->aboutToShow();
    window_->findChild<QAction*>("cut-for-this-wall")->trigger();
    auto* dialog = window_->findChild<ImportDialog*>();
    auto* start = dialog->findChild<QPushButton*>("start");
    QTRY_VERIFY2(start->isEnabled(), qPrintable(dialog->findChild<QLabel*>("words")->text()));
    server_->results["import"] = {{"status", "stopped"}, {"imports", QJsonArray{}}};
    start->click();
    QVERIFY(server_->was_asked("import", {{"input", "/ssd1/narrow"}, {"name", "narrow-2x1"}, {"fit", "fit"}}));
    dialog->findChild<QLineEdit*>("input")->setText("/ssd2/narrow");
    QVERIFY(!start->isEnabled());  // that folder has no stores
  }

  // Of another host, only its own folders and media are offered; a file of the same name is found there.
  void a_server_on_another_host_offers_its_folders_and_media() {
    test::reconnect(
        *server_, *window_, "far.example.org", {"/srv/import"},
        {test::folder_message("/ssd1", true, true, 800e9), test::folder_message("/ssd2", false, true, 700e9),
         test::folder_message("/ssd3", true, false, 600e9)},
        "/etc/lambdawall/wall.toml", {"/srv/import/film.mp4", "/srv/import/waves.mp4"});
    panel()->import_files({"/home/me/film.mp4", "/home/me/waves.mp4"});
    auto* dialog = window_->findChild<ImportDialog*>();
    auto* input = dialog->findChild<QLineEdit*>("input");
    auto* list = dialog->findChild<QListWidget*>("folders");
    auto* start = dialog->findChild<QPushButton*>("start");
    auto* words = dialog->findChild<QLabel*>("words");
    auto* replace = dialog->findChild<QCheckBox*>("replace");
    QTRY_VERIFY(list->isVisible());
    QVERIFY(!dialog->findChild<QWidget*>("servers-wall-file")->isVisible());
    QVERIFY(dialog->findChild<QPushButton*>("on-server")->isVisible());
    QCOMPARE(input->text(), "/srv/import/film.mp4");
    QCOMPARE(list->count(), 3);
    QVERIFY2(list->item(1)->text().contains("stripes only"), qPrintable(list->item(1)->text()));
    input->setText("/home/me/other.mp4");
    QVERIFY2(words->text().contains("copy it there first"), qPrintable(words->text()));
    QVERIFY(!start->isEnabled());
    input->setText("/srv/import/film.mp4");
    QVERIFY2(start->isEnabled(), qPrintable(words->text()));
    list->item(0)->setCheckState(Qt::Unchecked);
    list->item(2)->setCheckState(Qt::Checked);
    dialog->findChild<QCheckBox*>("put-on-wall")->setChecked(true);
    const auto state = [](const QString& name, const QString& status, int number, const QString& reason = {}) {
      QJsonObject import{{"server", "a"}, {"number", number}, {"input", "/srv/import/" + name + ".mp4"},
                         {"name", name},  {"status", status}, {"frames", 80}};
      if (!reason.isEmpty()) import["reason"] = reason;
      return QJsonObject{{"status", "stopped"}, {"imports", QJsonArray{import}}};
    };
    server_->results["import"] = state("film", "running", 1);
    QVERIFY(dialog->grab().save(test::picture("import-elsewhere.png")));
    start->click();
    QVERIFY(server_->was_asked(
        "import", {{"input", "/srv/import/film.mp4"}, {"fit", "fit"}, {"into", QJsonArray{"/ssd3", "/ssd2"}}}));
    // The next one has a name that the library has: it waits for an answer.
    server_->tell("state", state("film", "done", 1));
    QTRY_COMPARE(input->text(), "/srv/import/waves.mp4");
    QVERIFY(replace->isVisible());
    QVERIFY2(words->text().contains("has waves already"), qPrintable(words->text()));
    QVERIFY(!start->isEnabled());
    replace->setChecked(true);
    QCOMPARE(start->text(), "Replace");
    for (int row = 0; row < 2; ++row) list->item(row)->setCheckState(Qt::Checked);
    list->item(2)->setCheckState(Qt::Unchecked);
    server_->results["import"] = state("waves", "running", 2);
    auto* format = dialog->findChild<QComboBox*>("format");
    format->setCurrentIndex(format->findData("bc1"));
    start->click();
    QVERIFY(server_->was_asked(
        "import", {{"input", "/srv/import/waves.mp4"}, {"fit", "fit"}, {"format", "bc1"}, {"overwrite", true}}));
    format->setCurrentIndex(0);
    server_->tell("state", state("waves", "done", 2));
    QVERIFY(server_->was_asked("load", {{"name", "waves"}}));
    // The server may know a name that this window does not.
    replace->setChecked(false);
    input->setText("/srv/import/film.mp4");
    server_->results["import"] = state("film", "running", 3);
    server_->calls.clear();
    start->click();
    QVERIFY(server_->was_asked("import", {{"input", "/srv/import/film.mp4"}, {"fit", "fit"}}));
    server_->tell("state", state("film", "failed", 3, "/ssd1/film already exists; add --overwrite to replace it"));
    QTRY_VERIFY(replace->isVisible());
    QVERIFY2(words->text().contains("has film already"), qPrintable(words->text()));
    QCOMPARE(replace->text(), QString::fromUtf8("Replace \u201cfilm\u201d, which the library has"));
  }

  // One of several servers that has not read it yet cannot play it: it goes on the wall when all can.
  void put_on_the_wall_waits_until_all_servers_have_it() {
    test::reconnect(*server_, *window_, "far.example.org", {"/srv/import"},
                    {test::folder_message("/ssd1", true, true, 800e9)}, "/etc/wall.toml");
    panel()->import_files({"/srv/import/film.mp4"});
    auto* dialog = window_->findChild<ImportDialog*>();
    dialog->findChild<QCheckBox*>("put-on-wall")->setChecked(true);
    auto* start = dialog->findChild<QPushButton*>("start");
    QTRY_VERIFY(start->isEnabled());
    const auto list = [&](bool fits) {
      auto film = visualization("film", {}, 0.1, 1e6, 4);
      film["fits"] = fits;
      server_->results["list"] = {{"visualizations", QJsonArray{film}}};
      server_->tell("event", {{"time", "2026-01-31T12:00:00.000Z"}, {"code", "library"}, {"text", "film is new"}});
    };
    server_->results["import"] = {{"status", "stopped"}};
    start->click();
    QVERIFY(server_->was_asked("import", {{"input", "/srv/import/film.mp4"}, {"fit", "fit"}}));
    server_->tell("state",
                  {{"status", "stopped"},
                   {"imports", QJsonArray{QJsonObject{{"server", "a"}, {"name", "film"}, {"status", "running"}}}}});
    server_->tell("state",
                  {{"status", "stopped"},
                   {"imports", QJsonArray{QJsonObject{{"server", "a"}, {"name", "film"}, {"status", "done"}}}}});
    list(false);
    QTRY_COMPARE(names(), QStringList{"film"});
    QTest::qWait(100);
    QVERIFY(!server_->calls.contains({"load", QJsonObject{{"name", "film"}}}));
    list(true);
    QVERIFY(server_->was_asked("load", {{"name", "film"}}));
  }

  // A dialog that was closed while the server had not answered.
  void an_answer_after_the_dialog_is_gone_does_no_harm() {
    test::reconnect(*server_, *window_, "far.example.org", {"/srv/import"},
                    {test::folder_message("/ssd1", true, true, 800e9)}, "/etc/wall.toml");
    panel()->import_files({"/srv/import/film.mp4"});
    auto* dialog = window_->findChild<ImportDialog*>();
    auto* start = dialog->findChild<QPushButton*>("start");
    QTRY_VERIFY(start->isEnabled());
    start->click();
    delete dialog;
    QVERIFY(server_->was_asked("import", {{"input", "/srv/import/film.mp4"}, {"fit", "fit"}}));
    QTest::qWait(50);
  }

  void import_shows_what_it_will_do_and_goes_on_with_the_next() {
    const QTemporaryDir folder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    const auto films = test::make_films(folder);
    panel()->import_files(films);
    QTRY_VERIFY(window_->findChild<ImportDialog*>() != nullptr);
    auto* dialog = window_->findChild<ImportDialog*>();
    dialog->findChild<QLineEdit*>("wall-file")->setText(folder.filePath("wall.toml"));
    dialog->findChild<QLineEdit*>("out")->setText(folder.filePath("content"));
    QCOMPARE(dialog->waiting(), QStringList{films[1]});
    // 10 frames of two tiles of 64 x 40 with 3 bytes.
    auto* size = dialog->findChild<QLabel*>("size-facts");
    QTRY_VERIFY_WITH_TIMEOUT(size->text().contains("become 0.2 MB"), 20'000);
    QVERIFY(dialog->findChild<QLabel*>("source-facts")->text().contains(QString::fromUtf8("256 \u00d7 80")));
    QVERIFY(!dialog->findChild<QLabel*>("preview")->pixmap(Qt::ReturnByValue).isNull());
    QVERIFY(dialog->grab().save(test::picture("import-facts.png")));
    auto* start = dialog->findChild<QPushButton*>("start");
    dialog->findChild<QCheckBox*>("put-on-wall")->setChecked(true);
    const auto list = server_->results["list"];
    auto more = list["visualizations"].toArray();
    more << visualization("one", {}, 0.1, 1e6, 4) << visualization("two", {}, 0.1, 1e6, 4);
    server_->results["list"] = {{"visualizations", more}};
    const QSignalSpy imported(dialog, &ImportDialog::imported);
    start->click();
    QTRY_COMPARE_WITH_TIMEOUT(imported.count(), 2, 30'000);
    QCOMPARE(imported[0][0].toString(), QString("one"));
    QVERIFY(!imported[0][1].toBool());  // only the last one goes on the wall
    QCOMPARE(imported[1][0].toString(), QString("two"));
    QVERIFY(QFile::exists(folder.filePath("content/two/visualization.json")));
    QVERIFY(server_->was_asked("load", {{"name", "two"}}));
  }

  // The dialog says before it starts what happens to sound, and what is lost.
  void notes_before_an_import() {
    const auto facts = facts_from({{"event", "probe"},
                                   {"name", "film"},
                                   {"width", 1920},
                                   {"height", 1080},
                                   {"frame_rate", "25"},
                                   {"frames", 250},
                                   {"input_bytes", 10e6},
                                   {"bytes", 922e6},
                                   {"sound", true},
                                   {"sound_channels", 2},
                                   {"hdr", true}});
    QVERIFY(facts);
    QCOMPARE(size_text(*facts), QString("10 MB become 922 MB"));
    QCOMPARE(source_text(*facts), QString::fromUtf8("1920 \u00d7 1080 \u00b7 25 fps \u00b7 0:10"));
    QCOMPARE(notes_of(*facts).size(), 2);
    QCOMPARE(notes_of(*facts)[0], QString("Its sound is kept: 2 channels."));
    QVERIFY(notes_of(*facts)[1].contains("HDR"));
    QVERIFY(!facts_from({{"event", "progress"}}));
    IngestFacts bare;
    QVERIFY(notes_of(bare).isEmpty());
    QVERIFY(!size_text(bare).contains("0 MB"));  // not known is not 0
  }

  void import_passes_words_on_as_they_are() {
    const IngestRequest request{.input = "-odd; rm name",
                                .wall_file = "w.toml",
                                .out = {"/a", "/b"},
                                .name = "n",
                                .title = "A title; $HOME",
                                .tags = {"x y", "-z"},
                                .fit = "fill"};
    QCOMPARE(IngestRun::arguments(request),
             (QStringList{"--json", "--wall", "w.toml", "--out", "/a,/b", "--fit", "fill", "--name=n",
                          "--title=A title; $HOME", "--tag=x y", "--tag=-z", "--", "-odd; rm name"}));
    auto replacing = request;
    replacing.overwrite = true;
    replacing.format = "bc7";
    QVERIFY(IngestRun::arguments(replacing).contains("--overwrite"));
    QCOMPARE(IngestRun::arguments(replacing).mid(7, 2), (QStringList{"--format", "bc7"}));
    QCOMPARE(IngestProbe::arguments(replacing).mid(6), (QStringList{"--format", "bc7", "--", "-odd; rm name"}));
    QCOMPARE(progress_text({1, {}, 30, 12}), "1 frame, 30.0 fps, 12 MB/s");
    QCOMPARE(progress_text({20, 80, 30, 12}), "frame 20 of 80, 30.0 fps, 12 MB/s, 0:02 left");
    QCOMPARE(progress_text({20, {}, 30, 12}), "20 frames, 30.0 fps, 12 MB/s");
    QCOMPARE(progress_text({20, {}, 30, 12, 40}), "20 frames, 30.0 fps, 12 MB/s (at most 40 while a wall plays)");
  }
};

QTEST_MAIN(ImportTest)
#include "import_test.moc"
