#include "wall-control/playlist/playlist_panel.h"

#include "wall-control/link/control_link.h"
#include "wall-control/models/library_model.h"
#include "wall-control/models/media_time.h"
#include "wall-control/playlist/entry_editor.h"
#include "wall-control/ui/commands.h"
#include "wall-control/ui/empty_state.h"
#include "wall-control/ui/icons.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/permit.h"
#include "wall-control/ui/save_file.h"
#include "wall-control/ui/state_note.h"

#include <QAction>
#include <QBoxLayout>
#include <QFile>
#include <QFileDialog>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>

namespace lw {
namespace {

constexpr qint64 file_bytes_max = 1 << 20;
QString file_filter() { return PlaylistPanel::tr("Playlists (*.json)"); }

// Playback pauses by itself on the last frame of the last entry, or on the first one if it ran backwards.
EntryProgress::Activity activity_of(const StateMessage& state) {
  using Activity = EntryProgress::Activity;
  if (state.status == PlayStatus::playing) return Activity::playing;
  if (!state.playlist.empty() || !state.frame) return Activity::paused;
  const auto last =
      state.rate < 0 ? state.in.value_or(0) : state.out.value_or(std::max(1U, state.frames.value_or(1)) - 1);
  return *state.frame == last ? Activity::ended : Activity::paused;
}

}  // namespace

PlaylistPanel::PlaylistPanel(ControlLink& link, Commands& commands, const LibraryModel& library, Selected selected,
                             QWidget* parent)
    : Panel(parent), link_(link), library_(library), selected_(std::move(selected)), model_(commands) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  model_.set_describer([this](int row) { return delegate_.description_of(row); });
  make_tools();
  make_list();
  layout->addWidget(make_edited_bar(commands));
  layout->addWidget(pages_, 1);
  editor_ = new EntryEditor;
  editor_->hide();
  layout->addWidget(editor_);
  layout->addWidget(make_footer());
  connect(editor_, &EntryEditor::done, this, [this] { show_editor(false); });
  connect(editor_, &EntryEditor::duration_chosen, this,
          [this](std::optional<int> loops, std::optional<double> seconds) {
            if (current() >= 0) model_.set_duration(current(), loops, seconds);
          });
  connect(editor_, &EntryEditor::fade_chosen, this, [this](std::optional<int> fade_ms) {
    if (current() >= 0) model_.set_fade(current(), fade_ms);
  });
  connect(&model_, &PlaylistModel::changed, this, &PlaylistPanel::show_draft);
  // Titles, posters and lengths.
  const auto library_changed = [this] { show_draft(-1); };
  connect(&library_, &QAbstractItemModel::modelReset, this, library_changed);
  connect(&library_, &QAbstractItemModel::dataChanged, list_->viewport(), qOverload<>(&QWidget::update));
  connect(&link_, &ControlLink::state_changed, this, &PlaylistPanel::enable);
  connect(&link_, &ControlLink::guard_changed, this, &PlaylistPanel::enable);
  show_draft(0);
}

void PlaylistPanel::make_list() {
  list_ = new QListView;
  list_->setObjectName("playlist");
  list_->setAccessibleName(tr("Playlist"));
  list_->setAccessibleDescription(tr("Alt+Up and Alt+Down move an entry, Delete removes it, Enter edits it."));
  list_->setModel(&model_);
  list_->setItemDelegate(&delegate_);
  list_->setMouseTracking(true);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setResizeMode(QListView::Adjust);
  list_->setWordWrap(true);  // otherwise a change of the width does not change the height of rows
  list_->setDragDropMode(QAbstractItemView::DragDrop);
  list_->setDefaultDropAction(Qt::MoveAction);
  list_->installEventFilter(this);
  connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
    const int row = current();
    if (row >= 0) row_ = row;
    editor_->show_entry(row >= 0 ? std::optional(draft().entries()[row]) : std::nullopt);
  });
  connect(list_, &QListView::doubleClicked, this, [this] { show_editor(true); });
  make_menu();
  empty_ = new EmptyState(Icon::playlist);
  empty_->say(tr("The playlist is empty"),
              tr("Entries play one after the other. Add a visualization, or drag one here from the library."),
              tr("Add what is selected"));
  empty_->setAcceptDrops(true);
  empty_->installEventFilter(this);
  connect(empty_, &EmptyState::wanted, this, &PlaylistPanel::add_selected);
  pages_ = new QStackedWidget;
  pages_->addWidget(list_);
  pages_->addWidget(empty_);
}

