#include "wall-control/playlist/playlist_panel.h"

#include "wall-control/link/control_link.h"
#include "wall-control/ui/commands.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/permit.h"
#include "wall-control/ui/save_file.h"
#include "wall-control/ui/transition_choice.h"

#include <QAction>
#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>

#include <algorithm>

namespace lw {
namespace {

constexpr qint64 file_bytes_max = 1 << 20;
QString file_filter() { return PlaylistPanel::tr("Playlists (*.json)"); }

struct EntryLook {
  QString sign, words;
  QColor color;
};

EntryLook look_of(EntryState state) {
  switch (state) {
    case EntryState::on_wall:
      return {QString::fromUtf8("\u25b6"), PlaylistPanel::tr("on the wall"), colors::ok};
    case EntryState::queued:
      return {QString::fromUtf8("\u25cf"), PlaylistPanel::tr("queued"), colors::text};
    case EntryState::played:
      return {QString::fromUtf8("\u2713"), PlaylistPanel::tr("was played"), colors::text3};
    case EntryState::edited:
      return {QString::fromUtf8("\u25b2"), PlaylistPanel::tr("edited, not live"), colors::warn};
  }
  return {};
}

QString playing_text(const DraftEntry& entry) {
  const auto duration = duration_text(entry);
  return entry.fade_ms ? PlaylistPanel::tr("%1, fade of %2 s").arg(duration).arg(*entry.fade_ms / 1000.0) : duration;
}

enum class Ends { once, loops, seconds };

}  // namespace

PlaylistPanel::PlaylistPanel(ControlLink& link, Commands& commands, Selected selected, Title title, QWidget* parent)
    : QWidget(parent), link_(link), selected_(std::move(selected)), title_(std::move(title)) {
  live_ = new QLabel;
  live_->setObjectName("playlist-live");
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 6);
  layout->addWidget(live_);
  layout->addWidget(make_list(), 1);
  layout->addWidget(make_duration());
  layout->addWidget(make_edit_buttons());
  layout->addWidget(make_live_buttons(commands));
  connect(&link_, &ControlLink::state_changed, this, &PlaylistPanel::enable);
  connect(&link_, &ControlLink::guard_changed, this, &PlaylistPanel::enable);
  show_draft(0);
}

QWidget* PlaylistPanel::make_list() {
  list_ = new QListWidget;
  list_->setObjectName("playlist");
  list_->setAccessibleName(tr("Playlist"));
  list_->setDragDropMode(QAbstractItemView::InternalMove);
  list_->setWordWrap(true);
  list_->setSpacing(2);
  connect(list_, &QListWidget::currentRowChanged, this, &PlaylistPanel::show_duration);
  // Moved by hand. The row it is inserted before still counts the entry that moves.
  connect(list_->model(), &QAbstractItemModel::rowsMoved, this,
          [this](const QModelIndex&, int from, int, const QModelIndex&, int before) {
            const int to = before > from ? before - 1 : before;
            draft_.move(from, to);
            QMetaObject::invokeMethod(
                this, [this, to] { show_draft(to); }, Qt::QueuedConnection);
          });
  return list_;
}

QWidget* PlaylistPanel::make_duration() {
  auto* row = new QWidget;
  auto* layout = new QGridLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  ends_ = new QComboBox;
  ends_->setObjectName("ends");
  ends_->setAccessibleName(tr("How long the entry plays"));
  for (const auto& text : {tr("Plays once"), tr("Plays times:"), tr("Plays seconds:")}) ends_->addItem(text);
  amount_ = new QDoubleSpinBox;
  amount_->setObjectName("amount");
  amount_->setAccessibleName(tr("Times or seconds"));
  amount_->setKeyboardTracking(false);
  repeat_ = new QCheckBox(tr("Repeat"));
  repeat_->setObjectName("repeat");
  repeat_->setToolTip(tr("The playlist begins again at its end"));
  transition_ = new TransitionChoice;
  transition_->setObjectName("entry-transition");
  transition_->setAccessibleName(tr("Transition to the entry"));
  connect(transition_, &QComboBox::activated, this, &PlaylistPanel::take_transition);
  connect(ends_, &QComboBox::activated, this, &PlaylistPanel::take_duration);
  connect(amount_, &QDoubleSpinBox::valueChanged, this, &PlaylistPanel::take_duration);
  connect(repeat_, &QCheckBox::toggled, this, [this](bool on) {
    if (showing_) return;
    draft_.set_repeat(on);
    show_draft(list_->currentRow());
  });
  layout->addWidget(ends_, 0, 0);
  layout->addWidget(amount_, 0, 1);
  layout->addWidget(transition_, 1, 0);
  layout->addWidget(repeat_, 1, 1);
  layout->setColumnStretch(1, 1);
  return row;
}

