// The playlist's editor: its requests to the server, which entries are live, order by key and mouse, files.
#include "tests/gui/picture.h"
#include "tests/gui/scripted_server.h"
#include "wall-control/app/main_window.h"
#include "wall-control/models/playlist_draft.h"
#include "wall-control/playlist/playlist_panel.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QTabWidget>
#include <QTemporaryDir>

#include <algorithm>
#include <memory>

using namespace lw;

namespace {

QJsonObject entry(int id, const QString& name) { return {{"id", id}, {"name", name}}; }
QJsonObject once(int id, const QString& name) { return {{"id", id}, {"name", name}, {"loops", 1}}; }

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
  QListView* list() { return window_->findChild<QListView*>("playlist"); }
  QString row(int number) { return list()->model()->index(number, 0).data(Qt::AccessibleTextRole).toString(); }
  void select(int number) { list()->setCurrentIndex(list()->model()->index(number, 0)); }
  QAction* action(const QString& text) {
    for (auto* action : window_->actions())
      if (action->text() == text) return action;
    return nullptr;
  }
  void trigger(const char* name) { window_->findChild<QAction*>(name)->trigger(); }
  QPushButton* button(const char* name) { return window_->findChild<QPushButton*>(name); }
  QString live() { return panel()->note(); }
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
  }
  void cleanup() {
    window_.reset();
    server_.reset();
  }

  void what_is_edited_is_not_live_until_it_is_applied() {
    QTRY_VERIFY(live().isEmpty());
    trigger("playlist-add");
    trigger("playlist-add");
    QCOMPARE(names(), (QStringList{"alpha", "alpha"}));
    QVERIFY(live().contains("not live"));
    QVERIFY2(row(0).contains("not live"), qPrintable(row(0)));
    auto* ends = window_->findChild<QComboBox*>("ends");
    ends->setCurrentIndex(2);
    emit ends->activated(2);
    window_->findChild<QDoubleSpinBox*>("amount")->setValue(12.5);
    QVERIFY2(row(1).contains("12.5 s"), qPrintable(row(1)));
    trigger("playlist-repeat");
    QVERIFY(std::ranges::none_of(server_->calls, [](const auto& call) { return call.first == "playlist"; }));

    server_->results["playlist"] = {
        {"entries", QJsonArray{once(1, "alpha"), QJsonObject{{"id", 2}, {"name", "alpha"}, {"seconds", 12.5}}}},
        {"repeat", true}};
    button("apply")->click();
    QVERIFY(server_->was_asked("playlist", {{"entries", QJsonArray{QJsonObject{{"name", "alpha"}, {"loops", 1}},
                                                                   QJsonObject{{"name", "alpha"}, {"seconds", 12.5}}}},
                                            {"repeat", true}}));
    QTRY_VERIFY(live().contains("Live"));
    QVERIFY(row(0).contains("once") && !row(0).contains("not live"));
    server_->tell("state", state(once(1, "alpha"), {entry(2, "alpha"), once(1, "alpha")}, true));
    QTRY_VERIFY2(row(0).contains("Playing"), qPrintable(row(0)));
    QVERIFY(live().contains("Live"));
    trigger("playlist-add");
    QVERIFY(window_->grab().save(test::picture("playlist.png")));
  }

  void play_from_start_makes_it_live_and_goes_there() {
    trigger("playlist-add");
    button("play-from-start")->click();
    QVERIFY(server_->was_asked(
        "playlist", {{"entries", QJsonArray{QJsonObject{{"name", "alpha"}, {"loops", 1}}}}, {"repeat", false}}));
    QVERIFY(server_->was_asked("next"));
    button("play-from-start")->findChild<QMenu*>("copies")->actions().at(0)->trigger();
    QVERIFY(QGuiApplication::clipboard()->text().endsWith("--call next"));
  }

  void another_operators_playlist_is_taken_over_unless_edited() {
    server_->tell("state", state({}, {entry(7, "beta"), entry(8, "gamma")}));
    QTRY_COMPARE(names(), (QStringList{"beta", "gamma"}));
    QVERIFY(live().contains("Live"));
    trigger("playlist-remove");
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
    select(0);
    trigger("playlist-down");
    QCOMPARE(names(), (QStringList{"beta", "alpha", "gamma"}));
    QCOMPARE(list()->currentIndex().row(), 1);
    trigger("playlist-up");
    QCOMPARE(names(), (QStringList{"alpha", "beta", "gamma"}));
    // As a drop does.
    QVERIFY(list()->model()->moveRow({}, 0, {}, 3));
    QTRY_COMPARE(names(), (QStringList{"beta", "gamma", "alpha"}));
    QTRY_VERIFY(row(2).contains("The alpha"));
    QTest::keyClick(list(), Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(names(), (QStringList{"beta", "alpha", "gamma"}));
  }

  void cards_of_the_library_are_dropped_between_entries() {
    server_->tell("state", state({}, {entry(1, "alpha"), entry(2, "beta")}));
    QTRY_COMPARE(names().size(), 2);
    auto* model = list()->model();
    const auto* library = window_->findChild<QListView*>("library")->model();
    // The library's cards say what they are; here, two names.
    QVERIFY(model->mimeTypes().contains(library->mimeTypes().constFirst()));
    QMimeData cards;
    cards.setData(library->mimeTypes().constFirst(), "gamma\nalpha");
    QVERIFY(model->canDropMimeData(&cards, Qt::CopyAction, 1, 0, {}));
    QVERIFY(model->dropMimeData(&cards, Qt::CopyAction, 1, 0, {}));
    QCOMPARE(names(), (QStringList{"alpha", "gamma", "alpha", "beta"}));
    QMimeData other;
    other.setText("gamma");
    QVERIFY(!model->canDropMimeData(&other, Qt::CopyAction, 1, 0, {}));
    QVERIFY(!model->dropMimeData(&other, Qt::CopyAction, 1, 0, {}));
    action("Undo")->trigger();
    QCOMPARE(names(), (QStringList{"alpha", "beta"}));
  }

  // "Plays once" never ended while the server's loop was on: an entry that says nothing about passes loops with it.
  void an_entry_that_plays_once_says_so() {
    trigger("playlist-add");
    QCOMPARE(panel()->draft().entries()[0].loops, 1);
    const auto request = panel()->draft().request(true);
    QCOMPARE((*request.entries)[0].loops, 1U);
    auto* ends = window_->findChild<QComboBox*>("ends");
    QCOMPARE(ends->currentText(), QString("Plays once"));
    ends->setCurrentIndex(3);
    emit ends->activated(3);
    QCOMPARE(panel()->draft().entries()[0].loops, std::nullopt);
    QVERIFY2(row(0).contains("until Next"), qPrintable(row(0)));
    ends->setCurrentIndex(0);
    emit ends->activated(0);
    QCOMPARE(panel()->draft().entries()[0].loops, 1);
    // One of another program that loops is shown as what it is.
    server_->tell("state", state({}, {entry(7, "beta")}));
    trigger("playlist-revert");
    QTRY_COMPARE(names(), QStringList{"beta"});
    QVERIFY2(row(0).contains("until Next"), qPrintable(row(0)));
  }

  void every_edit_can_be_undone() {
    server_->tell("state", state({}, {once(1, "alpha"), once(2, "beta"), once(3, "gamma")}));
    QTRY_COMPARE(names().size(), 3);
    auto* undo = action("Undo");
    QVERIFY(!undo->isEnabled());
    std::vector<QList<DraftEntry>> past{panel()->draft().entries()};
    const auto remember = [&] { past.push_back(panel()->draft().entries()); };
    select(0);
    trigger("playlist-down");
    remember();
    select(2);
    QTest::keyClick(list(), Qt::Key_Delete);
    QCOMPARE(names(), (QStringList{"beta", "alpha"}));
    remember();
    panel()->add("gamma");
    remember();
    QVERIFY(panel()->draft().edited());
    for (auto before = past.rbegin() + 1; before != past.rend(); ++before) {
      undo->trigger();
      QVERIFY(panel()->draft().entries() == *before);
    }
    QVERIFY(!undo->isEnabled());
    QCOMPARE(live(), QString("Live"));
    for (std::size_t i = 1; i < past.size(); ++i) {
      action("Redo")->trigger();
      QVERIFY(panel()->draft().entries() == past[i]);
    }
    trigger("playlist-repeat");
    QVERIFY(panel()->draft().repeat());
    undo->trigger();
    QVERIFY(!panel()->draft().repeat());
  }

  void delete_in_the_list_deletes_no_visualization() {
    server_->tell("state", state({}, {once(1, "alpha"), once(2, "beta")}));
    QTRY_COMPARE(names().size(), 2);
    select(0);
    list()->setFocus();
    QTest::keyClick(list(), Qt::Key_Delete);
    QCOMPARE(names(), QStringList{"beta"});
    QVERIFY(window_->findChild<QDialog*>() == nullptr);
  }

  void a_round_has_a_length_and_the_wall_a_progress() {
    QJsonArray visualizations;
    for (const auto* name : {"alpha", "beta"})
      visualizations << QJsonObject{
          {"name", name}, {"title", QString("The ") + name}, {"frames", 90}, {"frame_rate", "30"}, {"fits", true}};
    server_->results["list"] = {{"visualizations", visualizations}};
    server_->tell("event", {{"time", "2026-01-31T12:00:00.000Z"}, {"code", "library"}, {"text", "changed"}});
    QTRY_COMPARE(window_->findChild<QListView*>("library")->model()->rowCount(), 2);
    const QJsonObject thrice{{"id", 1}, {"name", "alpha"}, {"loops", 3}};
    server_->tell("state", state(thrice, {once(2, "beta"), thrice}, true));
    auto* round = window_->findChild<QLabel*>("playlist-round");
    QTRY_COMPARE(round->text(), QString::fromUtf8("2 entries \u00b7 0:12 a round \u00b7 repeats"));
    // Its beginning was seen, so the passes are counted.
    QTRY_VERIFY2(row(0).contains("Playing, pass 1 of 3"), qPrintable(row(0)));
    for (const int frame : {60, 85, 5}) {
      auto later = state(thrice, {once(2, "beta"), thrice}, true);
      later["frame"] = frame;
      server_->tell("state", later);
    }
    QTRY_VERIFY2(row(0).contains("Playing, pass 2 of 3"), qPrintable(row(0)));
    server_->tell("state", state(once(2, "beta"), {}, false));
    QTRY_COMPARE(round->text(), QString::fromUtf8("1 entry \u00b7 0:03 in all \u00b7 plays once"));
  }

  // A playlist that had ended was said to play.
  void an_entry_that_ended_or_was_paused_does_not_play() {
    auto paused = state(once(2, "beta"), {once(3, "alpha")});
    paused["status"] = "paused";
    paused["frame"] = 89;
    server_->tell("state", paused);
    QTRY_VERIFY2(row(0).contains("Paused, once"), qPrintable(row(0)));  // another one follows
    auto last = state(once(3, "alpha"), {});
    last["frame"] = 40;
    server_->tell("state", last);
    QTRY_VERIFY2(row(1).contains("Playing, once"), qPrintable(row(1)));
    last["status"] = "paused";
    server_->tell("state", last);
    QTRY_VERIFY2(row(1).contains("Paused, once"), qPrintable(row(1)));
    last["frame"] = 89;
    server_->tell("state", last);
    QTRY_VERIFY2(row(1).contains("Ended on its last frame"), qPrintable(row(1)));
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
    trigger("playlist-add");
    auto* ends = window_->findChild<QComboBox*>("ends");
    ends->setCurrentIndex(1);
    emit ends->activated(1);
    QCOMPARE(panel()->save(folder.filePath("list.json")), QString());
    trigger("playlist-remove");
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
