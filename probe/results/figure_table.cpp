#include "probe/results/figure_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <utility>
#include <vector>

namespace lw {
namespace {

using enum FigureOrigin;
using enum OverFlows;

constexpr std::array rows{
    FigureRow{"gbit_per_s", "value", "Gbit/s", computed, sum, "throughput", "",
              "UDP payload (TCP, UDT: bytes) received during the measurement; for a disk load, bytes read; for counted "
              "bursts, their bytes divided by the time from the begin of the first to the end of the last"},
    FigureRow{"gbit_per_s_stddev", "value", "Gbit/s", computed, mean, "throughput, standard deviation over time", "",
              "standard deviation of the flow's throughput over the intervals"},
    FigureRow{"recovery_s", "value", "s", computed, worst, "recovery", "Antony et al. 2003, section 4.2",
              "from the end of another load that is sent in a part of the measurement (`for_s`) to the begin of the "
              "first interval in which the flow has 90 % of its mean throughput before that load; absent if it does "
              "not recover in time"},
    FigureRow{"sent_gbit_per_s", "value", "Gbit/s", computed, sum, "sent", "",
              "UDP payload (TCP, UDT: bytes) handed to the kernel (UDT: to the library) during the measurement"},
    FigureRow{"media_gbit_per_s", "value", "Gbit/s", computed, sum, "throughput, media", "",
              "pixels in the packets that were used; like the rates at other layers of UDP loads from memory only"},
    FigureRow{"ip_gbit_per_s", "value", "Gbit/s", computed, sum, "throughput, IP", "RFC 791, RFC 8200",
              "the packets received, with UDP and IP headers, also of fragments"},
    FigureRow{
        "ethernet_gbit_per_s", "value", "Gbit/s", computed, sum, "throughput, Ethernet", "IEEE 802.3",
        "the same with Ethernet's header, checksum, preamble and gap (38 bytes, without VLAN tags); absent if the "
        "interface of the flow's own address is not Ethernet"},
    FigureRow{"sent_media_gbit_per_s", "value", "Gbit/s", computed, sum, "sent, media", "",
              "pixels in the packets handed to the kernel"},
    FigureRow{"sent_ip_gbit_per_s", "value", "Gbit/s", computed, sum, "sent, IP", "RFC 791, RFC 8200",
              "the packets handed to the kernel, with UDP and IP headers, also of fragments"},
    FigureRow{"sent_ethernet_gbit_per_s", "value", "Gbit/s", computed, sum, "sent, Ethernet", "IEEE 802.3",
              "the same with Ethernet's header, checksum, preamble and gap; absent as above"},
    FigureRow{"flow_gbit_per_s", "min median mean max stddev", "Gbit/s", across_flows, mean, "throughput of a flow", "",
              "throughput, across the flows of a load"},
    FigureRow{"flow_loss", "median max", "1", across_flows, mean, "loss of a flow, share", "RFC 7680 section 4.1",
              "`loss`, across the flows of a load"},
    FigureRow{"flow_jitter_us", "median", "µs", across_flows, mean, "mean jitter of a flow", "RFC 3550 section 6.4.1",
              "`jitter_us_mean`, across the flows of a load"},
    FigureRow{"flow_pdv_us", "median", "µs", across_flows, mean, "99th percentile of a flow's delay variation",
              "RFC 5481 section 4.2", "`pdv_us_p99`, across the flows of a load"},
    FigureRow{"flow_one_way_us", "median", "µs", across_flows, mean, "median one-way delay of a flow",
              "RFC 7679 section 3", "`one_way_us_p50`, across the flows of a load"},
    FigureRow{"forward_gbit_per_s", "value", "Gbit/s", across_flows, sum, "throughput towards the server", "",
              "throughput of all flows towards the server, if both directions are measured"},
    FigureRow{"reverse_gbit_per_s", "value", "Gbit/s", across_flows, sum, "throughput from the server", "",
              "throughput of all flows from the server, if both directions are measured"},
    FigureRow{"fairness", "value", "1", across_flows, mean, "fairness", "Jain, Chiu, Hawe 1984",
              "Jain's index of the flows' throughput: 1 if all are equal"},
    FigureRow{"loss", "value", "1", computed, pooled, "loss, share", "RFC 7680 section 4.1",
              "share of the packets expected by sequence number that did not arrive; 1 if nothing arrived"},
    FigureRow{"lost", "value", "packets", receiver_total, sum, "", "RFC 3550 appendix A.3",
              "packets expected by sequence number that did not arrive"},
    FigureRow{"loss_runs", "value", "runs", receiver_total, sum, "", "RFC 3611 section 4.1",
              "uninterrupted runs of lost packets"},
    FigureRow{"loss_run", "max", "packets", receiver_gauge, worst, "", "RFC 3611 section 4.1",
              "the longest of these runs"},
    FigureRow{"kernel_drops", "value", "packets", receiver_total, sum, "", "",
              "of `lost`, packets that the kernel dropped at the full socket (SO_RXQ_OVFL); absent where the kernel "
              "does not count them"},
    FigureRow{"reordered", "value", "packets", receiver_total, sum, "", "RFC 4737 section 3",
              "packets below the highest sequence number so far"},
    FigureRow{"duplicates", "value", "packets", receiver_total, sum, "", "RFC 5560",
              "packets whose sequence number had already arrived"},
    FigureRow{"late", "value", "packets", receiver_total, sum, "", "",
              "packets that arrived when nothing waited for them any more"},
    FigureRow{"jitter_us", "value mean max", "µs", distribution, worst, "jitter", "RFC 3550 section 6.4.1",
              "interarrival jitter of the first packets of all frames of the measurement: last value, mean, maximum"},
    FigureRow{"pdv_us", "p50 p99 max", "µs", distribution, mean, "packet delay variation", "RFC 5481 section 4.2",
              "delay behind schedule above its minimum, of the first packets of frames; between two clocks, without "
              "their drift"},
    FigureRow{
        "frame_interval_us", "min mean max", "µs", distribution, mean, "frame interval", "",
        "between the arrivals of the first packets of consecutive frames; a frame whose first packet was lost has no "
        "interval before or after it. Negative where a frame overtook the previous one"},
    FigureRow{"one_way_us", "min p50 p99 max", "µs", computed, mean, "one-way delay", "RFC 7679 section 3",
              "arrival of a frame's first packet, by the receiver's kernel or card, minus the time at which the sender "
              "handed "
              "it to its kernel; for up to 4096 evenly spaced frames of a flow; with an error of at most "
              "`clock_error_us`, and absent with it"},
    FigureRow{"one_way_pdv_us", "p50 p99 max", "µs", computed, mean, "one-way delay variation", "RFC 5481 section 4.2",
              "one-way delay above its minimum, of the same frames; between two clocks, without their drift"},
    FigureRow{"delay_us", "min p50", "µs", distribution, mean, "delay after schedule", "",
              "arrival of a frame's first packet minus its planned departure: one-way delay and the sender's lateness "
              "together; with an error of at most `clock_error_us`, and absent with it"},
    FigureRow{
        "clock_error_us", "value", "µs", computed, worst, "clock error of delays", "RFC 7679 section 3.7",
        "bound of the error of these delays: 0 if both hosts share a kernel, else the sum of both clocks' errors, "
        "each the largest during the measurement; plus `card_error_us`; absent if one has no bound, or if packets "
        "arrived before they "
        "left by more than it"},
    FigureRow{"card_stamped", "value", "packets", receiver_total, sum, "stamped by the card", "",
              "`--hardware-stamps`: packets whose arrival the receiver's network card stamped; of coalesced packets, "
              "the stamp is that of the first one"},
    FigureRow{"card_error_us", "value", "µs", receiver_gauge, worst, "error of the card's stamps", "",
              "`--hardware-stamps`: bound of the error of these stamps as times of the receiver's system clock, the "
              "largest since the receiver started; it is part of `clock_error_us`"},
    FigureRow{"clock_drift_ppm", "value", "ppm", distribution, mean, "clock drift", "Moon, Skelly, Towsley 1999",
              "how much faster the receiver's clock runs than the sender's, from the least delays; absent if both "
              "hosts share a kernel"},
    FigureRow{"frames", "value", "frames", distribution, sum, "", "",
              "frames whose first packet arrived during the measurement; for a disk load, frames read"},
    FigureRow{
        "rtt_us", "value", "µs", sender_gauge, mean, "round trip", "RFC 3550 section 6.4.1",
        "round-trip time at the end; UDP: of RTCP; TCP: the kernel's smoothed one (RFC 6298); UDT: the library's"},
    FigureRow{"bdp_bytes", "value", "bytes", across_flows, mean, "bandwidth-delay product", "",
              "throughput times the median round trip of the flows"},
    FigureRow{"sender_cpu_s_per_gb", "value", "s/GB", computed, mean, "sender's CPU time", "",
              "CPU time of the sending threads divided by the bytes sent; without the kernel's interrupts, which are "
              "in `hosts`"},
    FigureRow{"receiver_cpu_s_per_gb", "value", "s/GB", computed, mean, "receiver's CPU time", "",
              "CPU time of the receiving threads divided by the bytes received; without the kernel's interrupts"},
    FigureRow{"cpu_s_per_gb", "value", "s/GB", computed, mean, "CPU time", "",
              "disk load: CPU time of the process divided by the bytes read"},
    FigureRow{"bands_whole", "value", "bands", receiver_total, sum, "", "", "bands received completely"},
    FigureRow{"bands_incomplete", "value", "bands", receiver_total, sum, "", "", "bands that lacked packets"},
    FigureRow{"bands_dropped", "value", "bands", receiver_total, sum, "", "",
              "bands for which there was no frame buffer"},
    FigureRow{"frames_skipped", "value", "bands", sender_total, sum, "", "",
              "bands not sent, or sent in part, because they were too late"},
    FigureRow{"send_errors", "value", "packets", sender_total, sum, "", "", "packets that the kernel refused"},
    FigureRow{"records_left_out", "value", "packets", distribution, sum, "", "",
              "`--records`: packets for whose record there was no room; absent if there were none"},
    FigureRow{"retransmits", "value", "segments", sender_total, sum, "", "RFC 4898",
              "TCP: segments that the kernel retransmitted during the measurement; UDT: packets"},
    FigureRow{"cwnd_bytes", "value", "bytes", sender_gauge, mean, "", "RFC 5681 section 2",
              "TCP, UDT: congestion window at the end"},
    FigureRow{"send_buffer_bytes", "value", "bytes", distribution, mean, "", "",
              "TCP: the kernel's send buffer at the end; UDT: the library's"},
    FigureRow{"receive_buffer_bytes", "value", "bytes", distribution, mean, "", "",
              "the kernel's receive buffer (TCP: at the end); UDT: the library's, which is its window"},
    FigureRow{"messages", "value", "messages", distribution, sum, "", "",
              "`--requests`: messages answered during the measurement; `--bursts`: messages of the bursts that all "
              "flows began during it"},
    FigureRow{"messages_per_s", "value", "1/s", computed, sum, "", "",
              "`messages` divided by the duration of the measurement; for counted bursts, by the time that they took"},
    FigureRow{"message_us", "min mean p50 p99 max", "µs", distribution, mean, "message", "",
              "`--requests`, `--bursts`: from a message's first byte to its answer, of the same messages"},
    FigureRow{"blocked_us", "min mean p50 p99 max", "µs", distribution, mean, "blocked", "",
              "`--bursts`: after a burst, until the last of the other flows ended, of the same bursts"},
    FigureRow{"compute_us", "min mean p50 p99 max", "µs", distribution, mean, "computing", "",
              "`--compute-ms`: duration of the work after a burst, including waits for a core; its CPU time is not in "
              "`sender_cpu_s_per_gb`"},
    FigureRow{"read_mib_per_s", "value", "MiB/s", computed, sum, "read", "",
              "disk load: read from the directories during the measurement"},
    FigureRow{"direct", "value", "1", distribution, mean, "", "",
              "disk load: 1 if reads bypassed the page cache (O_DIRECT), 0 if it may have helped"},
    FigureRow{"stripes", "value", "directories", distribution, mean, "", "",
              "disk load: directories from which it read"},
    FigureRow{"packets", "value", "packets", across_flows, sum, "", "",
              "STAMP and capacity: packets sent; of STAMP, those that the kernel refused count as lost"},
    FigureRow{"rtt_us", "min p50 p99 max", "µs", across_flows, mean, "round trip", "RFC 2681 section 2",
              "STAMP: from sending a packet to its reply, without the time at the reflector"},
    FigureRow{"reflector_us", "min p50 p99 max", "µs", across_flows, mean, "time at the reflector",
              "RFC 8762 section 4.3", "STAMP: from a packet's arrival at the reflector to the reply's departure"},
    FigureRow{"undetermined_lost", "value", "packets", across_flows, sum, "", "",
              "STAMP: lost packets with unknown direction: those after the last answered one"},
    FigureRow{"strange", "value", "datagrams", across_flows, sum, "", "",
              "STAMP and capacity: datagrams that are no packet of the session"},
    FigureRow{"integrity_failed", "value", "packets", across_flows, sum, "", "RFC 8972 section 4.8",
              "STAMP: replies whose extensions are not authentic"},
    FigureRow{"hops", "min max", "routers", stamp, worst, "routers", "RFC 8762 section 4.3",
              "STAMP: 255 minus the TTL with which packets reached the reflector"},
    FigureRow{"dscp", "value", "1", receiver_gauge, worst, "DSCP", "RFC 2474",
              "UDP: of the newest packets; absent where the kernel does not report it"},
    FigureRow{"dscp_changed", "value", "packets", receiver_total, sum, "", "RFC 2474, RFC 8972 section 4.4",
              "UDP and STAMP: packets that arrived with another DSCP than they were sent with"},
    FigureRow{"ecn_ect0", "value", "packets", receiver_total, sum, "", "RFC 3168 section 5",
              "UDP: packets that arrived with ECT(0)"},
    FigureRow{"ecn_ect1", "value", "packets", receiver_total, sum, "", "RFC 3168 section 5",
              "UDP: packets that arrived with ECT(1)"},
    FigureRow{"ecn_ce", "value", "packets", receiver_total, sum, "", "RFC 3168 section 5",
              "UDP and STAMP: packets that arrived with the congestion mark (CE)"},
    FigureRow{"ip_capacity_gbit_per_s", "value", "Gbit/s", capacity, worst, "maximum IP-layer capacity",
              "RFC 9097 section 6.3",
              "capacity: the most that arrived in one sub-interval of the test, with UDP and IP headers, without "
              "duplicates: Maximum_C(T, I, PM)"},
    FigureRow{"ip_capacity_at_s", "value", "s", capacity, mean, "", "RFC 9097 section 6.3",
              "capacity: when that sub-interval began"},
    FigureRow{"ip_capacity_sent_gbit_per_s", "value", "Gbit/s", capacity, worst, "sent", "RFC 9097 section 7.3",
              "capacity: what the sender sent in that sub-interval, by the numbers of the packets"},
    FigureRow{"ip_capacity_offered_gbit_per_s", "value", "Gbit/s", capacity, worst, "offered", "RFC 9097 section 8.1",
              "capacity: what the search asked the sender for in that sub-interval, on average"},
    FigureRow{"ip_capacity_loss", "value", "1", capacity, worst, "loss at capacity, share", "RFC 9097 section 6.4",
              "capacity: packets lost in that sub-interval, of those that were sent"},
    FigureRow{"ip_capacity_rtt_us", "min max", "µs", capacity, mean, "round trip at capacity", "RFC 9097 section 6.4",
              "capacity: round trips in that sub-interval: a report of the receiver and the first packet that returns "
              "it, without the time at the sender"},
    FigureRow{"ip_capacity_one_way_range_us", "value", "µs", capacity, worst, "one-way delay range at capacity",
              "RFC 9097 section 8.1",
              "capacity: the largest one-way delay in that sub-interval above the least of the test; the clocks' drift "
              "is in it"},
    FigureRow{"ip_capacity_reordered", "value", "packets", capacity, sum, "", "RFC 4737 section 3",
              "capacity: packets that came after later ones in that sub-interval"},
    FigureRow{"ip_capacity_duplicates", "value", "packets", capacity, sum, "", "RFC 5560",
              "capacity: packets that came again in that sub-interval"},
    FigureRow{"skipped_packets", "value", "packets", capacity, sum, "", "",
              "capacity: packets that were due, but that the sending host was too slow to send"},
    FigureRow{"reports_lost", "value", "reports", capacity, sum, "", "RFC 9097 section 8.1",
              "capacity: reports of the receiver that did not reach the sender"},
};

// The same for each direction of a STAMP session: its name is the figure's prefix, and its words replace "{}".
constexpr std::array rows_of_direction{
    FigureRow{"delay_us", "min p50", "µs", across_flows, mean, "one-way delay {}", "RFC 7679 section 3",
              "STAMP: one-way delay {}; absent without a bound of both clocks' errors"},
    FigureRow{"pdv_us", "p50 p99 max", "µs", across_flows, mean, "packet delay variation {}", "RFC 5481 section 4.2",
              "STAMP: delay {} above its minimum; includes the clocks' drift"},
    FigureRow{"lost", "value", "packets", across_flows, sum, "", "RFC 7680 section 3",
              "STAMP: packets lost {}, by the numbers of a stateful reflector's replies"},
    FigureRow{"loss", "value", "1", across_flows, mean, "loss {}, share", "RFC 7680 section 4.1",
              "STAMP: the share of those that were sent"},
    FigureRow{"reordered", "value", "packets", across_flows, sum, "", "RFC 4737 section 3",
              "STAMP: packets overtaken {}"},
    FigureRow{"dscp_changed", "value", "packets", across_flows, sum, "", "RFC 8972 section 4.4",
              "STAMP: packets whose DSCP was changed {}"},
    FigureRow{"ecn_ce", "value", "packets", across_flows, sum, "", "RFC 3168 section 5",
              "STAMP: packets marked for congestion {}"},
};

// For one direction only: a reply contains the TTL with which its request arrived.
constexpr FigureRow forward_hops{"forward_hops",
                                 "min max",
                                 "routers",
                                 across_flows,
                                 mean,
                                 "",
                                 "RFC 8762 section 4.3",
                                 "STAMP: 255 minus the TTL with which packets reached the reflector"};

std::vector<FigureRow> all_rows() {
  static std::deque<std::string> texts;  // referenced by rows
  const auto kept = [](std::string text) -> std::string_view { return texts.emplace_back(std::move(text)); };
  std::vector<FigureRow> all(rows.begin(), rows.end());
  for (const auto& [direction, words] :
       {std::pair("forward", "towards the reflector"), std::pair("reverse", "from the reflector")})
    for (auto row : rows_of_direction) {
      row.name = kept(fmt::format("{}_{}", direction, row.name));
      row.words = kept(fmt::format(fmt::runtime(row.words), words));
      row.definition = kept(fmt::format(fmt::runtime(row.definition), words));
      all.push_back(row);
    }
  all.push_back(forward_hops);
  return all;
}

constexpr std::array counters{
    CounterRow{"gbit_per_s", "Gbit/s", CounterKind::gauge, own_source, "`bytes` by the time of the interval"},
    CounterRow{"bytes", "bytes", CounterKind::total, own_source, "UDP: payload; TCP, UDT: bytes; disk: bytes read"},
    CounterRow{"messages", "messages", CounterKind::total, own_source,
               "TCP: writes of a stream, messages of requests and bursts"},
    CounterRow{"cpu_s", "s", CounterKind::total, own_source, "CPU time of the flow's thread; disk: of the process"},
    CounterRow{"frames", "frames", CounterKind::total, own_source, "disk: frames read; UDP: bands sent completely"},
    CounterRow{"retransmits", "segments", CounterKind::total, "RFC 4898",
               "TCP: segments that the kernel sent again; UDT: packets"},
    CounterRow{"rtt_us", "µs", CounterKind::gauge, "RFC 3550 section 6.4.1, RFC 6298 section 2",
               "round-trip time: of RTCP; TCP: the kernel's smoothed one; UDT: the library's"},
    CounterRow{"cwnd_bytes", "bytes", CounterKind::gauge, "RFC 5681 section 2", "TCP, UDT: congestion window"},
    CounterRow{"ip_gbit_per_s", "Gbit/s", CounterKind::gauge, "RFC 9097 section 5.3",
               "capacity: packets received, with UDP and IP headers: C(T, dt, PM)"},
    CounterRow{"sent_ip_gbit_per_s", "Gbit/s", CounterKind::gauge, "RFC 9097 section 7.3", "capacity: packets sent"},
    CounterRow{"offered_ip_gbit_per_s", "Gbit/s", CounterKind::gauge, "RFC 9097 section 8.1",
               "capacity: the mean of the rates that the search asked for"},
    CounterRow{"rtt_us_min", "µs", CounterKind::gauge, "RFC 9097 section 5.4", "capacity: least round trip"},
    CounterRow{"rtt_us_max", "µs", CounterKind::gauge, "RFC 9097 section 5.4", "capacity: largest round trip"},
    CounterRow{"one_way_range_us", "µs", CounterKind::gauge, "RFC 9097 section 8.1",
               "capacity: largest one-way delay above the least of the test"},
};
static_assert(std::ranges::none_of(counters, &std::string_view::empty, &CounterRow::source));

bool has_part(const FigureRow& row, std::string_view part) {
  bool found = false;
  for_each_part(row, [&](std::string_view one) { found = found || one == part; });
  return found;
}

std::optional<OverFlows> over_flows_of_part(std::string_view part) {
  if (part == "max" || part == "p99" || part == "p50") return worst;
  if (part == "min") return least;
  return {};
}

}  // namespace

std::span<const FigureRow> figure_rows() {
  static const auto all = all_rows();
  return all;
}
std::span<const CounterRow> counter_rows() { return counters; }

std::string figure_name(const FigureRow& row, std::string_view part) {
  return std::string(row.name) + (part == "value" ? "" : "_" + std::string(part));
}

bool is_of_flow(const FigureRow& row) { return row.origin != across_flows; }

std::optional<FigureName> find_figure(std::string_view name) {
  for (const auto& row : figure_rows()) {
    if (!name.starts_with(row.name)) continue;
    auto part = name.substr(row.name.size());
    if (part.empty())
      part = "value";
    else if (part.front() == '_' && part != "_value")
      part.remove_prefix(1);
    if (has_part(row, part)) return FigureName{&row, part};
  }
  return {};
}

OverFlows over_flows(std::string_view name) {
  const auto known = find_figure(name);
  const auto part = known ? known->part : name.substr(name.rfind('_') + 1);
  return over_flows_of_part(part).value_or(known ? known->row->over_flows : mean);
}

}  // namespace lw
