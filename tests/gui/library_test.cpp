// The library: what is shown and in which order, whether it fits the wall and the link, the strip with pointer and
// keyboard, and the questions before anything changes on the server's disks.
#include "tests/gui/picture.h"
#include "tests/gui/scripted_server.h"
#include "wall-control/app/main_window.h"
#include "wall-control/library/delete_dialog.h"
#include "wall-control/library/describe_dialog.h"
#include "wall-control/library/import_dialog.h"
#include "wall-control/library/library_delegate.h"
#include "wall-control/library/library_panel.h"
#include "wall-control/library/library_view.h"
#include "wall-control/messages/told.h"
#include "wall-control/models/library_model.h"
#include "wall-control/transport/timeline_bar.h"
#include "wall-control/ui/state_note.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QBuffer>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>

#include <memory>

using namespace lw;

namespace {

QJsonObject visualization(const QString& name, const QStringList& tags, double gbit, double bytes, int day) {
  return {{"name", name},
          {"title", "The " + name},
          {"description", "About " + name},
          {"tags", QJsonArray::fromStringList(tags)},
          {"columns", 2},
          {"rows", 1},
          {"tile_width", 640},
          {"tile_height", 400},
          {"pixel_format", "rgb8"},
          {"frame_rate", "30"},
          {"frames", 300},
          {"bytes", bytes},
          {"gbit_per_s", gbit},
          {"poster", true},
          {"thumbnails", 4},
          {"made", QString("2026-01-%1T12:00:00.000Z").arg(day, 2, 10, QChar('0'))},
          {"fits", name != "narrow"},
          {"reason", name != "narrow" ? "" : "made for another wall"}};
}

constexpr const char* wall_file = R"(
[wall]
name = "two"
columns = 2
rows = 1
tile_width = 64
tile_height = 40
frame_rate = 30
[[node]]
name = "one"
address = "127.0.0.1"
tiles = [{ column = 0, row = 0 }, { column = 1, row = 0 }]
[[server]]
name = "s"
)";

// Side by side: red, green, blue, white.
QJsonObject strip() {
  QPixmap pixmap(400, 60);
  QPainter painter(&pixmap);
  int x = 0;
  for (const auto color : {Qt::red, Qt::green, Qt::blue, Qt::white})
    painter.fillRect(QRect(100 * x++, 0, 100, 60), color);
  painter.end();
  QByteArray bytes;
  QBuffer buffer(&bytes);
  pixmap.save(&buffer, "PNG");
  return {{"mime", "image/png"}, {"base64", QString::fromLatin1(bytes.toBase64())}};
}

}  // namespace

class LibraryTest : public QObject {
  Q_OBJECT

  std::unique_ptr<test::ScriptedServer> server_;
  std::unique_ptr<MainWindow> window_;

  LibraryView* view() { return window_->findChild<LibraryView*>(); }
  QStringList names() {
    QStringList names;
    for (int row = 0; row < view()->model()->rowCount(); ++row)
      names << view()->model()->index(row, 0).data(LibraryModel::name_role).toString();
    return names;
  }
  QString text(int row) { return view()->model()->index(row, 0).data(Qt::AccessibleTextRole).toString(); }
  // In the middle of the current item's thumbnail.
  QColor picture_color() {
    const auto place = view()->poster_of(view()->currentIndex());
    return view()->viewport()->grab().toImage().pixelColor(place.center());
  }
  LibraryPanel* panel() { return window_->findChild<LibraryPanel*>(); }
  void trigger(const char* name) { window_->findChild<QAction*>(name)->trigger(); }
  void choose_tag(const QString& tag) {
    for (auto* action : window_->findChild<QToolButton*>("tags")->menu()->actions())
      if (action->text() == tag) return action->trigger();
    QFAIL("no such tag");
  }

private slots:
  void initTestCase() { test::look_like_the_program(); }
  void init() {
    server_ = std::make_unique<test::ScriptedServer>();
    server_->results["list"] = {
        {"visualizations", QJsonArray{visualization("waves", {"water", "2D"}, 0.7, 2e9, 3),
                                      visualization("cosmos", {"stars", "2D"}, 1.5, 1e9, 1),
                                      visualization("narrow", {"stars"}, 0.2, 3e9, 2)}},
        {"rejected", QJsonArray{QJsonObject{{"folder", "broken"}, {"reason", "a stripe is missing"}}}},
        {"missing", QJsonArray{QJsonObject{{"directory", "/ssd2"},
                                           {"reason", "cannot read /ssd2: No such file or directory"},
                                           {"names", QJsonArray{"comets"}}}}}};
    server_->results["image"] = strip();
    server_->results["plan"] = {{"verdict", "limited"},
                                {"findings", QJsonArray{QJsonObject{{"verdict", "limited"},
                                                                    {"what", "interface eth0"},
                                                                    {"needed", "0.90 Gbit/s"},
                                                                    {"have", "1.00 Gbit/s"},
                                                                    {"mend", "use a faster one"}}}}};
    window_ = std::make_unique<MainWindow>();
    window_->resize(1280, 720);
    window_->show();
    window_->connect_to(server_->address());
    QTRY_COMPARE(names(), (QStringList{"cosmos", "narrow", "waves"}));
    QVERIFY(server_->was_asked("plan", {{"name", "waves"}}));
    // Posters decide how high cards are.
    QTRY_VERIFY(panel()->model().without_poster().isEmpty());
  }
  void cleanup() {
    window_.reset();
    server_.reset();
  }

