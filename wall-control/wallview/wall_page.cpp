#include "wall-control/wallview/wall_page.h"

#include "wall-control/ui/figure_table.h"
#include "wall-control/ui/permit.h"
#include "wall-control/ui/save_file.h"
#include "wall-control/ui/tile_names.h"
#include "wall-control/wallview/tile_menu.h"
#include "wall-control/wallview/tile_words.h"

#include <QBoxLayout>
#include <QBuffer>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMenu>
#include <QSettings>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>

namespace lw {
namespace {

constexpr double key_zoom = 1.5;
constexpr const char *table_setting = "wall/table", *grouped_setting = "wall/grouped";

QString save_png(const QString& path, const QImage& image) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  if (image.isNull() || !image.save(&buffer, "png")) return WallPage::tr("there is no preview to save");
  return save_file(path, bytes);
}

}  // namespace

WallPage::WallPage(ControlLink& link, const FlowHistory& history, const WallStatus& status, const Health& health,
                   Focus& focus, Commands& commands, const Actions& actions, QWidget* parent)
    : QWidget(parent), link_(link), history_(history), status_(status) {
  view_ = new WallView(history, status_, health, focus, previews_);
  table_ = new WallTable(history, status_, health, focus);
  faces_ = new QStackedWidget;
  faces_->addWidget(view_);
  faces_->addWidget(table_);
  bar_ = make_bar(commands, actions);
  make_table_action(commands);
  strip_ = new ProblemStrip(*view_, previews_, focus);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(bar_);
  layout->addWidget(faces_, 1);
  layout->addWidget(strip_);

  connect(view_, &WallView::opened, this, &WallPage::cause_wanted);
  connect(view_, &WallView::hovered, this, &WallPage::hovered);
  const auto pop_up = [this](const QPoint& place) {
    if (const auto* tile = view_->selected()) make_menu(tile->column, tile->row)->popup(place);
  };
  connect(view_, &WallView::menu_wanted, this, pop_up);
  connect(table_, &WallTable::menu_wanted, this, pop_up);
  connect(table_, &WallTable::opened, this, &WallPage::cause_wanted);
  connect(table_, &WallTable::copied, this, &WallPage::say_copied);
  connect(view_, &WallView::zoom_changed, this, [this] { bar_->set_zoom(view_->geometry().zoom()); });
  connect(bar_, &CanvasBar::overlay_chosen, this,
          [this](bool state) { view_->set_overlay(state ? WallView::Overlay::state : WallView::Overlay::none); });
  connect(bar_, &CanvasBar::grouping_chosen, this, [this](bool by_node) {
    QSettings().setValue(grouped_setting, by_node);
    group_by_node(by_node);
  });
  group_by_node(QSettings().value(grouped_setting).toBool());
  connect(&link_, &ControlLink::picture, &previews_, &TilePreviews::take);
  // After the link's own subscription, which this one replaces.
  connect(
      &link_, &ControlLink::ready, this, [this] { want_previews(isVisible()); }, Qt::QueuedConnection);
}

CanvasBar* WallPage::make_bar(Commands& commands, const Actions& actions) {
  CanvasBar::Tools tools;
  tools.patterns = make_pattern_menu(this, link_, status_, {0, 0});
  tools.identify = actions.identify;
  tools.mark = actions.mark;
  tools.full_screen = actions.full_screen;
  tools.save = save_ = commands.add(
      tr("Save frame as image"), {}, tr("Save the previews of the entire wall as an image"),
      [this] { ask_and_save("wall.png", [this](const QString& path) { return save_image(path); }); }, Icon::camera);
  tools.zoom_out = commands.add(
      tr("Zoom out"), {Qt::Key_Minus}, tr("Zoom out of the wall"), [this] { view_->zoom(1 / key_zoom); },
      Icon::zoom_out);
  tools.fit = commands.add(
      tr("Fit"), {Qt::Key_F}, tr("Show the entire wall"), [this] { view_->fit(); }, Icon::zoom_fit);
  tools.zoom_in = commands.add(
      tr("Zoom in"), {Qt::Key_Plus}, tr("Zoom into the wall; Ctrl and the wheel zoom where the pointer is"),
      [this] { view_->zoom(key_zoom); }, Icon::zoom_in);
  zooms_ = {tools.zoom_out, tools.fit, tools.zoom_in};
  blank_ = commands.add(
      tr("Blank"), {Qt::Key_B}, tr("Black on the entire wall instead of the stream"),
      [this] { ask_for_pattern(link_, {}, blank_->isChecked() ? "black" : "none"); }, Icon::blank);
  blank_->setCheckable(true);
  commands.add(tr("Next problem"), {Qt::Key_F8}, tr("Select the next tile with a problem, worst first"),
               [this] { view_->go_to_problem(1); });
  commands.add(tr("Previous problem"), {QKeySequence(Qt::SHIFT | Qt::Key_F8)},
               tr("Select the previous tile with a problem"), [this] { view_->go_to_problem(-1); });
  return new CanvasBar(commands, tools);
}

