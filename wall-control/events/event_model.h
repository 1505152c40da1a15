// The newest events as a table, oldest first, and the filter that shows a part of them, newest first.
#pragma once

#include "wall-control/events/event.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include <deque>

namespace lw {

class EventModel : public QAbstractTableModel {
  Q_OBJECT

public:
  enum Column { time, severity, place, code, text, column_count };
  static constexpr int events_max = 5000;
  static constexpr int time_role = Qt::UserRole;      // ms since 1970
  static constexpr int file_role = Qt::UserRole + 1;  // for programs: times as ISO 8601 in UTC
  static constexpr int state_role = Qt::UserRole + 2;
  static constexpr int where_role = Qt::UserRole + 3;  // in a word

  using QAbstractTableModel::QAbstractTableModel;

  // False for an event that is there already: a server sends its last ones again to every client that reconnects.
  bool add(const Event& event);
  void clear();
  [[nodiscard]] const Event& at(int row) const { return events_[static_cast<std::size_t>(row)]; }
  [[nodiscard]] const std::deque<Event>& events() const { return events_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(events_.size());
  }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : column_count;
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  [[nodiscard]] bool known(const Event& event) const;

  std::deque<Event> events_;
};

class EventFilter : public QSortFilterProxyModel {
  Q_OBJECT

public:
  struct Times {
    qint64 first_ms = 0, last_ms = 0;
    bool operator==(const Times&) const = default;
  };
  EventFilter(const EventModel& model, QObject* parent);

  // Events that are less severe are not shown.
  void set_least(Severity severity);
  [[nodiscard]] Severity least() const { return least_; }
  void set_words(const QString& words);  // searched in code, place and text
  void set_node(const QString& node);    // empty: every node
  void set_times(const std::optional<Times>& times);

protected:
  [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
    return left.row() < right.row();
  }

private:
  const EventModel& model_;
  Severity least_ = Severity::info;
  QString words_;
  QString node_;
  std::optional<Times> times_;
};

}  // namespace lw
