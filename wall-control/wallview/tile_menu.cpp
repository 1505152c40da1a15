#include "wall-control/wallview/tile_menu.h"

#include "wall-control/models/tile_figures.h"
#include "wall-control/ui/call_text.h"
#include "wall-control/ui/counts.h"
#include "wall-control/ui/icons.h"
#include "wall-control/ui/permit.h"

#include <QActionGroup>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QMenu>

namespace lw {
namespace {

struct MenuWords {
  Q_DECLARE_TR_FUNCTIONS(TileMenu)
};

// A menu of requests, each of which can be run or copied.
class WishMenu {
public:
  WishMenu(ControlLink& link, QMenu& menu, std::function<void(const QString&)> copied)
      : link_(link), menu_(menu), copied_(std::move(copied)) {
    command_lines_ = new QMenu(MenuWords::tr("As command line"), &menu);
    command_lines_->setIcon(icon(Icon::terminal));
    json_ = new QMenu(MenuWords::tr("As JSON-RPC"), &menu);
  }
  // `copy_name` distinguishes it from others where the menu around it does not.
  QAction* add(QMenu& to, Icon meaning, const QString& text, bool checked, const std::function<void()>& run,
               const QString& copy_name = {}) {
    auto* action = to.addAction(icon(meaning), text);
    action->setCheckable(true);
    action->setChecked(checked);
    permit(action, link_, "pattern");
    QObject::connect(action, &QAction::triggered, &menu_, run);
    const auto name = copy_name.isEmpty() ? text : copy_name;
    add_copy(*command_lines_, name, run,
             [&link = link_](const auto& calls) { return as_command_line(link.address(), calls); });
    add_copy(*json_, name, run, [](const auto& calls) { return as_json_rpc(calls); });
    return action;
  }
  [[nodiscard]] QMenu* command_lines() const { return command_lines_; }
  [[nodiscard]] QMenu* json() const { return json_; }

private:
  template <class ToText>
  void add_copy(QMenu& to, const QString& name, const std::function<void()>& run, const ToText& to_text) {
    QObject::connect(to.addAction(name), &QAction::triggered, &menu_, [&link = link_, run, to_text, copied = copied_] {
      const auto text = to_text(link.calls_of(run));
      QGuiApplication::clipboard()->setText(text);
      copied(text);
    });
  }

  ControlLink& link_;
  QMenu& menu_;
  std::function<void(const QString&)> copied_;
  QMenu* command_lines_;
  QMenu* json_;
};

// What all of the tiles have; a pattern only if it is the same.
OverlayRow common_overlay(const WallStatus& status, const std::vector<std::pair<int, int>>& tiles) {
  auto common = status.overlay(tiles.front().first, tiles.front().second);
  for (const auto& [column, row] : tiles) {
    const auto overlay = status.overlay(column, row);
    common.identify &= overlay.identify;
    common.mark &= overlay.mark;
    if (overlay.pattern != common.pattern) common.pattern.clear();
  }
  return common;
}

void add_requests(WishMenu& wishes, QMenu& menu, ControlLink& link, const OverlayRow& overlay,
                  const std::vector<std::pair<int, int>>& tiles) {
  const auto for_each = [&link, tiles](const auto& ask) {
    return [&link, tiles, ask] {
      for (const auto& tile : tiles) ask(link, Place{tile});
    };
  };
  const auto show_pattern = [&](const QString& name) {
    return for_each([name](ControlLink& to, const Place& here) { ask_for_pattern(to, here, name); });
  };
  wishes.add(menu, Icon::identify, MenuWords::tr("Identify"), overlay.identify,
             for_each([on = !overlay.identify](ControlLink& to, const Place& here) { ask_to_identify(to, here, on); }));
  auto* patterns = menu.addMenu(icon(Icon::test_pattern), MenuWords::tr("Test pattern"));
  patterns->setToolTipsVisible(true);
  auto* one_of = new QActionGroup(patterns);
  for (const auto& name : pattern_keys())
    one_of->addAction(wishes.add(*patterns, Icon::none, pattern_text(name), overlay.pattern == name, show_pattern(name),
                                 MenuWords::tr("Test pattern: %1").arg(pattern_text(name))));
  wishes.add(menu, Icon::concealed_rows, MenuWords::tr("Mark concealed rows"), overlay.mark,
             for_each([on = !overlay.mark](ControlLink& to, const Place& here) { ask_to_mark(to, here, on); }));
  const bool black = overlay.pattern == "black";
  wishes.add(menu, Icon::blank, MenuWords::tr("Blank"), black, show_pattern(black ? "none" : "black"));
}

}  // namespace

QMenu* make_tile_menu(QWidget* parent, ControlLink& link, const WallStatus& status,
                      const std::vector<std::pair<int, int>>& tiles, bool has_preview, const TileSteps& steps) {
  auto* menu = new QMenu(parent);
  menu->setToolTipsVisible(true);
  menu->setObjectName("tile-menu");
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const auto add = [&](QMenu& to, Icon meaning, const QString& text, const std::function<void()>& run) {
    auto* action = to.addAction(icon(meaning), text);
    QObject::connect(action, &QAction::triggered, menu, run);
    return action;
  };
  if (tiles.size() > 1) {
    menu->addAction(counts::tiles(static_cast<qint64>(tiles.size())))->setEnabled(false);
    menu->addSeparator();
  }
  add(*menu, Icon::show_cause, MenuWords::tr("Show cause"), steps.show_cause);
  add(*menu, Icon::activity, MenuWords::tr("Show in Network"), steps.show_in_network);
  add(*menu, Icon::cpu, MenuWords::tr("Show node in Hosts"), steps.show_in_hosts);
  menu->addSeparator();
  WishMenu wishes(link, *menu, steps.copied);
  add_requests(wishes, *menu, link, common_overlay(status, tiles), tiles);
  menu->addSeparator();
  add(*menu, Icon::camera, MenuWords::tr("Save image\u2026"), steps.save_image)->setEnabled(has_preview);
  auto* copy = menu->addMenu(icon(Icon::copy), MenuWords::tr("Copy"));
  add(*copy, Icon::none, MenuWords::tr("Figures as text"), steps.copy_figures);
  copy->addMenu(wishes.command_lines());
  copy->addMenu(wishes.json());
  return menu;
}

QMenu* make_pattern_menu(QWidget* parent, ControlLink& link, const WallStatus& status, GridCell some_tile) {
  auto* menu = new QMenu(parent);
  menu->setToolTipsVisible(true);
  auto* one_of = new QActionGroup(menu);
  for (const auto& name : pattern_keys()) {
    auto* action = menu->addAction(pattern_text(name));
    action->setCheckable(true);
    action->setData(name);
    one_of->addAction(action);
    QObject::connect(action, &QAction::triggered, menu, [&link, name] { ask_for_pattern(link, {}, name); });
  }
  QObject::connect(menu, &QMenu::aboutToShow, menu, [menu, &link, &status, some_tile] {
    const auto shown = status.overlay(static_cast<int>(some_tile.column), static_cast<int>(some_tile.row)).pattern;
    for (auto* action : menu->actions()) {
      action->setChecked(action->data().toString() == shown);
      permit(action, link, "pattern");
    }
  });
  return menu;
}

}  // namespace lw
