// Converts messages (common/messages/rules.h) to rows of tables (common/messages/tables.h) and back: a column for each
// member that is a value, and for each figure. Members that are messages or lists of messages are separate tables,
// which the caller joins. A list of pairs is an event: it contains the entries since the previous row.
#pragma once

#include "common/messages/message.h"
#include "common/messages/tables.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lw {
namespace table_rows {

enum class Part : std::uint8_t { value, event, other };

template <class Member>
constexpr Part part_of() {
  if constexpr (is_optional<Member>) {
    return part_of<typename Member::value_type>();
  } else if constexpr (is_list<Member>) {
    if constexpr (IsPair<typename Member::value_type>) return Part::event;
    return Part::other;
  } else if constexpr (IsMessage<Member>) {
    return Part::other;
  } else {
    return Part::value;
  }
}

class ColumnLister {
public:
  explicit ColumnLister(TableShape& shape) : shape_(shape) {}
  template <class Member, class... Rules>
  void operator()(const char* key, const Member& /*member*/, const Rules&... /*rules*/) {
    if constexpr (part_of<Member>() != Part::other) add(key, part_of<Member>() == Part::event);
  }
  template <class Stats>
  void figures(const Figures<Stats>& figures) {
    for (const auto& metric : figures.metrics()) add(metric.key, false);
  }

private:
  void add(std::string_view key, bool event) {
    shape_.columns.push_back(key);
    shape_.events.push_back(event);
  }
  TableShape& shape_;
};

// Into the cells of a row, which it has or gets.
class CellWriter {
public:
  CellWriter(std::vector<Json>& cells, const std::vector<bool>& columns) : cells_(cells), columns_(columns) {}
  template <class Member, class... Rules>
  void operator()(const char* /*key*/, const Member& member, const Rules&... rules) {
    if constexpr (part_of<Member>() != Part::other)
      write([&]() -> Json { return MessageWriter::value_of(member, rules...); });
  }
  template <class Stats>
  void figures(const Figures<Stats>& figures) {
    for (std::size_t i = 0; i < figures.values().size(); ++i)
      write([&] { return cell_of(figures.values()[i], figures.metrics()[i]); });
  }

private:
  void write(auto cell) {
    if (column_ == cells_.size()) cells_.emplace_back();
    if (columns_.empty() || columns_[column_])
      cells_[column_] = cell();
    else if (!cells_[column_].is_null())
      cells_[column_] = nullptr;
    ++column_;
  }
  // No measured real number is more exact than the 24 bits of a 32-bit float. Totals are not shortened.
  static Json cell_of(const Figure& figure, const Metric& metric) {
    if (!figure.measured()) return {};
    if (metric.counts() || figure.whole()) return to_json(figure);
    return static_cast<double>(static_cast<float>(*figure.number()));
  }

  std::vector<Json>& cells_;
  const std::vector<bool>& columns_;
  std::size_t column_ = 0;
};

// See message_reader.h: a row as an object.
struct RowDocument : JsonDocument {
  struct Object {
    const TableReceiver::Table* table = nullptr;
    const TableRow* row = nullptr;
    mutable std::size_t next = 0;  // the column after the one that was found last
  };
  static std::optional<Object> object(Value /*value*/) { return std::nullopt; }
  // Most senders have their columns in the order in which they are read.
  static std::optional<Value> find(const Object& object, std::string_view key) {
    const auto& columns = object.table->columns;
    auto column = object.next;
    if (column >= columns.size() || columns[column] != key) {
      const auto& sorted = object.table->sorted;
      const auto found = std::ranges::lower_bound(sorted, key, {}, &std::pair<std::string_view, std::size_t>::first);
      if (found == sorted.end() || found->first != key) return std::nullopt;
      column = found->second;
    }
    object.next = column + 1;
    const auto& cell = object.row->cells[column];
    return cell.is_null() ? std::nullopt : std::optional<Value>(&cell);
  }
  static void each(const Object& object, auto&& visit) {
    for (const auto& [key, column] : object.table->sorted) {
      const auto& cell = object.row->cells[column];
      if (!cell.is_null() && !visit(key, [&] { return &cell; })) return;
    }
  }
  static std::optional<std::string> unknown(const Object& /*object*/, const std::vector<const char*>& /*known*/) {
    return std::nullopt;
  }
};

}  // namespace table_rows

// `name` must outlive it.
template <IsMessage Message>
TableShape shape_of(std::string_view name) {
  TableShape shape{name, {}, {}};
  table_rows::ColumnLister lister(shape);
  const Message message;
  Message::members(message, lister);
  return shape;
}