// Keys of the list that mean something else in the rest of the window, and drops on the empty list.
bool PlaylistPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == empty_ && (event->type() == QEvent::DragEnter || event->type() == QEvent::Drop)) {
    auto* drop = static_cast<QDropEvent*>(event);
    if (!drop->mimeData()->hasFormat(visualizations_mime)) return false;
    if (event->type() == QEvent::Drop) model_.dropMimeData(drop->mimeData(), Qt::CopyAction, 0, 0, {});
    drop->acceptProposedAction();
    return true;
  }
  if (watched != list_ || (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress))
    return Panel::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  const bool alt = key->modifiers() == Qt::AltModifier;
  const bool moves = alt && (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down);
  const bool edits = key->key() == Qt::Key_Return || key->key() == Qt::Key_F2;
  if (current() < 0 || !(moves || edits || key->key() == Qt::Key_Delete)) return Panel::eventFilter(watched, event);
  event->accept();
  if (event->type() == QEvent::ShortcutOverride) return true;
  if (moves)
    move_current(key->key() == Qt::Key_Up ? -1 : 1);
  else if (edits)
    show_editor(true);
  else
    remove_->trigger();
  return true;
}

QPushButton* PlaylistPanel::button(const QString& name, const QString& text, const QString& tip,
                                   const std::function<void()>& run) {
  auto* made = new QPushButton(text);
  made->setObjectName(name);
  made->setToolTip(tip);
  made->setAutoDefault(false);
  connect(made, &QPushButton::clicked, this, [run] { run(); });
  return made;
}

QWidget* PlaylistPanel::make_edited_bar(Commands& commands) {
  edited_bar_ = new StateNote(State::warn, tr("Edited, not live"));
  edited_bar_->setObjectName("edited-bar");
  apply_ = button("apply", tr("Apply"), tr("Play these entries after what is on the wall"), [this] { apply(false); });
  play_ =
      button("play-from-start", tr("Play from start"), tr("Apply and play from the start"), [this] { apply(true); });
  revert_ = button("revert", tr("Revert"), tr("Revert to the live playlist"), [this] { model_.revert(); });
  commands.offer_copies(apply_, [this] { apply(false); });
  commands.offer_copies(play_, [this] { apply(true); });
  auto* row = new QHBoxLayout;
  row->setSpacing(6);
  for (auto* part : {apply_, play_, revert_}) row->addWidget(part);
  row->addStretch(1);
  static_cast<QBoxLayout*>(edited_bar_->layout())->addLayout(row);
  return edited_bar_;
}

QWidget* PlaylistPanel::make_footer() {
  footer_ = new QLabel;
  footer_->setObjectName("playlist-round");
  footer_->setForegroundRole(QPalette::PlaceholderText);
  footer_->setContentsMargins(10, 5, 10, 5);
  footer_->setWordWrap(true);
  return footer_;
}