  void order_and_filters() {
    const QAbstractItemModelTester tester(view()->model());
    trigger("order-rate");
    QCOMPARE(names(), (QStringList{"cosmos", "waves", "narrow"}));
    trigger("order-size");
    QCOMPARE(names(), (QStringList{"narrow", "waves", "cosmos"}));
    trigger("order-newest");
    QCOMPARE(names(), (QStringList{"waves", "narrow", "cosmos"}));
    choose_tag("stars");
    QCOMPARE(names(), (QStringList{"narrow", "cosmos"}));
    window_->findChild<QToolButton*>("only-fitting")->setChecked(true);
    QCOMPARE(names(), QStringList{"cosmos"});
    QCOMPARE(panel()->note(), QString("1 of 3"));
    const auto* troubles = window_->findChild<QLabel*>("library-troubles");
    QCOMPARE(troubles->text(), QString::fromUtf8("\u25b2 1 folder missing, 1 damaged"));
    const auto why = troubles->toolTip();
    QVERIFY2(why.contains("Missing: cannot read /ssd2: No such file or directory (comets)"), qPrintable(why));
    // The choice survives a refresh.
    server_->tell("event", {{"time", "2026-01-31T12:00:00.000Z"}, {"code", "library"}, {"text", "waves is deleted"}});
    QTRY_VERIFY(server_->calls.count({"list", {}}) == 2);
    QTest::qWait(50);
    QCOMPARE(names(), QStringList{"cosmos"});
    QCOMPARE(window_->findChild<QToolButton*>("tags")->text(), QString("stars"));
    choose_tag("All tags");
    auto* search = window_->findChild<QLineEdit*>("search");
    search->setText("about WATER");
    QCOMPARE(names(), QStringList{"waves"});
    search->setText("no such thing");
    auto* button = panel()->findChild<QPushButton*>("empty-action");
    QVERIFY(button->isVisible());
    button->click();
    QCOMPARE(names().size(), 3);
    QCOMPARE(panel()->note(), QString("3 visualizations"));
  }

  void the_badge_says_whether_wall_and_link_can_do_it() {
    QTRY_VERIFY(text(2).contains("Fits, tight: interface eth0 needs 0.90 Gbit/s, has 1.00 Gbit/s"));
    QVERIFY(text(1).contains("made for another wall"));
    QVERIFY(view()->model()->index(2, 0).data(Qt::ToolTipRole).toString().contains("use a faster one"));
    QVERIFY(!server_->calls.contains({"plan", QJsonObject{{"name", "narrow"}}}));
    LibraryModel model;
    auto list = library_from(server_->results["list"]).value().visualizations;
    list.front().tiles = std::vector<GridCell>{{1, 0}};
    model.set_visualizations(list);
    QVERIFY(model.index(0).data(Qt::ToolTipRole).toString().contains("Holds 1 of 2 tiles"));
    QVERIFY(!model.index(1).data(Qt::ToolTipRole).toString().contains("Holds"));
    model.set_plan("waves", {"two", {}, Verdict::ok, {}});
    QVERIFY(badge_text(*model.find("waves")).contains("Fits this wall"));
    model.set_plan("waves", {"two",
                             {},
                             Verdict::impossible,
                             {{Verdict::limited, "cores", "", "", {}},
                              {Verdict::impossible, "interface eth0", "44.2 Gbit/s", "40 Gbit/s", {}}}});
    QCOMPARE(badge_text(*model.find("waves")), QString("Too fast for this link: 44.2 of 40 Gbit/s"));
    QCOMPARE(model.find("waves")->short_reason(), QString("44.2 of 40 Gbit/s"));
    QCOMPARE(model.find("narrow")->short_reason(), QString("made for another wall"));
    QVERIFY(!model.find("waves")->plays());
    model.forget_plans();
    QVERIFY(model.find("waves")->plays());
    QCOMPARE(model.without_plan(), (QStringList{"waves", "cosmos"}));
  }

