#include "wall-control/models/library_filter.h"

#include "wall-control/models/library_model.h"

#include <algorithm>

namespace lw {
namespace {

const VisualizationRow& row_of(const QSortFilterProxyModel& filter, int row) {
  return static_cast<const LibraryModel*>(filter.sourceModel())->row(row);
}

}  // namespace

LibraryFilter::LibraryFilter(QObject* parent) : QSortFilterProxyModel(parent) { setDynamicSortFilter(true); }

void LibraryFilter::set_words(const QString& words) {
  words_ = words.split(' ', Qt::SkipEmptyParts);
  invalidateFilter();
}

void LibraryFilter::set_tag(const QString& tag) {
  tag_ = tag;
  invalidateFilter();
}

void LibraryFilter::set_only_fitting(bool only) {
  only_fitting_ = only;
  invalidateFilter();
}

void LibraryFilter::set_order(Order order) {
  order_ = order;
  invalidate();
  sort(0);
}

bool LibraryFilter::filterAcceptsRow(int index, const QModelIndex&) const {
  const auto& row = row_of(*this, index);
  if (only_fitting_ && !row.plays()) return false;
  if (!tag_.isEmpty() && !row.tags.contains(tag_)) return false;
  const auto text = row.search_text();
  return std::ranges::all_of(words_, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

bool LibraryFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  const auto& a = row_of(*this, left.row());
  const auto& b = row_of(*this, right.row());
  switch (order_) {
    case Order::rate:
      return a.gbit_per_s > b.gbit_per_s;
    case Order::size:
      return a.bytes > b.bytes;
    case Order::newest:
      return a.made > b.made;
    case Order::title:
      break;
  }
  return a.title.compare(b.title, Qt::CaseInsensitive) < 0;
}

}  // namespace lw
