// Figures of many flows and tiles, sent again and again: as tables of which only the cells that changed are sent, in
// CBOR (docs/protocol.md, "Tables"). A row is a flow, a tile or a node; a column is a member of a message. Each end
// keeps the tables as the other knows them. The sender's columns are told with the first message, so that programs of
// other versions read those that they know.
//
//   message = [name, number, full, [table, ...]]
//   table   = [index, name | null, [column, ...] | null, [event column, ...] | null, [row, [column, cell, ...], ...],
//              [removed row, ...]]
//
// Names and columns are in full pictures, and where a table is new. Cells of an event column are of this message only:
// they do not stay. A message goes on from the one numbered before it; after a gap only a full picture does.
#pragma once

#include "common/base/cbor.h"
#include "common/base/json.h"
#include "common/base/result.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lw {

struct TableShape {
  std::string_view name;
  std::vector<std::string_view> columns;
  std::vector<bool> events;  // by column: its cells are of one message only
};

struct TableRow {
  std::uint32_t id = 0;
  std::vector<Json> cells;  // by column; null: absent
};

class TableSender {
public:
  // The rows of a table now, by ascending id, and nothing of the others. `columns`: those that are looked at this time;
  // empty: all. `shape` outlives this.
  void put(const TableShape& shape, std::vector<TableRow> rows, const std::vector<bool>& columns = {});
  // What changed since the call before.
  [[nodiscard]] std::string take_differences(std::string_view name);
  // All as it is, numbered as the newest differences: whoever gets this goes on with the next. Without events.
  [[nodiscard]] std::string full(std::string_view name) const;

private:
  struct Kept {
    const TableShape* shape = nullptr;
    std::vector<TableRow> rows;
    bool is_new = true;
    Json changed = Json::array();  // rows with their cells
    Json removed = Json::array();
  };
  static void compare(Kept& kept, TableRow* before, TableRow& now, const std::vector<bool>& columns);

  std::vector<Kept> tables_;
  std::uint64_t number_ = 0;
};

class TableReceiver {
public:
  struct Table {
    std::string name;
    std::vector<std::string> columns;
    std::vector<bool> events;
    std::vector<std::pair<std::string_view, std::size_t>> sorted;  // columns by the alphabet
    std::vector<TableRow> rows;                                    // by ascending id
    std::vector<std::size_t> changed;                              // rows with new cells in the newest message
    bool rows_changed = false;                                     // some are new, or gone

    [[nodiscard]] const TableRow* find(std::uint32_t id) const;
  };

  // A message, as parse_cbor reads it. An error says what is wrong; what was taken before it stays in part, so that
  // only a full picture goes on. (Fuzzed.)
  Result<void> take(const Json& message);
  // Whether a full picture is needed: before the first, and after a gap or an error.
  [[nodiscard]] bool lost() const { return lost_; }
  // Null where there is none of this name.
  [[nodiscard]] const Table* find(std::string_view name) const;

private:
  Result<void> take_table(const Json& table, bool full);
  Result<void> name_table(const Json& table);
  Result<void> remove_rows(Table& table, const Json& ids);
  Result<void> take_rows(Table& table, const Json& rows);
  static void forget_events(Table& table);

  std::deque<Table> tables_;  // by index
  std::size_t cells_ = 0;     // of all rows
  std::uint64_t number_ = 0;
  bool lost_ = true;
};

inline constexpr std::size_t tables_depth_max = 8;  // of lists in lists: presented frames are in a cell

}  // namespace lw
