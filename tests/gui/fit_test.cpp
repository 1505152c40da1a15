// In English and German, at the smallest and the usual size of the window: no text is cut off or shortened without a
// tooltip, each control that takes the keyboard has a name and is reached by Tab, and Tab goes along the lines of a
// panel.
#include "tests/gui/drawn_texts.h"
#include "tests/gui/fake_server.h"
#include "tests/gui/own_language.h"
#include "tests/gui/own_settings.h"
#include "tests/gui/picture.h"
#include "tests/gui/texts_file.h"
#include "wall-control/alarms/alarm_dialog.h"
#include "wall-control/app/dock.h"
#include "wall-control/app/keys_dialog.h"
#include "wall-control/app/main_window.h"
#include "wall-control/connections/access_questions.h"
#include "wall-control/connections/keep_dialog.h"
#include "wall-control/library/delete_dialog.h"
#include "wall-control/library/describe_dialog.h"
#include "wall-control/library/import_dialog.h"
#include "wall-control/link/refusal.h"
#include "wall-control/models/library_model.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAccessible>
#include <QComboBox>
#include <QDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QStyleOption>
#include <QTabBar>
#include <QTemporaryDir>
#include <QToolButton>

#include <functional>
#include <memory>
#include <utility>

using namespace lw;

namespace {

const QChar ellipsis(0x2026);

struct Setting {
  Language language;
  QSize size;
};

// Texts that end with an ellipsis because a question follows, or something continues.
class Unfinished {
public:
  explicit Unfinished(const QString& file) {
    QStringList patterns;
    for (const auto& text : test::texts_of(file))
      for (const auto& words : {text.source, text.translation})
        if (words.endsWith(ellipsis))
          patterns << QRegularExpression::escape(words).replace(QRegularExpression("\\\\%\\d"), ".*");
    patterns.removeDuplicates();
    known_ = QRegularExpression("^(" + patterns.join('|') + ")$");
  }
  [[nodiscard]] bool has(const QString& text) const { return known_.match(text).hasMatch(); }

private:
  QRegularExpression known_;
};

QString name_of(const QWidget& widget) {
  QStringList names;
  for (const auto* part = &widget; part != nullptr && names.size() < 4; part = part->parentWidget())
    names.prepend(part->objectName().isEmpty() ? part->metaObject()->className() : part->objectName());
  const auto* button = qobject_cast<const QAbstractButton*>(&widget);
  return names.join('/') + (button != nullptr ? QString(" '%1'").arg(button->text()) : QString());
}

// Or the bar that scrolls.
bool tip_shows_all(QWidget& widget, const test::DrawnText& drawn) {
  const auto* tabs = qobject_cast<QTabBar*>(&widget);
  if (!widget.toolTip().isEmpty() || (tabs != nullptr && tabs->usesScrollButtons())) return true;
  const auto* view = qobject_cast<QAbstractItemView*>(widget.parentWidget());
  return view != nullptr && !view->indexAt(drawn.place.center().toPoint()).data(Qt::ToolTipRole).toString().isEmpty();
}

// Where a control has less room than its words take; empty if they have it.
QString words_without_room(QWidget& widget) {
  const auto wide = [&](const QString& words) { return widget.fontMetrics().horizontalAdvance(words); };
  if (const auto* label = qobject_cast<QLabel*>(&widget); label != nullptr && !label->text().isEmpty()) {
    if (label->wordWrap())
      return label->heightForWidth(label->width()) > label->height() + 1 ? label->text() : QString();
    return label->sizeHint().width() > label->width() + 1 && label->toolTip().isEmpty() ? label->text() : QString();
  }
  if (const auto* button = qobject_cast<QPushButton*>(&widget))
    return button->minimumSizeHint().width() > button->width() ? button->text() : QString();
  if (const auto* button = qobject_cast<QToolButton*>(&widget))
    return button->toolButtonStyle() != Qt::ToolButtonIconOnly && button->sizeHint().width() > button->width()
               ? button->text()
               : QString();
  if (const auto* box = qobject_cast<QComboBox*>(&widget)) {
    QStyleOptionComboBox option;
    option.initFrom(box);
    option.editable = box->isEditable();
    const auto field = box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box);
    return wide(box->currentText()) > field.width() && box->toolTip().isEmpty() ? box->currentText() : QString();
  }
  if (const auto* edit = qobject_cast<QLineEdit*>(&widget); edit != nullptr && edit->text().isEmpty())
    return wide(edit->placeholderText()) > edit->width() - 8 && edit->toolTip().isEmpty() ? edit->placeholderText()
                                                                                          : QString();
  // A bar that is too short for its tabs is scrolled.
  if (const auto* tabs = qobject_cast<QTabBar*>(&widget)) {
    for (int tab = 0; tab < tabs->count(); ++tab)
      if (tabs->isTabVisible(tab) && wide(tabs->tabText(tab)) > tabs->tabRect(tab).width()) return tabs->tabText(tab);
  }
  if (auto* menus = qobject_cast<QMenuBar*>(&widget)) {
    for (auto* menu : menus->actions())
      if (menu->isVisible() && !menus->rect().contains(menus->actionGeometry(menu))) return menu->text();
  }
  return {};
}

