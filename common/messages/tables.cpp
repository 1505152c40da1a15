#include "common/messages/tables.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

constexpr std::size_t tables_max = 16;
constexpr std::size_t columns_max = 256;
constexpr std::size_t cells_max = std::size_t{1}
                                  << 19U;  // of all rows: limits the memory that a message of a few bytes can claim
constexpr std::size_t name_bytes_max = 64;
constexpr std::size_t events_max = 4096;  // entries of a list in a cell

Error wrong(std::string what) { return Error{"not a message of tables: " + std::move(what), ""}; }

bool is_whole(const Json& value, std::uint64_t below) {
  return value.is_number_unsigned() && value.get<std::uint64_t>() < below;
}

bool is_name(const Json& value) {
  return value.is_string() && value.get_ref<const std::string&>().size() <= name_bytes_max;
}

bool is_name_list(const Json& value) {
  return value.is_array() && value.size() <= columns_max && std::ranges::all_of(value, is_name);
}

auto place_of(auto& rows, std::uint32_t id) { return std::ranges::lower_bound(rows, id, {}, &TableRow::id); }

}  // namespace

// Only these columns of a kept row are looked at; events are sent and not kept.
void TableSender::update(Kept& kept, TableRow& row, TableRow& now, std::span<const std::size_t> columns, bool is_new) {
  Json::array_t cells;
  const auto change = [&](std::size_t column, Json cell) {
    if (cells.empty()) cells.reserve(2 * columns.size());
    cells.push_back(column);
    cells.push_back(std::move(cell));
  };
  for (const auto column : columns) {
    auto& cell = now.cells[column];
    if (kept.shape->events[column]) {
      if (!cell.is_null()) change(column, std::exchange(cell, nullptr));
    } else if (row.cells[column] != cell) {
      std::swap(row.cells[column], cell);
      change(column, row.cells[column]);
    }
  }
  if (cells.empty() && !is_new) return;
  kept.changed.push_back(now.id);
  kept.changed.push_back(std::move(cells));
}

void TableSender::put(const TableShape& shape, std::vector<TableRow>& rows, const std::vector<bool>& columns) {
  auto found = std::ranges::find(tables_, &shape, &Kept::shape);
  if (found == tables_.end())
    found = tables_.insert(tables_.end(), Kept{&shape, {}, true, Json::array(), Json::array()});
  auto& kept = *found;
  std::vector<std::size_t> compared;
  for (std::size_t i = 0; i < shape.columns.size(); ++i)
    if (columns.empty() || columns[i]) compared.push_back(i);
  auto next = rows.begin();
  std::erase_if(kept.rows, [&](const TableRow& old) {
    while (next != rows.end() && next->id < old.id) ++next;
    const bool is_gone = next == rows.end() || next->id != old.id;
    if (is_gone) kept.removed.push_back(old.id);
    return is_gone;
  });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_new = i == kept.rows.size() || kept.rows[i].id != rows[i].id;
    if (is_new)
      kept.rows.insert(kept.rows.begin() + static_cast<std::ptrdiff_t>(i),
                       {rows[i].id, std::vector<Json>(shape.columns.size())});
    update(kept, kept.rows[i], rows[i], compared, is_new);
  }
}

std::string TableSender::take_differences(std::string_view name) {
  Json tables = Json::array();
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    auto& kept = tables_[i];
    if (!kept.is_new && kept.changed.empty() && kept.removed.empty()) continue;
    const auto& shape = *kept.shape;
    Json table = kept.is_new ? Json::array({i, shape.name, shape.columns, shape.events})
                             : Json::array({i, nullptr, nullptr, nullptr});
    table.push_back(std::exchange(kept.changed, Json::array()));
    table.push_back(std::exchange(kept.removed, Json::array()));
    kept.is_new = false;
    tables.push_back(std::move(table));
  }
  return to_cbor(Json::array({name, ++number_, false, std::move(tables)}));
}

std::string TableSender::full(std::string_view name) const {
  Json tables = Json::array();
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const auto& kept = tables_[i];
    Json rows = Json::array();
    for (const auto& row : kept.rows) {
      Json cells = Json::array();
      for (std::size_t column = 0; column < row.cells.size(); ++column) {
        if (row.cells[column].is_null()) continue;
        cells.push_back(column);
        cells.push_back(row.cells[column]);
      }
      rows.push_back(row.id);
      rows.push_back(std::move(cells));
    }
    tables.push_back(
        Json::array({i, kept.shape->name, kept.shape->columns, kept.shape->events, std::move(rows), Json::array()}));
  }
  return to_cbor(Json::array({name, number_, true, std::move(tables)}));
}

const TableRow* TableReceiver::Table::find(std::uint32_t id) const {
  const auto found = place_of(rows, id);
  return found != rows.end() && found->id == id ? &*found : nullptr;
}