  void what_each_server_of_the_wall_has() {
    auto all = visualization("waves", {}, 0.7, 2e9, 3);
    all["servers"] =
        QJsonArray{QJsonObject{{"server", "a"}, {"state", "ready"}}, QJsonObject{{"server", "b"}, {"state", "ready"}},
                   QJsonObject{{"server", "b2"}, {"state", "absent"}}};
    auto other = visualization("cosmos", {}, 0.7, 2e9, 3);
    other["fits"] = false;
    other["reason"] = "server 'b' has another edition of cosmos; copy it to 'b'";
    other["servers"] = QJsonArray{QJsonObject{{"server", "a"}, {"state", "ready"}},
                                  QJsonObject{{"server", "b"}, {"state", "other-edition"}},
                                  QJsonObject{{"server", "c"}, {"state", "a newer version's word"}},
                                  QJsonObject{{"server", "d"}, {"state", "unknown"}},
                                  QJsonObject{{"server", "e"}, {"state", "unfit"}, {"reason", "a stripe is missing"}}};
    const QJsonObject elsewhere{{"name", "comets"},
                                {"fits", false},
                                {"reason", "server 'a' has no comets"},
                                {"servers", QJsonArray{QJsonObject{{"server", "a"}, {"state", "absent"}},
                                                       QJsonObject{{"server", "b"}, {"state", "ready"}}}}};
    server_->results["list"] = {{"visualizations", QJsonArray{all, other, elsewhere}}};
    server_->tell("event", {{"time", "2026-01-31T12:00:00.000Z"}, {"code", "library"}, {"text", "server b has 1"}});
    QTRY_COMPARE(names(), (QStringList{"comets", "cosmos", "waves"}));
    const auto tip = [&](int row) { return view()->model()->index(row, 0).data(Qt::ToolTipRole).toString(); };
    QCOMPARE(text(0), QString("comets, Does not fit: server 'a' has no comets"));
    QVERIFY2(tip(0).contains(QString::fromUtf8("\u2717 a: none of this name\n\u2713 b: has it")), qPrintable(tip(0)));
    QVERIFY(text(1).contains("Does not fit: server 'b' has another edition of cosmos"));
    QVERIFY2(
        tip(1).contains(QString::fromUtf8("\u2713 a: has it\n\u2717 b: another edition\n? d: not known\n\u2717 e: a "
                                          "stripe is missing")),
        qPrintable(tip(1)));
    QVERIFY2(text(2).contains(QString::fromUtf8("Fits; \u2717 b2: none of this name")), qPrintable(text(2)));
    QVERIFY(window_->grab().save(test::picture("library-servers.png")));
    window_->findChild<QToolButton*>("only-fitting")->setChecked(true);
    QCOMPARE(names(), QStringList{"waves"});
  }

  void keys_go_through_the_strip() {
    view()->setFocus();
    view()->select("waves");
    for (int i = 0; i < 3; ++i) QTest::keyClick(view(), Qt::Key_Period);
    QVERIFY(server_->was_asked("image", {{"name", "waves"}, {"kind", "thumbnails"}}));
    QTRY_COMPARE(picture_color(), QColor(Qt::red));
    for (int i = 0; i < 5; ++i) QTest::keyClick(view(), Qt::Key_Period);
    QCOMPARE(picture_color(), QColor(Qt::green));
    QVERIFY(window_->grab().save(test::picture("library.png")));
    QTest::keyClick(view(), Qt::Key_Comma, Qt::NoModifier);
    QTest::keyClick(view(), Qt::Key_Comma);
    QTest::keyClick(view(), Qt::Key_Comma);
    QTest::keyClick(view(), Qt::Key_Comma);
    QCOMPARE(picture_color(), QColor(Qt::red));
  }

