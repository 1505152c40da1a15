// The playlist: what is on the wall, what follows, and what was edited and is not live; order, durations, files.
#pragma once

#include "wall-control/playlist/playlist_delegate.h"
#include "wall-control/playlist/playlist_model.h"
#include "wall-control/ui/panel.h"
#include "wall-control/ui/slow_refresh.h"

#include <functional>

class QAction;
class QLabel;
class QListView;
class QPushButton;
class QStackedWidget;

namespace lw {

class Commands;
class ControlLink;
class EmptyState;
class EntryEditor;

class PlaylistPanel : public Panel {
  Q_OBJECT

public:
  // Returns the name of the visualization to add.
  using Selected = std::function<QString()>;
  // Link, commands and library must outlive this.
  PlaylistPanel(ControlLink& link, Commands& commands, const LibraryModel& library, Selected selected,
                QWidget* parent = nullptr);

  void set_state(const StateMessage& state);
  [[nodiscard]] const PlaylistDraft& draft() const { return model_.draft(); }
  // After the current entry.
  void add(const QString& name);
  // Returns what went wrong, or an empty text.
  QString save(const QString& path) const;
  QString open(const QString& path);

signals:
  void failed(const QString& words);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void make_list();
  QWidget* make_edited_bar(Commands& commands);
  QWidget* make_footer();
  void make_tools();
  void make_menu();
  QPushButton* button(const QString& name, const QString& text, const QString& tip, const std::function<void()>& run);
  void show_draft(int current);
  void show_editor(bool on);
  void show_progress();
  void follow(const StateMessage& state);
  void enable();
  void add_selected();
  void move_current(int by);
  void apply(bool from_start);
  void ask_and_save();
  void ask_and_open();
  [[nodiscard]] int current() const;
  [[nodiscard]] QString round_text() const;

  ControlLink& link_;
  const LibraryModel& library_;
  Selected selected_;
  PlaylistModel model_;
  PlaylistDelegate delegate_{model_, library_};
  EntryProgress progress_;
  StateMessage state_;
  int row_ = 0;  // the current one, before the list was filled again
  qint64 entry_on_wall_ = 0;
  bool saw_begin_ = false;  // of that entry
  QListView* list_ = nullptr;
  QStackedWidget* pages_ = nullptr;
  EmptyState* empty_ = nullptr;
  QWidget* edited_bar_ = nullptr;
  EntryEditor* editor_ = nullptr;
  QLabel* footer_ = nullptr;
  QAction* add_ = nullptr;
  QAction* repeat_ = nullptr;
  QAction* play_from_start_ = nullptr;
  QAction* edit_ = nullptr;
  QAction* remove_ = nullptr;
  QPushButton* apply_ = nullptr;
  QPushButton* play_ = nullptr;
  QPushButton* revert_ = nullptr;
  SlowRefresh progress_shown_{[this] { show_progress(); }};
};

}  // namespace lw
