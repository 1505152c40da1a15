#include "wall-control/models/library_model.h"

#include "wall-control/models/rate_number.h"

#include <algorithm>

namespace lw {
namespace {

// "\u2717 b: none of this name"
QString copy_text(const ServerCopyMessage& copy) {
  const auto server = QString::fromStdString(copy.server);
  switch (copy.state) {
    case ServerCopyState::ready:
      return LibraryModel::tr("\u2713 %1: has it").arg(server);
    case ServerCopyState::absent:
      return LibraryModel::tr("\u2717 %1: none of this name").arg(server);
    case ServerCopyState::other_edition:
      return LibraryModel::tr("\u2717 %1: another edition").arg(server);
    case ServerCopyState::unfit:
      return LibraryModel::tr("\u2717 %1: %2").arg(server, QString::fromStdString(copy.reason));
    case ServerCopyState::unknown:
      break;
  }
  return LibraryModel::tr("? %1: not known").arg(server);
}

void take_servers(VisualizationRow& row, const std::vector<ServerCopyMessage>& servers) {
  for (const auto& copy : servers) {
    row.servers << copy_text(copy);
    const bool lacks = copy.state != ServerCopyState::ready && copy.state != ServerCopyState::unknown;
    if (lacks && row.lacks.isEmpty()) row.lacks = row.servers.last();
  }
}

VisualizationRow row_of(const VisualizationMessage& told) {
  VisualizationRow row;
  row.name = QString::fromStdString(told.name);
  row.title = QString::fromStdString(told.title.value_or(told.name));
  row.description = QString::fromStdString(told.description);
  for (const auto& tag : told.tags) row.tags << QString::fromStdString(tag);
  row.pixel_format = QString::fromStdString(told.pixel_format);
  row.frame_rate = QString::fromStdString(told.frame_rate);
  const auto extent = [](qint64 count, qint64 size, qint64 bezel) { return count * size + (count - 1) * bezel; };
  row.size = QString("%1 x %2")
                 .arg(extent(told.columns, told.tile_width, told.bezel_x))
                 .arg(extent(told.rows, told.tile_height, told.bezel_y));
  row.reason = QString::fromStdString(told.reason);
  row.frames = static_cast<int>(told.frames);
  row.gbit_per_s = told.gbit_per_s;
  row.fits = told.fits;
  row.has_poster = told.poster;
  row.thumbnails = static_cast<int>(told.thumbnails);
  row.bytes = static_cast<double>(told.bytes);
  if (told.tiles)
    row.tiles = LibraryModel::tr("Holds %1 of %2 tiles").arg(told.tiles->size()).arg(qint64{told.columns} * told.rows);
  take_servers(row, told.servers);
  row.made = QDateTime::fromString(QString::fromStdString(told.made.value_or("")), Qt::ISODateWithMs);
  if (const double rate = rate_number(row.frame_rate); rate > 0) row.seconds = row.frames / rate;
  return row;
}

QString tooltip_of(const VisualizationRow& row) {
  QStringList lines{row.title + " (" + row.name + ")"};
  if (!row.description.isEmpty()) lines << row.description;
  if (!row.tags.isEmpty()) lines << LibraryModel::tr("Tags: %1").arg(row.tags.join(", "));
  if (row.made.isValid()) lines << LibraryModel::tr("Made %1").arg(row.made.toLocalTime().toString("yyyy-MM-dd HH:mm"));
  if (!row.tiles.isEmpty()) lines << row.tiles;
  lines << badge_text(row) << row.mends << row.servers;
  return lines.join('\n');
}

// Earlier facts about it, if it is unchanged.
void keep(VisualizationRow& row, const VisualizationRow& known) {
  if (row.made != known.made || row.frames != known.frames) return;
  row.poster = known.poster;
  row.strip = known.strip;
  row.verdict = known.verdict;
  row.limit = known.limit;
  row.mends = known.mends;
}

}  // namespace

QString VisualizationRow::search_text() const {
  return name + "\n" + title + "\n" + description + "\n" + tags.join('\n');
}

QString bytes_text(double bytes) {
  const auto number = [](double value) { return QString::number(value, 'f', value < 10 ? 1 : 0); };
  if (bytes < 1e9) return QString("%1 MB").arg(number(bytes / 1e6));
  return bytes < 1e12 ? QString("%1 GB").arg(number(bytes / 1e9)) : QString("%1 TB").arg(number(bytes / 1e12));
}

QString badge_text(const VisualizationRow& row) {
  if (!row.fits) return LibraryModel::tr("\u2717 %1").arg(row.reason);
  if (row.verdict == Verdict::impossible) return LibraryModel::tr("\u2717 too much: %1").arg(row.limit);
  // Such as a standby.
  if (!row.lacks.isEmpty()) return LibraryModel::tr("\u25b2 fits; %1").arg(row.lacks);
  if (row.verdict == Verdict::limited) return LibraryModel::tr("\u25b2 fits, tight: %1").arg(row.limit);
  return row.verdict ? LibraryModel::tr("\u2713 fits this wall and link") : LibraryModel::tr("\u2713 fits this wall");
}

void LibraryModel::set_visualizations(const std::vector<VisualizationMessage>& visualizations) {
  std::vector<VisualizationRow> rows;
  for (const auto& entry : visualizations) {
    auto row = row_of(entry);
    if (const auto* known = find(row.name)) keep(row, *known);
    rows.push_back(std::move(row));
  }
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

void LibraryModel::change(const QString& name, const std::function<void(VisualizationRow&)>& change) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].name != name) continue;
    change(rows_[i]);
    const auto changed = index(static_cast<int>(i));
    emit dataChanged(changed, changed);
  }
}

