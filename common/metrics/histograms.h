// The histograms of flows, tiles and wall, with Prometheus name, help and definition of each. /metrics and
// docs/metrics.md are loops over these rows. The structs are large: readers read them in place, and they are never
// copied with the figures of flow_stats.h.
//
// To add one: a member, a row here (checked at compile time), and `build/release/bin/metrics_doc --write`.
#pragma once

#include "common/metrics/time_histogram.h"

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

namespace lw {

struct SenderFlowHistograms {
  TimeHistogram read{durations}, queue{durations}, send{durations};
};
struct ReceiverFlowHistograms {
  TimeHistogram delay_change{differences}, delay{durations}, completion{durations}, assemble{durations};
};
struct TileHistograms {
  TimeHistogram lateness{differences}, scanout{differences}, wait{durations}, upload{durations}, swap{durations};
};
struct WallHistograms {
  TimeHistogram skew{differences};
};
struct WallFlowHistograms {
  TimeHistogram flight{durations};
};

struct HistogramMetric {
  std::string_view prometheus;  // without the prefix lambdawall_; in seconds
  std::string_view help;
  std::string_view definition;   // in docs/metrics.md
  bool compares_clocks = false;  // of two hosts: absent where nobody knows how far these are apart
};

template <class Owner>
struct HistogramRow {
  HistogramMetric metric;
  TimeHistogram Owner::*member;
};

namespace registry {

template <class Owner>
inline constexpr std::array<HistogramRow<Owner>, 0> histogram_rows{};

template <>
inline constexpr auto histogram_rows<SenderFlowHistograms> =
    std::array{HistogramRow<SenderFlowHistograms>{
                   {"sender_read_seconds", "From asking for a frame's read to it in memory", "the stage *read*"},
                   &SenderFlowHistograms::read},
               HistogramRow<SenderFlowHistograms>{
                   {"sender_queue_seconds", "From a frame in memory to its first packet sent", "the stage *queue*"},
                   &SenderFlowHistograms::queue},
               HistogramRow<SenderFlowHistograms>{
                   {"sender_send_seconds", "From the first to the last packet of a frame handed to the kernel",
                    "the stage *send*, of frames sent whole"},
                   &SenderFlowHistograms::send}};

template <>
inline constexpr auto histogram_rows<ReceiverFlowHistograms> = std::array{
    HistogramRow<ReceiverFlowHistograms>{
        {"receiver_delay_change_seconds", "Change of the delay from one frame's first packet to the next, absolute",
         "the absolute change of delay between the first packets of two frames: D of RFC 3550 section 6.4.1, of which "
         "`jitter_us` is the smoothed mean; the inter-packet delay variation of RFC 5481 without its sign"},
        &ReceiverFlowHistograms::delay_change},
    HistogramRow<ReceiverFlowHistograms>{
        {"receiver_delay_seconds", "Arrival of a frame's first packet less its media time",
         "as `delay_us_p50`; below 0 (in the first bucket) only by the clocks' error", true},
        &ReceiverFlowHistograms::delay},
    HistogramRow<ReceiverFlowHistograms>{
        {"receiver_completion_seconds", "Arrival of a frame's last packet less its media time",
         "as `completion_us_p50`; counted when 64 more frames have come, so that late packets are taken in", true},
        &ReceiverFlowHistograms::completion},
    HistogramRow<ReceiverFlowHistograms>{
        {"receiver_assemble_seconds", "From the first arrival of a packet of a frame to its band being complete",
         "the stage *assemble*, of bands that became complete"},
        &ReceiverFlowHistograms::assemble}};

template <>
inline constexpr auto histogram_rows<TileHistograms> = std::array{
    HistogramRow<TileHistograms>{{"tile_lateness_seconds", "The time after the swap less the presentation time",
                                  "as `lateness_us_p50`; before its time is in the first bucket"},
                                 &TileHistograms::lateness},
    HistogramRow<TileHistograms>{
        {"tile_scanout_seconds", "The time on the screen less the presentation time", "as `scanout_us_p50`"},
        &TileHistograms::scanout},
    HistogramRow<TileHistograms>{
        {"tile_wait_seconds", "From a frame complete to the begin of its upload", "the stage *wait*"},
        &TileHistograms::wait},
    HistogramRow<TileHistograms>{
        {"tile_upload_seconds", "From the begin to the end of a frame's upload", "the stage *upload*"},
        &TileHistograms::upload},
    HistogramRow<TileHistograms>{{"tile_swap_seconds", "From a frame uploaded to its swap", "the stage *swap*"},
                                 &TileHistograms::swap}};

template <>
inline constexpr auto histogram_rows<WallHistograms> =
    std::array{HistogramRow<WallHistograms>{{"wall_skew_seconds", "Spread of a frame's swaps over all tiles",
                                             "as `skew_us_p50`, of frames that all tiles showed", true},
                                            &WallHistograms::skew}};

template <>
inline constexpr auto histogram_rows<WallFlowHistograms> = std::array{HistogramRow<WallFlowHistograms>{
    {"flow_flight_seconds", "From a frame's first packet sent to its arrival",
     "the stage *flight*, of frames of which both ends are known and whose first packet arrived", true},
    &WallFlowHistograms::flight}};

template <class Owner>
inline constexpr bool has_all_histograms = sizeof(Owner) == histogram_rows<Owner>.size() * sizeof(TimeHistogram) &&
                                           !histogram_rows<Owner>.empty();
static_assert(has_all_histograms<SenderFlowHistograms> && has_all_histograms<ReceiverFlowHistograms> &&
              has_all_histograms<TileHistograms> && has_all_histograms<WallHistograms> &&
              has_all_histograms<WallFlowHistograms>);

}  // namespace registry

template <class Owner>
using HistogramReadings = std::array<TimeHistogram::Reading, registry::histogram_rows<Owner>.size()>;

// All of a struct, in the order of its rows.
template <class Owner>
HistogramReadings<Owner> read_histograms(const Owner& owner) {
  HistogramReadings<Owner> readings;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const auto& row = registry::histogram_rows<Owner>.at(i);
    readings[i] = std::invoke(row.member, owner).read();
  }
  return readings;
}

// Adds up those of several flows.
template <std::size_t Size>
void add_readings(std::array<TimeHistogram::Reading, Size>& sum,
                  const std::array<TimeHistogram::Reading, Size>& readings) {
  for (std::size_t i = 0; i < Size; ++i) sum[i] += readings[i];
}

}  // namespace lw
