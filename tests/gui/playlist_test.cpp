// The playlist's editor: its requests to the server, which entries are live, order by key and mouse, files.
#include "tests/gui/picture.h"
#include "tests/gui/scripted_server.h"
#include "wall-control/app/main_window.h"
#include "wall-control/models/playlist_draft.h"
#include "wall-control/playlist/playlist_panel.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QTabWidget>
#include <QTemporaryDir>

#include <algorithm>
#include <memory>

using namespace lw;

namespace {

QJsonObject entry(int id, const QString& name) { return {{"id", id}, {"name", name}}; }

QJsonObject state(const QJsonValue& on_wall, const QJsonArray& playlist, bool repeat = false) {
  QJsonObject state{{"status", "playing"}, {"name", "alpha"},      {"frame", 0},
                    {"frames", 90},        {"frame_rate", "30"},   {"rate", 1.0},
                    {"loop", true},        {"playlist", playlist}, {"repeat", repeat}};
  if (on_wall.isObject()) state["entry"] = on_wall;
  return state;
}

PlaylistDraft draft_of(const QStringList& names) {
  PlaylistDraft draft;
  for (const auto& name : names) draft.insert(draft.entries().size(), name);
  return draft;
}

QStringList names_of(const PlaylistRequest& request) {
  QStringList names;
  for (const auto& entry : *request.entries) names << QString::fromStdString(entry.name);
  return names;
}

}  // namespace

class PlaylistTest : public QObject {
  Q_OBJECT

  std::unique_ptr<test::ScriptedServer> server_;
  std::unique_ptr<MainWindow> window_;

  PlaylistPanel* panel() { return window_->findChild<PlaylistPanel*>(); }
  QListWidget* list() { return window_->findChild<QListWidget*>("playlist"); }
  QPushButton* button(const char* name) { return window_->findChild<QPushButton*>(name); }
  QString live() { return window_->findChild<QLabel*>("playlist-live")->text(); }
  QStringList names() {
    QStringList names;
    for (const auto& entry : panel()->draft().entries()) names << entry.name;
    return names;
  }

private slots:
  void initTestCase() { test::look_like_the_program(); }
  void init() {
    server_ = std::make_unique<test::ScriptedServer>();
    QJsonArray visualizations;
    for (const auto* name : {"alpha", "beta", "gamma"})
      visualizations << QJsonObject{{"name", name}, {"title", QString("The ") + name}, {"fits", false}};
    server_->results["list"] = {{"visualizations", visualizations}};
    window_ = std::make_unique<MainWindow>();
    window_->resize(1280, 720);
    window_->show();
    window_->connect_to(server_->address());
    QVERIFY(server_->was_asked("subscribe"));
    QTRY_COMPARE(window_->findChild<QListView*>("library")->model()->rowCount(), 3);
    window_->findChild<QTabWidget*>("left")->setCurrentIndex(1);
  }
  void cleanup() {
    window_.reset();
    server_.reset();
  }

  void what_is_edited_is_not_live_until_it_is_applied() {
    QTRY_VERIFY(live().contains("Empty"));
    button("add")->click();
    button("add")->click();
    QCOMPARE(names(), (QStringList{"alpha", "alpha"}));
    QVERIFY(live().contains("not live"));
    QVERIFY(list()->item(0)->text().contains("edited, not live"));
    auto* ends = window_->findChild<QComboBox*>("ends");
    ends->setCurrentIndex(2);
    emit ends->activated(2);
    window_->findChild<QDoubleSpinBox*>("amount")->setValue(12.5);
    QVERIFY(list()->item(1)->text().contains("for 12.5 s"));
    window_->findChild<QCheckBox*>("repeat")->setChecked(true);
    QVERIFY(std::ranges::none_of(server_->calls, [](const auto& call) { return call.first == "playlist"; }));

    server_->results["playlist"] = {
        {"entries", QJsonArray{entry(1, "alpha"), QJsonObject{{"id", 2}, {"name", "alpha"}, {"seconds", 12.5}}}},
        {"repeat", true}};
    button("apply")->click();
    QVERIFY(server_->was_asked("playlist", {{"entries", QJsonArray{QJsonObject{{"name", "alpha"}},
                                                                   QJsonObject{{"name", "alpha"}, {"seconds", 12.5}}}},
                                            {"repeat", true}}));
    QTRY_VERIFY(live().contains("Live"));
    QVERIFY(list()->item(0)->text().contains("queued"));
    server_->tell("state", state(entry(1, "alpha"), {entry(2, "alpha"), entry(1, "alpha")}, true));
    QTRY_VERIFY(list()->item(0)->text().contains("on the wall"));
    QVERIFY(live().contains("Live"));
    button("add")->click();
    QVERIFY(window_->grab().save(test::picture("playlist.png")));
  }

  void play_from_start_makes_it_live_and_goes_there() {
    button("add")->click();
    button("play-from-start")->click();
    QVERIFY(
        server_->was_asked("playlist", {{"entries", QJsonArray{QJsonObject{{"name", "alpha"}}}}, {"repeat", false}}));
    QVERIFY(server_->was_asked("next"));
    button("play-from-start")->findChild<QMenu*>("copies")->actions().at(0)->trigger();
    QVERIFY(QGuiApplication::clipboard()->text().endsWith("--call next"));
  }

