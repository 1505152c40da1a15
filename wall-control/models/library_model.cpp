#include "wall-control/models/library_model.h"

#include <QJsonObject>

#include <algorithm>

namespace lw {
namespace {

VisualizationRow row_of(const QJsonObject& json) {
  VisualizationRow row;
  row.name = json["name"].toString();
  row.title = json["title"].toString(row.name);
  row.description = json["description"].toString();
  for (const auto& tag : json["tags"].toArray()) row.tags << tag.toString();
  row.pixel_format = json["pixel_format"].toString();
  row.frame_rate = json["frame_rate"].toString();
  const auto extent = [&](const char* count, const char* size, const char* bezel) {
    const int n = json[count].toInt();
    return n * json[size].toInt() + (n - 1) * json[bezel].toInt();
  };
  row.size =
      QString("%1 x %2").arg(extent("columns", "tile_width", "bezel_x")).arg(extent("rows", "tile_height", "bezel_y"));
  row.reason = json["reason"].toString();
  row.frames = json["frames"].toInt();
  row.gbit_per_s = json["gbit_per_s"].toDouble();
  row.fits = json["fits"].toBool();
  row.has_poster = json["poster"].toBool();
  return row;
}

}  // namespace

void LibraryModel::set_visualizations(const QJsonArray& visualizations) {
  std::vector<VisualizationRow> rows;
  for (const auto& entry : visualizations) {
    auto row = row_of(entry.toObject());
    if (const auto* known = find(row.name)) row.poster = known->poster;
    rows.push_back(std::move(row));
  }
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

void LibraryModel::set_poster(const QString& name, const QPixmap& poster) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].name != name) continue;
    rows_[i].poster = poster;
    const auto changed = index(static_cast<int>(i));
    emit dataChanged(changed, changed);
  }
}

void LibraryModel::set_playing(const QString& name) {
  if (name == playing_) return;
  playing_ = name;
  if (!rows_.empty()) emit dataChanged(index(0), index(static_cast<int>(rows_.size()) - 1));
}

QStringList LibraryModel::without_poster() const {
  QStringList names;
  for (const auto& row : rows_)
    if (row.has_poster && row.poster.isNull()) names << row.name;
  return names;
}

const VisualizationRow* LibraryModel::find(const QString& name) const {
  const auto found = std::ranges::find(rows_, name, &VisualizationRow::name);
  return found == rows_.end() ? nullptr : &*found;
}

QVariant LibraryModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const auto& row = rows_[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return row.title;
    case Qt::DecorationRole:
      return row.poster;
    case Qt::ToolTipRole:
      return row.fits ? row.description : tr("Does not fit this wall: %1").arg(row.reason);
    case Qt::AccessibleTextRole:
      return tr("%1, %2 frames, %3 gigabits per second, %4")
          .arg(row.title)
          .arg(row.frames)
          .arg(row.gbit_per_s, 0, 'f', 2)
          .arg(row.fits ? tr("fits") : tr("does not fit"));
    case name_role:
      return row.name;
    case search_role:
      return row.name + " " + row.title + " " + row.description + " " + row.tags.join(' ');
    default:
      return {};
  }
}

}  // namespace lw
