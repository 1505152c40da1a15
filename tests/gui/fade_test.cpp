// Cuts and fades: the choice made in the library and in a playlist's entries is sent to the server, by keyboard and by
// mouse, and the window names the next visualization.
#include "tests/gui/picture.h"
#include "tests/gui/scripted_server.h"
#include "wall-control/app/main_window.h"
#include "wall-control/models/playlist_draft.h"
#include "wall-control/playlist/playlist_panel.h"
#include "wall-control/ui/elided_label.h"
#include "wall-control/ui/transition_choice.h"

#include <QAction>
#include <QClipboard>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QTabWidget>

#include <memory>

using namespace lw;

class FadeTest : public QObject {
  Q_OBJECT

  std::unique_ptr<test::ScriptedServer> server_;
  std::unique_ptr<MainWindow> window_;

  TransitionChoice* choice(const char* name) { return window_->findChild<TransitionChoice*>(name); }
  QListView* library() { return window_->findChild<QListView*>("library"); }
  QListView* playlist() { return window_->findChild<QListView*>("playlist"); }

private slots:
  void initTestCase() { test::look_like_the_program(); }
  void init() {
    server_ = std::make_unique<test::ScriptedServer>();
    server_->results["list"] = {
        {"visualizations", QJsonArray{QJsonObject{{"name", "alpha"}, {"title", "The alpha"}, {"fits", true}}}}};
    window_ = std::make_unique<MainWindow>();
    window_->resize(1280, 720);
    window_->show();
    window_->connect_to(server_->address());
    QTRY_COMPARE(library()->model()->rowCount(), 1);
  }
  void cleanup() {
    window_.reset();
    server_.reset();
  }

  void a_load_is_a_cut_unless_a_fade_is_chosen() {
    QVERIFY(!choice("transition")->accessibleName().isEmpty());
    emit library()->activated(library()->model()->index(0, 0));
    QVERIFY(server_->was_asked("load", {{"name", "alpha"}}));
    window_->setFocus();
    QTest::keyClick(window_.get(), Qt::Key_X);
    QTest::keyClick(window_.get(), Qt::Key_X);
    QCOMPARE(choice("transition")->currentText(), "Fade, 1 s");
    emit library()->activated(library()->model()->index(0, 0));
    QVERIFY(server_->was_asked("load", {{"name", "alpha"}, {"transition", "fade"}, {"fade_ms", 1000}}));
    library()->findChild<QMenu*>("copies")->actions().at(0)->trigger();
    QVERIFY(QGuiApplication::clipboard()->text().contains(R"("fade_ms":1000)"));
    QVERIFY(choice("transition")->findChild<QMenu*>("copies") != nullptr);
  }

  void the_window_says_what_comes() {
    server_->tell("state", {{"status", "playing"},
                            {"name", "alpha"},
                            {"frame", 3},
                            {"frames", 90},
                            {"frame_rate", "30"},
                            {"rate", 1.0},
                            {"coming", QJsonObject{{"name", "beta"}, {"fade_ms", 4000}}}});
    const auto* next = static_cast<ElidedLabel*>(window_->findChild<QWidget*>("next-up"));
    QTRY_COMPARE(next->text(), QString("Fading to beta"));
    QVERIFY(window_->grab().save(test::picture("fading.png")));
  }

  void an_entry_of_a_playlist_has_its_own() {
    QVERIFY(!choice("entry-transition")->isEnabled());
    window_->findChild<QAction*>("playlist-add")->trigger();
    choice("entry-transition")->setCurrentIndex(3);
    emit choice("entry-transition")->activated(3);
    const auto words = playlist()->model()->index(0, 0).data(Qt::AccessibleTextRole).toString();
    QVERIFY2(words.contains("fade 2 s"), qPrintable(words));
    QVERIFY(window_->grab().save(test::picture("playlist-fade.png")));
    window_->findChild<QPushButton*>("apply")->click();
    const QJsonObject entry{{"name", "alpha"}, {"loops", 1}, {"transition", "fade"}, {"fade_ms", 2000}};
    QVERIFY(server_->was_asked("playlist", {{"entries", QJsonArray{entry}}, {"repeat", false}}));
  }

  void what_darkens_for_an_entry_is_not_edited() {
    PlaylistDraft draft;
    const EntryMessage next{"b", 2, {}, {}, {TransitionKind::fade, 300}};
    StateMessage state;
    state.entry = EntryMessage{"a", 1, {}, {}, {}};
    state.playlist = {next};
    draft.set_live(state);
    draft.take_live();
    QCOMPARE(draft.entries()[1].fade_ms, 300);
    state.playlist.clear();
    state.coming = ComingMessage{"b", 300, next};
    draft.set_live(state);
    QVERIFY(!draft.edited());
    QCOMPARE(draft.state_of(1), EntryState::on_wall);
    draft.set_fade(1, {});
    QVERIFY(draft.edited());
  }

  void files_keep_fades_and_wrong_ones_are_refused() {
    PlaylistDraft draft;
    draft.insert(0, "a");
    draft.set_fade(0, 700);
    PlaylistDraft opened;
    QCOMPARE(opened.open(draft.to_file()), QString());
    QCOMPARE(opened.entries()[0].fade_ms, 700);
    const auto refused = [&](const QByteArray& entry) {
      return opened.open(R"({"lambdawall_playlist": 1, "entries": [)" + entry + "]}");
    };
    QVERIFY(refused(R"({"name": "a", "transition": "wipe"})").contains("transition"));
    QVERIFY(refused(R"({"name": "a", "transition": "fade", "fade_ms": 5})").contains("fade_ms"));
    QVERIFY(refused(R"({"name": "a", "fade_ms": 500})").contains("fade_ms"));
    QCOMPARE(opened.entries()[0].fade_ms, 700);
  }

  void a_length_that_is_not_offered_can_be_shown() {
    TransitionChoice choice;
    choice.set_fade_ms(300);
    QCOMPARE(choice.fade_ms(), 300);
    QCOMPARE(choice.currentText(), "Fade, 0.3 s");
    choice.set_fade_ms({});
    QCOMPARE(choice.message(), TransitionMessage());
  }
};

QTEST_MAIN(FadeTest)
#include "fade_test.moc"
