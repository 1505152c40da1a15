#include "wall-control/library/library_panel.h"

#include "wall-control/app/commands.h"
#include "wall-control/app/heading.h"
#include "wall-control/library/library_delegate.h"
#include "wall-control/link/control_link.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListView>

namespace lw {

LibraryPanel::LibraryPanel(ControlLink& link, Commands& commands, QWidget* parent) : QWidget(parent), link_(link) {
  search_ = new QLineEdit;
  search_->setPlaceholderText(tr("Search titles and tags"));
  search_->setAccessibleName(tr("Search the library"));
  search_->setClearButtonEnabled(true);
  found_.setSourceModel(&library_);
  found_.setFilterRole(LibraryModel::search_role);
  found_.setFilterCaseSensitivity(Qt::CaseInsensitive);
  connect(search_, &QLineEdit::textChanged, &found_, &QSortFilterProxyModel::setFilterFixedString);
  view_ = new QListView;
  view_->setObjectName("library");
  view_->setModel(&found_);
  view_->setItemDelegate(new LibraryDelegate(view_));
  view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  view_->setAccessibleName(tr("Library"));
  connect(view_, &QListView::activated, this, [this] { load_selected(); });
  commands.offer_copies(view_, [this] { load_selected(); });
  auto* hint = new QLabel(tr("Double click or Enter shows it on the wall"));
  hint->setForegroundRole(QPalette::PlaceholderText);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 4, 0);
  layout->addWidget(heading(tr("Library")));
  layout->addWidget(search_);
  layout->addWidget(view_, 1);
  layout->addWidget(hint);
  setMinimumWidth(300);
  make_actions(commands);
}

void LibraryPanel::make_actions(Commands& commands) {
  commands.add(tr("Search"), {QKeySequence::Find}, tr("Search the library"), [this] { search_->setFocus(); });
  commands.add(tr("Refresh"), {QKeySequence::Refresh}, tr("Read the library anew"), [this] { refresh(); });
}

void LibraryPanel::refresh() {
  link_.call("list", {}, [this](const QJsonValue& result, const QString& error) {
    if (!error.isEmpty()) return;
    library_.set_visualizations(result["visualizations"].toArray());
    fetch_posters();
  });
}

void LibraryPanel::fetch_posters() {
  for (const auto& name : library_.without_poster())
    link_.call(
        "image", {{"name", name}, {"kind", "poster"}}, [this, name](const QJsonValue& result, const QString& error) {
          QPixmap poster;
          if (error.isEmpty() && poster.loadFromData(QByteArray::fromBase64(result["base64"].toString().toLatin1())))
            library_.set_poster(name, poster);
        });
}

void LibraryPanel::load_selected() {
  const auto index = view_->currentIndex().isValid() ? view_->currentIndex() : found_.index(0, 0);
  if (index.isValid()) link_.call("load", {{"name", index.data(LibraryModel::name_role).toString()}});
}

void LibraryPanel::set_state(const QJsonObject& state) {
  const auto name = state["name"].toString();
  library_.set_playing(name);
  if (!name.isEmpty() && library_.find(name) == nullptr && library_.rowCount() > 0) refresh();
}

QString LibraryPanel::title_of(const QString& name) const {
  const auto* row = library_.find(name);
  return row != nullptr ? row->title : name;
}

}  // namespace lw