void PlaylistPanel::make_tools() {
  const auto action = [this](const QString& name, Icon meaning, const QString& text, const std::function<void()>& run) {
    auto* made = new QAction(icon(meaning), text, this);
    made->setObjectName(name);
    connect(made, &QAction::triggered, this, [run] { run(); });
    return made;
  };
  add_ = action("playlist-add", Icon::add, tr("Add what is selected in the library"), [this] { add_selected(); });
  repeat_ = action("playlist-repeat", Icon::loop, tr("Repeat: begin again at the end"), [] {});
  repeat_->setCheckable(true);
  connect(repeat_, &QAction::triggered, this, [this](bool on) { model_.set_repeat(on); });
  auto* open = action("playlist-open", Icon::open, tr("Open a playlist\u2026"), [this] { ask_and_open(); });
  auto* save = action("playlist-save", Icon::save, tr("Save this playlist\u2026"), [this] { ask_and_save(); });
  play_from_start_ =
      action("playlist-from-start", Icon::play, tr("Apply and play from the start"), [this] { apply(true); });
  auto* revert = action("playlist-revert", Icon::undo, tr("Revert to the live playlist"), [this] { model_.revert(); });
  edit_ = action("playlist-edit", Icon::edit, tr("Edit entry"), [this] { show_editor(true); });
  remove_ = action("playlist-remove", Icon::remove, tr("Remove from playlist"), [this] { model_.remove(current()); });
  auto* more = action("playlist-more", Icon::more, tr("More"), [] {});
  auto* menu = new QMenu(this);
  for (auto* part : {play_from_start_, revert, open, save}) menu->addAction(part);
  more->setMenu(menu);
  set_tools({add_, repeat_, open, more});
}

void PlaylistPanel::make_menu() {
  auto* up = new QAction(icon(Icon::up), tr("Move up\tAlt+Up"), this);
  auto* down = new QAction(icon(Icon::down), tr("Move down\tAlt+Down"), this);
  up->setObjectName("playlist-up");
  down->setObjectName("playlist-down");
  connect(up, &QAction::triggered, this, [this] { move_current(-1); });
  connect(down, &QAction::triggered, this, [this] { move_current(1); });
  auto* menu = new QMenu(list_);
  for (auto* part : {edit_, up, down, remove_, add_, play_from_start_}) menu->addAction(part);
  list_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(list_, &QWidget::customContextMenuRequested, this,
          [this, menu](const QPoint& place) { menu->popup(list_->viewport()->mapToGlobal(place)); });
}

int PlaylistPanel::current() const { return list_->currentIndex().row(); }

QString PlaylistPanel::round_text() const {
  const auto& entries = draft().entries();
  double seconds = 0;
  int unknown = 0;
  for (const auto& entry : entries) {
    const auto length = seconds_of(entry, library_);
    seconds += length.value_or(0);
    if (!length) ++unknown;
  }
  QStringList parts{entries.size() == 1 ? tr("1 entry") : tr("%1 entries").arg(entries.size())};
  if (unknown == 0 && !entries.isEmpty())
    parts << (draft().repeat() ? tr("%1 a round") : tr("%1 in all")).arg(media_length(seconds));
  if (unknown > 0) parts << tr("%1 of unknown length").arg(unknown);
  parts << (draft().repeat() ? tr("repeats") : tr("plays once"));
  return parts.join(QString::fromUtf8(" \u00b7 "));
}

void PlaylistPanel::show_draft(int wanted) {
  const bool edited = draft().edited();
  const bool empty = draft().entries().isEmpty();
  pages_->setCurrentWidget(empty ? static_cast<QWidget*>(empty_) : list_);
  set_note(edited ? tr("Edited, not live") : empty ? QString() : tr("Live"));
  edited_bar_->setVisible(edited);
  revert_->setEnabled(edited);
  repeat_->setChecked(draft().repeat());
  footer_->setText(empty ? QString() : round_text());
  footer_->setVisible(!empty);
  list_->doItemsLayout();
  const int row = wanted >= 0 ? wanted : row_;
  if (!empty) list_->setCurrentIndex(model_.index(std::clamp(row, 0, model_.rowCount() - 1)));
  editor_->show_entry(current() >= 0 ? std::optional(draft().entries()[current()]) : std::nullopt);
  if (empty) show_editor(false);
  enable();
}