void WallPage::make_table_action(Commands& commands) {
  commands.set_menu(Menu::view);
  as_table_ = commands.add(
      tr("Wall as table"), {}, tr("Show the tiles as a table instead of the canvas"),
      [this] {
        QSettings().setValue(table_setting, as_table_->isChecked());
        show_table(as_table_->isChecked());
        for_keys()->setFocus();
      },
      Icon::grid);
  as_table_->setCheckable(true);
  commands.set_menu(Menu::wall);
  show_table(QSettings().value(table_setting).toBool());
}

void WallPage::group_by_node(bool wanted) {
  view_->set_grouped(wanted);
  bar_->set_grouped(wanted);
}

bool WallPage::shows_table() const { return faces_->currentWidget() == table_; }

void WallPage::show_table(bool wanted) {
  as_table_->setChecked(wanted);
  faces_->setCurrentIndex(wanted ? 1 : 0);
  for (auto* action : zooms_) action->setEnabled(!wanted);
}

QWidget* WallPage::for_keys() { return shows_table() ? static_cast<QWidget*>(&table_->rows()) : view_; }

void WallPage::set_wall(const WallInfo& wall) {
  previews_.clear();
  view_->set_wall(wall);
  table_->set_wall();
  follow_overlays();
}

void WallPage::set_connected(bool connected) {
  if (!connected) previews_.clear();
  refresh();
}

void WallPage::refresh() {
  view_->refresh();
  table_->refresh();
  follow_overlays();
}

// The controls show the state that the server reports.
void WallPage::follow_overlays() {
  const auto& tiles = history_.tiles();
  const bool black = !tiles.empty() && std::ranges::all_of(tiles, [&](const TileRow& tile) {
    return status_.overlay(tile.column, tile.row).pattern == "black";
  });
  blank_->setChecked(black);
  permit(blank_, link_, "pattern");
  permit(bar_->patterns(), link_, "pattern");
  save_->setEnabled(!tiles.empty());
}

void WallPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  want_previews(true);
}

void WallPage::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  want_previews(false);
}

void WallPage::want_previews(bool wanted) { link_.want_pictures(wanted); }

QString WallPage::save_image(const QString& path) const { return save_png(path, view_->image()); }

QString WallPage::save_tile_image(const QString& path, int column, int row) const {
  const auto* preview = previews_.of(column, row);
  return save_png(path, preview == nullptr ? QImage() : *preview);
}

void WallPage::ask_and_save(const QString& name, const std::function<QString(const QString& path)>& save) {
  const auto path = QFileDialog::getSaveFileName(this, tr("Save as image"), name, tr("Image (*.png)"));
  if (path.isEmpty()) return;
  const auto problem = save(path);
  if (problem.isEmpty()) return emit told(tr("Saved %1").arg(path));
  emit failed(problem);
}

void WallPage::copy(const QString& text) {
  QGuiApplication::clipboard()->setText(text);
  say_copied(text);
}

void WallPage::say_copied(const QString& text) { emit told(tr("Copied: %1").arg(text.section('\n', 0, 0).trimmed())); }

QMenu* WallPage::make_menu(int column, int row) {
  TileSteps steps;
  const auto* tile = history_.tile(column, row);
  const auto node = tile == nullptr ? QString() : tile->node;
  steps.show_cause = [this] { emit cause_wanted(); };
  steps.show_in_network = [this] { emit network_wanted(); };
  steps.show_in_hosts = [this, node] { emit hosts_wanted(node); };
  steps.save_image = [this, column, row] {
    ask_and_save("tile-" + tile_name(column, row).replace(',', '-') + ".png",
                 [this, column, row](const QString& path) { return save_tile_image(path, column, row); });
  };
  const auto tiles = view_->is_selected(column, row) ? view_->selection() : Focus::Tiles{{column, row}};
  steps.copy_figures = [this, tiles] {
    QStringList all;
    for (const auto& place : tiles)
      if (const auto* shown = history_.tile(place.first, place.second))
        all << figures_as_text(history_, status_, *shown);
    copy(all.join("\n\n"));
  };
  steps.copied = [this](const QString& text) { emit told(tr("Copied: %1").arg(text)); };
  return make_tile_menu(this, link_, status_, tiles, previews_.of(column, row) != nullptr, steps);
}

}  // namespace lw
