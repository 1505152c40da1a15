// What the plots can show of the figures of `stats`, by flow, by tile and of the whole wall: keys, kinds and units are
// those of common/metrics/registry.h.
#pragma once

#include <QString>

#include <cstddef>
#include <span>

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
  playout_delay,
};
inline constexpr std::size_t quantity_count = 22;

enum class Scope : unsigned char { flow, tile, wall };

struct QuantityInfo {
  Quantity quantity;
  Scope scope;
  const char* key;    // in the flow's, tile's or wall's figures
  bool per_second;    // the key counts; shown is its growth
  bool low_is_bad;    // of most, the greatest is the worst
  const char* unit;   // "us" is shown as ms or s where that reads better
  const char* title;  // these two in the source's language: title_of, definition_of
  const char* definition;
};

// Indexed by Quantity.
std::span<const QuantityInfo> quantities();
const QuantityInfo& info(Quantity quantity);
QString title_of(const QuantityInfo& quantity);       // "Jitter by flow"
QString definition_of(const QuantityInfo& quantity);  // a sentence

}  // namespace lw
