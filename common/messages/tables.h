// Figures of many flows and tiles, sent repeatedly: as tables in CBOR of which only changed cells are sent
// (docs/protocol.md, "Tables"). A row is a flow, a tile or a node; a column is a member of a message. Each end keeps
// the tables as the other knows them. The first message names the sender's columns, so that programs of other versions
// read the columns they know.
//
//   message = [name, number, full, [table, ...]]
//   table   = [index, name | null, [column, ...] | null, [event column, ...] | null, [row, [column, cell, ...], ...],
//              [removed row, ...]]
//
// Full messages, and messages with a new table, contain names and columns. Cells of an event column belong to this
// message only and are not kept. A message continues the one numbered before it; after a gap, only a full message is
// valid.
#pragma once

#include "common/base/cbor.h"
#include "common/base/json.h"
#include "common/base/result.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lw {

struct TableShape {
  std::string_view name;
  std::vector<std::string_view> columns;
  std::vector<bool> events;  // by column: its cells belong to one message only
};

struct TableRow {
  std::uint32_t id = 0;
  std::vector<Json> cells;  // by column; null: absent
};

class TableSender {
public:
  // All rows of a table now, by ascending id; their cells are used up. `columns`: those compared this time; empty: all.
  // `shape` must outlive this object.
  void put(const TableShape& shape, std::vector<TableRow>& rows, const std::vector<bool>& columns = {});
  void put(const TableShape& shape, std::vector<TableRow>&& rows, const std::vector<bool>& columns = {}) {
    put(shape, rows, columns);
  }
  // The changes since the previous call.
  [[nodiscard]] std::string take_differences(std::string_view name);
  // All tables, without events, with the number of the newest differences: its receiver continues with the next ones.
  [[nodiscard]] std::string full(std::string_view name) const;

private:
  struct Kept {
    const TableShape* shape = nullptr;
    std::vector<TableRow> rows;
    bool is_new = true;
    Json changed = Json::array();  // rows with their cells
    Json removed = Json::array();
  };
  static void update(Kept& kept, TableRow& row, TableRow& now, std::span<const std::size_t> columns, bool is_new);

  std::vector<Kept> tables_;
  std::uint64_t number_ = 0;
};

class TableReceiver {
public:
  struct Table {
    std::string name;
    std::vector<std::string> columns;
    std::vector<std::size_t> events;                               // columns
    std::vector<std::pair<std::string_view, std::size_t>> sorted;  // columns in alphabetical order
    std::vector<TableRow> rows;                                    // by ascending id
    std::vector<std::size_t> changed;                              // rows with new cells in the newest message
    bool rows_changed = false;                                     // rows were added or removed

    [[nodiscard]] const TableRow* find(std::uint32_t id) const;
  };

  // A message, as parse_cbor reads it. After an error the tables are incomplete, and only a full message is valid.
  // (Fuzzed.)
  Result<void> take(Json message);
  // Whether a full message is needed: before the first, and after a gap or an error.
  [[nodiscard]] bool lost() const { return lost_; }
  // Null if there is no table of this name.
  [[nodiscard]] const Table* find(std::string_view name) const;

private:
  Result<void> take_table(Json& table, bool full);
  Result<void> name_table(const Json& table);
  Result<void> remove_rows(Table& table, const Json& ids);
  Result<void> take_rows(Table& table, Json& rows);
  static void forget_events(Table& table);

  std::deque<Table> tables_;  // by index
  std::size_t cells_ = 0;     // of all rows
  std::uint64_t number_ = 0;
  bool lost_ = true;
};

inline constexpr std::size_t tables_depth_max = 8;  // nested lists: a cell can contain presented frames

}  // namespace lw
