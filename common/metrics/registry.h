// Every figure that leaves a program: its JSON key, its Prometheus name, its unit and its definition. One table for the
// reports, /metrics, and the check that docs/metrics.md describes them all.
#pragma once

#include <array>
#include <string_view>

namespace lw {

enum class MetricKind : unsigned char { counter, gauge };

struct Metric {
  std::string_view key;         // in reports
  std::string_view prometheus;  // without the prefix lambdawall_; base units
  MetricKind kind;
  double scale;  // report value * scale = Prometheus value
  std::string_view help;
};

inline constexpr std::array sender_flow_metrics{
    Metric{"packets", "sender_packets_total", MetricKind::counter, 1, "RTP packets handed to the kernel"},
    Metric{"bytes", "sender_bytes_total", MetricKind::counter, 1, "UDP payload of the packets sent"},
    Metric{"frames", "sender_frames_total", MetricKind::counter, 1, "Bands sent whole"},
    Metric{"frames_skipped", "sender_frames_skipped_total", MetricKind::counter, 1,
           "Bands not sent, or not wholly, because they were too late"},
    Metric{"send_errors", "sender_errors_total", MetricKind::counter, 1, "Packets the kernel refused"},
    Metric{"resent", "sender_resent_packets_total", MetricKind::counter, 1,
           "Packets sent again as the receiver asked (RFC 4588)"},
    Metric{"resent_bytes", "sender_resent_bytes_total", MetricKind::counter, 1,
           "UDP payload of the packets sent again"},
    Metric{"parity", "sender_parity_packets_total", MetricKind::counter, 1, "Packets of forward error correction sent"},
    Metric{"parity_bytes", "sender_parity_bytes_total", MetricKind::counter, 1, "UDP payload of these packets"},
    Metric{"resends_refused", "sender_resends_refused_total", MetricKind::counter, 1,
           "Packets asked for that were no longer kept, or over the budget"},
    Metric{"rtcp_refused", "sender_rtcp_refused_packets_total", MetricKind::counter, 1,
           "RTCP packets not taken in: not about the flow's stream, malformed, or too many"},
    Metric{"calls", "sender_calls_total", MetricKind::counter, 1, "System calls made to send"},
    Metric{"zero_copy_calls", "sender_zero_copy_calls_total", MetricKind::counter, 1,
           "Of these calls, those whose pixels the kernel was asked not to copy"},
    Metric{"cpu_s", "sender_cpu_seconds_total", MetricKind::counter, 1, "CPU time of the flow's thread"},
    Metric{"late_us_max", "sender_late_seconds_max", MetricKind::gauge, 1e-6,
           "Worst delay of a burst behind its time over about the last frame"},
    Metric{"rtt_us", "sender_round_trip_seconds", MetricKind::gauge, 1e-6,
           "Round-trip time from RTCP (RFC 3550 section 6.4.1)"},
    Metric{"read_us_p50", "sender_read_seconds_p50", MetricKind::gauge, 1e-6,
           "Median time from asking for a frame's read to it in memory, newest 256 frames read"},
    Metric{"read_us_p99", "sender_read_seconds_p99", MetricKind::gauge, 1e-6, "99th percentile of the same"},
    Metric{"queue_us_p50", "sender_queue_seconds_p50", MetricKind::gauge, 1e-6,
           "Median time from a frame in memory to its first packet sent, newest 256 frames"},
    Metric{"queue_us_p99", "sender_queue_seconds_p99", MetricKind::gauge, 1e-6, "99th percentile of the same"},
    Metric{"send_us_p50", "sender_send_seconds_p50", MetricKind::gauge, 1e-6,
           "Median time from the first to the last packet of a frame handed to the kernel, newest 256 frames"},
    Metric{"send_us_p99", "sender_send_seconds_p99", MetricKind::gauge, 1e-6, "99th percentile of the same"},
};

inline constexpr std::array receiver_flow_metrics{
    Metric{"packets", "receiver_packets_total", MetricKind::counter, 1, "Packets received, of any kind"},
    Metric{"bytes", "receiver_bytes_total", MetricKind::counter, 1, "UDP payload received"},
    Metric{"second_path", "receiver_second_path_packets_total", MetricKind::counter, 1,
           "Packets received by the second of two paths (ST 2022-7)"},
    Metric{"used", "receiver_used_packets_total", MetricKind::counter, 1, "Packets placed in a band"},
    Metric{"in_place", "receiver_in_place_packets_total", MetricKind::counter, 1,
           "Packets used that the kernel put at their place, as forecast"},
    Metric{"calls", "receiver_calls_total", MetricKind::counter, 1, "System calls made to receive"},
    Metric{"cpu_s", "receiver_cpu_seconds_total", MetricKind::counter, 1, "CPU time of the flow's thread"},
    Metric{"lost", "receiver_lost_packets_total", MetricKind::counter, 1,
           "Packets expected by sequence number that did not come (RFC 3550 A.3)"},
    Metric{"kernel_drops", "receiver_kernel_drops_total", MetricKind::counter, 1,
           "Of lost, packets the kernel dropped at the full socket"},
    Metric{"resends_asked", "receiver_resends_asked_total", MetricKind::counter, 1,
           "Different lost packets that were asked for again (RFC 4585)"},
    Metric{"resent", "receiver_resent_packets_total", MetricKind::counter, 1,
           "Packets that came as resends (RFC 4588)"},
    Metric{"parity", "receiver_parity_packets_total", MetricKind::counter, 1,
           "Packets of forward error correction that came"},
    Metric{"rebuilt", "receiver_rebuilt_packets_total", MetricKind::counter, 1,
           "Of lost, packets that were rebuilt from parity"},
    Metric{"repaired", "receiver_repaired_packets_total", MetricKind::counter, 1,
           "Of lost, packets that a resend made good"},
    Metric{"duplicates", "receiver_duplicate_packets_total", MetricKind::counter, 1,
           "Packets that came before (RFC 5560)"},
    Metric{"reordered", "receiver_reordered_packets_total", MetricKind::counter, 1,
           "Packets below the highest sequence number so far (RFC 4737)"},
    Metric{"late", "receiver_late_packets_total", MetricKind::counter, 1,
           "Packets whose band was already given up or shown"},
    Metric{"invalid", "receiver_invalid_packets_total", MetricKind::counter, 1,
           "Packets that are not of this flow or contradict its geometry"},
    Metric{"strangers", "receiver_stranger_packets_total", MetricKind::counter, 1,
           "Packets that the flow's sender did not send: from another address, port or stream"},
    Metric{"unauthentic", "receiver_unauthentic_packets_total", MetricKind::counter, 1,
           "Packets that were not sealed with the wall's key (SRTP)"},
    Metric{"rtcp_refused", "receiver_rtcp_refused_packets_total", MetricKind::counter, 1,
           "RTCP packets not taken in: not of the flow's sender, malformed, or too many"},
    Metric{"loss_runs", "receiver_loss_runs_total", MetricKind::counter, 1,
           "Uninterrupted runs of lost packets (RFC 3611)"},
    Metric{"loss_run_max", "receiver_loss_run_max_packets", MetricKind::gauge, 1, "Packets in the longest run"},
    Metric{"bands_whole", "receiver_bands_whole_total", MetricKind::counter, 1, "Bands received whole"},
    Metric{"bands_incomplete", "receiver_bands_incomplete_total", MetricKind::counter, 1,
           "Bands given up with packets missing"},
    Metric{"bands_dropped", "receiver_bands_dropped_total", MetricKind::counter, 1,
           "Bands for which there was no buffer"},
    Metric{"jitter_us", "receiver_jitter_seconds", MetricKind::gauge, 1e-6,
           "Interarrival jitter of the first packets of frames (RFC 3550 section 6.4.1)"},
    Metric{"jitter_max_us", "receiver_jitter_seconds_max", MetricKind::gauge, 1e-6,
           "Largest jitter over the last 100 ms"},
    Metric{"delay_us_min", "receiver_delay_seconds_min", MetricKind::gauge, 1e-6,
           "Least of (arrival - media time) of the newest 256 frames"},
    Metric{"delay_us_p50", "receiver_delay_seconds_p50", MetricKind::gauge, 1e-6, "Median of the same"},
    Metric{"delay_us_p99", "receiver_delay_seconds_p99", MetricKind::gauge, 1e-6, "99th percentile of the same"},
    Metric{"completion_us_p50", "receiver_completion_seconds_p50", MetricKind::gauge, 1e-6,
           "Median of (arrival of the last packet - media time) of the newest 512 frames"},
    Metric{"completion_us_p99", "receiver_completion_seconds_p99", MetricKind::gauge, 1e-6,
           "99th percentile of the same: what the playout delay must be above"},
    Metric{"assemble_us_p50", "receiver_assemble_seconds_p50", MetricKind::gauge, 1e-6,
           "Median time from a frame's first packet arrived to its band whole, newest 256 frames"},
    Metric{"assemble_us_p99", "receiver_assemble_seconds_p99", MetricKind::gauge, 1e-6, "99th percentile of the same"},
};

inline constexpr std::array wall_metrics{
    Metric{"playout_delay_us", "wall_playout_delay_seconds", MetricKind::gauge, 1e-6,
           "From a frame's media time to its presentation; the new one while it changes"},
    Metric{"frames_in_step", "wall_frames_in_step_total", MetricKind::counter, 1, "Frames that all tiles showed"},
    Metric{"skew_us_p50", "wall_skew_seconds_p50", MetricKind::gauge, 1e-6,
           "Median spread of a frame's swaps over all tiles, newest 256 frames in step"},
    Metric{"skew_us_p99", "wall_skew_seconds_p99", MetricKind::gauge, 1e-6, "99th percentile of the same"},
    Metric{"skew_us_max", "wall_skew_seconds_max", MetricKind::gauge, 1e-6, "Largest of the same"},
};

inline constexpr std::array node_clock_metrics{
    Metric{"error_us", "node_clock_error_seconds", MetricKind::gauge, 1e-6,
           "Bound of the error of the node's clock against the server's"},
    Metric{"offset_us", "node_clock_offset_seconds", MetricKind::gauge, 1e-6,
           "The wall's clock less the node's system clock"},
    Metric{"drift_ppm", "node_clock_drift_ppm", MetricKind::gauge, 1,
           "The wall's clock against the node's oscillator, parts per million"},
    Metric{"round_trip_us_min", "node_clock_round_trip_seconds_min", MetricKind::gauge, 1e-6,
           "Shortest exchange with the server over the window"},
    Metric{"steps", "node_clock_steps_total", MetricKind::counter, 1, "Times the clock was set, not slewed"},
    Metric{"phc_offset_us", "node_clock_phc_offset_seconds", MetricKind::gauge, 1e-6,
           "The network card's PTP clock less the node's system clock"},
};

inline constexpr std::array server_clock_metrics{
    Metric{"error_us", "server_clock_error_seconds", MetricKind::gauge, 1e-6,
           "The server's system clock is off by no more"},
    Metric{"phc_offset_us", "server_clock_phc_offset_seconds", MetricKind::gauge, 1e-6,
           "The network card's PTP clock less the server's system clock"},
};

inline constexpr std::array node_process_metrics{
    Metric{"cpu_s", "node_cpu_seconds_total", MetricKind::counter, 1, "CPU time of the node's wall-client"},
    Metric{"cpus", "node_cpus", MetricKind::gauge, 1, "CPUs that it may run on"},
};

// Of a tile as part of the wall.
inline constexpr std::array wall_tile_metrics{
    Metric{"skew_us", "tile_skew_seconds", MetricKind::gauge, 1e-6,
           "How much later than the first tile it showed the newest frame that all showed"},
};

// Of a flow, measured by both its ends.
inline constexpr std::array wall_flow_metrics{
    Metric{"flight_us_p50", "flow_flight_seconds_p50", MetricKind::gauge, 1e-6,
           "Median time from a frame's first packet sent to the first arrived, newest 256 frames"},
    Metric{"flight_us_p99", "flow_flight_seconds_p99", MetricKind::gauge, 1e-6, "99th percentile of the same"},
};

inline constexpr std::array tile_metrics{
    Metric{"frame", "tile_frame", MetricKind::gauge, 1, "Frame of the visualization shown now"},
    Metric{"frames_due", "tile_frames_due_total", MetricKind::counter, 1, "Frames whose presentation time has passed"},
    Metric{"shown_whole", "tile_frames_whole_total", MetricKind::counter, 1, "Frames shown whole"},
    Metric{"shown_repaired", "tile_frames_repaired_total", MetricKind::counter, 1,
           "Of frames shown whole, those with packets that were lost and made good"},
    Metric{"shown_concealed", "tile_frames_concealed_total", MetricKind::counter, 1,
           "Frames shown with lines of an older frame where packets are missing"},
    Metric{"not_shown", "tile_frames_not_shown_total", MetricKind::counter, 1, "Frames due that were not shown"},
    Metric{"not_committed", "tile_frames_not_committed_total", MetricKind::counter, 1,
           "Of frames not shown, those whole here but not in all tiles"},
    Metric{"cut_at_start", "tile_frames_cut_at_start_total", MetricKind::counter, 1,
           "Frames joined in their middle when the node came up; neither due nor shown"},
    Metric{"late", "tile_frames_late_total", MetricKind::counter, 1,
           "Frames swapped more than one frame interval after their presentation time"},
    Metric{"swaps", "tile_swaps_total", MetricKind::counter, 1, "Swaps with a new frame"},
    Metric{"lateness_us_p50", "tile_lateness_seconds_p50", MetricKind::gauge, 1e-6,
           "Median of swap time less presentation time, newest 256 frames"},
    Metric{"lateness_us_p99", "tile_lateness_seconds_p99", MetricKind::gauge, 1e-6, "99th percentile of the same"},
    Metric{"lateness_us_max", "tile_lateness_seconds_max", MetricKind::gauge, 1e-6, "Largest of the same"},
    Metric{"scanout_us_p50", "tile_scanout_seconds_p50", MetricKind::gauge, 1e-6,
           "Median of time on the screen less presentation time, newest 256 frames that the window system told of"},
    Metric{"scanout_us_p99", "tile_scanout_seconds_p99", MetricKind::gauge, 1e-6, "99th percentile of the same"},
    Metric{"wait_us_p50", "tile_wait_seconds_p50", MetricKind::gauge, 1e-6,
           "Median time from a frame whole to its upload begun, newest 256 frames shown"},
    Metric{"wait_us_p99", "tile_wait_seconds_p99", MetricKind::gauge, 1e-6, "99th percentile of the same"},
    Metric{"upload_us_p50", "tile_upload_seconds_p50", MetricKind::gauge, 1e-6,
           "Median time of a frame's upload, newest 256 frames shown"},
    Metric{"upload_us_p99", "tile_upload_seconds_p99", MetricKind::gauge, 1e-6, "99th percentile of the same"},
    Metric{"swap_us_p50", "tile_swap_seconds_p50", MetricKind::gauge, 1e-6,
           "Median time from a frame uploaded to its swap, newest 256 frames shown"},
    Metric{"swap_us_p99", "tile_swap_seconds_p99", MetricKind::gauge, 1e-6, "99th percentile of the same"},
    Metric{"playout_frames", "tile_playout_frames", MetricKind::gauge, 1,
           "Whole frames that wait for their presentation time"},
};

}  // namespace lw
