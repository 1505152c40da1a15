// The playlist's editor: what is on the wall, queued, and edited but not live; order, durations, files.
#pragma once

#include "wall-control/models/playlist_draft.h"

#include <QWidget>

#include <functional>

class QAction;
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QListWidget;
class QPushButton;

namespace lw {

class Commands;
class ControlLink;
class TransitionChoice;

class PlaylistPanel : public QWidget {
  Q_OBJECT

public:
  // Returns the name of the visualization to add, and the title of a name.
  using Selected = std::function<QString()>;
  using Title = std::function<QString(const QString& name)>;
  // Link and commands must outlive this.
  PlaylistPanel(ControlLink& link, Commands& commands, Selected selected, Title title, QWidget* parent = nullptr);

  void set_state(const StateMessage& state);
  [[nodiscard]] const PlaylistDraft& draft() const { return draft_; }
  // Returns what went wrong, or an empty text.
  QString save(const QString& path) const;
  QString open(const QString& path);

signals:
  void failed(const QString& words);

private:
  QWidget* make_list();
  QWidget* make_duration();
  QWidget* make_edit_buttons();
  QWidget* make_live_buttons(Commands& commands);
  QPushButton* button(const QString& text, const QString& tip, const std::function<void()>& run);
  void show_draft(int current);
  void enable();
  void show_duration();
  void take_duration();
  void take_transition();
  void add_selected();
  void move_current(int by);
  void apply(bool from_start);
  void ask_and_save();
  void ask_and_open();

  ControlLink& link_;
  Selected selected_;
  Title title_;
  PlaylistDraft draft_;
  std::optional<StateMessage> taken_;  // the state that the draft reflects
  bool showing_ = false;               // the widgets are being updated from the draft
  QLabel* live_ = nullptr;
  QListWidget* list_ = nullptr;
  QComboBox* ends_ = nullptr;
  QDoubleSpinBox* amount_ = nullptr;
  TransitionChoice* transition_ = nullptr;
  QCheckBox* repeat_ = nullptr;
  QPushButton* apply_ = nullptr;
  QPushButton* play_ = nullptr;
  QPushButton* revert_ = nullptr;
};

}  // namespace lw
