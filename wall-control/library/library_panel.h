// The library: lists the server's visualizations, searches, sorts and filters them, shows them on the wall, describes
// and deletes them, and imports new ones.
#pragma once

#include "common/messages/library.h"
#include "common/messages/play_state.h"
#include "wall-control/models/library_filter.h"
#include "wall-control/models/library_model.h"
#include "wall-control/ui/panel.h"

#include <QPixmap>
#include <QPointer>
#include <QTimer>

class QAction;
class QActionGroup;
class QBoxLayout;
class QLabel;
class QMenu;
class QSlider;
class QStackedWidget;
class QToolButton;

namespace lw {

class Commands;
class ControlLink;
class DeleteDialog;
class EmptyState;
class ImportDialog;
class LibraryView;
class SearchField;
class TelemetrySource;
class TransitionChoice;

class LibraryPanel : public Panel {
  Q_OBJECT

public:
  // All must outlive this. `source`: of the library that is shown.
  LibraryPanel(ControlLink& link, const TelemetrySource& source, Commands& commands, QWidget* parent = nullptr);

  void refresh();
  // Asks the server to show the selected visualization, or else the first.
  void load_selected();
  void load(const QString& name);
  // The selected visualization, or else the first; empty if there is none.
  [[nodiscard]] QString selected() const;
  // The server's state: the visualization on the wall is marked.
  void set_state(const StateMessage& state);
  // The title that people know, if the library has it.
  [[nodiscard]] QString title_of(const QString& name) const;
  [[nodiscard]] QString description_of(const QString& name) const;
  [[nodiscard]] const LibraryModel& model() const { return library_; }
  // How a visualization of the library follows what is on the wall; placed elsewhere by whoever shows it.
  [[nodiscard]] TransitionChoice* transition() const { return transition_; }

public slots:
  // Videos, images or folders of this machine, for example dropped on the window.
  void import_files(const QStringList& paths);

signals:
  void add_wanted(const QString& name);  // to the playlist
  // The thumbnails of what plays, side by side; none: it has no thumbnails.
  void playing_strip(const QPixmap& strip, int thumbnails);

protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

private:
  void show_library(const LibraryReply& library);
  void make_actions();
  void make_orders();
  void make_views();
  void make_menu();
  QBoxLayout* make_filters();
  QBoxLayout* make_footer();
  void make_pages();
  void show_counts();
  void show_tags();
  void show_playing_strip();
  void show_order(LibraryFilter::Order order);
  void clear_filters();
  void fetch_posters();
  void fetch_strip(const QString& name);
  void fetch_plan();
  void describe_selected();
  void delete_selected();
  // Why it cannot be deleted now; empty: it can.
  [[nodiscard]] QString use_of(const QString& name) const;
  void show_use();
  void open_import();
  // Imports the store of another wall for this one.
  void cut_selected();
  void show_cut();
  ImportDialog& import_dialog();
  void show_imports();
  void enable();

  ControlLink& link_;
  Commands& commands_;
  LibraryModel library_;
  LibraryFilter found_;
  QTimer refresh_soon_;       // combines several changes
  bool asking_plan_ = false;  // one at a time: a plan reads much of the host
  std::size_t rejected_ = 0;
  std::size_t missing_ = 0;  // content directories
  QString tag_;
  QList<ImportedRow> server_imports_;
  std::optional<ImportedRow> own_import_;  // on this machine
  SearchField* search_ = nullptr;
  QToolButton* fits_ = nullptr;
  QToolButton* tags_ = nullptr;
  QLabel* order_text_ = nullptr;
  LibraryView* view_ = nullptr;
  QStackedWidget* pages_ = nullptr;
  EmptyState* empty_ = nullptr;
  QSlider* size_ = nullptr;
  TransitionChoice* transition_ = nullptr;
  QLabel* troubles_ = nullptr;
  QString wanted_;       // to select when the server lists it
  QString put_on_wall_;  // when the wall can play it, unless something else is loaded first
  QPointer<ImportDialog> importing_;
  QPointer<DeleteDialog> deleting_;
  QString deleted_name_;  // of `deleting_`
  StateMessage state_;    // of the server
  QActionGroup* orders_ = nullptr;
  QAction* sort_ = nullptr;
  QAction* cards_ = nullptr;
  QAction* play_ = nullptr;
  QAction* add_ = nullptr;
  QAction* import_ = nullptr;
  QAction* cut_ = nullptr;
  QAction* refresh_ = nullptr;
  QAction* describe_ = nullptr;
  QAction* delete_ = nullptr;
};

}  // namespace lw
