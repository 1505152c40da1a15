// The rows of the registry (common/metrics/registry.h) for the sound of a node.
#pragma once

#include "common/metrics/metric.h"
#include "common/metrics/sound_stats.h"

#include <array>

namespace lw::registry {

// Of the sound that a node plays, in packets of one millisecond.
template <>
struct Registered<SoundNodeStats> {
  using Stats = SoundNodeStats;
  static constexpr auto others = registry::others<>();
  static constexpr std::array rows{
      row<&Stats::received>(
          {"received", "node_sound_received_packets_total", MetricKind::counter, "packets", own,
           "Packets of sound received",
           "datagrams at the port of the node's stream of sound, each of one millisecond: `played`, "
           "`skipped`, `duplicate`, `late` and `invalid` together, and those that wait to be played"}),
      row<&Stats::played>({"played", "node_sound_played_packets_total", MetricKind::counter, "packets", own,
                           "Packets of sound played", "handed to the output at their time"}),
      row<&Stats::skipped>({"skipped", "node_sound_skipped_packets_total", MetricKind::counter, "packets", own,
                            "Packets of sound not played because the node did not run at their time",
                            "there in time, but not played, because the node did not run for more than 20 ms"}),
      row<&Stats::duplicate>({"duplicate", "node_sound_duplicate_packets_total", MetricKind::counter, "packets", own,
                              "Packets of sound received twice",
                              "received before, by another path or from the server's standby"}),
      row<&Stats::late>({"late", "node_sound_late_packets_total", MetricKind::counter, "packets", own,
                         "Packets of sound received too late", "received after they were to be played"}),
      row<&Stats::invalid>({"invalid", "node_sound_invalid_packets_total", MetricKind::counter, "packets", own,
                            "Datagrams that are not the node's sound",
                            "datagrams that are no sound, or of another time, or that cannot be decrypted"}),
      row<&Stats::lost>({"lost", "node_sound_lost_packets_total", MetricKind::counter, "packets", own,
                         "Packets of sound replaced by silence",
                         "not there when they were to be played: a millisecond of silence each"}),
      row<&Stats::peak_dbfs>({"peak_dbfs", "node_sound_peak_dbfs", MetricKind::gauge, "dB", own,
                              "Loudest sample of the last tenths of a second",
                              "the loudest sample of all channels in the last 0.1 to 0.2 s, of full scale; silence is "
                              "-144; absent while nothing plays"}),
      row<&Stats::device_steps>({"device_steps", "node_sound_device_steps_total", MetricKind::counter, "times", own,
                                 "Times that the device's sound was moved to its time at once",
                                 "times that the device's sound was moved to its time at once, at the start, after a "
                                 "seek, and after differences above 5 ms; absent without a device"}),
      row<&Stats::device_gaps>({"device_gaps", "node_sound_device_gaps_total", MetricKind::counter, "times", own,
                                "Times that the device had no sound to play",
                                "times that the device wanted samples that were not there, the end of each sound "
                                "included; absent without a device"}),
      row<&Stats::device_difference>({"device_difference_us", "node_sound_device_difference_seconds", MetricKind::gauge,
                                      "µs", own, "How far what the device plays is ahead of its time",
                                      "the presentation time of what is heard, as the device tells its latency, less "
                                      "the wall's time; smoothed over some 20 calls of the device; absent without a "
                                      "device, and while nothing plays"}),
  };
};
static_assert(is_complete<SoundNodeStats>());

}  // namespace lw::registry
