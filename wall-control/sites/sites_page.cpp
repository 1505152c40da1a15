#include "wall-control/sites/sites_page.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/state_shape.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPixmap>
#include <QStyledItemDelegate>
#include <QTableView>

#include <utility>

namespace lw {
namespace {

constexpr int shape_side = 14;  // of a shape

State look_of(SiteState state) {
  switch (state) {
    case SiteState::heard:
      return State::ok;
    case SiteState::partly_heard:
      return State::warn;
    case SiteState::silent:
      return State::crit;
    default:
      return State::off;
  }
}

// A shape before the words of the state.
class StateDelegate : public QStyledItemDelegate {
public:
  StateDelegate(const SiteModel& sites, QObject* parent) : QStyledItemDelegate(parent), sites_(sites) {}

protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const auto state = look_of(sites_.rows()[static_cast<std::size_t>(index.row())].state);
    const auto ratio = option->widget != nullptr ? option->widget->devicePixelRatioF() : 1.0;
    QPixmap picture(QSize(shape_side, shape_side) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    paint_state(painter, state, QRectF(0, 0, shape_side, shape_side));
    painter.end();
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->decorationSize = QSize(shape_side, shape_side);
    option->icon = QIcon(picture);
  }

private:
  const SiteModel& sites_;
};

}  // namespace

SitesPage::SitesPage(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Sites"));
  summary_ = new QLabel;
  summary_->setObjectName("sites-summary");
  summary_->setWordWrap(true);
  make_table();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 0);
  layout->addWidget(summary_);
  layout->addWidget(rows_, 1);
  show_sites();
}

void SitesPage::make_table() {
  rows_ = new QTableView;
  rows_->setObjectName("sites");
  rows_->setModel(&sites_);
  rows_->setItemDelegateForColumn(SiteModel::state, new StateDelegate(sites_, rows_));
  rows_->setAccessibleName(tr("Sites and their nodes"));
  rows_->setTabKeyNavigation(false);
  rows_->setWordWrap(false);
  rows_->setAlternatingRowColors(true);
  rows_->verticalHeader()->hide();
  rows_->verticalHeader()->setDefaultSectionSize(rows_->fontMetrics().height() + 6);
  rows_->setSelectionBehavior(QAbstractItemView::SelectRows);
  rows_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  rows_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  rows_->horizontalHeader()->setHighlightSections(false);
}

void SitesPage::set_wall(const WallInfo& wall) {
  sites_.set_wall(wall);
  shown_.now();
}

void SitesPage::show_sites() {
  sites_.refresh();
  QStringList words;
  for (const auto state :
       {SiteState::silent, SiteState::partly_heard, SiteState::heard, SiteState::not_playing, SiteState::not_measured})
    if (const int count = sites_.count(state); count > 0)
      words << tr("%1: %2").arg(SiteModel::words_of(state)).arg(count);
  summary_->setText(words.isEmpty() ? tr("The wall file has no other sites")
                                    : words.join(QString::fromUtf8("  \u00b7  ")));
  setAccessibleDescription(summary_->text());
  const int silent = sites_.count(SiteState::silent), partly = sites_.count(SiteState::partly_heard);
  emit titled(silent > 0   ? tr("Sites: %1 silent").arg(silent)
              : partly > 0 ? tr("Sites: %1 partly heard").arg(partly)
                           : tr("Sites"));
}

}  // namespace lw
