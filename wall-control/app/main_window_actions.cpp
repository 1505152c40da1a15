// The actions of the window, by menu. Those of the panels come from the panels.
#include "wall-control/app/action_search.h"
#include "wall-control/app/dock.h"
#include "wall-control/app/hidden_docks.h"
#include "wall-control/app/keys_dialog.h"
#include "wall-control/app/main_window.h"
#include "wall-control/app/menu_row.h"
#include "wall-control/app/status_line.h"
#include "wall-control/app/toast.h"
#include "wall-control/app/workspaces.h"
#include "wall-control/connections/connection.h"
#include "wall-control/connections/tablet_dialog.h"
#include "wall-control/events/event_log.h"
#include "wall-control/health/inspector.h"
#include "wall-control/health/problems_panel.h"
#include "wall-control/report/report.h"
#include "wall-control/sessions/session_bar.h"
#include "wall-control/ui/language.h"
#include "wall-control/wallview/tile_wishes.h"
#include "wall-control/wallview/wall_page.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QScreen>
#include <QShortcut>
#include <QUrl>

namespace lw {
namespace {

QString ellipsis(const QString& text) { return text + QChar(0x2026); }

// Of an installed package; empty if the documents are not installed.
QString guide_file() {
  for (const auto* path : {"/usr/share/doc/lambdawall/quick-start.md.gz", "/usr/share/doc/lambdawall/quick-start.md",
                           "/usr/share/doc/lambdawall-doc/quick-start.md"})
    if (QFileInfo::exists(path)) return path;
  return {};
}

}  // namespace

void MainWindow::make_actions() {
  make_file_actions();
  make_edit_actions();
  make_view_actions();
  make_wall_actions();
  make_analysis_actions();
  make_window_actions();
  commands_.set_menu(Menu::none);
}

void MainWindow::make_file_actions() {
  commands_.set_menu(Menu::file);
  commands_.add(ellipsis(tr("Save connection")), {}, tr("Save this wall's address, name and token for later"),
                [this] { connection_->ask_to_save(); });
  commands_.add(ellipsis(tr("Remove connection")), {}, tr("Remove a saved wall"),
                [this] { connection_->ask_to_remove(); });
  commands_.add(tr("Disconnect"), {}, tr("Disconnect from the wall"), [this] {
    connection_->disconnect_from();
    forget();
    show_page();
  });
  commands_.add(
      tr("First saved wall"), {QKeySequence(Qt::ALT | Qt::Key_1)},
      tr("Connect to the first saved wall; Alt+2 to the second, and so on"),
      [this] { connection_->connect_to_kept(0); }, Icon::monitor);
  for (int place = 1; place < 9; ++place)
    connect(new QShortcut(QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + place)), this), &QShortcut::activated,
            this, [this, place] { connection_->connect_to_kept(place); });
  commands_.add(
      ellipsis(tr("Open session")), {QKeySequence::Open}, tr("Open a recorded session"),
      [this] { sessions_->ask_and_open(); }, Icon::open);
  record_ = commands_.add(
      ellipsis(tr("Record session")), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)},
      tr("Record a session, or stop recording"), [this] { sessions_->ask_and_record(); }, Icon::record);
  export_ = commands_.add(
      ellipsis(tr("Export")), {QKeySequence(Qt::CTRL | Qt::Key_E)},
      tr("Save what charts, heat map or table show: figures (.csv, .json) or the chart (.png, .svg, .pdf)"),
      [this] { ask_and_export(); }, Icon::export_figures);
  commands_.add(
      ellipsis(tr("Save report")), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)},
      tr("Save a report of the shown time: verdict, figures and incidents (.html, .pdf)"),
      [this] {
        const auto path = QFileDialog::getSaveFileName(
            this, tr("Save a report"), QDir::home().filePath("lambdawall-report.html"), tr("Report (*.html *.pdf)"));
        if (path.isEmpty()) return;
        const auto problem = save_report(path, network_.source(), events_->model(), info_);
        problem.isEmpty() ? toast_->say(tr("Saved %1").arg(path), State::ok) : tell(problem);
      },
      Icon::book);
  commands_.add(
      tr("Quit"), {QKeySequence::Quit}, tr("Close the window"), [this] { close(); }, Icon::quit);
}