// The shapes of a message's tables, made at the first call: senders know a table by the address of its shape.
template <class Shapes>
const Shapes& shapes() {
  static const Shapes all;
  return all;
}

// `columns`: those with a cell, the others are null; empty: all.
template <IsMessage Message>
void write_row(TableRow& row, std::uint32_t id, const Message& message, const std::vector<bool>& columns = {}) {
  row.id = id;
  row.cells.reserve(columns.size());
  table_rows::CellWriter writer(row.cells, columns);
  Message::members(message, writer);
}
template <IsMessage Message>
TableRow row_of(std::uint32_t id, const Message& message, const std::vector<bool>& columns = {}) {
  TableRow row;
  write_row(row, id, message, columns);
  return row;
}

// Of a tile: below 2^20, as columns and rows are below 1024.
constexpr std::uint32_t row_id(GridCell tile) { return static_cast<std::uint32_t>(tile.row << 10U | tile.column); }

// Of what a node or a site has, where the rows of all are one after the other: the owner's place is in the upper bits.
constexpr unsigned row_owner_shift = 20;
constexpr std::uint32_t row_id_in(std::size_t owner, std::uint32_t id) {
  return static_cast<std::uint32_t>(owner << row_owner_shift) | (id & ((1U << row_owner_shift) - 1));
}
constexpr std::uint32_t row_owner(std::uint32_t id) { return id >> row_owner_shift; }

// Or the first thing that is wrong with it.
template <IsMessage Message>
Result<Message> read_row(const TableReceiver::Table& table, const TableRow& row) {
  Message message;
  std::optional<std::string> problem;
  MessageReader<table_rows::RowDocument>({&table, &row}, problem).take_all(message);
  if (problem) return Error{std::string(table.name) + ": " + *problem, ""};
  return Result<Message>(std::move(message));
}

// The row of a message that may be absent.
template <IsMessage Message>
std::vector<TableRow> rows_of(const std::optional<Message>& message) {
  std::vector<TableRow> rows;
  if (message) rows.push_back(row_of(0, *message));
  return rows;
}

// `rows`: those whose memory it may use, of the same table.
template <class Entry>
std::vector<TableRow> rows_of(const std::vector<Entry>& entries, auto id, const std::vector<bool>& columns = {},
                              std::vector<TableRow> rows = {}) {
  rows.resize(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) write_row(rows[i], id(entries[i]), entries[i], columns);
  std::ranges::sort(rows, {}, &TableRow::id);
  return rows;
}

// The one row of a table, if it has one. Reads only what changed.
template <class Message>
Result<void> read_one(const TableReceiver& tables, std::string_view name, std::optional<Message>& into) {
  const auto* table = tables.find(name);
  if (table == nullptr || table->rows.empty()) {
    into.reset();
    return {};
  }
  if (table->changed.empty() && !table->rows_changed && into) return {};
  auto read = read_row<Message>(*table, table->rows.front());
  if (!read) return read.error();
  into = std::move(*read);
  return {};
}

// Entries in the order of the rows. Reads only what changed.
template <class Entry>
Result<void> read_all(const TableReceiver& tables, std::string_view name, std::vector<Entry>& entries) {
  const auto* table = tables.find(name);
  if (table == nullptr) {
    entries.clear();
    return {};
  }
  const bool all = table->rows_changed || entries.size() != table->rows.size();
  entries.resize(table->rows.size());
  const auto read = [&](std::size_t index) -> Result<void> {
    auto entry = read_row<Entry>(*table, table->rows[index]);
    if (!entry) return entry.error();
    entries[index] = std::move(*entry);
    return {};
  };
  for (std::size_t i = 0; i < (all ? table->rows.size() : table->changed.size()); ++i)
    if (auto done = read(all ? i : table->changed[i]); !done) return done;
  return {};
}

// What a receiver returns after an update: `message`, or the error, after which only a full message is valid.
template <class Message>
Result<const Message*> updated(const Result<void>& done, const Message& message, TableReceiver& tables) {
  if (done) return &message;
  tables = TableReceiver();  // with `{}`, clang 14 emits no destructor
  return done.error();
}

// The columns for TableSender::put: all of them, or the urgent ones.
inline std::vector<bool> columns_for(bool all, const std::vector<bool>& urgent) {
  return all ? std::vector<bool>() : urgent;
}

// Which columns have one of these names.
template <std::size_t Size>
std::vector<bool> columns_of(const TableShape& shape, const std::array<std::string_view, Size>& names) {
  std::vector<bool> chosen;
  for (const auto column : shape.columns) chosen.push_back(std::ranges::find(names, column) != names.end());
  return chosen;
}

}  // namespace lw
