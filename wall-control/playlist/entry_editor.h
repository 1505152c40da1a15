// How long an entry of the playlist plays, and how it follows the one before.
#pragma once

#include "wall-control/models/playlist_draft.h"

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;

namespace lw {

class TransitionChoice;

class EntryEditor : public QWidget {
  Q_OBJECT

public:
  explicit EntryEditor(QWidget* parent = nullptr);
  // None: nothing can be changed.
  void show_entry(const std::optional<DraftEntry>& entry);

signals:
  void duration_chosen(std::optional<int> loops, std::optional<double> seconds);
  void fade_chosen(std::optional<int> fade_ms);
  void done();

protected:
  void keyPressEvent(QKeyEvent* event) override;

private:
  void take_duration();

  DraftEntry shown_;
  bool showing_ = false;  // the widgets are being updated from the entry
  QComboBox* ends_ = nullptr;
  QDoubleSpinBox* amount_ = nullptr;
  TransitionChoice* transition_ = nullptr;
};

}  // namespace lw