QPushButton* PlaylistPanel::button(const QString& text, const QString& tip, const std::function<void()>& run) {
  auto* made = new QPushButton(text);
  made->setMinimumWidth(made->fontMetrics().horizontalAdvance(text) + 16);  // six stand in a row
  made->setToolTip(tip);
  made->setAccessibleName(tip);
  connect(made, &QPushButton::clicked, this, [run] { run(); });
  return made;
}

QWidget* PlaylistPanel::make_edit_buttons() {
  auto* up = button(QString::fromUtf8("\u2191"), tr("Move the entry up (Alt+Up)"), [this] { move_current(-1); });
  auto* down = button(QString::fromUtf8("\u2193"), tr("Move the entry down (Alt+Down)"), [this] { move_current(1); });
  for (auto* arrow : {up, down}) arrow->setFixedWidth(34);
  up->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Up));
  down->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Down));
  auto* add = button(tr("Add"), tr("Add what is selected in the library"), [this] { add_selected(); });
  auto* remove = button(tr("Remove"), tr("Take the entry out"), [this] {
    const int row = list_->currentRow();
    if (row < 0) return;
    draft_.remove(row);
    show_draft(row);
  });
  add->setObjectName("add");
  remove->setObjectName("remove");
  up->setObjectName("up");
  down->setObjectName("down");
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  for (auto* part : {add, remove, up, down}) layout->addWidget(part);
  layout->addWidget(button(QString::fromUtf8("Open\u2026"), tr("Open a playlist file"), [this] { ask_and_open(); }));
  layout->addWidget(
      button(QString::fromUtf8("Save\u2026"), tr("Save this playlist as a file"), [this] { ask_and_save(); }));
  return row;
}

QWidget* PlaylistPanel::make_live_buttons(Commands& commands) {
  apply_ = button(tr("Apply"), tr("Let this follow what is on the wall"), [this] { apply(false); });
  play_ = button(tr("Play from start"), tr("Make this live and go to its first entry now"), [this] { apply(true); });
  revert_ = button(tr("Revert"), tr("Take what the server has, and forget what was edited"), [this] {
    draft_.take_live();
    show_draft(0);
  });
  apply_->setObjectName("apply");
  play_->setObjectName("play-from-start");
  revert_->setObjectName("revert");
  commands.offer_copies(apply_, [this] { apply(false); });
  commands.offer_copies(play_, [this] { apply(true); });
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  for (auto* part : {apply_, play_, revert_}) layout->addWidget(part);
  return row;
}

void PlaylistPanel::show_draft(int current) {
  showing_ = true;
  list_->clear();
  for (qsizetype i = 0; i < draft_.entries().size(); ++i) {
    const auto& entry = draft_.entries()[i];
    const auto look = look_of(draft_.state_of(i));
    auto* item = new QListWidgetItem(
        QString("%1  %2\n%3, %4").arg(look.sign, title_(entry.name), playing_text(entry), look.words), list_);
    item->setForeground(look.color);
    item->setToolTip(entry.name);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled);
  }
  repeat_->setChecked(draft_.repeat());
  list_->setCurrentRow(std::clamp(current, 0, std::max(0, list_->count() - 1)));
  showing_ = false;
  const bool edited = draft_.edited();
  live_->setText(edited                       ? QString::fromUtf8("\u25b2 ") + tr("Edited, not live: Apply makes it so")
                 : draft_.entries().isEmpty() ? tr("Empty: add from the library")
                                              : QString::fromUtf8("\u25cf ") + tr("Live: the server plays this"));
  live_->setStyleSheet(QString("color: %1").arg((edited ? colors::warn : colors::ok).name()));
  revert_->setEnabled(edited);
  enable();
  show_duration();
}

