#include "wall-control/models/quantity.h"

#include "common/metrics/registry.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace lw {
namespace {

template <class Stats>
constexpr Scope scope_of = Scope::flow;
template <>
constexpr Scope scope_of<TileStats> = Scope::tile;
template <>
constexpr Scope scope_of<WallStats> = Scope::wall;

template <class Stats>
constexpr std::size_t row_of(std::string_view key) {
  const auto& metrics = metrics_of<Stats>;
  return static_cast<std::size_t>(std::ranges::find(metrics, key, &Metric::key) - metrics.begin());
}

// A figure of the registry, or the growth of a count.
template <class Stats>
consteval QuantityInfo plotted(Quantity quantity, std::string_view key, bool low_is_bad, const char* title,
                               const char* definition) {
  const auto& metrics = metrics_of<Stats>;
  const auto row = row_of<Stats>(key);
  const auto& metric = metrics.at(row);
  const char* unit = metric.unit.data();
  if (metric.unit == "µs") unit = "us";
  if (metric.kind == MetricKind::balance) throw "the growth of a count that falls is not a rate";
  if (metric.counts()) unit = metric.unit == "packets" ? "packets/s" : throw "no unit for its growth";
  return {quantity, scope_of<Stats>, source_of<Stats>, row, metric.key.data(), metric.counts(), low_is_bad,
          unit,     title,           definition};
}

// Until the figure existed, nodes reported another one in its place.
template <class Stats>
consteval QuantityInfo before_it(const char* older_key, QuantityInfo quantity) {
  quantity.older_key = older_key;
  quantity.older_row = row_of<Stats>(older_key);
  if (quantity.older_row == metrics_of<Stats>.size()) throw "no figure of this table";
  return quantity;
}

constexpr std::array<QuantityInfo, quantity_count> table{{
    {Quantity::throughput, Scope::flow, Source::rate, 0, "gbit_per_s", false, true, "Gbit/s",
     QT_TRANSLATE_NOOP("Quantity", "Throughput"),
     QT_TRANSLATE_NOOP("Quantity", "UDP payload received, over each tenth of a second.")},
    plotted<ReceiverFlowStats>(
        Quantity::jitter, "jitter_us", false, QT_TRANSLATE_NOOP("Quantity", "Interarrival jitter"),
        QT_TRANSLATE_NOOP("Quantity", "RFC 3550 section 6.4.1, over the first packet of each frame.")),
    plotted<ReceiverFlowStats>(
        Quantity::delay, "delay_us_p99", false, QT_TRANSLATE_NOOP("Quantity", "Delay, p99"),
        QT_TRANSLATE_NOOP("Quantity",
                          "Arrival of a frame's first packet less its media time, newest 256 frames. Absent "
                          "where nobody vouches for the clocks.")),
    plotted<ReceiverFlowStats>(
        Quantity::completion, "completion_us_p99", false, QT_TRANSLATE_NOOP("Quantity", "Frames complete after, p99"),
        QT_TRANSLATE_NOOP("Quantity",
                          "Arrival of a frame's last packet less its media time, newest 512 frames. The "
                          "playout delay must be some 10 ms above it.")),
    before_it<ReceiverFlowStats>(
        "lost", plotted<ReceiverFlowStats>(
                    Quantity::loss, "lost_settled", false, QT_TRANSLATE_NOOP("Quantity", "Packets lost"),
                    QT_TRANSLATE_NOOP("Quantity",
                                      "Packets that had not arrived when the flow was 1024 packets further or had "
                                      "ended, so that reordered packets do not count (RFC 7680)."))),
    before_it<ReceiverFlowStats>(
        "kernel_drops",
        plotted<ReceiverFlowStats>(
            Quantity::kernel_drops, "kernel_drops_settled", false, QT_TRANSLATE_NOOP("Quantity", "Kernel drops"),
            QT_TRANSLATE_NOOP("Quantity",
                              "Of the lost packets, those that the node's kernel dropped at the full socket."))),
    plotted<ReceiverFlowStats>(Quantity::repaired, "repaired", false, QT_TRANSLATE_NOOP("Quantity", "Packets resent"),
                               QT_TRANSLATE_NOOP("Quantity", "Lost packets that a resend made good in time.")),
    plotted<ReceiverFlowStats>(
        Quantity::rebuilt, "rebuilt", false, QT_TRANSLATE_NOOP("Quantity", "Packets rebuilt"),
        QT_TRANSLATE_NOOP("Quantity", "Lost packets that were rebuilt from forward error correction.")),
    plotted<ReceiverFlowStats>(
        Quantity::reordered, "reordered", false, QT_TRANSLATE_NOOP("Quantity", "Packets reordered"),
        QT_TRANSLATE_NOOP("Quantity", "Packets that came with a number below the highest so far (RFC 4737).")),
    plotted<ReceiverFlowStats>(Quantity::late_packets, "late", false, QT_TRANSLATE_NOOP("Quantity", "Packets late"),
                               QT_TRANSLATE_NOOP("Quantity", "Packets whose band was already given up or shown.")),
    plotted<SenderFlowStats>(
        Quantity::read, "read_us_p99", false, QT_TRANSLATE_NOOP("Quantity", "Time to read, p99"),
        QT_TRANSLATE_NOOP("Quantity",
                          "From asking for a frame's read to having it in memory, newest 256 frames read.")),
    plotted<SenderFlowStats>(
        Quantity::queue, "queue_us_p99", false, QT_TRANSLATE_NOOP("Quantity", "Time in the queue, p99"),
        QT_TRANSLATE_NOOP(
            "Quantity",
            "From a frame in memory to its first packet sent, newest 256 frames. Frames are read 100 ms ahead.")),
    plotted<SenderFlowStats>(
        Quantity::send, "send_us_p99", false, QT_TRANSLATE_NOOP("Quantity", "Time to send, p99"),
        QT_TRANSLATE_NOOP("Quantity",
                          "From the first packet of a frame to the last one handed to the kernel, newest 256 frames.")),
    plotted<WallFlowStats>(
        Quantity::flight, "flight_us_p99", false, QT_TRANSLATE_NOOP("Quantity", "Time in flight, p99"),
        QT_TRANSLATE_NOOP(
            "Quantity",
            "From a frame's first packet sent to its arrival, newest 256 frames whose first packet arrived, true "
            "to the error of the node's clock. Absent without a bound for the clocks' error.")),
    plotted<ReceiverFlowStats>(
        Quantity::assemble, "assemble_us_p99", false, QT_TRANSLATE_NOOP("Quantity", "Time to assemble, p99"),
        QT_TRANSLATE_NOOP("Quantity",
                          "From the first arrival of a packet of a frame to its band complete, newest 256 frames.")),
    plotted<TileStats>(
        Quantity::lateness, "lateness_us_p99", false, QT_TRANSLATE_NOOP("Quantity", "Lateness of swaps, p99"),
        QT_TRANSLATE_NOOP("Quantity", "Time after a frame's swap less its presentation time, newest 256 frames.")),
    plotted<TileStats>(Quantity::playout_level, "playout_frames", true, QT_TRANSLATE_NOOP("Quantity", "Playout level"),
                       QT_TRANSLATE_NOOP("Quantity", "Whole frames that wait for their presentation.")),
    plotted<TileStats>(
        Quantity::wait, "wait_us_p99", false, QT_TRANSLATE_NOOP("Quantity", "Time waiting, p99"),
        QT_TRANSLATE_NOOP("Quantity", "From a frame whole to its upload begun, newest 256 frames shown.")),
    plotted<TileStats>(
        Quantity::upload, "upload_us_p99", false, QT_TRANSLATE_NOOP("Quantity", "Time to upload, p99"),
        QT_TRANSLATE_NOOP("Quantity", "How long a frame's upload took, newest 256 frames shown. Absent headless.")),
    plotted<TileStats>(
        Quantity::swap, "swap_us_p99", false, QT_TRANSLATE_NOOP("Quantity", "Time to swap, p99"),
        QT_TRANSLATE_NOOP(
            "Quantity",
            "From a frame uploaded to its swap, newest 256 frames shown: waiting for the presentation time, "
            "most of all.")),
    plotted<WallStats>(
        Quantity::skew, "skew_us_p99", false, QT_TRANSLATE_NOOP("Quantity", "Skew, p99"),
        QT_TRANSLATE_NOOP("Quantity",
                          "Latest less earliest swap of a frame over all tiles, newest 256 frames, true to the "
                          "skew's clock error. Absent if that is not known.")),
    plotted<WallStats>(
        Quantity::skew_error, "skew_error_us", false, QT_TRANSLATE_NOOP("Quantity", "Skew, clock error"),
        QT_TRANSLATE_NOOP("Quantity", "Sum of the two largest clock errors of the nodes, for the same frames.")),
    plotted<WallStats>(Quantity::playout_delay, "playout_delay_us", false,
                       QT_TRANSLATE_NOOP("Quantity", "Playout delay"),
                       QT_TRANSLATE_NOOP("Quantity", "From a frame's media time to its presentation.")),
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (static_cast<std::size_t>(table[i].quantity) != i) return false;
  return true;
}
static_assert(in_order());

QString translated(const char* text) { return QCoreApplication::translate("Quantity", text); }

}  // namespace

std::span<const QuantityInfo> quantities() { return table; }

const QuantityInfo& info(Quantity quantity) { return table[static_cast<std::size_t>(quantity)]; }

QString name_of(const QuantityInfo& quantity) { return translated(quantity.title); }

QString title_of(const QuantityInfo& quantity) {
  const auto title = name_of(quantity);
  switch (quantity.scope) {
    case Scope::flow:
      return translated(QT_TRANSLATE_NOOP("Quantity", "%1 by flow")).arg(title);
    case Scope::tile:
      return translated(QT_TRANSLATE_NOOP("Quantity", "%1 by tile")).arg(title);
    case Scope::wall:
      break;
  }
  return translated(QT_TRANSLATE_NOOP("Quantity", "%1 of the wall")).arg(title);
}

QString definition_of(const QuantityInfo& quantity) { return translated(quantity.definition); }

}  // namespace lw
