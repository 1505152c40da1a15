#include "wall-control/wallview/wall_page.h"

#include "wall-control/ui/call_text.h"
#include "wall-control/ui/permit.h"

#include <QActionGroup>
#include <QBoxLayout>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QSplitter>

namespace lw {
namespace {

constexpr int repaint_ms = 100;
constexpr int decoding_max = 128;  // above this, decoding would not keep up anyway

// A menu of requests, each of which can be run or copied.
class WishMenu {
public:
  WishMenu(ControlLink& link, QMenu& menu) : link_(link), menu_(menu) {
    command_lines_ = new QMenu(WallPage::tr("Copy as command line"), &menu);
    json_ = new QMenu(WallPage::tr("Copy as JSON-RPC"), &menu);
  }
  // `copy_name` distinguishes it from others where the menu around it does not.
  QAction* add(QMenu& to, const QString& text, const std::function<void()>& run, const QString& copy_name = {}) {
    auto* action = to.addAction(text);
    permit(action, link_, "pattern");
    QObject::connect(action, &QAction::triggered, &menu_, run);
    const auto name = copy_name.isEmpty() ? text : copy_name;
    auto& link = link_;
    QObject::connect(command_lines_->addAction(name), &QAction::triggered, &menu_, [&link, run] {
      QGuiApplication::clipboard()->setText(as_command_line(link.address(), link.calls_of(run)));
    });
    QObject::connect(json_->addAction(name), &QAction::triggered, &menu_,
                     [&link, run] { QGuiApplication::clipboard()->setText(as_json_rpc(link.calls_of(run))); });
    return action;
  }
  QAction* add_checkable(QMenu& to, const QString& text, bool checked, const std::function<void(bool)>& run) {
    auto* action = add(to, text, [run, checked] { run(!checked); });
    action->setCheckable(true);
    action->setChecked(checked);
    return action;
  }
  void finish() {
    menu_.addSeparator();
    menu_.addMenu(command_lines_);
    menu_.addMenu(json_);
  }

private:
  ControlLink& link_;
  QMenu& menu_;
  QMenu* command_lines_;
  QMenu* json_;
};

}  // namespace

WallPage::WallPage(ControlLink& link, const FlowHistory& history, const WallStatus& status, const OfferCopies& offer,
                   QWidget* parent)
    : QWidget(parent), link_(link), status_(status) {
  view_ = new WallView(history, status_, pictures_);
  panel_ = new TilePanel(link, history, status_, offer);
  panel_->hide();
  auto* parts = new QSplitter(Qt::Horizontal);
  parts->addWidget(view_);
  parts->addWidget(panel_);
  parts->setStretchFactor(0, 1);
  parts->setStretchFactor(1, 0);
  parts->setChildrenCollapsible(false);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(parts);

  connect(view_, &WallView::opened, this, &WallPage::open_panel);
  connect(view_, &WallView::closed, this, &WallPage::close_panel);
  connect(panel_, &TilePanel::closed, this, &WallPage::close_panel);
  connect(view_, &WallView::selected_changed, this, [this] {
    if (panel_->isVisible()) open_panel();
  });
  connect(view_, &WallView::menu_wanted, this, [this](const QPoint& place) {
    if (const auto* tile = view_->selected()) make_menu(tile->column, tile->row)->popup(place);
  });
  connect(&link_, &ControlLink::picture, this, &WallPage::take_picture);
  decoder_.setMaxThreadCount(1);
  // Previews arrive one by one; the wall is redrawn for several at a time.
  repaint_soon_.setSingleShot(true);
  repaint_soon_.setInterval(repaint_ms);
  connect(&repaint_soon_, &QTimer::timeout, view_, qOverload<>(&QWidget::update));
  // After the link's own subscription, which this one replaces.
  connect(
      &link_, &ControlLink::ready, this, [this] { want_pictures(isVisible()); }, Qt::QueuedConnection);
}

void WallPage::set_wall(const WallInfo& wall) {
  pictures_.clear();
  view_->set_wall(wall);
  if (view_->selected() == nullptr) panel_->hide();
}

void WallPage::set_connected(bool connected) {
  if (!connected) pictures_.clear();
  view_->set_connected(connected);
  refresh();
}

void WallPage::take_picture(const QJsonObject& picture) {
  if (decoding_ >= decoding_max) return;
  ++decoding_;
  decoder_.start([this, picture] {
    const auto taken = [this, decoded = decode_picture(picture)] {
      --decoding_;
      if (decoded && link_.state() == ControlLink::State::ready) pictures_.add(*decoded);
      if (!repaint_soon_.isActive()) repaint_soon_.start();
    };
    QMetaObject::invokeMethod(this, taken, Qt::QueuedConnection);
  });
}

void WallPage::refresh() {
  view_->refresh();
  repaint_soon_.stop();  // it is redrawn anyway
  const auto* tile = view_->selected();
  if (tile == nullptr || panel_->isHidden()) return;
  const auto state = view_->state_of(*tile);
  panel_->refresh(state.detail.isEmpty() ? state.headline
                                         : QString::fromUtf8("%1  \u00b7  %2").arg(state.headline, state.detail));
}

void WallPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  want_pictures(true);
}