void PlaylistPanel::enable() {
  permit(apply_, link_, "load", draft_.edited());
  permit(play_, link_, "load", !draft_.entries().isEmpty());
}

void PlaylistPanel::show_duration() {
  if (showing_) return;
  const int row = list_->currentRow();
  showing_ = true;
  ends_->setEnabled(row >= 0);
  const auto entry = row >= 0 ? draft_.entries()[row] : DraftEntry{};
  ends_->setCurrentIndex(static_cast<int>(entry.loops ? Ends::loops : entry.seconds ? Ends::seconds : Ends::once));
  amount_->setEnabled(entry.loops || entry.seconds);
  amount_->setDecimals(entry.seconds ? 1 : 0);
  amount_->setRange(entry.seconds ? 0.1 : 1, entry.seconds ? 604'800 : 1'000'000);
  amount_->setSuffix(entry.seconds ? tr(" s") : entry.loops ? tr(" times") : QString());
  amount_->setValue(entry.seconds.value_or(entry.loops.value_or(1)));
  transition_->setEnabled(row >= 0);
  transition_->set_fade_ms(entry.fade_ms);
  showing_ = false;
}

void PlaylistPanel::take_duration() {
  const int row = list_->currentRow();
  if (showing_ || row < 0) return;
  const auto ends = static_cast<Ends>(ends_->currentIndex());
  const auto& before = draft_.entries()[row];
  // Another kind starts with a common amount.
  const int loops = before.loops || ends != Ends::loops ? static_cast<int>(amount_->value()) : 2;
  const double seconds = before.seconds || ends != Ends::seconds ? amount_->value() : 60;
  draft_.set_duration(row, ends == Ends::loops ? std::optional(loops) : std::nullopt,
                      ends == Ends::seconds ? std::optional(seconds) : std::nullopt);
  show_draft(row);
}

void PlaylistPanel::take_transition() {
  const int row = list_->currentRow();
  if (showing_ || row < 0) return;
  draft_.set_fade(row, transition_->fade_ms());
  show_draft(row);
}

void PlaylistPanel::add_selected() {
  const auto name = selected_();
  if (name.isEmpty()) return;
  const int at = list_->currentRow() < 0 ? list_->count() : list_->currentRow() + 1;
  draft_.insert(at, name);
  show_draft(at);
}

void PlaylistPanel::move_current(int by) {
  const int row = list_->currentRow();
  const int to = row + by;
  if (row < 0 || to < 0 || to >= list_->count()) return;
  draft_.move(row, to);
  show_draft(to);
}

void PlaylistPanel::apply(bool from_start) {
  const auto take = [this, from_start](const QJsonValue& answer, const QString& error) {
    if (!error.isEmpty()) return;
    const auto taken = playlist_from(answer.toObject());
    if (taken) draft_.applied(from_start, *taken);
    show_draft(list_->currentRow());
    if (!taken) live_->setText(tr("The answer is not understood: %1").arg(QString::fromStdString(taken.error().what)));
  };
  link_.call("playlist", draft_.request(from_start), take);
  if (from_start) link_.call("next");
}

void PlaylistPanel::set_state(const StateMessage& state) {
  // The frame changes all the time.
  const auto of_list = [](const StateMessage& s) { return std::tie(s.entry, s.coming, s.playlist, s.repeat); };
  if (taken_ && of_list(*taken_) == of_list(state)) return;
  taken_ = state;
  const bool untouched = draft_.entries().isEmpty() || !draft_.edited();
  draft_.set_live(state);
  // Another operator's playlist is adopted if nothing was edited here.
  if (untouched && draft_.edited()) draft_.take_live();
  show_draft(list_->currentRow());
}

QString PlaylistPanel::save(const QString& path) const { return save_file(path, draft_.to_file()); }

QString PlaylistPanel::open(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return tr("cannot read %1: %2").arg(path, file.errorString());
  if (file.size() > file_bytes_max) return tr("%1 is too large for a playlist").arg(path);
  if (const auto problem = draft_.open(file.readAll()); !problem.isEmpty()) return tr("%1: %2").arg(path, problem);
  show_draft(0);
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
