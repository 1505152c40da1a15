// The library side of the window: the server's visualizations, searched, sorted and filtered, shown on the wall,
// described and deleted.
#pragma once

#include "common/messages/play_state.h"
#include "wall-control/models/library_filter.h"
#include "wall-control/models/library_model.h"

#include <QJsonObject>
#include <QTimer>
#include <QWidget>

class QAction;
class QBoxLayout;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;

namespace lw {

class Commands;
class ControlLink;
class LibraryView;
class TransitionChoice;

class LibraryPanel : public QWidget {
  Q_OBJECT

public:
  // Both outlive this.
  LibraryPanel(ControlLink& link, Commands& commands, QWidget* parent = nullptr);

  void refresh();
  // The result of `list`, of the server or of a recorded session.
  void show_list(const QJsonObject& list);
  // Asks the server to show the one selected, or else the first.
  void load_selected();
  // The one selected, or else the first; empty: there is none.
  [[nodiscard]] QString selected() const;
  // Of the server: what is on the wall is marked.
  void set_state(const StateMessage& state);
  // As people know it, if the library has it.
  [[nodiscard]] QString title_of(const QString& name) const;

private:
  void make_actions();
  QBoxLayout* make_filters();
  QBoxLayout* make_buttons();
  void show_counts();
  void show_tags();
  void fetch_posters();
  void fetch_strip(const QString& name);
  void fetch_plan();
  void describe_selected();
  void delete_selected();
  void open_import();
  void enable();

  ControlLink& link_;
  Commands& commands_;
  LibraryModel library_;
  LibraryFilter found_;
  QTimer refresh_soon_;       // several changes at once are one
  bool asking_plan_ = false;  // one after the other: a plan reads much of the host
  qsizetype rejected_ = 0;
  qsizetype missing_ = 0;  // content directories
  QLineEdit* search_ = nullptr;
  QComboBox* order_ = nullptr;
  QComboBox* tag_ = nullptr;
  QCheckBox* only_fitting_ = nullptr;
  LibraryView* view_ = nullptr;
  TransitionChoice* transition_ = nullptr;
  QLabel* counts_ = nullptr;
  QString wanted_;  // to be selected when the server lists it
  QAction* import_ = nullptr;
  QAction* describe_ = nullptr;
  QAction* delete_ = nullptr;
};

}  // namespace lw