void MainWindow::make_edit_actions() {
  commands_.set_menu(Menu::edit);
  auto* undo = commands_.add(
      tr("Undo"), {QKeySequence::Undo},
      tr("Undo the last change of the playlist, the loop's range, the alarm rules or the docks"),
      [this] { commands_.undo(); }, Icon::undo);
  auto* redo = commands_.add(
      tr("Redo"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)}, tr("Redo what was undone"),
      [this] { commands_.redo(); }, Icon::redo);
  undo->setEnabled(false);
  redo->setEnabled(false);
  connect(&commands_.undo_stack(), &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
  connect(&commands_.undo_stack(), &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
  commands_.add(
      tr("Copy figures"), {}, tr("Copy the figures of the inspector as text"),
      [this] {
        QApplication::clipboard()->setText(inspector_->as_text());
        say_copied(inspector_->as_text().section('\n', 0, 0));
      },
      Icon::copy);
}

void MainWindow::make_view_actions() {
  commands_.set_menu(Menu::view);
  commands_.add(
      tr("Next theme"), {QKeySequence(Qt::CTRL | Qt::Key_T)}, tr("Next theme: dark, light, high contrast"),
      [this] { look_.next_theme(); }, Icon::theme);
  commands_.add(tr("Larger text"), {QKeySequence::ZoomIn, QKeySequence(Qt::CTRL | Qt::Key_Equal)}, tr("Larger text"),
                [this] { look_.change_text(1); });
  commands_.add(tr("Smaller text"), {QKeySequence::ZoomOut}, tr("Smaller text"), [this] { look_.change_text(-1); });
  commands_.add(tr("Usual text"), {QKeySequence(Qt::CTRL | Qt::Key_0)}, tr("Text as large as usual"),
                [this] { look_.reset_text(); });
}

void MainWindow::make_wall_actions() {
  commands_.set_menu(Menu::wall);
  identify_ = commands_.add(
      tr("Identify"), {Qt::Key_I}, tr("Show each tile's number, node and size on the wall"),
      [this] { ask_to_identify(link_, {}, identify_->isChecked()); }, Icon::identify);
  identify_->setCheckable(true);
  mark_ = commands_.add(
      tr("Mark concealed rows"), {Qt::Key_M},
      tr("Mark the rows on the wall that did not arrive and show the frame before"),
      [this] { ask_to_mark(link_, {}, mark_->isChecked()); }, Icon::concealed_rows);
  mark_->setCheckable(true);
  lock_ = commands_.add(
      tr("Lock"), {QKeySequence(Qt::CTRL | Qt::Key_K)},
      tr("Lock the controls of the wall against a slip of the hand, or unlock them"),
      [this] {
        connection_->toggle_lock();
        lock_->setChecked(link_.guard() == ControlLink::Guard::locked);
      },
      Icon::unlocked);
  lock_->setCheckable(true);
  connect(lock_, &QAction::toggled, this,
          [this](bool locked) { lock_->setIcon(icon(locked ? Icon::locked : Icon::unlocked)); });
  view_only_ = commands_.add(tr("View only"), {}, tr("Change nothing on this wall from this window"),
                             [this] { connection_->set_view_only(view_only_->isChecked()); });
  view_only_->setCheckable(true);
  tablet_ = commands_.add(ellipsis(tr("Open on a tablet")), {},
                          tr("Show a code with which a tablet or phone opens this wall in its browser"),
                          [this] { (new TabletDialog(link_, this))->show(); });
  tablet_->setEnabled(false);
}

void MainWindow::make_analysis_actions() {
  commands_.set_menu(Menu::analysis);
  pause_charts_ = commands_.add(
      tr("Pause charts"), {Qt::Key_P}, tr("Stop the charts where they are; nothing is lost"), [] {}, Icon::pause);
  pause_charts_->setCheckable(true);
  commands_.add(
      tr("Show cause"), {}, tr("Explain the worst problem of the wall"),
      [this] {
        const auto problems = problems_.now();
        if (!problems.empty()) show_cause(problems_panel_->worst_of(problems.front()));
      },
      Icon::show_cause);
  commands_.add(
      tr("Acknowledge"), {Qt::Key_A}, tr("Acknowledge the alarms"), [this] { alarms_.acknowledge(); },
      Icon::bell_muted);
  commands_.add(
      ellipsis(tr("Alarm rules")), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A)},
      tr("Change when alarms are raised"), [this] { alarms_.edit_rules(this, commands_); }, Icon::bell);
}

void MainWindow::make_window_actions() {
  commands_.set_menu(Menu::window);
  const auto add = [&](const QString& title, Qt::Key key, const QString& tip, Icon meaning) {
    const auto place = static_cast<int>(workspace_actions_.size());
    workspace_actions_ << commands_.add(
        title, {QKeySequence(Qt::CTRL | key)}, tip, [this, place] { workspaces_->use(place); }, meaning);
  };
  add(tr("Operate"), Qt::Key_1, tr("Operate the wall"), Icon::monitor);
  add(tr("Network"), Qt::Key_2, tr("Show the network: heat map, charts and tables of the flows"), Icon::activity);
  add(tr("Hosts"), Qt::Key_3, tr("Show the hosts, where on them the flows run, and the sites"), Icon::cpu);
  present_ = commands_.add(
      tr("Present"), {Qt::Key_F11},
      tr("Show the wall to an audience: full screen, on the second display where there is one"),
      [this] {
        if (audience_->isVisible()) return void(audience_->close());
        audience_->open(screen());
        present_->setChecked(true);
      },
      Icon::presentation);
  present_->setCheckable(true);
  commands_.add(tr("Reset workspace"), {}, tr("Put the docks of this workspace to their first places"),
                [this] { workspaces_->reset(); });
}