  void the_pointer_goes_through_the_strip() {
    view()->select("waves");
    const auto place = view()->poster_of(view()->currentIndex());
    const auto at = [&](double part) { return place.topLeft() + QPoint(qRound(part * place.width()), 20); };
    QTest::mouseMove(view()->viewport(), at(0.6));
    QVERIFY(server_->was_asked("image", {{"name", "waves"}, {"kind", "thumbnails"}}));
    QTRY_COMPARE(picture_color(), QColor(Qt::blue));
    QTest::mouseMove(view()->viewport(), at(0.9));
    QTRY_COMPARE(picture_color(), QColor(Qt::white));
  }

  void describe_asks_for_what_was_typed() {
    view()->select("waves");
    window_->setFocus();
    QTest::keyClick(window_.get(), Qt::Key_F2);
    QTRY_VERIFY(window_->findChild<DescribeDialog*>() != nullptr);
    auto* dialog = window_->findChild<DescribeDialog*>();
    QCOMPARE(dialog->findChild<QLineEdit*>("tags")->text(), "water, 2D");
    auto* title = dialog->findChild<QLineEdit*>("title");
    title->setText("  ");
    QVERIFY(!dialog->save_button()->isEnabled());
    title->setText("Better");
    dialog->findChild<QLineEdit*>("tags")->setText("sea, , 3D");
    QVERIFY(dialog->grab().save(test::picture("describe.png")));
    dialog->save_button()->click();
    QVERIFY(server_->was_asked(
        "describe",
        {{"name", "waves"}, {"title", "Better"}, {"tags", QJsonArray{"sea", "3D"}}, {"description", "About waves"}}));
  }

