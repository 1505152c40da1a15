#include "wall-control/connections/recent_walls.h"

#include "wall-control/connections/profiles.h"

#include "common/wall/grid.h"

#include <QSettings>

#include <algorithm>

namespace lw {
namespace {

constexpr auto group = "recent_walls";
constexpr int columns_max = FreeTile::count_max;
constexpr int rows_max = 64;
constexpr int wall_name_max = 200;

bool is_valid(const RecentWall& wall) {
  return address_problem(wall.address).isEmpty() && wall.columns >= 0 && wall.columns <= columns_max &&
         wall.rows >= 0 && wall.rows <= rows_max && wall.pixels >= 0;
}

}  // namespace

RecentWalls::RecentWalls() {
  QSettings settings;
  const int count = std::min(settings.beginReadArray(group), static_cast<int>(walls_max));
  for (int i = 0; i < count; ++i) {
    settings.setArrayIndex(i);
    const RecentWall wall{settings.value("address").toString(), settings.value("name").toString().left(wall_name_max),
                          settings.value("columns").toInt(), settings.value("rows").toInt(),
                          settings.value("pixels").toLongLong()};
    if (is_valid(wall)) walls_.push_back(wall);
  }
}

void RecentWalls::add(const RecentWall& wall) {
  if (!is_valid(wall)) return;
  std::erase_if(walls_, [&](const RecentWall& other) { return other.address == wall.address; });
  walls_.insert(walls_.begin(), wall);
  if (walls_.size() > walls_max) walls_.resize(walls_max);
  save();
}

void RecentWalls::remove(const QString& address) {
  if (std::erase_if(walls_, [&](const RecentWall& wall) { return wall.address == address; }) > 0) save();
}

void RecentWalls::save() const {
  QSettings settings;
  settings.remove(group);
  settings.beginWriteArray(group, static_cast<int>(walls_.size()));
  for (int i = 0; i < static_cast<int>(walls_.size()); ++i) {
    const auto& wall = walls_[static_cast<std::size_t>(i)];
    settings.setArrayIndex(i);
    settings.setValue("address", wall.address);
    settings.setValue("name", wall.name);
    settings.setValue("columns", wall.columns);
    settings.setValue("rows", wall.rows);
    settings.setValue("pixels", wall.pixels);
  }
  settings.endArray();
}

}  // namespace lw
