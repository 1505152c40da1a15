// The library side of the window: lists the server's visualizations, searches, sorts and filters them, shows them on
// the wall, describes and deletes them.
#pragma once

#include "common/messages/library.h"
#include "common/messages/play_state.h"
#include "wall-control/models/library_filter.h"
#include "wall-control/models/library_model.h"

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
class TelemetrySource;
class TransitionChoice;

class LibraryPanel : public QWidget {
  Q_OBJECT

public:
  // All must outlive this. `source`: of the library that is shown.
  LibraryPanel(ControlLink& link, const TelemetrySource& source, Commands& commands, QWidget* parent = nullptr);

  void refresh();
  // Asks the server to show the selected visualization, or else the first.
  void load_selected();
  // The selected visualization, or else the first; empty if there is none.
  [[nodiscard]] QString selected() const;
  // The server's state: the visualization on the wall is marked.
  void set_state(const StateMessage& state);
  // The title that people know, if the library has it.
  [[nodiscard]] QString title_of(const QString& name) const;

private:
  void show_library(const LibraryReply& library);
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
  QTimer refresh_soon_;       // combines several changes
  bool asking_plan_ = false;  // one at a time: a plan reads much of the host
  std::size_t rejected_ = 0;
  std::size_t missing_ = 0;  // content directories
  QLineEdit* search_ = nullptr;
  QComboBox* order_ = nullptr;
  QComboBox* tag_ = nullptr;
  QCheckBox* only_fitting_ = nullptr;
  LibraryView* view_ = nullptr;
  TransitionChoice* transition_ = nullptr;
  QLabel* counts_ = nullptr;
  QString wanted_;  // to select when the server lists it
  QAction* import_ = nullptr;
  QAction* describe_ = nullptr;
  QAction* delete_ = nullptr;
};

}  // namespace lw