  void import_goes_on_after_a_cancel() {
    const QTemporaryDir folder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    QFile wall(folder.filePath("wall.toml"));
    QVERIFY(wall.open(QIODevice::WriteOnly));
    wall.write(wall_file);
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

  void import_shows_what_it_will_do_and_goes_on_with_the_next() {
    const QTemporaryDir folder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    QFile wall(folder.filePath("wall.toml"));
    QVERIFY(wall.open(QIODevice::WriteOnly));
    wall.write(wall_file);
    wall.close();
    QVERIFY(QDir(folder.path()).mkdir("content"));
    QStringList films;
    for (const auto* name : {"one", "two"}) {
      QVERIFY(QDir(folder.path()).mkdir(name));
      QImage image(256, 80, QImage::Format_RGB32);
      image.fill(Qt::red);
      for (int i = 0; i < 10; ++i) QVERIFY(image.save(folder.filePath(QString("%1/f%2.png").arg(name).arg(i))));
      films << folder.filePath(name);
    }
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

  // The dialog lists losses before it starts; sound was dropped without a word.
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
                                   {"hdr", true}});
    QVERIFY(facts);
    QCOMPARE(size_text(*facts), QString("10 MB become 922 MB"));
    QCOMPARE(source_text(*facts), QString::fromUtf8("1920 \u00d7 1080 \u00b7 25 fps \u00b7 0:10"));
    QCOMPARE(notes_of(*facts).size(), 2);
    QVERIFY(notes_of(*facts)[0].contains("sound is not kept"));
    QVERIFY(notes_of(*facts)[1].contains("HDR"));
    QVERIFY(!facts_from({{"event", "progress"}}));
    IngestFacts bare;
    QVERIFY(notes_of(bare).isEmpty());
    QVERIFY(!size_text(bare).contains("0 MB"));  // not known is not 0
  }

  // Placeholders were brighter than values.
  void placeholders_are_fainter_than_values() {
    for (const auto theme : {Theme::dark, Theme::light, Theme::high_contrast}) {
      colors::use(theme);
      const auto palette = colors::palette();
      for (const auto group : {QPalette::Active, QPalette::Disabled}) {
        const auto contrast = [&](QPalette::ColorRole role) {
          return std::abs(palette.color(group, role).lightnessF() - palette.color(group, QPalette::Base).lightnessF());
        };
        QVERIFY(contrast(QPalette::PlaceholderText) <= contrast(QPalette::Text));
      }
      QVERIFY(palette.color(QPalette::PlaceholderText) != palette.color(QPalette::Text));
    }
    colors::use(Theme::dark);
  }

  void imports_have_a_card_with_their_progress() {
    const auto importing = [](int frames) {
      return QJsonObject{{"status", "stopped"},
                         {"imports", QJsonArray{QJsonObject{{"server", "a"},
                                                            {"name", "aurora"},
                                                            {"status", "running"},
                                                            {"frames", frames},
                                                            {"frames_total", 100}}}}};
    };
    view()->select("waves");
    server_->tell("state", importing(62));
    QTRY_COMPARE(names(), (QStringList{"aurora", "cosmos", "narrow", "waves"}));
    QCOMPARE(view()->current_name(), QString("waves"));
    QVERIFY2(text(0).contains("Importing 62 %"), qPrintable(text(0)));
    QVERIFY(!(view()->model()->flags(view()->model()->index(0, 0)) & Qt::ItemIsDragEnabled));
    server_->tell("state", importing(63));
    QTRY_VERIFY(text(0).contains("Importing 63 %"));
    server_->tell("state", {{"status", "stopped"}});
    QTRY_COMPARE(names(), (QStringList{"cosmos", "narrow", "waves"}));
  }

  void cards_can_be_dragged_and_have_a_menu() {
    const auto index = view()->model()->index(0, 0);
    const std::unique_ptr<QMimeData> dragged(view()->model()->mimeData({index}));
    QCOMPARE(dragged->data(visualizations_mime), QByteArray("cosmos"));
    QVERIFY(view()->model()->flags(index) & Qt::ItemIsDragEnabled);
    view()->setCurrentIndex(index);
    const QSignalSpy added(panel(), &LibraryPanel::add_wanted);
    trigger("add-to-playlist");
    QCOMPARE(added.count(), 1);
    QCOMPARE(added[0][0].toString(), QString("cosmos"));
    // Titles that do not fit two lines are there in full.
    QVERIFY(index.data(Qt::ToolTipRole).toString().startsWith("The cosmos (cosmos)"));
  }

  void the_strip_of_what_plays_is_in_the_timeline() {
    server_->tell(
        "state",
        {{"status", "playing"}, {"name", "waves"}, {"frame", 0}, {"frames", 300}, {"frame_rate", "30"}, {"rate", 1.0}});
    auto* timeline = window_->findChild<TimelineBar*>();
    const auto color = [&] {
      return timeline->grab().toImage().pixelColor(qRound(timeline->x_of(100)), timeline->height() / 2);
    };
    QTRY_COMPARE(color(), QColor(Qt::green));
  }

  void import_passes_words_on_as_they_are() {
    const IngestRequest request{"-odd; rm name", "w.toml", {"/a", "/b"}, "n",  "A title; $HOME",
                                {"x y", "-z"},   "fill",   false,        false};
    QCOMPARE(IngestRun::arguments(request),
             (QStringList{"--json", "--wall", "w.toml", "--out", "/a,/b", "--fit", "fill", "--name=n",
                          "--title=A title; $HOME", "--tag=x y", "--tag=-z", "--", "-odd; rm name"}));
    auto replacing = request;
    replacing.overwrite = true;
    QVERIFY(IngestRun::arguments(replacing).contains("--overwrite"));
    QCOMPARE(progress_text({1, {}, 30, 12}), "1 frame, 30.0 fps, 12 MB/s");
    QCOMPARE(progress_text({20, 80, 30, 12}), "frame 20 of 80, 30.0 fps, 12 MB/s, 0:02 left");
    QCOMPARE(progress_text({20, {}, 30, 12}), "20 frames, 30.0 fps, 12 MB/s");
    QCOMPARE(progress_text({20, {}, 30, 12, 40}), "20 frames, 30.0 fps, 12 MB/s (at most 40 while a wall plays)");
  }

  void delete_asks_twice() {
    view()->select("waves");
    window_->setFocus();
    QTest::keyClick(window_.get(), Qt::Key_Delete);
    QTRY_VERIFY(window_->findChild<DeleteDialog*>() != nullptr);
    auto* dialog = window_->findChild<DeleteDialog*>();
    dialog->delete_button()->click();
    QVERIFY(!dialog->delete_button()->isEnabled());
    auto* typed = dialog->findChild<QLineEdit*>("typed");
    typed->setText("wave");
    QVERIFY(!dialog->delete_button()->isEnabled());
    QVERIFY(dialog->grab().save(test::picture("delete.png")));
    QTest::qWait(50);
    QVERIFY(!server_->calls.contains({"delete", QJsonObject{{"name", "waves"}}}));
    typed->setText("waves");
    dialog->delete_button()->click();
    QVERIFY(server_->was_asked("delete", {{"name", "waves"}}));
  }
};

QTEST_MAIN(LibraryTest)
#include "library_test.moc"
