// What the plots can show from the figures of `stats`, by flow, by tile and for the entire wall: keys, kinds and units
// are those of common/metrics/registry.h.
#pragma once

#include "common/metrics/figures.h"

#include <QString>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace lw {

enum class Quantity : unsigned char {
  throughput,
  jitter,
  delay,
  completion,
  loss,
  kernel_drops,
  repaired,
  rebuilt,
  reordered,
  late_packets,
  read,
  queue,
  send,
  flight,
  assemble,
  lateness,
  playout_level,
  wait,
  upload,
  swap,
  skew,
  skew_error,
  playout_delay,
};
inline constexpr std::size_t quantity_count = 23;

enum class Scope : unsigned char { flow, tile, wall };

// The registry's table with this quantity; rate: a rate of a report, in none of them.
enum class Source : unsigned char { sender, receiver, flow_in_wall, tile, wall, rate };
template <class Stats>
inline constexpr Source source_of = Source::rate;
template <>
inline constexpr Source source_of<SenderFlowStats> = Source::sender;
template <>
inline constexpr Source source_of<ReceiverFlowStats> = Source::receiver;
template <>
inline constexpr Source source_of<WallFlowStats> = Source::flow_in_wall;
template <>
inline constexpr Source source_of<TileStats> = Source::tile;
template <>
inline constexpr Source source_of<WallStats> = Source::wall;

struct QuantityInfo {
  Quantity quantity;
  Scope scope;
  Source source;
  std::size_t row;    // of that table
  const char* key;    // its key there
  bool per_second;    // the key counts; its growth is shown
  bool low_is_bad;    // for most, the greatest is the worst
  const char* unit;   // "us" is shown as ms or s where that reads better
  const char* title;  // both in the source's language: title_of, definition_of
  const char* definition;
  // Shown where the key is absent: in reports and sessions from before it existed. Also its name in stored alarms.
  const char* older_key = nullptr;
  std::size_t older_row = 0;

  [[nodiscard]] bool has_key(std::string_view name) const {
    return name == key || (older_key != nullptr && name == older_key);
  }
  // `figures`: all of its table.
  [[nodiscard]] const Figure& of(std::span<const Figure> figures) const {
    return older_key != nullptr && !figures[row].measured() ? figures[older_row] : figures[row];
  }
};

// Indexed by Quantity.
std::span<const QuantityInfo> quantities();
const QuantityInfo& info(Quantity quantity);
QString name_of(const QuantityInfo& quantity);        // "Interarrival jitter"
QString title_of(const QuantityInfo& quantity);       // "Interarrival jitter by flow"
QString definition_of(const QuantityInfo& quantity);  // a sentence

// One value for each Quantity; absent if not measured.
using QuantityValues = std::array<std::optional<double>, quantity_count>;

template <class Stats>
void put_figures(QuantityValues& values, const Figures<Stats>& figures) {
  for (const auto& quantity : quantities())
    if (quantity.source == source_of<Stats>)
      values[static_cast<std::size_t>(quantity.quantity)] = quantity.of(figures.values()).number();
}

}  // namespace lw
