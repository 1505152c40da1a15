// The directories of a server in which an import can write, with their free space, to choose from. The first chosen one
// gets the store, all of them its stripes.
#pragma once

#include "common/messages/import_places.h"

#include <QListWidget>

namespace lw {

class ImportFolders : public QListWidget {
  Q_OBJECT

public:
  explicit ImportFolders(QWidget* parent = nullptr);

  // The usual ones are chosen.
  void show_folders(const std::vector<ImportFolderMessage>& folders);
  [[nodiscard]] QStringList chosen() const;
  // Whether the server would choose the same.
  [[nodiscard]] bool is_usual() const;
  // Why an import cannot go there, as a text; empty if it can.
  [[nodiscard]] QString problem() const;
  // The folder in which a store of so many bytes has no room, as a text; empty: there is room, as far as is known.
  [[nodiscard]] QString lack_of_space(double bytes) const;

signals:
  void changed();

private:
  [[nodiscard]] std::vector<const ImportFolderMessage*> chosen_folders() const;

  std::vector<ImportFolderMessage> folders_;
};

}  // namespace lw
