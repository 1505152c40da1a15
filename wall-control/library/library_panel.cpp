#include "wall-control/library/library_panel.h"

#include "common/messages/requests.h"
#include "wall-control/library/delete_dialog.h"
#include "wall-control/library/describe_dialog.h"
#include "wall-control/library/image_reader.h"
#include "wall-control/library/import_dialog.h"
#include "wall-control/library/library_delegate.h"
#include "wall-control/library/library_view.h"
#include "wall-control/library/search_field.h"
#include "wall-control/link/control_link.h"
#include "wall-control/messages/telemetry_source.h"
#include "wall-control/ui/commands.h"
#include "wall-control/ui/empty_state.h"
#include "wall-control/ui/icons.h"
#include "wall-control/ui/permit.h"
#include "wall-control/ui/state_note.h"
#include "wall-control/ui/transition_choice.h"

#include <QActionGroup>
#include <QBoxLayout>
#include <QDragEnterEvent>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSlider>
#include <QStackedWidget>
#include <QToolButton>

namespace lw {
namespace {

constexpr int refresh_soon_ms = 50;
constexpr const char* cards_key = "library/cards";
constexpr const char* card_width_key = "library/card_width";

// The reason why a content directory is missing, and its visualizations.
QString text_of(const MissingDirectoryMessage& missing) {
  QStringList names;
  for (const auto& name : missing.names) names << QString::fromStdString(name);
  const auto text = LibraryPanel::tr("Missing: %1").arg(QString::fromStdString(missing.reason));
  const auto more = static_cast<qint64>(missing.visualizations) - names.size();
  if (more > 0) names << LibraryPanel::tr("%1 more").arg(more);
  return names.isEmpty() ? text : LibraryPanel::tr("%1 (%2)").arg(text, names.join(", "));
}

QStringList files_of(const QMimeData& data) {
  QStringList paths;
  for (const auto& url : data.urls())
    if (url.isLocalFile()) paths << url.toLocalFile();
  return paths;
}

}  // namespace

LibraryPanel::LibraryPanel(ControlLink& link, const TelemetrySource& source, Commands& commands, QWidget* parent)
    : Panel(parent), link_(link), commands_(commands) {
  setAcceptDrops(true);
  found_.setSourceModel(&library_);
  found_.set_order(LibraryFilter::Order::title);
  view_ = new LibraryView;
  view_->setObjectName("library");
  view_->setModel(&found_);
  connect(view_, &QListView::activated, this, [this](const QModelIndex& index) {
    const auto* row = library_.find(index.data(LibraryModel::name_role).toString());
    if (row != nullptr && row->importing && importing_) return open_import();
    load_selected();
  });
  connect(view_, &LibraryView::strip_wanted, this, &LibraryPanel::fetch_strip);
  commands.offer_copies(view_, [this] { load_selected(); });
  transition_ = new TransitionChoice(this);
  transition_->setObjectName("transition");
  transition_->hide();
  commands.offer_copies(transition_, [this] { load_selected(); });
  make_actions();
  make_menu();
  make_pages();
  troubles_ = new QLabel;
  troubles_->setObjectName("library-troubles");
  troubles_->setContentsMargins(8, 4, 8, 4);
  troubles_->setWordWrap(true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(make_filters());
  layout->addWidget(troubles_);
  layout->addWidget(pages_, 1);
  layout->addLayout(make_footer());
  for (const auto change : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    connect(&found_, change, this, &LibraryPanel::show_counts);
  connect(&found_, &QAbstractItemModel::modelReset, this, &LibraryPanel::show_counts);
  refresh_soon_.setSingleShot(true);
  refresh_soon_.setInterval(refresh_soon_ms);
  connect(&refresh_soon_, &QTimer::timeout, this, &LibraryPanel::refresh);
  connect(&link_, &ControlLink::ready, this, [this] {
    library_.forget_plans();
    refresh();
  });
  connect(&source, &TelemetrySource::library, this, &LibraryPanel::show_library);
  connect(&link_, &ControlLink::state_changed, this, &LibraryPanel::enable);
  connect(&link_, &ControlLink::guard_changed, this, &LibraryPanel::enable);
  enable();
  show_counts();
  connect(&link_, &ControlLink::happened, this, [this](const EventMessage& event) {
    if (event.code == "library") refresh_soon_.start();
  });
}

void LibraryPanel::make_actions() {
  commands_.add(
      tr("Search the library"), {QKeySequence::Find}, tr("Search the library"), [this] { search_->setFocus(); },
      Icon::search);
  commands_.add(tr("Next transition"), {Qt::Key_X},
                tr("How the next one from the library follows: by a cut, or the next length of fade"),
                [this] { transition_->setCurrentIndex((transition_->currentIndex() + 1) % transition_->count()); });
  refresh_ = commands_.add(
      tr("Read the library again"), {QKeySequence::Refresh}, tr("Read the library again"), [this] { refresh(); },
      Icon::refresh);
  import_ = commands_.add(
      tr("Import\u2026"), {QKeySequence(Qt::CTRL | Qt::Key_I)},
      tr("Bring a video, pictures or a test source into the library"), [this] { open_import(); }, Icon::import);
  cut_ = new QAction(icon(Icon::import), tr("Cut for this wall\u2026"), this);
  cut_->setObjectName("cut-for-this-wall");
  cut_->setToolTip(tr("Make a visualization for this wall from one that was made for another"));
  connect(cut_, &QAction::triggered, this, &LibraryPanel::cut_selected);
  describe_ = commands_.add(
      tr("Edit details\u2026"), {Qt::Key_F2}, tr("Edit title, tags and description"), [this] { describe_selected(); },
      Icon::edit);
  delete_ = commands_.add(
      tr("Delete\u2026"), {QKeySequence::Delete}, tr("Delete it from the disks of the wall's servers; asks first"),
      [this] { delete_selected(); }, Icon::remove);
  play_ = new QAction(icon(Icon::play), tr("Play on the wall\tEnter"), this);
  connect(play_, &QAction::triggered, this, &LibraryPanel::load_selected);
  add_ = new QAction(icon(Icon::add), tr("Add to playlist"), this);
  add_->setObjectName("add-to-playlist");
  connect(add_, &QAction::triggered, this, [this] { emit add_wanted(selected()); });
  make_orders();
  make_views();
  auto* more = new QAction(icon(Icon::more), tr("More"), this);
  auto* menu = new QMenu(this);
  for (auto* action : {play_, add_, cut_, describe_, delete_, refresh_}) menu->addAction(action);
  connect(menu, &QMenu::aboutToShow, this, &LibraryPanel::show_cut);
  more->setMenu(menu);
  set_tools({import_, sort_, cards_, more});
}

void LibraryPanel::make_orders() {
  using Order = LibraryFilter::Order;
  orders_ = new QActionGroup(this);
  auto* menu = new QMenu(this);
  for (const auto& [order, name, text] : {std::tuple{Order::title, "order-title", tr("Title A to Z")},
                                          {Order::rate, "order-rate", tr("Fastest first")},
                                          {Order::size, "order-size", tr("Largest first")},
                                          {Order::newest, "order-newest", tr("Newest first")}}) {
    auto* action = menu->addAction(text);
    action->setObjectName(name);
    action->setCheckable(true);
    action->setChecked(order == Order::title);
    orders_->addAction(action);
    connect(action, &QAction::triggered, this, [this, order = order] { show_order(order); });
  }
  sort_ = new QAction(icon(Icon::sort), tr("Order"), this);
  sort_->setToolTip(tr("Order of the library"));
  sort_->setMenu(menu);
}

void LibraryPanel::show_order(LibraryFilter::Order order) {
  found_.set_order(order);
  order_text_->setText(orders_->checkedAction()->text());
}

void LibraryPanel::make_views() {
  const bool cards = QSettings().value(cards_key, true).toBool();
  cards_ = new QAction(icon(Icon::grid), tr("Cards or rows"), this);
  cards_->setObjectName("library-cards");
  cards_->setCheckable(true);
  cards_->setChecked(cards);
  const auto show = [this](bool on) {
    cards_->setToolTip(on ? tr("Cards; press for rows with all figures") : tr("Rows; press for cards"));
    cards_->setIcon(icon(on ? Icon::grid : Icon::list));
    view_->show_cards(on);
  };
  connect(cards_, &QAction::toggled, this, [this, show](bool on) {
    QSettings().setValue(cards_key, on);
    show(on);
    size_->setEnabled(on);
  });
  show(cards);
}

// The commonest first. The menu that copies a request becomes a part of it.
void LibraryPanel::make_menu() {
  auto* copies = view_->findChild<QMenu*>("copies");
  copies->setTitle(tr("Copy"));
  copies->setIcon(icon(Icon::copy));
  disconnect(view_, &QWidget::customContextMenuRequested, copies, nullptr);
  auto* menu = new QMenu(view_);
  menu->setObjectName("card-menu");
  for (auto* action : {play_, add_}) menu->addAction(action);
  menu->addSeparator();
  for (auto* action : {cut_, describe_, delete_}) menu->addAction(action);
  connect(menu, &QMenu::aboutToShow, this, &LibraryPanel::show_cut);
  menu->addSeparator();
  menu->addMenu(copies);
  menu->addAction(import_);
  connect(view_, &QWidget::customContextMenuRequested, menu,
          [this, menu](const QPoint& place) { menu->popup(view_->viewport()->mapToGlobal(place)); });
}

QBoxLayout* LibraryPanel::make_filters() {
  search_ = new SearchField(tr("Search titles and tags"), QKeySequence::Find);
  search_->setObjectName("search");
  connect(search_, &QLineEdit::textChanged, &found_, &LibraryFilter::set_words);
  const auto chip = [](const QString& name, const QString& text, const QString& tip) {
    auto* made = new QToolButton;
    made->setObjectName(name);
    made->setText(text);
    made->setToolTip(tip);
    made->setProperty("chip", true);
    made->setFocusPolicy(Qt::TabFocus);
    made->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    return made;
  };
  fits_ = chip("only-fitting", tr("Fits this wall"), tr("Only those that this wall and its link can play"));
  fits_->setCheckable(true);
  connect(fits_, &QToolButton::toggled, this, [this](bool on) {
    fits_->setIcon(on ? icon(Icon::check) : QIcon());
    found_.set_only_fitting(on);
  });
  tags_ = chip("tags", tr("Tags"), tr("Only those with a tag"));
  tags_->setPopupMode(QToolButton::InstantPopup);
  tags_->setMenu(new QMenu(tags_));
  order_text_ = new QLabel(tr("Title A to Z"));
  order_text_->setForegroundRole(QPalette::PlaceholderText);
  auto* chips = new QHBoxLayout;
  chips->setSpacing(6);
  chips->addWidget(fits_);
  chips->addWidget(tags_);
  chips->addStretch(1);
  chips->addWidget(order_text_);
  auto* layout = new QVBoxLayout;
  layout->setContentsMargins(8, 8, 8, 6);
  layout->setSpacing(8);
  layout->addWidget(search_);
  layout->addLayout(chips);
  return layout;
}

void LibraryPanel::make_pages() {
  empty_ = new EmptyState(Icon::library);
  connect(empty_, &EmptyState::wanted, this, [this] {
    if (library_.rowCount() > 0) return clear_filters();
    open_import();
  });
  pages_ = new QStackedWidget;
  pages_->addWidget(view_);
  pages_->addWidget(empty_);
}

void LibraryPanel::clear_filters() {
  search_->clear();
  fits_->setChecked(false);
  tag_.clear();
  show_tags();
}

QBoxLayout* LibraryPanel::make_footer() {
  auto* hint = new QLabel(tr("Drop a video here to import it"));
  hint->setForegroundRole(QPalette::PlaceholderText);
  size_ = new QSlider(Qt::Horizontal);
  size_->setObjectName("card-size");
  size_->setAccessibleName(tr("Size of the cards"));
  size_->setToolTip(tr("Size of the cards"));
  size_->setRange(LibraryDelegate::card_width_min, LibraryDelegate::card_width_max);
  size_->setFixedWidth(80);
  size_->setEnabled(cards_->isChecked());
  connect(size_, &QSlider::valueChanged, this, [this](int width) {
    QSettings().setValue(card_width_key, width);
    view_->set_card_width(width);
  });
  size_->setValue(QSettings().value(card_width_key, LibraryDelegate::card_width_usual).toInt());
  auto* layout = new QHBoxLayout;
  layout->setContentsMargins(10, 4, 10, 4);
  layout->addWidget(hint, 1);
  layout->addWidget(size_);
  return layout;
}

// Without permission to change anything, imports are disabled too: they could fill this machine's disks by accident.
void LibraryPanel::enable() {
  import_->setEnabled(link_.guard() == ControlLink::Guard::none);
  permit(describe_, link_, "describe");
  permit(delete_, link_, "delete");
  permit(transition_, link_, "load");
  permit(play_, link_, "load");
  setAcceptDrops(import_->isEnabled());
}

void LibraryPanel::refresh() {
  if (link_.state() == ControlLink::State::ready) link_.ask_for_library();
}

void LibraryPanel::show_library(const LibraryReply& library) {
  const auto selected = view_->current_name();
  rejected_ = library.rejected.size();
  missing_ = library.missing.size();
  library_.set_visualizations(library.visualizations);
  // Of several servers, the last one may still be reading it.
  if (const auto* ready = library_.find(put_on_wall_); ready != nullptr && ready->fits) load(ready->name);
  view_->select(wanted_.isEmpty() ? selected : std::exchange(wanted_, {}));
  show_tags();
  show_counts();
  QStringList reasons;
  for (const auto& [folder, reason] : library.rejected) reasons << QString::fromStdString(folder + ": " + reason);
  for (const auto& directory : library.missing) reasons << text_of(directory);
  troubles_->setToolTip(reasons.join('\n'));
  show_playing_strip();
  if (link_.state() != ControlLink::State::ready) return;
  fetch_posters();
  fetch_plan();
}

void LibraryPanel::show_counts() {
  const int all = library_.rowCount();
  const int shown = found_.rowCount();
  if (shown != all)
    set_note(tr("%1 of %2").arg(shown).arg(all));
  else
    set_note(all == 1 ? tr("1 visualization") : tr("%1 visualizations").arg(all));
  QStringList parts;
  if (missing_ > 0) parts << (missing_ == 1 ? tr("1 folder missing") : tr("%1 folders missing").arg(missing_));
  if (rejected_ > 0) parts << tr("%1 damaged").arg(rejected_);
  troubles_->setText(parts.isEmpty() ? QString() : QString::fromUtf8("\u25b2 ") + parts.join(", "));
  troubles_->setVisible(!parts.isEmpty());
  pages_->setCurrentIndex(shown == 0 ? 1 : 0);
  if (all > 0)
    empty_->say(tr("Nothing found"), tr("No visualization matches the search and the filters."),
                tr("Show all visualizations"));
  else if (link_.state() != ControlLink::State::ready)
    empty_->say(tr("No library"), tr("Connect to a server to see its visualizations."));
  else
    empty_->say(tr("No visualizations yet"), tr("Drop a video or a folder of pictures here, or choose one."),
                tr("Import\u2026"));
}

// Keeps the choice if its tag still exists.
void LibraryPanel::show_tags() {
  const auto tags = library_.tags();
  if (!tags.contains(tag_)) tag_.clear();
  auto* menu = tags_->menu();
  menu->clear();
  const auto offer = [&](const QString& text, const QString& tag) {
    auto* action = menu->addAction(text);
    action->setCheckable(true);
    action->setChecked(tag == tag_);
    connect(action, &QAction::triggered, this, [this, tag] {
      tag_ = tag;
      QMetaObject::invokeMethod(this, &LibraryPanel::show_tags, Qt::QueuedConnection);
      found_.set_tag(tag_);
    });
  };
  offer(tr("All tags"), {});
  for (const auto& tag : tags) offer(tag, tag);
  tags_->setText(tag_.isEmpty() ? tr("Tags") : tag_);
  tags_->setEnabled(!tags.isEmpty());
  found_.set_tag(tag_);
}

void LibraryPanel::fetch_posters() {
  for (const auto& name : library_.without_poster())
    link_.call("image", ImageRequest{name.toStdString(), ImageKind::poster},
               [this, name](const QJsonValue& result, const QString& error) {
                 if (!error.isEmpty()) return;
                 read_image(result, this, [this, name](const QImage& poster) {
                   library_.set_poster(name, QPixmap::fromImage(poster));
                   view_->set_poster_ratio(static_cast<double>(poster.width()) / std::max(1, poster.height()));
                 });
               });
}

void LibraryPanel::fetch_strip(const QString& name) {
  const auto* row = library_.find(name);
  if (row == nullptr || row->thumbnails == 0 || !row->strip.isNull()) return;
  link_.call("image", ImageRequest{name.toStdString(), ImageKind::thumbnails},
             [this, name](const QJsonValue& result, const QString& error) {
               if (!error.isEmpty()) return;
               read_image(result, this, [this, name](const QImage& strip) {
                 library_.set_strip(name, QPixmap::fromImage(strip));
                 if (name == library_.playing()) show_playing_strip();
               });
             });
}

void LibraryPanel::show_playing_strip() {
  const auto* row = library_.find(library_.playing());
  if (row == nullptr || row->strip.isNull()) {
    emit playing_strip({}, 0);
    if (row != nullptr && link_.state() == ControlLink::State::ready) fetch_strip(row->name);
    return;
  }
  emit playing_strip(row->strip, row->thumbnails);
}

void LibraryPanel::fetch_plan() {
  const auto names = library_.without_plan();
  if (asking_plan_ || names.isEmpty()) return;
  asking_plan_ = true;
  const auto& name = names.first();
  link_.call("plan", NameRequest{name.toStdString()}, [this, name](const QJsonValue& result, const QString& error) {
    asking_plan_ = false;
    const auto plan = plan_from(result.toObject());
    if (!error.isEmpty() || !plan) return;
    library_.set_plan(name, *plan);
    fetch_plan();
  });
}

QString LibraryPanel::selected() const {
  const auto index = view_->currentIndex().isValid() ? view_->currentIndex() : found_.index(0, 0);
  return index.data(LibraryModel::name_role).toString();
}

void LibraryPanel::load_selected() { load(selected()); }

void LibraryPanel::load(const QString& name) {
  put_on_wall_.clear();
  if (!name.isEmpty()) link_.call("load", LoadRequest{name.toStdString(), {}, {}, transition_->message()});
}

ImportDialog& LibraryPanel::import_dialog() {
  if (importing_) return *importing_;
  importing_ = new ImportDialog(link_, this);
  importing_->set_names([this](const QString& name) { return library_.find(name) != nullptr; });
  connect(importing_, &ImportDialog::imported, this, [this](const QString& name, bool put_on_wall) {
    wanted_ = name;
    if (put_on_wall) put_on_wall_ = name;
    refresh();
  });
  connect(importing_, &ImportDialog::progressed, this, [this](const QString& name, int percent) {
    own_import_ = name.isEmpty() ? std::nullopt : std::optional(ImportedRow{name, percent});
    show_imports();
  });
  return *importing_;
}

void LibraryPanel::open_import() {
  import_dialog().show();
  import_dialog().raise();
}

// Only of what does not fit: a cut of what fits would be the same again.
void LibraryPanel::show_cut() {
  const auto* row = library_.find(selected());
  cut_->setEnabled(import_->isEnabled() && row != nullptr && !row->cut_from.isEmpty());
}

void LibraryPanel::cut_selected() {
  const auto* row = library_.find(selected());
  if (row == nullptr || row->cut_from.isEmpty()) return;
  open_import();
  const auto& wall = link_.info().wall;
  import_dialog().set_source(row->cut_from, QString("%1-%2x%3").arg(row->name).arg(wall.columns).arg(wall.rows));
}

void LibraryPanel::import_files(const QStringList& paths) {
  if (paths.isEmpty() || !import_->isEnabled()) return;
  open_import();
  import_dialog().add_files(paths);
}

void LibraryPanel::dragEnterEvent(QDragEnterEvent* event) {
  if (!files_of(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void LibraryPanel::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  import_files(files_of(*event->mimeData()));
}

void LibraryPanel::show_imports() {
  const auto selected = view_->current_name();
  auto imports = server_imports_;
  if (own_import_) imports << *own_import_;
  library_.set_imports(imports);
  if (view_->current_name() != selected) view_->select(selected);
}

void LibraryPanel::describe_selected() {
  const auto* row = library_.find(view_->current_name());
  if (row == nullptr) return;
  auto* dialog = new DescribeDialog(*row, this);
  const auto save = [this, dialog] { link_.call("describe", dialog->request()); };
  commands_.offer_copies(dialog->save_button(), save);
  connect(dialog, &QDialog::accepted, this, save);
  dialog->open();
}

void LibraryPanel::delete_selected() {
  const auto* row = library_.find(view_->current_name());
  if (row == nullptr) return;
  deleting_ = new DeleteDialog(*row, this);
  deleted_name_ = row->name;
  show_use();
  const auto remove = [this, name = row->name] { link_.call("delete", NameRequest{name.toStdString()}); };
  commands_.offer_copies(deleting_->delete_button(), remove);
  connect(deleting_, &QDialog::accepted, this, remove);
  deleting_->open();
}

// As the server, which refuses it.
QString LibraryPanel::use_of(const QString& wanted) const {
  const auto name = wanted.toStdString();
  if (state_.name == name) return tr("It is on the wall now. Load another visualization, or stop, before deleting it.");
  if (state_.coming && state_.coming->name == name)
    return tr("The wall is fading to it. Load another visualization first.");
  const auto entry = std::ranges::find(state_.playlist, name, &EntryMessage::name);
  if (entry == state_.playlist.end()) return {};
  return tr("It is entry %1 of what follows in the live playlist. Remove it there, and apply that, before deleting it.")
      .arg(entry - state_.playlist.begin() + 1);
}

void LibraryPanel::show_use() {
  if (deleting_) deleting_->set_use(use_of(deleted_name_));
}

void LibraryPanel::set_state(const StateMessage& state) {
  state_ = state;
  show_use();
  const auto name = QString::fromStdString(state.name.value_or(""));
  const bool another = name != library_.playing();
  library_.set_playing(name);
  if (another) show_playing_strip();
  server_imports_.clear();
  for (const auto& import : state.imports) {
    if (import.status != ImportStatus::running || import.name.empty()) continue;
    const auto total = std::max<std::uint64_t>(1, import.frames_total.value_or(0));
    server_imports_ << ImportedRow{QString::fromStdString(import.name),
                                   import.frames_total ? static_cast<int>(100 * import.frames / total) : 0};
  }
  show_imports();
  if (!name.isEmpty() && library_.find(name) == nullptr && library_.rowCount() > 0) refresh();
}

QString LibraryPanel::title_of(const QString& name) const {
  const auto* row = library_.find(name);
  return row != nullptr ? row->title : name;
}

QString LibraryPanel::description_of(const QString& name) const {
  const auto* row = library_.find(name);
  return row != nullptr ? row->description : QString();
}

}  // namespace lw