QStringList texts_without_room(QWidget& window, const Unfinished& unfinished) {
  QStringList wrong;
  auto all = window.findChildren<QWidget*>();
  all.prepend(&window);
  for (auto* widget : all) {
    if (!widget->isVisibleTo(&window) || widget->visibleRegion().isEmpty()) continue;
    if (widget->isWindow() && widget != &window) continue;
    if (const auto words = words_without_room(*widget); !words.isEmpty())
      wrong << QString("no room: %1: %2 (%3 px)").arg(name_of(*widget), words).arg(widget->width());
    for (const auto& drawn : test::texts_drawn_by(*widget)) {
      const auto* edit = qobject_cast<const QLineEdit*>(widget);
      const bool example = edit != nullptr && drawn.text == edit->placeholderText();
      const bool shortened = drawn.text.contains(ellipsis) && !example && !unfinished.has(drawn.text);
      if ((shortened || drawn.cut) && !tip_shows_all(*widget, drawn))
        wrong << QString("%1: %2: %3").arg(drawn.cut ? "cut" : "shortened", name_of(*widget), drawn.text);
    }
  }
  wrong.removeDuplicates();
  return wrong;
}

bool takes_tab(const QWidget& widget) {
  return (widget.focusPolicy() & Qt::TabFocus) != 0 && widget.isEnabled() && widget.focusProxy() == nullptr;
}

QStringList controls_without_name(const QWidget& window) {
  QStringList wrong;
  for (auto* widget : window.findChildren<QWidget*>()) {
    // The tabs of docks are Qt's; each has its own name.
    const bool docks_tabs = qobject_cast<QTabBar*>(widget) != nullptr && widget->parentWidget() == &window;
    if (!widget->isVisibleTo(&window) || widget->focusPolicy() == Qt::NoFocus || widget->focusProxy() != nullptr ||
        docks_tabs)
      continue;
    auto* seen = QAccessible::queryAccessibleInterface(widget);
    if (seen == nullptr || seen->text(QAccessible::Name).isEmpty()) wrong << "no name: " + name_of(*widget);
  }
  return wrong;
}

// By the keys, as an operator does it.
QList<QWidget*> walk_by_tab(QWidget& window) {
  QList<QWidget*> walked;
  while (walked.size() < 500) {
    auto* now = window.focusWidget();
    QTest::keyClick(now != nullptr ? now : &window, Qt::Key_Tab);
    now = window.focusWidget();
    if (now == nullptr || walked.contains(now)) break;
    walked << now;
  }
  return walked;
}

// The panel whose order counts. Qt walks to the corner of tabs after their pages.
const QWidget* panel_of(const QWidget* widget) {
  for (const auto* part = widget; part != nullptr; part = part->parentWidget())
    if (const auto* tabs = qobject_cast<const QTabWidget*>(part->parentWidget());
        tabs != nullptr && tabs->cornerWidget() == part)
      return part;
  for (; widget->parentWidget() != nullptr; widget = widget->parentWidget())
    if (qobject_cast<const Panel*>(widget) != nullptr || qobject_cast<const Dock*>(widget) != nullptr ||
        QByteArray(widget->metaObject()->className()).endsWith("Page"))
      return widget;
  return widget;
}

