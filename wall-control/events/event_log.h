// The events as the operator sees them: a table that can be filtered, searched, copied and saved. Selecting an event
// emits its moment, so that the plots can show it.
#pragma once

#include "wall-control/events/event_model.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;

namespace lw {

class EventLog : public QWidget {
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

private:
  QWidget* make_filters();
  void make_table();
  void make_keys();
  void note_node(const QString& node);
  void next_trouble(int step);
  void show_count();

  EventModel model_;
  EventFilter filter_{model_, this};
  QComboBox* least_ = nullptr;
  QComboBox* node_ = nullptr;
  QLineEdit* words_ = nullptr;
  QLabel* count_ = nullptr;
  QTableView* table_ = nullptr;
  bool has_times_ = false;
};

}  // namespace lw
