#include "wall-control/library/library_view.h"

#include "wall-control/library/library_delegate.h"
#include "wall-control/models/library_model.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>

#include <algorithm>

namespace lw {
namespace {

constexpr double key_step = 0.05;

bool scrubs(const QKeyEvent& event) {
  return event.modifiers() == Qt::NoModifier && (event.key() == Qt::Key_Comma || event.key() == Qt::Key_Period);
}

}  // namespace

LibraryView::LibraryView(QWidget* parent)
    : QListView(parent), delegate_(new LibraryDelegate(this)), card_width_(LibraryDelegate::card_width_usual) {
  setItemDelegate(delegate_);
  setMouseTracking(true);
  setFrameShape(QFrame::NoFrame);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
  setUniformItemSizes(true);
  setAccessibleName(tr("Library"));
  show_cards(true);
}

void LibraryView::show_cards(bool cards) {
  setViewMode(cards ? IconMode : ListMode);
  // The mode sets these.
  setMovement(Static);
  setResizeMode(Adjust);
  setDragEnabled(true);
  setDragDropMode(DragOnly);
  delegate_->set_cards(cards);
  lay_out();
}

void LibraryView::set_card_width(int width) {
  card_width_ = width;
  lay_out();
}

void LibraryView::set_poster_ratio(double ratio) {
  delegate_->set_poster_ratio(ratio);
  lay_out();
}

// As many cards in a row as have room; they share it evenly.
void LibraryView::lay_out() {
  if (shows_cards()) {
    const int room = std::max(1, viewport()->width() - 2);
    const int columns = std::max(1, (room + card_width_ / 4) / card_width_);
    delegate_->set_card_width(std::max(LibraryDelegate::card_width_min, room / columns));
    setGridSize(delegate_->card_size());
  } else {
    setGridSize({});
  }
  scheduleDelayedItemsLayout();
  viewport()->update();
}

void LibraryView::resizeEvent(QResizeEvent* event) {
  QListView::resizeEvent(event);
  if (event->size().width() != event->oldSize().width()) lay_out();
}

void LibraryView::changeEvent(QEvent* event) {
  QListView::changeEvent(event);
  if (delegate_ != nullptr && (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)) lay_out();
}

QString LibraryView::current_name() const { return currentIndex().data(LibraryModel::name_role).toString(); }

void LibraryView::select(const QString& name) {
  for (int row = 0; row < model()->rowCount(); ++row) {
    const auto index = model()->index(row, 0);
    if (index.data(LibraryModel::name_role).toString() == name) setCurrentIndex(index);
  }
}

QRect LibraryView::poster_of(const QModelIndex& index) const { return delegate_->poster_in(visualRect(index)); }

void LibraryView::scrub(const QString& name, double position) {
  if (name.isEmpty() && scrubbed_.isEmpty()) return;
  if (name != scrubbed_ && !name.isEmpty()) emit strip_wanted(name);
  scrubbed_ = name;
  delegate_->set_scrub(name, position);
  viewport()->update();
}

void LibraryView::mouseMoveEvent(QMouseEvent* event) {
  QListView::mouseMoveEvent(event);
  const auto index = indexAt(event->pos());
  const auto poster = index.isValid() ? poster_of(index) : QRect();
  if (!poster.contains(event->pos())) return scrub({}, 0);
  scrub(index.data(LibraryModel::name_role).toString(),
        static_cast<double>(event->pos().x() - poster.left()) / poster.width());
}

void LibraryView::leaveEvent(QEvent* event) {
  QListView::leaveEvent(event);
  scrub({}, 0);
}

// The list would use the letters to search by the first one.
bool LibraryView::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && scrubs(*static_cast<QKeyEvent*>(event))) event->accept();
  return QListView::event(event);
}

void LibraryView::keyPressEvent(QKeyEvent* event) {
  if (!scrubs(*event) || current_name().isEmpty()) return QListView::keyPressEvent(event);
  const double from = scrubbed_ == current_name() ? delegate_->scrub_position() : 0;
  scrub(current_name(), from + (event->key() == Qt::Key_Period ? key_step : -key_step));
}

}  // namespace lw