QStringList faults_of_tab(QWidget& window) {
  QStringList wrong;
  const auto walked = walk_by_tab(window);
  for (auto* widget : window.findChildren<QWidget*>())
    if (widget->window() == &window && widget->isVisible() && takes_tab(*widget) && !walked.contains(widget))
      wrong << "not reached by Tab: " + name_of(*widget);
  bool closed = false;
  for (qsizetype i = 1; i < walked.size(); ++i) {
    const bool both_here = walked[i - 1]->window() == &window && walked[i]->window() == &window;
    // Controls outside of panels stand above and below them: the menu row, the health strip, the status line.
    if (!both_here || panel_of(walked[i - 1]) != panel_of(walked[i]) ||
        qobject_cast<const QMainWindow*>(panel_of(walked[i])) != nullptr)
      continue;
    const auto place = [&](const QWidget* widget) { return QRect(widget->mapTo(&window, QPoint()), widget->size()); };
    const auto before = place(walked[i - 1]), now = place(walked[i]);
    const bool same_line = now.top() <= before.bottom() && before.top() <= now.bottom();
    const bool back =
        same_line ? now.right() < before.left() : now.bottom() < before.top() && now.left() < before.right();
    if (!back) continue;
    // The walk begins somewhere in its first panel and comes once from that panel's end to its beginning.
    if (panel_of(walked[i]) == panel_of(walked.first()) && !std::exchange(closed, true)) continue;
    wrong << QString("Tab goes back: from %1 to %2").arg(name_of(*walked[i - 1]), name_of(*walked[i]));
  }
  return wrong;
}

}  // namespace

Q_DECLARE_METATYPE(Setting)

class FitTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<Unfinished> unfinished_;
  std::unique_ptr<FakeServer> server_;
  std::unique_ptr<MainWindow> window_;

  void add_settings() {
    QTest::addColumn<Setting>("setting");
    for (const auto& [language, name] : {std::pair{Language::english, "English"}, {Language::german, "German"}})
      for (const auto& size : {QSize(1280, 720), QSize(1600, 1000)})
        QTest::addRow("%s %d", name, size.width()) << Setting{language, size};
  }
  void open(bool connected = true) {
    QFETCH(Setting, setting);
    test::speak(setting.language);
    window_ = std::make_unique<MainWindow>();
    window_->resize(setting.size);
    window_->show();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    QCOMPARE(window_->size(), setting.size);
    if (!connected) return;
    window_->connect_to(server_->address());
    QTRY_COMPARE(window_->link().state(), ControlLink::State::ready);
    server_->tell("state", playing_state);
    for (const auto* severity : {"info", "warning", "error"})
      server_->tell("event", {{"time", "2026-01-31T12:00:00.000Z"},
                              {"severity", severity},
                              {"code", "loss"},
                              {"node", "one"},
                              {"tile", QJsonArray{0, 1}},
                              {"flow", 2},
                              {"text", "flow 2 lost 30 packets in a second, 12 of which were recovered"}});
    for (int tenth = 1; tenth < 25; ++tenth) {
      server_->tell("stats", stats(1000 * tenth, 3 * tenth));
      QTest::qWait(20);
    }
    QTest::qWait(500);
  }
  // Each tab of each group in the middle of the window, the other groups as they are.
  void on_all_tabs(const std::function<void(const QString& tab)>& check) {
    check({});
    for (const auto* name : {"network-views", "network-figures", "hosts"}) {
      auto* tabs = window_->findChild<QTabWidget*>(name);
      if (tabs == nullptr || !tabs->isVisible()) continue;
      for (int tab = 1; tab < tabs->count(); ++tab) {
        if (!tabs->isTabVisible(tab)) continue;
        tabs->setCurrentIndex(tab);
        QTest::qWait(100);
        check(QString("-%1-%2").arg(name).arg(tab));
      }
      tabs->setCurrentIndex(0);
    }
  }
  void check_texts(QWidget& window, const QString& picture) {
    QVERIFY(window.grab().save(
        test::picture(QString("fit-%1-%2.png").arg(picture, QString(QTest::currentDataTag()).replace(' ', '-')))));
    const auto wrong = texts_without_room(window, *unfinished_);
    QVERIFY2(wrong.isEmpty(), qPrintable(picture + ":\n" + wrong.join('\n')));
  }
  // Deletes it.
  void check_dialog(QWidget* dialog, const QString& picture) {
    const std::unique_ptr<QWidget> owned(dialog);
    dialog->setAttribute(Qt::WA_DeleteOnClose, false);
    dialog->show();
    QVERIFY(QTest::qWaitForWindowActive(dialog));
    QVERIFY(dialog->width() <= 1280 && dialog->height() <= 720);
    check_texts(*dialog, picture);
    const auto wrong = controls_without_name(*dialog) + faults_of_tab(*dialog);
    QVERIFY2(wrong.isEmpty(), qPrintable(picture + ":\n" + wrong.join('\n')));
  }
  static VisualizationRow row() {
    VisualizationRow made;
    made.name = "cosmos-3d";
    made.title = "Flight through the cosmic web";
    return made;
  }