// After the docks are made.
void MainWindow::make_dock_actions() {
  commands_.set_menu(Menu::view);
  const auto remember = [this](const QList<Dock*>& docks) { commands_.remember(new HiddenDocks(*workspaces_, docks)); };
  const auto toggle = [remember](std::initializer_list<Dock*> docks) {
    QList<Dock*> visible;
    std::ranges::copy_if(docks, std::back_inserter(visible), [](const Dock* dock) { return dock->isVisible(); });
    for (auto* dock : visible) dock->dismiss();
    if (!visible.isEmpty()) return remember(visible);
    for (auto* dock : docks) dock->show();
  };
  commands_.add(tr("Left docks"), {QKeySequence(Qt::CTRL | Qt::Key_B)}, tr("Show or hide library and playlist"),
                [this, toggle] {
                  toggle({library_dock_, playlist_dock_});
                });
  commands_.add(tr("Bottom docks"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B)},
                tr("Show or hide charts and events"), [this, toggle] {
                  toggle({charts_dock_, events_dock_});
                });
  for (auto* dock : {library_dock_, playlist_dock_, inspector_dock_, problems_dock_, charts_dock_, events_dock_}) {
    auto* action = dock->toggleViewAction();
    action->setProperty("description", tr("Show or hide: %1").arg(dock->windowTitle()));
    commands_.adopt(action);
    connect(dock, &Dock::dismissed, this, [remember, dock] { remember({dock}); });
  }
  commands_.set_menu(Menu::analysis);
  commands_.add(tr("Next panel"), {QKeySequence(Qt::Key_F6)}, tr("Move the keyboard to the next panel"), [this] {
    QList<QWidget*> panels{wall_->for_keys()};
    for (auto* dock : findChildren<Dock*>())
      if (dock->isVisible()) panels << dock->widget();
    const auto has_focus = [](const QWidget* panel) {
      return panel->hasFocus() || panel->isAncestorOf(QApplication::focusWidget());
    };
    const auto place = std::ranges::find_if(panels, has_focus) - panels.begin();
    auto* next = panels[(place + 1) % panels.size()];
    next->setFocus(Qt::TabFocusReason);
    if (!next->hasFocus()) next->nextInFocusChain()->setFocus(Qt::TabFocusReason);
  });
  commands_.set_menu(Menu::none);
}

// For the end of the menu View.
QMenu* MainWindow::make_language_menu() {
  auto* menu = new QMenu(tr("Language"), this);
  auto* group = new QActionGroup(menu);
  menu->menuAction()->setProperty("description", tr("Choose the language of this program"));
  const auto add = [&](Language language, const QString& name, const QString& tip) {
    auto* action = commands_.add(name, {}, tip, [this, language] {
      choose_language(language);
      toast_->say(tr("The language changes when the program starts again"));
    });
    action->setCheckable(true);
    action->setChecked(language == chosen_language());
    menu->addAction(group->addAction(action));
  };
  add(Language::system, tr("Same as the system"), tr("Language: that of the system"));
  // Their own names, for somebody who cannot read the present one.
  add(Language::english, "English", tr("Language: English"));
  add(Language::german, "Deutsch", tr("Language: German"));
  return menu;
}

// Last, so that the search finds all others.
void MainWindow::make_help_actions() {
  commands_.set_menu(Menu::help);
  keys_ = commands_.add(
      tr("Keyboard shortcuts"), {QKeySequence("?")}, tr("Show all keyboard shortcuts"),
      [this] { KeysDialog(commands_.keyed(), this).exec(); }, Icon::keyboard);
  guide_ = commands_.add(
      tr("Guide"), {QKeySequence(Qt::Key_F1)}, tr("Open the guide to a first wall"),
      [this] {
        const auto file = guide_file();
        if (file.isEmpty() || !QDesktopServices::openUrl(QUrl::fromLocalFile(file)))
          toast_->say(tr("The guide is docs/quick-start.md of the sources, or in the package lambdawall-doc"));
      },
      Icon::book);
  commands_.add(
      tr("About"), {}, tr("Version and licence"),
      [this] {
        QMessageBox::about(this, tr("About"),
                           tr("Lambdawall control %1\n\nLicensed under the Apache License 2.0.").arg(LW_VERSION));
      },
      Icon::about);
  commands_.set_menu(Menu::none);
  commands_.add(
      tr("Find an action"), {QKeySequence(Qt::CTRL | Qt::Key_P)}, tr("Find an action by its words"),
      [this] { menu_row_->search().setFocus(Qt::ShortcutFocusReason); }, Icon::search);
}

}  // namespace lw