void PlaylistPanel::show_editor(bool on) {
  editor_->setVisible(on && current() >= 0);
  if (editor_->isVisible())
    editor_->findChild<QWidget*>("ends")->setFocus();
  else if (!on)
    list_->setFocus();
}

void PlaylistPanel::enable() {
  permit(apply_, link_, "load", draft().edited());
  permit(play_, link_, "load", !draft().entries().isEmpty());
  permit(play_from_start_, link_, "load", !draft().entries().isEmpty());
  for (auto* action : {edit_, remove_}) action->setEnabled(current() >= 0);
}

void PlaylistPanel::add(const QString& name) {
  if (!name.isEmpty()) model_.insert(current() < 0 ? model_.rowCount() : current() + 1, {name});
}

void PlaylistPanel::add_selected() { add(selected_()); }

void PlaylistPanel::move_current(int by) { model_.move(current(), current() + by); }

void PlaylistPanel::apply(bool from_start) {
  const auto take = [this, from_start](const QJsonValue& answer, const QString& error) {
    if (!error.isEmpty()) return;
    const auto taken = playlist_from(answer.toObject());
    if (!taken)
      return emit failed(tr("The server's answer cannot be read: %1").arg(QString::fromStdString(taken.error().what)));
    model_.applied(from_start, *taken);
  };
  link_.call("playlist", draft().request(from_start), take);
  if (from_start) link_.call("next");
}

void PlaylistPanel::set_state(const StateMessage& state) {
  follow(state);
  model_.set_live(state);
  progress_shown_.ask();
}

// A pass begins when the frames begin again. How many there were before this program saw the entry is not known.
void PlaylistPanel::follow(const StateMessage& state) {
  const auto entry = state.entry && !state.coming ? static_cast<qint64>(state.entry->id.value_or(0)) : 0;
  const auto frame = state.frame.value_or(0);
  const auto frames = state.frames.value_or(0);
  if (entry != entry_on_wall_) {
    saw_begin_ = entry_on_wall_ != 0 || (frames > 0 && frame < frames / 10);
    entry_on_wall_ = entry;
    progress_.pass = saw_begin_ && entry != 0 ? std::optional(1) : std::nullopt;
  } else if (progress_.pass && state_.frame.value_or(0) > frame + frames / 2) {
    ++*progress_.pass;
  }
  progress_.activity = activity_of(state);
  progress_.played.reset();
  if (entry != 0 && frames > 0 && state.entry->loops && (progress_.pass || state.entry->loops == 1U)) {
    const double pass = progress_.pass.value_or(1) - 1 + static_cast<double>(frame) / frames;
    progress_.played = std::clamp(pass / *state.entry->loops, 0.0, 1.0);
  }
  state_ = state;
}

void PlaylistPanel::show_progress() {
  delegate_.set_progress(progress_);
  for (int row = 0; row < model_.rowCount(); ++row)
    if (draft().state_of(row) == EntryState::on_wall) list_->update(model_.index(row));
}

QString PlaylistPanel::save(const QString& path) const { return save_file(path, draft().to_file()); }

QString PlaylistPanel::open(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return tr("cannot read %1: %2").arg(path, file.errorString());
  if (file.size() > file_bytes_max) return tr("%1 is too large for a playlist").arg(path);
  if (const auto problem = model_.open(file.readAll()); !problem.isEmpty()) return tr("%1: %2").arg(path, problem);
  return {};
}

void PlaylistPanel::ask_and_save() {
  const auto path = QFileDialog::getSaveFileName(this, tr("Save the playlist"), "playlist.json", file_filter());
  if (path.isEmpty()) return;
  if (const auto problem = save(path); !problem.isEmpty()) emit failed(problem);
}

void PlaylistPanel::ask_and_open() {
  const auto path = QFileDialog::getOpenFileName(this, tr("Open a playlist"), {}, file_filter());
  if (path.isEmpty()) return;
  if (const auto problem = open(path); !problem.isEmpty()) emit failed(problem);
}

}  // namespace lw
