// The frames of the visualization that did not arrive as they should: the increase of a tile's counts between two
// reports, assigned to the frames that it showed meanwhile. Memory is bounded. Draws nothing.
#pragma once

#include <QString>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>

namespace lw {

class FlowHistory;
struct TileRow;

// The worst last.
enum class Trouble : std::uint8_t { repaired, late, concealed, not_shown };
inline constexpr std::size_t trouble_count = 4;

// Of the frames that a tile showed between two reports.
struct TroubleMark {
  int first = 0, last = 0;  // frames of the visualization
  int column = 0, row = 0;  // the tile
  std::array<qint64, trouble_count> counts{};
};

class TroubleMarks {
public:
  static constexpr std::size_t marks_max = 4096;  // the oldest go first

  // What plays now: a different visualization starts without marks. `speed` is in its frames per second.
  void follow(const QString& name, double speed);
  // After each `stats`.
  void add(const FlowHistory& history);
  [[nodiscard]] const std::deque<TroubleMark>& marks() const { return marks_; }
  [[nodiscard]] std::array<qint64, trouble_count> totals() const;

private:
  struct Seen {
    int frame = 0;
    std::array<qint64, trouble_count> counts{};
  };
  void take(const TileRow& tile);

  QString name_;
  int frames_per_report_max_ = 1;
  int reports_left_out_ = 0;  // the tiles still show the previous visualization
  bool began_ = false;
  std::map<std::pair<int, int>, Seen> seen_;  // by tile
  std::deque<TroubleMark> marks_;
};

}  // namespace lw
