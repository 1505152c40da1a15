#include "wall-control/events/event_model.h"

#include "wall-control/ui/palette.h"

#include <QBrush>
#include <QDateTime>

#include <algorithm>

namespace lw {
namespace {

constexpr std::ptrdiff_t told_again_max = 400;  // twice as many as a server sends

}  // namespace

bool EventModel::known(const Event& event) const {
  if (event.number == 0) return false;
  const auto newest = std::min<std::ptrdiff_t>(told_again_max, static_cast<std::ptrdiff_t>(events_.size()));
  return std::any_of(events_.end() - newest, events_.end(), [&](const Event& other) {
    return other.number == event.number && other.time_ms == event.time_ms;
  });
}

bool EventModel::add(const Event& event) {
  if (known(event)) return false;
  if (events_.size() == events_max) {
    beginRemoveRows({}, 0, 0);
    events_.pop_front();
    endRemoveRows();
  }
  const int row = static_cast<int>(events_.size());
  beginInsertRows({}, row, row);
  events_.push_back(event);
  endInsertRows();
  return true;
}

void EventModel::clear() {
  beginResetModel();
  events_.clear();
  endResetModel();
}

QVariant EventModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const auto& event = at(index.row());
  if (role == time_role) return event.time_ms;
  if (role == state_role) return static_cast<int>(state_of(event));
  if (role == where_role) return where_of(event);
  if (role == Qt::AccessibleTextRole)
    return QString("%1, %2, %3, %4")
        .arg(QDateTime::fromMSecsSinceEpoch(event.time_ms).toString("HH:mm:ss"), word_of(event.severity),
             where_of(event), event.text);
  if (role == Qt::ForegroundRole && index.column() == severity && event.severity != Severity::info)
    return QBrush(event.severity == Severity::error ? colors::crit.lighter(130) : colors::warn);
  if (role == Qt::ToolTipRole)
    return QString("%1\n%2  %3")
        .arg(event.text, QDateTime::fromMSecsSinceEpoch(event.time_ms).toString(Qt::ISODateWithMs), event.code);
  if (role == file_role && index.column() == time)
    return QDateTime::fromMSecsSinceEpoch(event.time_ms, Qt::UTC).toString(Qt::ISODateWithMs);
  if (role == file_role && index.column() == severity) return name_of(event.severity);
  if (role != Qt::DisplayRole && role != file_role) return {};
  switch (index.column()) {
    case time:
      return QDateTime::fromMSecsSinceEpoch(event.time_ms).toString("HH:mm:ss.zzz");
    case severity:
      return QString("%1 %2").arg(mark_of(event.severity), word_of(event.severity));
    case place:
      return place_of(event);
    case code:
      return event.code;
    case text:
      return event.text;
    default:
      return {};
  }
}

QVariant EventModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  const std::array headings{tr("Time"), tr("Severity"), tr("Where"), tr("Code"), tr("What")};
  return headings[static_cast<std::size_t>(section)];
}

EventFilter::EventFilter(const EventModel& model, QObject* parent) : QSortFilterProxyModel(parent), model_(model) {
  setDynamicSortFilter(true);
  sort(0, Qt::DescendingOrder);
}

void EventFilter::set_least(Severity severity) {
  least_ = severity;
  invalidateFilter();
}

void EventFilter::set_words(const QString& words) {
  words_ = words.trimmed();
  invalidateFilter();
}

void EventFilter::set_node(const QString& node) {
  node_ = node;
  invalidateFilter();
}

void EventFilter::set_times(const std::optional<Times>& times) {
  if (times == times_) return;
  times_ = times;
  invalidateFilter();
}

bool EventFilter::filterAcceptsRow(int row, const QModelIndex&) const {
  const auto& event = model_.at(row);
  if (event.severity < least_) return false;
  if (!node_.isEmpty() && event.node != node_) return false;
  if (times_ && (event.time_ms < times_->first_ms || event.time_ms > times_->last_ms)) return false;
  if (words_.isEmpty()) return true;
  const auto has = [&](const QString& text) { return text.contains(words_, Qt::CaseInsensitive); };
  return has(event.text) || has(event.code) || has(place_of(event));
}

}  // namespace lw