const TableReceiver::Table* TableReceiver::find(std::string_view name) const {
  const auto found = std::ranges::find(tables_, name, &Table::name);
  return found != tables_.end() ? &*found : nullptr;
}

void TableReceiver::forget_events(Table& table) {
  for (const auto index : table.changed)
    for (const auto column : table.events) table.rows[index].cells[column] = nullptr;
  table.changed.clear();
  table.rows_changed = false;
}

Result<void> TableReceiver::take(Json message) {
  const bool was_lost = std::exchange(lost_, true);
  if (!message.is_array() || message.size() != 4 || !is_name(message[0]) || !is_whole(message[1], UINT64_MAX) ||
      !message[2].is_boolean() || !message[3].is_array() || message[3].size() > tables_max)
    return wrong("it must be [name, number, full, tables]");
  const auto number = message[1].get<std::uint64_t>();
  const bool full = message[2].get<bool>();
  if (!full && (was_lost || number != number_ + 1))
    return wrong(fmt::format("number {} does not follow {}; a full message must come first", number, number_));
  if (full) {
    tables_.clear();
    cells_ = 0;
  }
  for (auto& table : tables_) forget_events(table);
  for (auto& table : message[3])
    if (const auto taken = take_table(table, full); !taken) return taken;
  number_ = number;
  lost_ = false;
  return {};
}

Result<void> TableReceiver::take_table(Json& json, bool full) {
  if (!json.is_array() || json.size() != 6 || !is_whole(json[0], tables_max) || !json[4].is_array() ||
      !json[5].is_array())
    return wrong("a table must be [index, name, columns, events, rows, removed]");
  const auto index = json[0].get<std::size_t>();
  if (index > tables_.size() || (index == tables_.size()) == json[1].is_null() || (full && json[1].is_null()))
    return wrong("a table must have its name when it is new, and only then");
  if (index == tables_.size())
    if (const auto named = name_table(json); !named) return named;
  auto& table = tables_[index];
  if (const auto removed = remove_rows(table, json[5]); !removed) return removed;
  return take_rows(table, json[4]);
}

Result<void> TableReceiver::name_table(const Json& json) {
  const auto& events = json[3];
  const bool has_events =
      events.is_array() && std::ranges::all_of(events, [](const Json& one) { return one.is_boolean(); });
  if (!is_name(json[1]) || !is_name_list(json[2]) || !has_events || events.size() != json[2].size())
    return wrong("a new table must have a name, columns and which of them are events");
  auto& table = tables_.emplace_back();
  table.name = json[1].get<std::string>();
  table.columns = json[2].get<std::vector<std::string>>();
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    if (events[column].get<bool>()) table.events.push_back(column);
    table.sorted.emplace_back(table.columns[column], column);
  }
  std::ranges::sort(table.sorted);
  return {};
}

Result<void> TableReceiver::remove_rows(Table& table, const Json& ids) {
  for (const auto& id : ids) {
    if (!is_whole(id, UINT32_MAX)) return wrong("a removed row must be a number");
    const auto row = place_of(table.rows, id.get<std::uint32_t>());
    if (row == table.rows.end() || row->id != id.get<std::uint32_t>()) return wrong("a removed row does not exist");
    table.rows.erase(row);
    table.rows_changed = true;
    cells_ -= table.columns.size();
  }
  return {};
}

Result<void> TableReceiver::take_rows(Table& table, Json& rows) {
  if (rows.size() % 2 != 0) return wrong("a row without cells");
  std::vector<std::uint32_t> changed;
  for (std::size_t i = 0; i < rows.size(); i += 2) {
    auto& cells = rows[i + 1];
    if (!is_whole(rows[i], UINT32_MAX) || !cells.is_array() || cells.size() % 2 != 0)
      return wrong("a row must be its id and [column, cell, ...]");
    const auto id = rows[i].get<std::uint32_t>();
    if (!changed.empty() && id <= changed.back()) return wrong("rows must ascend");
    auto row = place_of(table.rows, id);
    if (row == table.rows.end() || row->id != id) {
      cells_ += table.columns.size();
      if (cells_ > cells_max) return wrong("too many rows");
      row = table.rows.insert(row, {id, std::vector<Json>(table.columns.size())});
      table.rows_changed = true;
    }
    for (std::size_t cell = 0; cell < cells.size(); cell += 2) {
      if (!is_whole(cells[cell], table.columns.size()) || cells[cell + 1].size() > events_max)
        return wrong("a cell without a column, or a list that is too long");
      row->cells[cells[cell].get<std::size_t>()] = std::move(cells[cell + 1]);
    }
    changed.push_back(id);
  }
  for (const auto id : changed)
    table.changed.push_back(static_cast<std::size_t>(place_of(table.rows, id) - table.rows.begin()));
  return {};
}

}  // namespace lw
