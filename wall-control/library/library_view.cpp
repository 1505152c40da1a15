#include "wall-control/library/library_view.h"

#include "wall-control/library/library_delegate.h"
#include "wall-control/models/library_model.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace lw {
namespace {

constexpr double key_step = 0.05;

bool scrubs(const QKeyEvent& event) {
  return event.modifiers() == Qt::NoModifier && (event.key() == Qt::Key_Comma || event.key() == Qt::Key_Period);
}

}  // namespace

LibraryView::LibraryView(QWidget* parent) : QListView(parent), delegate_(new LibraryDelegate(this)) {
  setItemDelegate(delegate_);
  setMouseTracking(true);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setAccessibleName(tr("Library"));
}

QString LibraryView::current_name() const { return currentIndex().data(LibraryModel::name_role).toString(); }

void LibraryView::select(const QString& name) {
  for (int row = 0; row < model()->rowCount(); ++row) {
    const auto index = model()->index(row, 0);
    if (index.data(LibraryModel::name_role).toString() == name) setCurrentIndex(index);
  }
}

void LibraryView::scrub(const QString& name, double position) {
  if (name != scrubbed_ && !name.isEmpty()) emit strip_wanted(name);
  scrubbed_ = name;
  delegate_->set_scrub(name, position);
  viewport()->update();
}

void LibraryView::mouseMoveEvent(QMouseEvent* event) {
  QListView::mouseMoveEvent(event);
  const auto index = indexAt(event->pos());
  const auto poster = LibraryDelegate::poster_in(visualRect(index), fontMetrics());
  if (!index.isValid() || !poster.contains(event->pos())) return scrub({}, 0);
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

void LibraryView::paintEvent(QPaintEvent* event) {
  QListView::paintEvent(event);
  if (model() == nullptr || model()->rowCount() > 0) return;
  QPainter painter(viewport());
  painter.setPen(palette().color(QPalette::PlaceholderText));
  painter.drawText(viewport()->rect().marginsRemoved({12, 12, 12, 12}), Qt::AlignCenter | Qt::TextWordWrap,
                   tr("No visualizations to show.\n\nImport... brings in a video or pictures."));
}

void LibraryView::keyPressEvent(QKeyEvent* event) {
  if (!scrubs(*event) || current_name().isEmpty()) return QListView::keyPressEvent(event);
  const double from = scrubbed_ == current_name() ? delegate_->scrub_position() : 0;
  scrub(current_name(), from + (event->key() == Qt::Key_Period ? key_step : -key_step));
}

}  // namespace lw