void LibraryModel::set_poster(const QString& name, const QPixmap& poster) {
  change(name, [&](VisualizationRow& row) { row.poster = poster; });
}

void LibraryModel::set_strip(const QString& name, const QPixmap& strip) {
  change(name, [&](VisualizationRow& row) { row.strip = strip; });
}

void LibraryModel::set_plan(const QString& name, const PlanReply& plan) {
  const auto text = [](const std::string& words) { return QString::fromStdString(words); };
  change(name, [&](VisualizationRow& row) {
    row.verdict = plan.verdict;
    row.limit.clear();
    row.mends.clear();
    for (const auto& finding : plan.findings) {
      if (finding.verdict == Verdict::ok) continue;
      const auto words = tr("%1 needs %2, has %3").arg(text(finding.what), text(finding.needed), text(finding.have));
      // The most serious verdict comes first.
      if (row.limit.isEmpty() || (finding.verdict == plan.verdict && plan.verdict == Verdict::impossible))
        row.limit = words;
      row.mends << words + "; " + text(finding.mend.value_or(""));
    }
  });
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

void LibraryModel::forget_plans() {
  for (auto& row : rows_) {
    row.verdict.reset();
    row.limit.clear();
    row.mends.clear();
  }
}

QStringList LibraryModel::without_plan() const {
  QStringList names;
  for (const auto& row : rows_)
    if (row.fits && !row.verdict) names << row.name;
  return names;
}

QStringList LibraryModel::tags() const {
  QStringList tags;
  for (const auto& row : rows_) tags << row.tags;
  tags.removeDuplicates();
  tags.sort(Qt::CaseInsensitive);
  return tags;
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
      return tooltip_of(row);
    case Qt::AccessibleTextRole:
      if (!row.described()) return tr("%1, %2").arg(row.title, badge_text(row));
      return tr("%1, %2 frames, %3 gigabits per second, %4")
          .arg(row.title)
          .arg(row.frames)
          .arg(row.gbit_per_s, 0, 'f', 2)
          .arg(badge_text(row));
    case name_role:
      return row.name;
    default:
      return {};
  }
}

}  // namespace lw
