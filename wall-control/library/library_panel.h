// The library side of the window: the server's visualizations, searched, and shown on the wall.
#pragma once

#include "wall-control/models/library_model.h"

#include <QJsonObject>
#include <QSortFilterProxyModel>
#include <QWidget>

class QLineEdit;
class QListView;

namespace lw {

class Commands;
class ControlLink;

class LibraryPanel : public QWidget {
  Q_OBJECT

public:
  // Both outlive this.
  LibraryPanel(ControlLink& link, Commands& commands, QWidget* parent = nullptr);

  void refresh();
  // Asks the server to show the one selected, or else the first.
  void load_selected();
  // Of the server: what is on the wall is marked.
  void set_state(const QJsonObject& state);
  // As people know it, if the library has it.
  [[nodiscard]] QString title_of(const QString& name) const;

private:
  void make_actions(Commands& commands);
  void fetch_posters();

  ControlLink& link_;
  LibraryModel library_;
  QSortFilterProxyModel found_;
  QLineEdit* search_ = nullptr;
  QListView* view_ = nullptr;
};

}  // namespace lw