  void another_operators_playlist_is_taken_over_unless_edited() {
    server_->tell("state", state({}, {entry(7, "beta"), entry(8, "gamma")}));
    QTRY_COMPARE(names(), (QStringList{"beta", "gamma"}));
    QVERIFY(live().contains("Live"));
    button("remove")->click();
    QVERIFY(live().contains("not live"));
    server_->tell("state", state({}, {entry(9, "alpha")}));
    QTest::qWait(50);
    QCOMPARE(names(), QStringList{"gamma"});
    button("revert")->click();
    QCOMPARE(names(), QStringList{"alpha"});
  }

  void order_is_changed_by_key_and_by_hand() {
    server_->tell("state", state({}, {entry(1, "alpha"), entry(2, "beta"), entry(3, "gamma")}));
    QTRY_COMPARE(names().size(), 3);
    list()->setCurrentRow(0);
    button("down")->click();
    QCOMPARE(names(), (QStringList{"beta", "alpha", "gamma"}));
    QCOMPARE(list()->currentRow(), 1);
    button("up")->click();
    QCOMPARE(names(), (QStringList{"alpha", "beta", "gamma"}));
    // As a drop does.
    QVERIFY(list()->model()->moveRow({}, 0, {}, 3));
    QTRY_COMPARE(names(), (QStringList{"beta", "gamma", "alpha"}));
    QTRY_VERIFY(list()->item(2)->text().contains("The alpha"));
    QCOMPARE(button("up")->shortcut(), QKeySequence(Qt::ALT | Qt::Key_Up));
  }

  void what_follows_depends_on_what_is_on_the_wall() {
    auto draft = draft_of({"a", "b", "c"});
    draft.set_repeat(true);
    QCOMPARE(names_of(draft.request(false)), (QStringList{"a", "b", "c"}));
    const std::vector<EntryMessage> given{{"a", 1, {}, {}, {}}, {"b", 2, {}, {}, {}}, {"c", 3, {}, {}, {}}};
    draft.applied(false, {{}, given, true});
    QVERIFY(!draft.edited());
    StateMessage state;
    state.entry = given[1];
    state.playlist = {given[2], given[0], given[1]};
    state.repeat = true;
    draft.set_live(state);
    QVERIFY(!draft.edited());
    QCOMPARE(draft.state_of(1), EntryState::on_wall);
    QCOMPARE(names_of(draft.request(false)), (QStringList{"c", "a", "b"}));
    QCOMPARE(names_of(draft.request(true)), (QStringList{"a", "b", "c"}));
    draft.move(2, 0);
    QVERIFY(!draft.edited());  // the same playlist, reported again
    QCOMPARE(names_of(draft.request(false)), (QStringList{"c", "a", "b"}));
    draft.move(0, 1);
    QVERIFY(draft.edited());
    draft.set_repeat(false);
    QVERIFY(names_of(draft.request(false)).isEmpty());
    draft.set_live({});
    QCOMPARE(draft.state_of(0), EntryState::played);
    draft.set_duration(0, 3, {});
    QCOMPARE(draft.state_of(0), EntryState::edited);
  }

  void a_playlist_is_saved_and_opened_again() {
    const QTemporaryDir folder;
    button("add")->click();
    auto* ends = window_->findChild<QComboBox*>("ends");
    ends->setCurrentIndex(1);
    emit ends->activated(1);
    QCOMPARE(panel()->save(folder.filePath("list.json")), QString());
    button("remove")->click();
    QVERIFY(names().isEmpty());
    QCOMPARE(panel()->open(folder.filePath("list.json")), QString());
    QCOMPARE(names(), QStringList{"alpha"});
    QCOMPARE(panel()->draft().entries()[0].loops, 2);
    QVERIFY(panel()->open(folder.filePath("nowhere.json")).contains("cannot read"));
    QVERIFY(panel()->save(folder.filePath("no-folder/a.json")).contains("cannot write"));
    QCOMPARE(names(), QStringList{"alpha"});
  }

  void files_that_are_wrong_are_refused_in_words() {
    const auto refused = [](const QByteArray& entries) {
      auto draft = draft_of({"kept"});
      const auto words = draft.open(R"({"lambdawall_playlist": 1, "entries": )" + entries + "}");
      return draft.entries().size() == 1 && draft.entries()[0].name == "kept" ? words : QString();
    };
    QVERIFY(refused("[").contains("no JSON"));
    QVERIFY(refused("3").contains("no entries"));
    QVERIFY(refused("[5]").contains("entry 1 is no object"));
    QVERIFY(refused(R"([{"name": "a"}, {"name": ""}])").contains("entry 2 has no name"));
    QVERIFY(refused(R"([{"name": "a", "loops": 1.5}])").contains("loops"));
    QVERIFY(refused(R"([{"name": "a", "seconds": -1}])").contains("seconds"));
    QVERIFY(refused(R"([{"name": "a", "loops": 1, "seconds": 1}])").contains("both"));
    QVERIFY(refused(R"([{"name": "a", "speed": 1}])").contains("speed"));
    PlaylistDraft draft;
    QVERIFY(draft.open("{}").contains("no playlist"));
  }
};

QTEST_MAIN(PlaylistTest)
#include "playlist_test.moc"
