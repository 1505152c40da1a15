#include "wall-control/library/import_folders.h"

#include "wall-control/models/library_model.h"

#include <QSignalBlocker>

#include <algorithm>

namespace lw {
namespace {

constexpr int rows_max = 4;

QString text_of(const ImportFolderMessage& folder) {
  auto text = QString::fromStdString(folder.directory);
  const auto add = [&](const QString& words) { text += QString::fromUtf8(" \u00b7 ") + words; };
  if (folder.free_bytes && folder.bytes)
    add(ImportFolders::tr("%1 of %2 free")
            .arg(bytes_text(static_cast<double>(*folder.free_bytes)), bytes_text(static_cast<double>(*folder.bytes))));
  else
    add(ImportFolders::tr("cannot be read"));
  if (!folder.content) add(ImportFolders::tr("stripes only"));
  return text;
}

}  // namespace

ImportFolders::ImportFolders(QWidget* parent) : QListWidget(parent) {
  setObjectName("folders");
  setAccessibleName(tr("Folders of the server"));
  setToolTip(tr("The first chosen one gets the store; its frames are distributed over all of them"));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setTextElideMode(Qt::ElideMiddle);
  connect(this, &QListWidget::itemChanged, this, &ImportFolders::changed);
}

void ImportFolders::show_folders(const std::vector<ImportFolderMessage>& folders) {
  folders_ = folders;
  const int row_height = fontMetrics().height() + 8;
  {
    const QSignalBlocker quiet(this);
    clear();
    for (const auto& folder : folders_) {
      auto* item = new QListWidgetItem(text_of(folder), this);
      item->setToolTip(item->text());
      item->setSizeHint({0, row_height});
      item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
      item->setCheckState(folder.usual ? Qt::Checked : Qt::Unchecked);
    }
  }
  setFixedHeight(std::clamp(count(), 1, rows_max) * row_height + 2 * frameWidth() + 2);
  emit changed();
}

// Stores begin in a content directory.
std::vector<const ImportFolderMessage*> ImportFolders::chosen_folders() const {
  std::vector<const ImportFolderMessage*> chosen;
  for (int row = 0; row < count(); ++row)
    if (item(row)->checkState() == Qt::Checked) chosen.push_back(&folders_[static_cast<std::size_t>(row)]);
  std::ranges::stable_partition(chosen, [](const auto* folder) { return folder->content; });
  return chosen;
}

QStringList ImportFolders::chosen() const {
  QStringList names;
  for (const auto* folder : chosen_folders()) names << QString::fromStdString(folder->directory);
  return names;
}

bool ImportFolders::is_usual() const {
  for (int row = 0; row < count(); ++row)
    if ((item(row)->checkState() == Qt::Checked) != folders_[static_cast<std::size_t>(row)].usual) return false;
  return true;
}

QString ImportFolders::problem() const {
  const auto chosen = chosen_folders();
  if (folders_.empty()) return tr("This server has no content folder; start wall-server with --content DIR");
  if (chosen.empty() || !chosen.front()->content) return tr("Choose a folder that can have stores");
  return {};
}

QString ImportFolders::lack_of_space(double bytes) const {
  const auto chosen = chosen_folders();
  const auto share = bytes / static_cast<double>(std::max<std::size_t>(1, chosen.size()));
  for (const auto* folder : chosen)
    if (folder->free_bytes && static_cast<double>(*folder->free_bytes) < share)
      return tr("%1 has no room for %2: %3 are free.")
          .arg(QString::fromStdString(folder->directory), bytes_text(share),
               bytes_text(static_cast<double>(*folder->free_bytes)));
  return {};
}

}  // namespace lw
