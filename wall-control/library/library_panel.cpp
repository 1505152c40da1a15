#include "wall-control/library/library_panel.h"

#include "common/messages/requests.h"
#include "wall-control/library/delete_dialog.h"
#include "wall-control/library/describe_dialog.h"
#include "wall-control/library/import_dialog.h"
#include "wall-control/library/library_view.h"
#include "wall-control/link/control_link.h"
#include "wall-control/messages/telemetry_source.h"
#include "wall-control/ui/commands.h"
#include "wall-control/ui/permit.h"
#include "wall-control/ui/transition_choice.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

namespace lw {
namespace {

constexpr int refresh_soon_ms = 50;

// Null if it is not an image.
QPixmap picture_of(const QJsonValue& answer) {
  QPixmap picture;
  if (const auto image = image_from(answer.toObject()))
    picture.loadFromData(QByteArray::fromBase64(QByteArray::fromStdString(image->base64)));
  return picture;
}

QToolButton* button_of(QAction* action) {
  auto* button = new QToolButton;
  button->setDefaultAction(action);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

// The reason why a content directory is missing, and its visualizations.
QString text_of(const MissingDirectoryMessage& missing) {
  QStringList names;
  for (const auto& name : missing.names) names << QString::fromStdString(name);
  const auto text = LibraryPanel::tr("Missing: %1").arg(QString::fromStdString(missing.reason));
  const auto more = static_cast<qint64>(missing.visualizations) - names.size();
  if (more > 0) names << LibraryPanel::tr("%1 more").arg(more);
  return names.isEmpty() ? text : LibraryPanel::tr("%1 (%2)").arg(text, names.join(", "));
}

}  // namespace

LibraryPanel::LibraryPanel(ControlLink& link, const TelemetrySource& source, Commands& commands, QWidget* parent)
    : QWidget(parent), link_(link), commands_(commands) {
  found_.setSourceModel(&library_);
  found_.set_order(LibraryFilter::Order::title);
  view_ = new LibraryView;
  view_->setObjectName("library");
  view_->setModel(&found_);
  connect(view_, &QListView::activated, this, [this] { load_selected(); });
  connect(view_, &LibraryView::strip_wanted, this, &LibraryPanel::fetch_strip);
  commands.offer_copies(view_, [this] { load_selected(); });
  make_actions();
  counts_ = new QLabel;
  counts_->setObjectName("library-counts");
  counts_->setForegroundRole(QPalette::PlaceholderText);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 6);
  layout->addLayout(make_filters());
  layout->addWidget(view_, 1);
  auto* hint = new QLabel(tr("Enter: on the wall by"));
  hint->setForegroundRole(QPalette::PlaceholderText);
  hint->setToolTip(tr(", and . scrub"));
  transition_ = new TransitionChoice;
  transition_->setObjectName("transition");
  commands.offer_copies(transition_, [this] { load_selected(); });
  auto* below = new QHBoxLayout;
  below->addWidget(hint);
  below->addWidget(transition_);
  below->addWidget(counts_, 1, Qt::AlignRight);
  layout->addLayout(below);
  layout->addLayout(make_buttons());
  setMinimumWidth(300);
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
  connect(&link_, &ControlLink::happened, this, [this](const EventMessage& event) {
    if (event.code == "library") refresh_soon_.start();
  });
}

void LibraryPanel::make_actions() {
  commands_.add(tr("Search"), {QKeySequence::Find}, tr("Search the library"), [this] { search_->setFocus(); });
  commands_.add(tr("Fade"), {Qt::Key_X}, tr("The next one from the library: by a cut, or the next length of fade"),
                [this] { transition_->setCurrentIndex((transition_->currentIndex() + 1) % transition_->count()); });
  commands_.add(tr("Refresh"), {QKeySequence::Refresh}, tr("Read the library anew"), [this] { refresh(); });
  import_ = commands_.add(QString::fromUtf8("Import\u2026"), {QKeySequence(Qt::CTRL | Qt::Key_I)},
                          tr("Bring a video, pictures or a test source into the library"), [this] { open_import(); });
  describe_ =
      commands_.add(QString::fromUtf8("Describe\u2026"), {Qt::Key_F2},
                    tr("Change title, tags and description of the one selected"), [this] { describe_selected(); });
  delete_ = commands_.add(QString::fromUtf8("Delete\u2026"), {Qt::Key_Delete},
                          tr("Delete the one selected from the disks of the wall's servers; asks twice"),
                          [this] { delete_selected(); });
}

QBoxLayout* LibraryPanel::make_filters() {
  search_ = new QLineEdit;
  search_->setObjectName("search");
  search_->setPlaceholderText(tr("Search titles and tags"));
  search_->setAccessibleName(tr("Search the library"));
  search_->setClearButtonEnabled(true);
  connect(search_, &QLineEdit::textChanged, &found_, &LibraryFilter::set_words);
  using Order = LibraryFilter::Order;
  order_ = new QComboBox;
  order_->setObjectName("order");
  order_->setAccessibleName(tr("Order of the library"));
  for (const auto& [order, text] : {std::pair{Order::title, tr("By title")},
                                    {Order::rate, tr("By needed rate")},
                                    {Order::size, tr("By size")},
                                    {Order::newest, tr("Newest first")}})
    order_->addItem(text, QVariant::fromValue(order));
  connect(order_, &QComboBox::currentIndexChanged, this,
          [this] { found_.set_order(order_->currentData().value<Order>()); });
  tag_ = new QComboBox;
  tag_->setObjectName("tag");
  tag_->setAccessibleName(tr("Only those with the tag"));
  tag_->addItem(tr("All tags"), QString());
  tag_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  tag_->setMinimumContentsLength(8);
  connect(tag_, &QComboBox::currentIndexChanged, this, [this] { found_.set_tag(tag_->currentData().toString()); });
  only_fitting_ = new QCheckBox(tr("Fits"));
  only_fitting_->setObjectName("only-fitting");
  only_fitting_->setToolTip(tr("Only those that this wall and its link can play"));
  connect(only_fitting_, &QCheckBox::toggled, &found_, &LibraryFilter::set_only_fitting);
  auto* choices = new QHBoxLayout;
  choices->addWidget(order_);
  choices->addWidget(tag_, 1);
  choices->addWidget(only_fitting_);
  auto* layout = new QVBoxLayout;
  layout->addWidget(search_);
  layout->addLayout(choices);
  return layout;
}

QBoxLayout* LibraryPanel::make_buttons() {
  auto* layout = new QHBoxLayout;
  auto* menu = view_->findChild<QMenu*>("copies");
  menu->addSeparator();
  for (auto* action : {import_, describe_, delete_}) {
    layout->addWidget(button_of(action));
    menu->addAction(action);
  }
  layout->addStretch(1);
  return layout;
}

// Without permission to change anything, imports are disabled too: they could fill this machine's disks by accident.
void LibraryPanel::enable() {
  import_->setEnabled(link_.guard() == ControlLink::Guard::none);
  permit(describe_, link_, "describe");
  permit(delete_, link_, "delete");
  permit(transition_, link_, "load");
}

void LibraryPanel::refresh() {
  if (link_.state() == ControlLink::State::ready) link_.ask_for_library();
}

void LibraryPanel::show_library(const LibraryReply& library) {
  const auto selected = view_->current_name();
  rejected_ = library.rejected.size();
  missing_ = library.missing.size();
  library_.set_visualizations(library.visualizations);
  view_->select(wanted_.isEmpty() ? selected : std::exchange(wanted_, {}));
  show_tags();
  show_counts();
  QStringList reasons;
  for (const auto& [folder, reason] : library.rejected) reasons << QString::fromStdString(folder + ": " + reason);
  for (const auto& directory : library.missing) reasons << text_of(directory);
  counts_->setToolTip(reasons.join('\n'));
  if (link_.state() != ControlLink::State::ready) return;
  fetch_posters();
  fetch_plan();
}

void LibraryPanel::show_counts() {
  QStringList parts;
  if (found_.rowCount() != library_.rowCount())
    parts << tr("%1 of %2").arg(found_.rowCount()).arg(library_.rowCount());
  else
    parts << QString::number(library_.rowCount());
  if (missing_ > 0)
    parts << QString::fromUtf8("\u25b2 ") +
                 (missing_ == 1 ? tr("1 folder missing") : tr("%1 folders missing").arg(missing_));
  if (rejected_ > 0) parts << QString::fromUtf8("\u25b2 ") + tr("%1 damaged").arg(rejected_);
  counts_->setText(parts.join(QString::fromUtf8("  \u00b7  ")));
}

// Keeps the choice if its tag still exists.
void LibraryPanel::show_tags() {
  const auto chosen = tag_->currentData().toString();
  const QSignalBlocker quiet(tag_);
  while (tag_->count() > 1) tag_->removeItem(1);
  for (const auto& tag : library_.tags()) tag_->addItem(tag, tag);
  tag_->setCurrentIndex(std::max(0, tag_->findData(chosen)));
  found_.set_tag(tag_->currentData().toString());
}

void LibraryPanel::fetch_posters() {
  for (const auto& name : library_.without_poster())
    link_.call("image", ImageRequest{name.toStdString(), ImageKind::poster},
               [this, name](const QJsonValue& result, const QString& error) {
                 const auto poster = picture_of(result);
                 if (error.isEmpty() && !poster.isNull()) library_.set_poster(name, poster);
               });
}

void LibraryPanel::fetch_strip(const QString& name) {
  const auto* row = library_.find(name);
  if (row == nullptr || row->thumbnails == 0 || !row->strip.isNull()) return;
  link_.call("image", ImageRequest{name.toStdString(), ImageKind::thumbnails},
             [this, name](const QJsonValue& result, const QString& error) {
               const auto strip = picture_of(result);
               if (error.isEmpty() && !strip.isNull()) library_.set_strip(name, strip);
             });
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

void LibraryPanel::load_selected() {
  const auto name = selected();
  if (!name.isEmpty()) link_.call("load", LoadRequest{name.toStdString(), {}, {}, transition_->message()});
}

void LibraryPanel::open_import() {
  auto* dialog = new ImportDialog(link_, this);
  connect(dialog, &ImportDialog::imported, this, [this](const QString& name) {
    wanted_ = name;
    refresh();
  });
  dialog->open();
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
  auto* dialog = new DeleteDialog(*row, this);
  const auto remove = [this, name = row->name] { link_.call("delete", NameRequest{name.toStdString()}); };
  commands_.offer_copies(dialog->delete_button(), remove);
  connect(dialog, &QDialog::accepted, this, remove);
  dialog->open();
}

void LibraryPanel::set_state(const StateMessage& state) {
  const auto name = QString::fromStdString(state.name.value_or(""));
  library_.set_playing(name);
  if (!name.isEmpty() && library_.find(name) == nullptr && library_.rowCount() > 0) refresh();
}

QString LibraryPanel::title_of(const QString& name) const {
  const auto* row = library_.find(name);
  return row != nullptr ? row->title : name;
}

}  // namespace lw
