// The events as the operator sees them, newest first: a list that can be filtered, searched, copied and saved.
// Selecting an event emits its moment, so that the charts can show it.
#pragma once

#include "wall-control/events/event_model.h"
#include "wall-control/ui/panel.h"

class QActionGroup;
class QLineEdit;
class QListView;
class QMenu;
class QStackedWidget;

namespace lw {

class EmptyState;

class EventLog : public Panel {
  Q_OBJECT

public:
  explicit EventLog(QWidget* parent = nullptr);

  void add(const Event& event);
  void clear();
  // Only events of this time are shown; none: all.
  void set_times(const std::optional<EventFilter::Times>& times);
  [[nodiscard]] const EventModel& model() const { return model_; }
  [[nodiscard]] QAbstractItemModel& shown() { return filter_; }
  // The selected rows, one line each, with tabs between fields; all rows shown if none is selected.
  [[nodiscard]] QString as_text() const;
  // Saves the events shown, as .csv or .json. Returns what went wrong, or an empty text.
  [[nodiscard]] QString save(const QString& path) const;

  // Asks for a file first.
  void ask_and_save();

signals:
  void failed(const QString& words);
  void moment_chosen(qint64 time_ms);
  void alarm_rules_wanted();

protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  void make_tools();
  void make_filters();
  void make_list();
  void make_keys();
  void note_node(const QString& node);
  void show_least(Severity least);
  void next_trouble(int step);
  void show_search(bool on);
  void show_counts();
  void show_chips();

  EventModel model_;
  EventFilter filter_{model_, this};
  QAction* faults_ = nullptr;
  QAction* warnings_ = nullptr;
  QAction* search_ = nullptr;
  QActionGroup* least_ = nullptr;
  QActionGroup* nodes_ = nullptr;
  QMenu* filters_ = nullptr;
  QLineEdit* words_ = nullptr;
  QListView* list_ = nullptr;
  QStackedWidget* pages_ = nullptr;
  EmptyState* empty_ = nullptr;
  bool has_times_ = false;
};

}  // namespace lw