void WallPage::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  want_pictures(false);
}

void WallPage::want_pictures(bool wanted) {
  if (link_.state() == ControlLink::State::ready) link_.call("subscribe", {{"pictures", wanted}});
}

void WallPage::open_panel() {
  const auto* tile = view_->selected();
  if (tile == nullptr) return;
  panel_->show_tile(tile->column, tile->row);
  panel_->show();
  refresh();
}

void WallPage::close_panel() {
  const bool had_focus = panel_->isAncestorOf(focusWidget());
  panel_->hide();
  if (had_focus) view_->setFocus();
}

QMenu* WallPage::make_menu(int column, int row) {
  auto* menu = new QMenu(this);
  menu->setToolTipsVisible(true);
  menu->setObjectName("tile-menu");
  menu->setAttribute(Qt::WA_DeleteOnClose);
  WishMenu wishes(link_, *menu);
  const Place here{{column, row}};
  const auto overlay = status_.overlay(column, row);
  auto& link = link_;
  menu->addSection(tr("Tile %1,%2").arg(column).arg(row));
  connect(menu->addAction(tr("Details")), &QAction::triggered, this, &WallPage::open_panel);
  wishes.add_checkable(*menu, tr("Identify"), overlay.identify,
                       [&link, here](bool on) { ask_to_identify(link, here, on); });
  wishes.add_checkable(*menu, tr("Mark gaps"), overlay.mark, [&link, here](bool on) { ask_to_mark(link, here, on); });
  wishes.add_checkable(*menu, tr("Blank"), overlay.pattern == "black",
                       [&link, here](bool on) { ask_for_pattern(link, here, on ? "black" : "none"); });
  auto* patterns = menu->addMenu(tr("Pattern"));
  auto* all = menu->addMenu(tr("All tiles"));
  wishes.add(
      *all, tr("Identify"), [&link] { ask_to_identify(link, {}, true); }, tr("Identify all"));
  wishes.add(*all, tr("Identify no more"), [&link] { ask_to_identify(link, {}, false); });
  all->addSeparator();
  auto* one_of = new QActionGroup(patterns);
  for (const auto& name : pattern_keys()) {
    auto* action = wishes.add(
        *patterns, pattern_text(name), [&link, here, name] { ask_for_pattern(link, here, name); },
        tr("Pattern: %1").arg(pattern_text(name)));
    action->setCheckable(true);
    action->setChecked(overlay.pattern == name);
    one_of->addAction(action);
    wishes.add(
        *all, pattern_text(name), [&link, name] { ask_for_pattern(link, {}, name); },
        tr("All tiles: %1").arg(pattern_text(name)));
  }
  wishes.finish();
  return menu;
}

}  // namespace lw
