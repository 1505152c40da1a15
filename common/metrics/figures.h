// The figures of one struct as they are sent and received: in the order of its table in the registry, absent if not
// measured. Using a key that is not in the table does not compile.
#pragma once

#include "common/metrics/registry.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

namespace lw {

// The rows of a table in alphabetical order of their keys, as JSON libraries keep members.
template <class Stats>
consteval auto sort_rows() {
  std::array<std::size_t, metrics_of<Stats>.size()> rows{};
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  const auto& metrics = metrics_of<Stats>;
  std::ranges::sort(rows, {}, [&](std::size_t row) { return metrics[row].key; });
  return rows;
}
template <class Stats>
inline constexpr auto sorted_rows = sort_rows<Stats>();

// Those rows of a table that have one of these keys.
template <class Stats>
std::vector<std::size_t> rows_named(std::span<const std::string_view> keys) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < metrics_of<Stats>.size(); ++row)
    if (std::ranges::find(keys, metrics_of<Stats>[row].key) != keys.end()) rows.push_back(row);
  return rows;
}

template <class Stats>
class Figures {
public:
  static constexpr std::span<const Metric> metrics() { return metrics_of<Stats>; }

  // A row of the table, by its key.
  struct Key {
    consteval Key(const char* key)  // NOLINT(google-explicit-constructor): written as a string
        : row(static_cast<std::size_t>(std::ranges::find(metrics_of<Stats>, key, &Metric::key) -
                                       metrics_of<Stats>.begin())) {
      if (row == metrics_of<Stats>.size()) throw "no figure of this table";
    }
    std::size_t row;
  };

  Figures() = default;
  explicit Figures(const Stats& stats) {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = registry::Registered<Stats>::rows[i].read(stats);
  }

  // Only these rows of the table, the others stay absent; empty: all.
  Figures(const Stats& stats, std::span<const std::size_t> rows) {
    if (rows.empty()) *this = Figures(stats);
    for (const auto row : rows) values_[row] = registry::Registered<Stats>::rows[row].read(stats);
  }

  [[nodiscard]] const Figure& operator[](Key key) const { return values_[key.row]; }
  [[nodiscard]] Figure& operator[](Key key) { return values_[key.row]; }
  // In the order of metrics().
  [[nodiscard]] std::span<const Figure> values() const { return values_; }
  [[nodiscard]] std::span<Figure> values() { return values_; }

  // For hosts whose clocks differ by an unknown amount.
  void drop_what_needs_clock_bound() {
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (metrics()[i].bound == ClockBound::needed) values_[i] = {};
  }
  bool operator==(const Figures&) const = default;

private:
  std::array<Figure, metrics_of<Stats>.size()> values_{};
};

}  // namespace lw
