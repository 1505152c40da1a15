#include "wall-control/models/library_model.h"

#include "wall-control/models/media_time.h"
#include "wall-control/models/rate_number.h"

#include <QMimeData>

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

QString sound_text(unsigned channels) {
  if (channels == 0) return LibraryModel::tr("Sound: none");
  return channels == 1 ? LibraryModel::tr("Sound: 1 channel") : LibraryModel::tr("Sound: %1 channels").arg(channels);
}

VisualizationRow row_of(const VisualizationMessage& told) {
  VisualizationRow row;
  row.name = QString::fromStdString(told.name);
  row.title = QString::fromStdString(told.title.value_or(told.name));
  row.description = QString::fromStdString(told.description);
  for (const auto& tag : told.tags) row.tags << QString::fromStdString(tag);
  row.pixel_format = QString::fromStdString(told.pixel_format);
  row.sound = sound_text(told.sound);
  row.frame_rate = QString::fromStdString(told.frame_rate);
  const auto extent = [](qint64 count, qint64 size, qint64 bezel) { return count * size + (count - 1) * bezel; };
  row.size = QString("%1 x %2")
                 .arg(told.width.value_or(extent(told.columns, told.tile_width, told.bezel_x)))
                 .arg(told.height.value_or(extent(told.rows, told.tile_height, told.bezel_y)));
  row.reason = QString::fromStdString(told.reason);
  row.cut_from = QString::fromStdString(told.cut_from);
  row.frames = static_cast<int>(told.frames);
  row.growing = told.growing.value_or(false);
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
  lines << row.sound;
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
  row.limit_short = known.limit_short;
  row.mends = known.mends;
}

// "44.2 of 40 Gbit/s", or with both units where they differ.
QString short_limit(const QString& needed, const QString& have) {
  const auto unit = needed.section(' ', 1);
  if (!unit.isEmpty() && unit == have.section(' ', 1))
    return LibraryModel::tr("%1 of %2").arg(needed.section(' ', 0, 0), have);
  return needed.isEmpty() || have.isEmpty() ? QString() : LibraryModel::tr("%1 of %2").arg(needed, have);
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
  if (row.importing) return LibraryModel::tr("Importing %1 %").arg(*row.importing);
  if (!row.fits) return LibraryModel::tr("Does not fit: %1").arg(row.reason);
  if (row.verdict == Verdict::impossible)
    return row.limit.startsWith("interface") && !row.limit_short.isEmpty()
               ? LibraryModel::tr("Too fast for this link: %1").arg(row.limit_short)
               : LibraryModel::tr("Too fast: %1").arg(row.limit);
  // Such as a standby.
  if (!row.lacks.isEmpty()) return LibraryModel::tr("Fits; %1").arg(row.lacks);
  if (row.verdict == Verdict::limited) return LibraryModel::tr("Fits, tight: %1").arg(row.limit);
  return LibraryModel::tr("Fits this wall");
}

QString VisualizationRow::short_reason() const {
  if (!fits) return reason.isEmpty() ? LibraryModel::tr("Does not fit") : reason;
  if (verdict != Verdict::impossible) return {};
  return limit_short.isEmpty() ? LibraryModel::tr("Too fast") : limit_short;
}

QString length_text(const VisualizationRow& row) {
  const double rate = rate_number(row.frame_rate);
  auto length = media_length(row.seconds);
  if (row.growing) length = LibraryModel::tr("%1 so far").arg(length);
  return rate > 0 ? LibraryModel::tr("%1 \u00b7 %2 fps").arg(length).arg(rate, 0, 'g', 4) : length;
}

void LibraryModel::set_visualizations(const std::vector<VisualizationMessage>& visualizations) {
  std::vector<VisualizationRow> rows;
  for (const auto& entry : visualizations) {
    auto row = row_of(entry);
    if (const auto* known = find(row.name)) keep(row, *known);
    rows.push_back(std::move(row));
  }
  add_imports(rows);
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

void LibraryModel::add_imports(std::vector<VisualizationRow>& rows) const {
  for (const auto& import : imports_) {
    auto found = std::ranges::find(rows, import.name, &VisualizationRow::name);
    if (found == rows.end()) {
      VisualizationRow made;
      made.name = made.title = import.name;
      found = rows.insert(rows.end(), std::move(made));
    }
    found->importing = import.percent;
  }
}

void LibraryModel::set_imports(const QList<ImportedRow>& imports) {
  if (imports == imports_) return;
  const bool same = std::ranges::equal(imports, imports_, {}, &ImportedRow::name, &ImportedRow::name);
  imports_ = imports;
  if (same) {
    for (const auto& import : imports)
      change(import.name, [&](VisualizationRow& row) { row.importing = import.percent; });
    return;
  }
  auto rows = rows_;
  std::erase_if(rows, [](const VisualizationRow& row) { return row.importing && !row.described(); });
  for (auto& row : rows) row.importing.reset();
  add_imports(rows);
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
    row.limit_short.clear();
    row.mends.clear();
    for (const auto& finding : plan.findings) {
      if (finding.verdict == Verdict::ok) continue;
      const auto words = tr("%1 needs %2, has %3").arg(text(finding.what), text(finding.needed), text(finding.have));
      // The most serious verdict comes first.
      if (row.limit.isEmpty() || (finding.verdict == plan.verdict && plan.verdict == Verdict::impossible)) {
        row.limit = words;
        row.limit_short = short_limit(text(finding.needed), text(finding.have));
      }
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
    row.limit_short.clear();
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

Qt::ItemFlags LibraryModel::flags(const QModelIndex& index) const {
  const auto flags = QAbstractListModel::flags(index);
  return index.isValid() && row(index.row()).described() ? flags | Qt::ItemIsDragEnabled : flags;
}

QMimeData* LibraryModel::mimeData(const QModelIndexList& indexes) const {
  QStringList names;
  for (const auto& index : indexes) names << row(index.row()).name;
  auto* data = new QMimeData;
  data->setData(visualizations_mime, names.join('\n').toUtf8());
  return data;
}

}  // namespace lw