private slots:
  void initTestCase() {
    const auto file = qEnvironmentVariable("LW_SOURCE") + "/wall-control/translations/wall-control_de.ts";
    if (!QFile::exists(file)) QSKIP("LW_SOURCE is not set to the sources");
    unfinished_ = std::make_unique<Unfinished>(file);
    test::keep_settings_in(folder_.path());
    QApplication::setStyle(QStyleFactory::create("Fusion"));
  }
  void init() {
    QSettings().clear();
    server_ = std::make_unique<FakeServer>();
  }
  void cleanup() {
    window_.reset();
    server_.reset();
    test::speak(Language::english);
  }

  void texts_have_their_room_data() { add_settings(); }
  void texts_have_their_room() {
    open();
    for (int workspace = 0; workspace < 3; ++workspace) {
      window_->use_workspace(workspace);
      QTest::qWait(600);
      on_all_tabs([&](const QString& tab) { check_texts(*window_, QString("workspace%1%2").arg(workspace).arg(tab)); });
    }
  }

  void texts_of_the_start_have_their_room_data() { add_settings(); }
  void texts_of_the_start_have_their_room() {
    open(false);
    QTest::qWait(300);
    check_texts(*window_, "start");
    const auto wrong = controls_without_name(*window_) + faults_of_tab(*window_);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
  }

  void dialogs_have_their_room_and_are_walked_by_keys_data() { add_settings(); }
  void dialogs_have_their_room_and_are_walked_by_keys() {
    open();
    check_dialog(new AlarmDialog(lan_alarms(), window_.get()), "alarms");
    check_dialog(new KeysDialog(window_->actions(), window_.get()), "keys");
    check_dialog(new ImportDialog(window_->link(), window_.get()), "import");
    check_dialog(new DescribeDialog(row(), window_.get()), "describe");
    check_dialog(new DeleteDialog(row(), window_.get()), "delete");
    check_dialog(new KeepDialog({"wall", "wall.example.org:9010"}, window_.get()), "keep");
    check_dialog(new TokenQuestion("wall.example.org:9010", "it asks for a token", true, window_.get()), "token");
    check_dialog(new_server_question("wall.example.org:9010", "sha256:" + QString("0123456789abcdef").repeated(4),
                                     window_.get()),
                 "fingerprint");
  }

  void controls_have_names_and_are_reached_by_tab_data() { add_settings(); }
  void controls_have_names_and_are_reached_by_tab() {
    open();
    for (int workspace = 0; workspace < 3; ++workspace) {
      window_->use_workspace(workspace);
      QTest::qWait(300);
      on_all_tabs([&](const QString& tab) {
        const auto wrong = controls_without_name(*window_) + faults_of_tab(*window_);
        QVERIFY2(wrong.isEmpty(), qPrintable(QString("workspace %1%2:\n").arg(workspace).arg(tab) + wrong.join('\n')));
      });
    }
  }
};

QTEST_MAIN(FitTest)
#include "fit_test.moc"
