// The library: what is shown and in which order, whether it fits the wall and the link, the strip with pointer and
// keyboard, and the questions before anything changes on the server's disks.
#include "tests/gui/library_entry.h"
#include "tests/gui/picture.h"
#include "tests/gui/scripted_server.h"
#include "wall-control/app/main_window.h"
#include "wall-control/library/delete_dialog.h"
#include "wall-control/library/describe_dialog.h"
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
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

#include <memory>

using namespace lw;
using test::visualization;

namespace {

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
  DeleteDialog* delete_dialog(const QString& name) {
    view()->select(name);
    for (auto* action : window_->actions())
      if (action->shortcut() == QKeySequence::Delete) action->trigger();
    return window_->findChild<DeleteDialog*>();
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

  void what_is_still_being_written_is_as_long_as_it_is_so_far() {
    VisualizationRow row;
    row.frame_rate = "30";
    row.seconds = 40;
    QCOMPARE(length_text(row), QString::fromUtf8("0:40 \u00b7 30 fps"));
    row.growing = true;
    QCOMPARE(length_text(row), QString::fromUtf8("0:40 so far \u00b7 30 fps"));
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
    QVERIFY(dialog->findChild<QLabel*>("question")->text().contains("Edit the details"));
    // The first field has the keyboard; Return saves, and nothing but the verbs are on the buttons.
    QTRY_COMPARE(dialog->focusWidget(), dialog->findChild<QLineEdit*>("title"));
    QCOMPARE(dialog->yes()->text(), QString("Save"));
    QVERIFY(dialog->yes()->isDefault());
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

  void delete_asks_for_the_name() {
    auto* dialog = delete_dialog("waves");
    QVERIFY(dialog != nullptr);
    QCOMPARE(dialog->windowTitle(), QString::fromUtf8("Delete \u201cThe waves\u201d?"));
    QStringList texts;
    for (const auto* label : dialog->findChildren<QLabel*>()) texts << label->text();
    QVERIFY2(texts.join('\n').contains("Its 300 frames (2.0 GB) are removed"), qPrintable(texts.join('\n')));
    QVERIFY(!dialog->findChild<StateNote*>("use")->isVisible());
    QVERIFY(!dialog->delete_button()->isEnabled());
    auto* typed = dialog->findChild<QLineEdit*>("typed");
    typed->setText("wave");
    QVERIFY(!dialog->delete_button()->isEnabled());
    typed->setText("The waves");
    QVERIFY(dialog->delete_button()->isEnabled());
    const auto button = dialog->delete_button()->grab().toImage();
    QCOMPARE(button.pixelColor(6, button.height() / 2), colors::crit);
    // Return is the safe answer, also in the field with the right name.
    QTest::keyClick(typed, Qt::Key_Return);
    QTRY_VERIFY(window_->findChild<DeleteDialog*>() == nullptr);
    QVERIFY(!server_->calls.contains({"delete", QJsonObject{{"name", "waves"}}}));
    dialog = delete_dialog("waves");
    dialog->findChild<QLineEdit*>("typed")->setText("waves");
    QVERIFY(dialog->grab().save(test::picture("delete.png")));
    dialog->delete_button()->click();
    QVERIFY(server_->was_asked("delete", {{"name", "waves"}}));
  }

  // The dialog shows why the server would refuse before the name is typed, also if that changes meanwhile.
  void what_is_in_use_cannot_be_deleted() {
    auto* dialog = delete_dialog("waves");
    auto* use = dialog->findChild<StateNote*>("use");
    dialog->findChild<QLineEdit*>("typed")->setText("waves");
    QVERIFY(dialog->delete_button()->isEnabled());
    const QJsonArray follows{QJsonObject{{"id", 1}, {"name", "cosmos"}}, QJsonObject{{"id", 2}, {"name", "waves"}}};
    server_->tell("state", {{"status", "stopped"}, {"playlist", follows}});
    QTRY_VERIFY(use->isVisible());
    QVERIFY2(use->words().contains("entry 2 of what follows"), qPrintable(use->words()));
    QVERIFY(!dialog->delete_button()->isEnabled());
    server_->tell("state",
                  {{"status", "playing"}, {"name", "waves"}, {"frame", 0}, {"frames", 300}, {"frame_rate", "30"}});
    QTRY_VERIFY2(use->words().contains("is on the wall now"), qPrintable(use->words()));
    QVERIFY(dialog->grab().save(test::picture("delete-in-use.png")));
    server_->tell("state", {{"status", "stopped"}});
    QTRY_VERIFY(!use->isVisible());
    QVERIFY(dialog->delete_button()->isEnabled());
  }

  void delete_says_which_servers_have_it() {
    auto waves = visualization("waves", {}, 0.7, 2e9, 3);
    waves["servers"] = QJsonArray{QJsonObject{{"server", "a"}, {"state", "ready"}},
                                  QJsonObject{{"server", "b"}, {"state", "other-edition"}}};
    server_->results["list"] = {{"visualizations", QJsonArray{waves}}};
    server_->tell("event", {{"time", "2026-01-31T12:00:00.000Z"}, {"code", "library"}, {"text", "server b has 1"}});
    QTRY_COMPARE(names(), QStringList{"waves"});
    auto* dialog = delete_dialog("waves");
    QCOMPARE(dialog->findChild<QLabel*>("servers")->text(),
             QString::fromUtf8("\u2713 a: has it\n\u2717 b: another edition"));
    dialog->findChild<QLineEdit*>("typed")->setText("waves");
    for (const auto theme : {Theme::light, Theme::high_contrast, Theme::dark}) {
      colors::use(theme);
      QApplication::setPalette(colors::palette());
      qApp->setStyleSheet(colors::style_sheet());
      QVERIFY(dialog->grab().save(test::picture(QString("delete-servers-%1.png").arg(static_cast<int>(theme)))));
    }
  }
};

QTEST_MAIN(LibraryTest)
#include "library_test.moc"
