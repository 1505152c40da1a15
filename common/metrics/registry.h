// Every figure that leaves a program: one table for each struct of figures, with a row for each of its members.
// Reports, /metrics, the results of wall-probe, what wall-control plots and docs/metrics.md are made from these rows.
//
// To add a figure: a member of the struct, a row here (else it does not compile), and `build/release/bin/metrics_doc
// --write`. A row has: the key in reports; the name for Prometheus; kind; unit in reports; source of the definition (an
// RFC with its section, another standard, or `own`); help; definition.
#pragma once

#include "common/clock/system_clock.h"
#include "common/clock/wall_clock_stats.h"
#include "common/metrics/flow_stats.h"
#include "common/metrics/metric.h"
#include "common/metrics/process_stats.h"
#include "common/metrics/site_rows.h"
#include "common/metrics/sound_rows.h"
#include "common/metrics/wall_stats.h"

#include <span>

namespace lw {
namespace registry {

inline constexpr auto jitter_measured = [](const ReceiverFlowStats& stats) { return stats.jitter_us.has_value(); };
inline constexpr auto clock_is_own = [](const ClockStats& stats) { return stats.state != ClockState::system; };
inline constexpr auto cpus_known = [](const ProcessStats& stats) { return stats.cpus != 0; };

// Of a flow, by its sender.
template <>
struct Registered<SenderFlowStats> {
  using Stats = SenderFlowStats;
  static constexpr auto others = registry::others<&Stats::flow, &Stats::ssrc, &Stats::cpu, &Stats::payload_bytes>();
  static constexpr std::array rows{
      row<&Stats::packets>({"packets", "sender_packets_total", MetricKind::counter, "packets", "RFC 3550 section 6.4.1",
                            "RTP packets handed to the kernel", "RTP packets that the kernel accepted"}),
      row<&Stats::bytes>(
          {"bytes", "sender_bytes_total", MetricKind::counter, "bytes", own, "UDP payload of the packets sent",
           "UDP payload of these packets: RTP headers, extensions, pixels and padding, without UDP, IP and Ethernet"}),
      row<&Stats::frames>({"frames", "sender_frames_total", MetricKind::counter, "bands", own, "Bands sent completely",
                           "bands handed to the kernel up to their last packet"}),
      row<&Stats::frames_skipped>(
          {"frames_skipped", "sender_frames_skipped_total", MetricKind::counter, "bands", own,
           "Bands not sent, or sent in part, because they were too late",
           "bands not sent, or sent in part. A band is dropped when it can no longer arrive 10 ms before its "
           "presentation "
           "(media time and playout delay, minus half the round trip if it is known), two frame intervals after its "
           "media time at the earliest, at the later of these and 250 ms at the latest; it is not begun less than one "
           "interval before that"}),
      row<&Stats::send_errors>({"send_errors", "sender_errors_total", MetricKind::counter, "packets", own,
                                "Packets of the stream that the kernel refused",
                                "packets of the stream that the kernel refused; they have used up a sequence number, "
                                "and the receiver counts them as lost. Without resends and parity"}),
      row<&Stats::not_sent>({"not_sent", "sender_not_sent_packets_total", MetricKind::counter, "packets", own,
                             "Packets with a sequence number that were not sent, because their frame was late",
                             "packets that have a sequence number, but were not sent: of frames that were read or sent "
                             "too late, and of those that were due while this server did not run. The receiver counts "
                             "them as lost, unless a standby sent them"}),
      row<&Stats::resent>({"resent", "sender_resent_packets_total", MetricKind::counter, "packets",
                           "RFC 4588 section 4", "Packets resent on the receiver's request (RFC 4588)",
                           "resent on the receiver's request (RFC 4588); not in `packets`"}),
      row<&Stats::resent_bytes>({"resent_bytes", "sender_resent_bytes_total", MetricKind::counter, "bytes", own,
                                 "UDP payload of the packets resent", "UDP payload of those"}),
      row<&Stats::parity>({"parity", "sender_parity_packets_total", MetricKind::counter, "packets", own,
                           "Packets of forward error correction sent",
                           "of forward error correction; not in `packets`"}),
      row<&Stats::parity_bytes>({"parity_bytes", "sender_parity_bytes_total", MetricKind::counter, "bytes", own,
                                 "UDP payload of these packets", "UDP payload of those"}),
      row<&Stats::resends_refused>({"resends_refused", "sender_resends_refused_total", MetricKind::counter, "packets",
                                    own, "Requested packets that were no longer kept, or over the budget",
                                    "requested, but no longer kept, or over `resend_percent`"}),
      row<&Stats::resend_errors>({"resend_errors", "sender_resend_errors_total", MetricKind::counter, "packets", own,
                                  "Resends that the kernel refused",
                                  "resends that the kernel refused; not in `send_errors`"}),
      row<&Stats::parity_errors>({"parity_errors", "sender_parity_errors_total", MetricKind::counter, "packets", own,
                                  "Packets of forward error correction that the kernel refused",
                                  "of forward error correction, refused by the kernel; not in `send_errors`"}),
      row<&Stats::rtcp_refused>({"rtcp_refused", "sender_rtcp_refused_packets_total", MetricKind::counter, "packets",
                                 own, "RTCP packets not accepted: not about the flow's stream, malformed, or too many",
                                 "RTCP packets from the node's address and port that were not accepted: malformed, "
                                 "about another stream, or dropped by the kernel at the full socket, because a flow "
                                 "accepts only so many of a flood ([protocol.md](protocol.md#who-is-listened-to)). "
                                 "Packets from other addresses are refused by the kernel (`nstat UdpNoPorts`)"}),
      row<&Stats::calls>({"calls", "sender_calls_total", MetricKind::counter, "calls", own, "System calls made to send",
                          "system calls made to send; `packets / calls` shows the effect of segmentation offload"}),
      row<&Stats::zero_copy_calls>({"zero_copy_calls", "sender_zero_copy_calls_total", MetricKind::counter, "calls",
                                    own, "Of these calls, those whose pixels the kernel was asked not to copy",
                                    "of `calls`, those whose pixels the kernel was asked not to copy (MSG_ZEROCOPY)"}),
      row<&Stats::cpu_s>({"cpu_s", "sender_cpu_seconds_total", MetricKind::counter, "s", own,
                          "CPU time of the flow's thread",
                          "CPU time of the flow's thread, user and system (CLOCK_THREAD_CPUTIME_ID); without soft "
                          "interrupts on other cores"}),
      row<&Stats::late_max>({"late_us_max", "sender_late_seconds_max", MetricKind::distribution, "µs", own,
                             "Worst delay of a burst behind its time over the last one to two seconds",
                             "largest delay of a burst behind the time that pacing gave it, over the last one to two "
                             "seconds"}),
      row<&Stats::round_trip>({"rtt_us", "sender_round_trip_seconds", MetricKind::gauge, "µs", "RFC 3550 section 6.4.1",
                               "Round-trip time from RTCP (RFC 3550 section 6.4.1)",
                               "round-trip time, RFC 3550 section 6.4.1, from the newest receiver report; absent until "
                               "a receiver has answered. Its resolution is 15 µs"}),
      median<&Stats::read>({"read_us_p50", "sender_read_seconds_p50", MetricKind::distribution, "µs", own,
                            "Median time from requesting a frame's read until it is in memory, newest 256 frames read",
                            "median time of the stage *read* ([Stages](#stages)), over the newest 256 frames of the "
                            "flow's tile that were read from disk; absent before the first"}),
      high<&Stats::read>({"read_us_p99", "sender_read_seconds_p99", MetricKind::distribution, "µs", own,
                          "99th percentile of the same", "99th percentile of the same"}),
      median<&Stats::queue>({"queue_us_p50", "sender_queue_seconds_p50", MetricKind::distribution, "µs", own,
                             "Median time from a frame in memory to its first packet sent, newest 256 frames",
                             "median of the stage *queue*, over the newest 256 frames"}),
      high<&Stats::queue>({"queue_us_p99", "sender_queue_seconds_p99", MetricKind::distribution, "µs", own,
                           "99th percentile of the same", "99th percentile of the same"}),
      median<&Stats::send>(
          {"send_us_p50", "sender_send_seconds_p50", MetricKind::distribution, "µs", own,
           "Median time from the first to the last packet of a frame handed to the kernel, newest 256 frames",
           "median of the stage *send*, over the newest 256 frames sent completely"}),
      high<&Stats::send>({"send_us_p99", "sender_send_seconds_p99", MetricKind::distribution, "µs", own,
                          "99th percentile of the same", "99th percentile of the same"}),
  };
};
static_assert(is_complete<SenderFlowStats>());

// Of a flow, by its receiver.
template <>
struct Registered<ReceiverFlowStats> {
  using Stats = ReceiverFlowStats;
  static constexpr auto others = registry::others<&Stats::flow, &Stats::ssrc, &Stats::cpu, &Stats::receiving>();
  static constexpr std::array rows{
      row<&Stats::packets>({"packets", "receiver_packets_total", MetricKind::counter, "packets", own,
                            "Packets received, of any kind", "datagrams received, of any kind"}),
      row<&Stats::bytes>({"bytes", "receiver_bytes_total", MetricKind::counter, "bytes", own, "UDP payload received",
                          "UDP payload of these"}),
      row<&Stats::second_path>({"second_path", "receiver_second_path_packets_total", MetricKind::counter, "packets",
                                "SMPTE ST 2022-7", "Packets received by the second of two paths (ST 2022-7)",
                                "of `packets`, those that arrived by the second of two paths; absent with one path"}),
      row<&Stats::dscp>({"dscp", "receiver_dscp", MetricKind::gauge, "1", "RFC 2474 section 3",
                         "DSCP of the newest packets",
                         "differentiated services code point (RFC 2474) of the newest packets from the flow's "
                         "sender; absent where the kernel does not report it"}),
      row<&Stats::dscp_changed>(
          {"dscp_changed", "receiver_dscp_changed_packets_total", MetricKind::counter, "packets", "RFC 2474 section 3",
           "Packets that arrived with another DSCP than they were sent with",
           "packets of the flow's sender, resends and parity included, that arrived with another DSCP than the wall "
           "file's `dscp`: a router changed it, or another program sends"}),
      row<&Stats::ecn_ect0>({"ecn_ect0", "receiver_ect0_packets_total", MetricKind::counter, "packets",
                             "RFC 3168 section 5", "Packets that arrived with ECT(0)",
                             "of the same, packets with ECT(0): routers may mark them (RFC 3168 section 5). The server "
                             "sends none"}),
      row<&Stats::ecn_ect1>({"ecn_ect1", "receiver_ect1_packets_total", MetricKind::counter, "packets",
                             "RFC 3168 section 5", "Packets that arrived with ECT(1)",
                             "of the same, packets with ECT(1) (RFC 3168, RFC 9331). The server sends none"}),
      row<&Stats::ecn_ce>({"ecn_ce", "receiver_ce_packets_total", MetricKind::counter, "packets", "RFC 3168 section 5",
                           "Packets that arrived with the congestion mark (CE)",
                           "of the same, packets that arrived with the congestion mark (CE, RFC 3168 section 5)"}),
      row<&Stats::card_stamped>(
          {"card_stamped", "receiver_card_stamped_packets_total", MetricKind::counter, "packets", own,
           "Packets whose arrival the network card stamped",
           "of `packets`, those whose arrival time is the network card's (of coalesced packets, that of the first "
           "one); the others have the kernel's. Absent unless a measurement requests the card's "
           "([probe.md](probe.md#hardware-time-stamps))"}),
      row<&Stats::card_error>({"card_error_us", "receiver_card_error_seconds", MetricKind::gauge, "µs", own,
                               "Bound of the error of the card's time stamps as system time",
                               "bound of the error of these stamps as times of the system clock, the largest so far: "
                               "half of the time that reading both clocks takes, and by how much the next reading "
                               "differs from the line through the last two"}),
      row<&Stats::used>({"used", "receiver_used_packets_total", MetricKind::counter, "packets", own,
                         "Packets placed in a band", "packets whose pixels were placed in a band"}),
      row<&Stats::in_place>({"in_place", "receiver_in_place_packets_total", MetricKind::counter, "packets", own,
                             "Packets used that the kernel put in place, as forecast",
                             "of those, the packets whose pixels the kernel put in place, because they arrived as "
                             "forecast; the others cost an additional copy"}),
      row<&Stats::calls>({"calls", "receiver_calls_total", MetricKind::counter, "calls", own,
                          "System calls made to receive",
                          "system calls made to receive; `packets / calls` shows the effect of receive offload"}),
      row<&Stats::cpu_s>({"cpu_s", "receiver_cpu_seconds_total", MetricKind::counter, "s", own,
                          "CPU time of the flow's thread", "CPU time of the flow's thread, user and system"}),
      row<&Stats::lost>({"lost", "receiver_missing_packets", MetricKind::balance, "packets", "RFC 3550 appendix A.3",
                         "Packets expected by sequence number that have not arrived (RFC 3550 A.3)",
                         "expected minus received, RFC 3550 appendix A.3: (highest − first sequence number + 1) − "
                         "different packets received. Falls when a reordered packet arrives. RFC "
                         "7680 with a waiting time of 65536 packets"}),
      row<&Stats::arrived>({"arrived", "receiver_arrived_packets_total", MetricKind::counter, "packets",
                            "RFC 3550 appendix A.3", "Different packets of the stream that arrived (RFC 3550 A.3)",
                            "different packets of the stream that arrived, including those no longer needed; resends "
                            "and parity do not belong to the stream. `arrived + lost` is what RFC 3550 calls "
                            "expected"}),
      row<&Stats::lost_settled>({"lost_settled", "receiver_lost_packets_total", MetricKind::counter, "packets",
                                 "RFC 7680 section 2", "Of these, packets that had not arrived 1024 packets later",
                                 "of `lost`, those that had not arrived when the stream was 1024 packets further or "
                                 "had ended: never falls, even if they arrive later. RFC 7680 with a waiting time of "
                                 "1024 packets"}),
      row<&Stats::kernel_drops>(
          {"kernel_drops", "receiver_socket_missing_packets", MetricKind::balance, "packets", own,
           "Of the missing packets, those that the kernel dropped at the full socket",
           "of `lost`, those that the kernel dropped because the socket's buffer was full: missing in the sequence "
           "where the kernel's count of drops (SO_RXQ_OVFL) rose. (The kernel itself counts several coalesced "
           "datagrams as one.) Falls, as `lost` does, when one of them arrives, and so was not dropped. Absent where "
           "the "
           "kernel does not count"}),
      row<&Stats::kernel_drops_settled>(
          {"kernel_drops_settled", "receiver_kernel_drops_total", MetricKind::counter, "packets", own,
           "Of the lost packets, those that the kernel dropped at the full socket",
           "of `lost_settled`, those that the kernel dropped: never falls. Absent where the kernel does not count"}),
      row<&Stats::parity_lost>({"parity_lost", "receiver_parity_missing_packets", MetricKind::balance, "packets",
                                "RFC 3550 appendix A.3", "Packets of forward error correction that have not arrived",
                                "missing in the numbers of the parity stream, as `lost` in the flow's own"}),
      row<&Stats::parity_drops>({"parity_drops", "receiver_parity_socket_missing_packets", MetricKind::balance,
                                 "packets", own, "Of these, packets that the kernel dropped at the full socket",
                                 "of `parity_lost`, those that the kernel dropped, as `kernel_drops`: seen when the "
                                 "next parity packet arrives within a second"}),
      row<&Stats::resends_lost>({"resends_lost", "receiver_resends_missing_packets", MetricKind::balance, "packets",
                                 "RFC 3550 appendix A.3", "Resends that have not arrived",
                                 "missing in the numbers of the stream of resends, as `lost` in the flow's own"}),
      row<&Stats::resend_drops>({"resend_drops", "receiver_resends_socket_missing_packets", MetricKind::balance,
                                 "packets", own, "Of these, resends that the kernel dropped at the full socket",
                                 "of `resends_lost`, those that the kernel dropped, as `kernel_drops`: seen when the "
                                 "next resend arrives within a second"}),
      row<&Stats::resends_asked>({"resends_asked", "receiver_resends_asked_total", MetricKind::counter, "packets",
                                  "RFC 4585 section 6.2.1",
                                  "Different lost packets that were requested again (RFC 4585)",
                                  "different lost packets that were requested again (RFC 4585)"}),
      row<&Stats::resent>({"resent", "receiver_resent_packets_total", MetricKind::counter, "packets",
                           "RFC 4588 section 4", "Packets received as resends (RFC 4588)",
                           "different packets received of the stream of resends (RFC 4588)"}),
      row<&Stats::parity>({"parity", "receiver_parity_packets_total", MetricKind::counter, "packets", own,
                           "Packets of forward error correction received",
                           "different packets of forward error correction, needed or not"}),
      row<&Stats::rebuilt>({"rebuilt", "receiver_rebuilt_packets_total", MetricKind::counter, "packets", own,
                            "Of lost, packets that were rebuilt from parity",
                            "of `lost`, those that were rebuilt from parity"}),
      row<&Stats::repaired>({"repaired", "receiver_repaired_packets_total", MetricKind::counter, "packets", own,
                             "Of lost, packets that a resend recovered",
                             "of `lost`, those that a resend recovered: `lost` is about the network, this is about "
                             "the wall"}),
      row<&Stats::duplicates>({"duplicates", "receiver_duplicate_packets_total", MetricKind::counter, "packets",
                               "RFC 5560", "Packets that had already arrived (RFC 5560)",
                               "sequence number that had already arrived (RFC 5560), in the flow's stream, its parity "
                               "or its resends; a resend of a packet that was no longer missing"}),
      row<&Stats::reordered>({"reordered", "receiver_reordered_packets_total", MetricKind::counter, "packets",
                              "RFC 4737 section 3", "Packets below the highest sequence number so far (RFC 4737)",
                              "new packets with a sequence number below the highest so far (RFC 4737 section 3)"}),
      row<&Stats::late>({"late", "receiver_late_packets_total", MetricKind::counter, "packets", own,
                         "Packets whose band was already dropped or shown",
                         "of a band that was already dropped or finished, or had no buffer; recovered before they "
                         "arrived; or more than 65536 sequence numbers behind"}),
      row<&Stats::invalid>(
          {"invalid", "receiver_invalid_packets_total", MetricKind::counter, "packets", own,
           "Packets that are not of this flow or contradict its geometry",
           "not RTP with an RFC 4175 payload, from a host or a stream (SSRC) that is not this flow's, of an unknown "
           "payload type, or with rows outside the band; stamped more than 10 s ahead of the node's clock beyond the "
           "playout delay; two frames that claim one media time; or a sequence number more than 65536 ahead that the "
           "next packet does not confirm (RFC 3550 appendix A.1)"}),
      row<&Stats::strangers>(
          {"strangers", "receiver_stranger_packets_total", MetricKind::counter, "packets", own,
           "Packets that the flow's sender did not send: from another address, port or stream",
           "packets that the flow's sender did not send: from another address, port or stream (SSRC), or invalid ones "
           "from there. "
           "Those that reached the program are also in `invalid`. The kernel drops those from hosts that are not in "
           "`interfaces`; they are counted when the flow's next packet arrives: as drops of the kernel (SO_RXQ_OVFL) "
           "that leave no gap in the flow's numbers; up to a second later if parity or resends have arrived, which may "
           "have the gap; not with two paths. While they arrive, packets lost in the network may count as "
           "`kernel_drops`. A packet that the network reordered and the kernel dropped may count as one of them"}),
      row<&Stats::unauthentic>({"unauthentic", "receiver_unauthentic_packets_total", MetricKind::counter, "packets",
                                "RFC 3711 section 3.3", "Packets that were not encrypted with the wall's key (SRTP)",
                                "of `invalid`, those that were not encrypted with the wall's key: forged, or the key "
                                "file is another one. Absent without encryption"}),
      row<&Stats::rtcp_refused>(
          {"rtcp_refused", "receiver_rtcp_refused_packets_total", MetricKind::counter, "packets", own,
           "RTCP packets not accepted: not from the flow's sender, malformed, or too many",
           "RTCP packets that were not accepted: not from the flow's sender, not about its stream, malformed; and "
           "those that the kernel dropped, from unknown sources or at the full socket"}),
      row<&Stats::loss_runs>(
          {"loss_runs", "receiver_loss_runs_total", MetricKind::counter, "runs", "RFC 3611 section 4.1",
           "Uninterrupted runs of lost packets (RFC 3611)",
           "uninterrupted runs of lost packets (RFC 3611 section 4.1), counted when 1024 more packets have arrived"}),
      row<&Stats::loss_run_max>({"loss_run_max", "receiver_loss_run_max_packets", MetricKind::gauge, "packets",
                                 "RFC 3611 section 4.1", "Packets in the longest run", "the longest of these runs"}),
      row<&Stats::bands_whole>({"bands_whole", "receiver_bands_whole_total", MetricKind::counter, "bands", own,
                                "Bands received completely", "bands of which every byte arrived"}),
      row<&Stats::bands_incomplete>({"bands_incomplete", "receiver_bands_incomplete_total", MetricKind::counter,
                                     "bands", own, "Bands dropped with packets missing",
                                     "bands dropped with packets missing: 6 ms before their presentation time, or "
                                     "when more than 3 frames were open at once"}),
      row<&Stats::bands_dropped>({"bands_dropped", "receiver_bands_dropped_total", MetricKind::counter, "bands", own,
                                  "Bands for which there was no buffer",
                                  "bands that were not begun because every buffer was in use"}),
      row<&Stats::frames_without_first>(
          {"frames_without_first", "receiver_frames_without_first_total", MetricKind::counter, "frames", own,
           "Frames finished without their first packet",
           "frames that were finished without their first packet, which was lost or late, or arrived only as a resend "
           "or from parity. Jitter and delay lack these frames, except those whose first packet was late"}),
      row<&Stats::jitter_us>(
          {"jitter_us", "receiver_jitter_seconds", MetricKind::gauge, "µs", "RFC 3550 section 6.4.1",
           "Interarrival jitter of the first packets of frames (RFC 3550 section 6.4.1)",
           "interarrival jitter, RFC 3550 section 6.4.1, smoothed by 1/16, of the first packet sent of each frame. "
           "(Within "
           "a frame all packets have one RTP timestamp, and the formula would measure our own pacing.) After a gap of "
           "more than 4 frames it continues from the next one"}),
      row<&Stats::jitter_max_us, jitter_measured>({"jitter_max_us", "receiver_jitter_seconds_max",
                                                   MetricKind::distribution, "µs", "RFC 3550 section 6.4.1",
                                                   "Largest jitter over the last one to two seconds",
                                                   "largest value of the same over the last one to two seconds"}),
      row<&Stats::delay_us_min>({"delay_us_min", "receiver_delay_seconds_min", MetricKind::distribution, "µs", own,
                                 "Least of (arrival - media time) of the newest 256 frames",
                                 "least of (arrival of a frame's first packet − media time) of the newest 256 frames",
                                 ClockBound::needed}),
      row<&Stats::delay_us_p50>({"delay_us_p50", "receiver_delay_seconds_p50", MetricKind::distribution, "µs", own,
                                 "Median of the same", "median of the same", ClockBound::needed}),
      row<&Stats::delay_us_p99>({"delay_us_p99", "receiver_delay_seconds_p99", MetricKind::distribution, "µs", own,
                                 "99th percentile of the same", "99th percentile of the same (nearest rank)",
                                 ClockBound::needed}),
      row<&Stats::completion_us_p50>({"completion_us_p50", "receiver_completion_seconds_p50", MetricKind::distribution,
                                      "µs", own,
                                      "Median of (arrival of the last packet - media time) of the newest 512 frames",
                                      "median, over the newest 512 frames, of (arrival of the frame's last packet − "
                                      "media time), including resends and late packets: pacing, one-way delay and its "
                                      "variation together. Frames with packets that never arrived do not count",
                                      ClockBound::needed}),
      row<&Stats::completion_us_p99>(
          {"completion_us_p99", "receiver_completion_seconds_p99", MetricKind::distribution, "µs", own,
           "99th percentile of the same: what the playout delay must be above",
           "99th percentile of the same. The playout delay must be some 10 ms above it (by default it is, at every "
           "frame rate: [operations.md](operations.md#frame-rates-and-the-playout-delay)); `playout_delay_max_ms` "
           "ensures that",
           ClockBound::needed}),
      median<&Stats::assemble>(
          {"assemble_us_p50", "receiver_assemble_seconds_p50", MetricKind::distribution, "µs", own,
           "Median time from the first arrival of a packet of a frame to its band complete, newest 256 frames",
           "median of the stage *assemble* ([Stages](#stages)), over the newest 256 bands that were completed"}),
      high<&Stats::assemble>({"assemble_us_p99", "receiver_assemble_seconds_p99", MetricKind::distribution, "µs", own,
                              "99th percentile of the same", "99th percentile of the same"}),
  };
};
static_assert(is_complete<ReceiverFlowStats>());

// Of a tile, by its node.
template <>
struct Registered<TileStats> {
  using Stats = TileStats;
  static constexpr auto others = registry::others<&Stats::tile>();
  static constexpr std::array rows{
      row<&Stats::frame>({"frame", "tile_frame", MetricKind::gauge, "frame", own,
                          "Frame of the visualization shown now",
                          "number of the visualization's frame shown now; absent before the first"}),
      row<&Stats::frames_due>({"frames_due", "tile_frames_due_total", MetricKind::counter, "frames", own,
                               "Frames whose presentation time has passed",
                               "frames whose presentation time has passed, including those of which no packet arrived "
                               "(by the tick that the packets carry)"}),
      row<&Stats::shown_whole>({"shown_whole", "tile_frames_whole_total", MetricKind::counter, "frames", own,
                                "Frames shown complete", "shown with every byte"}),
      row<&Stats::shown_repaired>({"shown_repaired", "tile_frames_repaired_total", MetricKind::counter, "frames", own,
                                   "Of frames shown complete, those with packets that were lost and recovered",
                                   "of `shown_whole`, those with packets that were lost and recovered"}),
      row<&Stats::shown_concealed>({"shown_concealed", "tile_frames_concealed_total", MetricKind::counter, "frames",
                                    own, "Frames shown with rows of the previous frame where packets are missing",
                                    "shown with rows of the previous frame where packets are missing"}),
      row<&Stats::not_shown>(
          {"not_shown", "tile_frames_not_shown_total", MetricKind::counter, "frames", own,
           "Frames due that were not shown",
           "due, but not shown: no packet of it arrived, or a newer frame was due at the same swap"}),
      row<&Stats::not_committed>(
          {"not_committed", "tile_frames_not_committed_total", MetricKind::counter, "frames", own,
           "Of frames not shown, those complete here but not in all tiles",
           "of `not_shown`, those that were complete in this tile, but not in all others in time "
           "(`[sync] mode = \"wall\"`)"}),
      row<&Stats::cut_at_start>(
          {"cut_at_start", "tile_frames_cut_at_start_total", MetricKind::counter, "frames", own,
           "Frames already being sent when the node started; neither due nor shown",
           "already being sent when the node started: neither due nor shown (with one flow for each tile 0 or 1)"}),
      row<&Stats::undecoded>(
          {"undecoded", "tile_bands_undecoded_total", MetricKind::counter, "bands", own,
           "Bands received, but not decoded until their frame was shown",
           "bands of `lossless` that were received, but not decoded until their frame was shown; absent until such a "
           "band is received"}),
      row<&Stats::late>({"late", "tile_frames_late_total", MetricKind::counter, "frames", own,
                         "Frames swapped more than one frame interval after their presentation time",
                         "of those shown: swapped more than one frame interval after the presentation time"}),
      row<&Stats::swaps>({"swaps", "tile_swaps_total", MetricKind::counter, "swaps", own, "Swaps with a new frame",
                          "swaps with a new frame"}),
      row<&Stats::lateness_us_p50>(
          {"lateness_us_p50", "tile_lateness_seconds_p50", MetricKind::distribution, "µs", own,
           "Median of swap time minus presentation time, newest 256 frames",
           "median of (time after the swap − presentation time) of the newest 256 frames shown"}),
      row<&Stats::lateness_us_p99>({"lateness_us_p99", "tile_lateness_seconds_p99", MetricKind::distribution, "µs", own,
                                    "99th percentile of the same", "99th percentile of the same"}),
      row<&Stats::lateness_us_max>({"lateness_us_max", "tile_lateness_seconds_max", MetricKind::distribution, "µs", own,
                                    "Largest of the same", "largest of the same"}),
      row<&Stats::scanout_us_p50>(
          {"scanout_us_p50", "tile_scanout_seconds_p50", MetricKind::distribution, "µs", own,
           "Median of time on the screen minus presentation time, newest 256 frames that the window system reported",
           "median of (time on the screen − presentation time) of the newest 256 frames of which the window system "
           "reported it (below); absent where it reports none, and headless"}),
      row<&Stats::scanout_us_p99>({"scanout_us_p99", "tile_scanout_seconds_p99", MetricKind::distribution, "µs", own,
                                   "99th percentile of the same", "99th percentile of the same"}),
      median<&Stats::wait>(
          {"wait_us_p50", "tile_wait_seconds_p50", MetricKind::distribution, "µs", own,
           "Median time from a complete frame to the start of its upload, newest 256 frames shown",
           "median of the stage *wait* ([Stages](#stages)), over the newest 256 frames shown that were complete"}),
      high<&Stats::wait>({"wait_us_p99", "tile_wait_seconds_p99", MetricKind::distribution, "µs", own,
                          "99th percentile of the same", "99th percentile of the same"}),
      median<&Stats::upload>({"upload_us_p50", "tile_upload_seconds_p50", MetricKind::distribution, "µs", own,
                              "Median time of a frame's upload, newest 256 frames shown",
                              "median of the stage *upload*, over the newest 256 frames shown; absent headless"}),
      high<&Stats::upload>({"upload_us_p99", "tile_upload_seconds_p99", MetricKind::distribution, "µs", own,
                            "99th percentile of the same", "99th percentile of the same"}),
      median<&Stats::swap>({"swap_us_p50", "tile_swap_seconds_p50", MetricKind::distribution, "µs", own,
                            "Median time from a frame uploaded to its swap, newest 256 frames shown",
                            "median of the stage *swap*, over the newest 256 frames shown"}),
      high<&Stats::swap>({"swap_us_p99", "tile_swap_seconds_p99", MetricKind::distribution, "µs", own,
                          "99th percentile of the same", "99th percentile of the same"}),
      row<&Stats::playout_frames>({"playout_frames", "tile_playout_frames", MetricKind::gauge, "frames", own,
                                   "Complete frames that wait for their presentation time",
                                   "complete frames in memory that wait for their presentation time"}),
  };
};
static_assert(is_complete<TileStats>());

// What a node knows of its clock.
template <>
struct Registered<ClockStats> {
  using Stats = ClockStats;
  static constexpr auto others = registry::others<&Stats::state>();
  static constexpr std::array rows{
      row<&Stats::error>(
          {"error_us", "node_clock_error_seconds", MetricKind::gauge, "µs", own,
           "Bound of the error of the node's clock against the server's",
           "bound of the difference between the node's clock and the server's. `system`: the sum of both hosts' own "
           "bounds, 0 on one host, absent if either clock is not synchronized. A host's own bound is the one that its "
           "time service reports to the kernel (`maxerror` of adjtimex(2): NTP's root distance), or, if that is "
           "smaller or missing, the bound of its `phc_offset_us`. Else the bound that the exchanges prove "
           "([protocol.md](protocol.md), Clock)"}),
      row<&Stats::offset>({"offset_us", "node_clock_offset_seconds", MetricKind::gauge, "µs", own,
                           "The wall's clock minus the node's system clock",
                           "the wall's clock minus the node's system clock"}),
      row<&Stats::drift_ppm>({"drift_ppm", "node_clock_drift_ppm", MetricKind::gauge, "ppm", own,
                              "The rate of the wall's clock relative to the node's oscillator, parts per million",
                              "how much faster the server's clock runs than the node's oscillator, fitted over 32 s"}),
      row<&Stats::round_trip_min>({"round_trip_us_min", "node_clock_round_trip_seconds_min", MetricKind::distribution,
                                   "µs", own, "Shortest exchange with the server over the window",
                                   "shortest exchange in the same window, including the possible drift"}),
      row<&Stats::steps, clock_is_own>(
          {"steps", "node_clock_steps_total", MetricKind::counter, "times", own, "Times the clock was set, not slewed",
           "the clock was set and not slewed: once at the start; again when it was off by more than 20 ms"}),
      row<&Stats::phc_offset>({"phc_offset_us", "node_clock_phc_offset_seconds", MetricKind::gauge, "µs", own,
                               "The network card's PTP clock minus the node's system clock",
                               "the network card's PTP clock (`[clock] phc`) minus the node's system clock, both in "
                               "UTC, by the shortest of five readings (PTP_SYS_OFFSET_EXTENDED, else PTP_SYS_OFFSET); "
                               "absent where it cannot be read, or is not within a second"}),
  };
};
static_assert(is_complete<ClockStats>());

// Of a wall-client.
template <>
struct Registered<ProcessStats> {
  using Stats = ProcessStats;
  static constexpr auto others = registry::others<>();
  static constexpr std::array rows{
      row<&Stats::cpu_s>({"cpu_s", "node_cpu_seconds_total", MetricKind::counter, "s", own,
                          "CPU time of the node's wall-client",
                          "CPU time of the node's `wall-client`, all threads, user and system "
                          "(CLOCK_PROCESS_CPUTIME_ID); without soft interrupts"}),
      row<&Stats::cpus, cpus_known>({"cpus", "node_cpus", MetricKind::gauge, "CPUs", own, "CPUs on which it may run",
                                     "CPUs on which it may run (sched_getaffinity(2))"}),
  };
};
static_assert(is_complete<ProcessStats>());

// Of the system's clock of the server.
template <>
struct Registered<SystemClockState> {
  using Stats = SystemClockState;
  static constexpr auto others = registry::others<>();
  static constexpr std::array rows{
      row<&Stats::error>({"error_us", "server_clock_error_seconds", MetricKind::gauge, "µs", own,
                          "Bound of the error of the server's system clock",
                          "bound of the error of the server's system clock: its own part of the nodes' `error_us`"}),
      row<&Stats::phc_offset>({"phc_offset_us", "server_clock_phc_offset_seconds", MetricKind::gauge, "µs", own,
                               "The network card's PTP clock minus the server's system clock",
                               "the same for the server's network card"}),
  };
};
static_assert(is_complete<SystemClockState>());

// Of the whole wall, by the server from what the nodes report.
template <>
struct Registered<WallStats> {
  using Stats = WallStats;
  static constexpr auto others = registry::others<&Stats::frame>();
  static constexpr std::array rows{
      row<&Stats::playout_delay>({"playout_delay_us", "wall_playout_delay_seconds", MetricKind::gauge, "µs", own,
                                  "From a frame's media time to its presentation; the new one while it changes",
                                  "from a frame's media time to its presentation, for all tiles; while an adapted "
                                  "delay changes, its new value"}),
      row<&Stats::tiles_missing>({"tiles_missing", "wall_tiles_missing", MetricKind::gauge, "tiles", own,
                                  "Tiles whose node is not connected, or has sent nothing for a second",
                                  "tiles whose node is not connected, or has sent nothing for a second. The next "
                                  "figures are of the others"}),
      row<&Stats::frames_in_step>({"frames_in_step", "wall_frames_in_step_total", MetricKind::counter, "frames", own,
                                   "Frames that all tiles showed, except those missing",
                                   "frames that all tiles showed, except those of `tiles_missing`"}),
      row<&Stats::skew_us_p50>(
          {"skew_us_p50", "wall_skew_seconds_p50", MetricKind::distribution, "µs", own,
           "Median spread of a frame's swaps over all tiles, newest 256 frames that all tiles showed",
           "median, over the newest 256 such frames, of the skew: latest minus earliest swap of the frame over all "
           "tiles, each by its node's clock; its error is at most `skew_error_us`",
           ClockBound::needed}),
      row<&Stats::skew_us_p99>({"skew_us_p99", "wall_skew_seconds_p99", MetricKind::distribution, "µs", own,
                                "99th percentile of the same", "99th percentile of the same", ClockBound::needed}),
      row<&Stats::skew_us_max>({"skew_us_max", "wall_skew_seconds_max", MetricKind::distribution, "µs", own,
                                "Largest of the same", "largest of the same", ClockBound::needed}),
      row<&Stats::skew_error_us>(
          {"skew_error_us", "wall_skew_error_seconds", MetricKind::gauge, "µs", own,
           "Bound of the error of the skew: the sum of the two largest clock errors of the nodes",
           "bound of the error of the skew: the maximum difference between the clocks of two nodes while these frames "
           "were shown. The sum of the two largest `error_us` of the wall's nodes; 0 with one node",
           ClockBound::needed}),
  };
};
static_assert(is_complete<WallStats>());

// Of a tile as part of the wall.
template <>
struct Registered<WallTileStats> {
  using Stats = WallTileStats;
  static constexpr auto others = registry::others<>();
  static constexpr std::array rows{
      row<&Stats::skew_us>({"skew_us", "tile_skew_seconds", MetricKind::gauge, "µs", own,
                            "How much later than the first tile it showed the newest frame that all showed",
                            "of the newest frame that all tiles showed: this tile's swap minus the earliest of all, "
                            "each by its node's clock; its error is at most the wall's `skew_error_us`",
                            ClockBound::needed}),
  };
};
static_assert(is_complete<WallTileStats>());

// Of a flow, measured by both its ends.
template <>
struct Registered<WallFlowStats> {
  using Stats = WallFlowStats;
  static constexpr auto others = registry::others<>();
  static constexpr std::array rows{
      row<&Stats::flight_us_p50>({"flight_us_p50", "flow_flight_seconds_p50", MetricKind::distribution, "µs",
                                  "RFC 7679 section 3",
                                  "Median time from a frame's first packet sent to its arrival, newest 256 frames",
                                  "median of the stage *flight* ([Stages](#stages)), over the newest 256 frames of "
                                  "which both ends are known and whose first packet arrived. True to the node's "
                                  "`error_us`",
                                  ClockBound::needed}),
      row<&Stats::flight_us_p99>({"flight_us_p99", "flow_flight_seconds_p99", MetricKind::distribution, "µs",
                                  "RFC 7679 section 3", "99th percentile of the same", "99th percentile of the same",
                                  ClockBound::needed}),
  };
};
static_assert(is_complete<WallFlowStats>());

template <class Stats>
consteval auto metrics_in() {
  std::array<Metric, Registered<Stats>::rows.size()> metrics{};
  for (std::size_t i = 0; i < metrics.size(); ++i) metrics[i] = Registered<Stats>::rows[i].metric;
  return metrics;
}

}  // namespace registry

template <class Stats>
inline constexpr auto metrics_of = registry::metrics_in<Stats>();

// All of them, by the headings of docs/metrics.md.
struct MetricTable {
  std::string_view heading;
  std::span<const Metric> metrics;
};
inline constexpr std::array<MetricTable, 11> metric_tables{{{"Sender flow", metrics_of<SenderFlowStats>},
                                                            {"Receiver flow", metrics_of<ReceiverFlowStats>},
                                                            {"Tile", metrics_of<TileStats>},
                                                            {"Clock of a node", metrics_of<ClockStats>},
                                                            {"Process of a node", metrics_of<ProcessStats>},
                                                            {"Sound of a node", metrics_of<SoundNodeStats>},
                                                            {"Clock of the server", metrics_of<SystemClockState>},
                                                            {"Wall", metrics_of<WallStats>},
                                                            {"Tile in the wall", metrics_of<WallTileStats>},
                                                            {"Flow in the wall", metrics_of<WallFlowStats>},
                                                            {"Site", metrics_of<SiteStats>}}};

}  // namespace lw
