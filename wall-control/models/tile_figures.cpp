#include "wall-control/models/tile_figures.h"

#include "common/metrics/sound_stats.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr int recent_samples = 10;  // one second

// Its texts are those of context "lw": lupdate files a free function's under its namespace.
QString tr(const char* text) { return QCoreApplication::translate("lw", text); }

QString count_text(qint64 count) { return QLocale().toString(count); }

QString time_text(double us) {
  if (std::abs(us) < 1000) return tr("%1 µs").arg(us, 0, 'f', std::abs(us) < 10 ? 1 : 0);
  return tr("%1 ms").arg(us / 1000, 0, 'f', std::abs(us) < 10'000 ? 2 : 1);
}

QString time_text(const std::optional<double>& us) { return us ? time_text(*us) : QString(); }

QString share_text(const std::optional<double>& share) {
  return share ? tr("%1 %").arg(*share * 100, 0, 'f', 0) : QString();
}

// Mean of the last second over all flows of the tile; empty if none is measured.
std::optional<double> recent_rate(const FlowHistory& history, const TileRow& tile, Quantity quantity) {
  std::optional<double> sum;
  for (const auto& flow : history.flows()) {
    if (flow.column != tile.column || flow.row != tile.row) continue;
    const auto& series = flow.series.of(quantity);
    double total = 0;
    int samples = 0;
    for (int age = 0; age < std::min(recent_samples, series.size()); ++age) {
      const auto value = series.back(age);
      if (!value) continue;
      total += *value;
      ++samples;
    }
    if (samples > 0) sum = sum.value_or(0) + total / samples;
  }
  return sum;
}

QString rate_text(const std::optional<double>& rate) {
  return rate ? tr("%1/s").arg(*rate, 0, 'f', *rate > 0 && *rate < 10 ? 1 : 0) : QString();
}

QString sound_text(const NodeRow& node) {
  if (!node.plays_sound) return {};
  if (!node.sound_peak_db) return tr("silent: nothing plays");
  return *node.sound_peak_db <= silence_dbfs ? tr("silence") : tr("%1 dB").arg(*node.sound_peak_db, 0, 'f', 0);
}

QString definition(Quantity quantity) { return definition_of(info(quantity)); }

}  // namespace

std::vector<ShownFigure> figures_of_tile(const FlowHistory& history, const WallStatus& status, const TileRow& tile) {
  const auto loss = recent_rate(history, tile, Quantity::loss);
  return {
      {tr("Frame shown"), tile.frame ? count_text(*tile.frame) : QString(),
       tr("Number of the visualization's frame that the tile shows.")},
      {tr("Frame rate"), tile.fps ? tr("%1 frame/s").arg(*tile.fps, 0, 'f', 1) : QString(),
       tr("Swaps with a new frame, mean of the last second.")},
      {tr("Skew"),
       status.skew_is_unknown() ? tr("clock error not known") : time_text(status.skew_us(tile.column, tile.row)),
       tr("Of the newest frame that all tiles showed: this tile's swap less the earliest of all.")},
      {tr("Skew, clock error"), time_text(status.skew_error_us()), definition(Quantity::skew_error)},
      {tr("Lateness, p99"), time_text(tile.lateness_us_p99), definition(Quantity::lateness)},
      {tr("On the screen, p99"), time_text(status.scanout_us_p99(tile.column, tile.row)),
       tr("Time on the screen less presentation time, newest 256 frames; where the window system tells.")},
      {tr("Lost"), rate_text(loss), definition(Quantity::loss), loss > 0},
      {tr("Resent"), rate_text(recent_rate(history, tile, Quantity::repaired)), definition(Quantity::repaired)},
      {tr("Rebuilt"), rate_text(recent_rate(history, tile, Quantity::rebuilt)), definition(Quantity::rebuilt)},
      {tr("Frames due"), count_text(tile.frames_due),
       tr("Frames whose presentation time has passed = whole + concealed + not shown.")},
      {tr("Shown whole"), count_text(tile.shown_whole), tr("Frames shown with every byte.")},
      {tr("Concealed"), count_text(tile.shown_concealed),
       tr("Frames shown with rows of the frame before where packets are missing."), tile.shown_concealed > 0},
      {tr("Not shown"), count_text(tile.not_shown),
       tr("Frames due of which nothing came, or a newer one was due at the same swap."), tile.not_shown > 0},
      {tr("Late"), count_text(tile.late),
       tr("Frames swapped more than one frame interval after their presentation time."), tile.late > 0},
  };
}

std::vector<ShownFigure> figures_of_node(const NodeRow& node) {
  return {
      {tr("Control"), node.connected ? tr("connected") : tr("not connected"),
       tr("Whether the node's connection to the server's control plane is there."), !node.connected},
      {tr("Address"), node.address, tr("Where its flows are sent to, as the wall file has it.")},
      {tr("Load"), share_text(node.cpu_share),
       tr("CPU time of the node's wall-client by that of the CPUs that it may run on, mean of the last second.")},
      {tr("CPUs"), node.cpus > 0 ? count_text(node.cpus) : QString(), tr("That the node's wall-client may run on.")},
      {tr("Clock"), node.clock_state,
       tr("Whose clock it shows frames by: its system's, or the server's (waiting for it, kept, holdover)."),
       node.clock_state == "waiting" || node.clock_state == "holdover"},
      {tr("Clock off by"), time_text(node.clock_error_us), tr("It is off from the server's clock by no more.")},
      {tr("Card's PTP clock"), time_text(node.phc_offset_us),
       tr("The network card's PTP clock less the node's system clock, where the wall file names one to read.")},
      {tr("Frame lock"), node.swap_group,
       tr("What came of the swap group that the wall file names for frame lock by hardware."),
       node.swap_group.startsWith("not joined")},
      {tr("Sound"), sound_text(node),
       tr("Its loudest sample in the last tenths of a second, below full scale; of a node with audio in the wall "
          "file.")},
      {tr("Sound lost"), node.sound_lost ? tr("%1 ms").arg(*node.sound_lost, 0, 'f', 0) : QString(),
       tr("Sound that did not come in time and was replaced by silence, since the node started."), node.sound_lost > 0},
      {tr("Sound off by"), time_text(node.sound_difference_us), tr("How far the sound device is ahead of the frames.")},
      {tr("Renderer"), node.connected && node.renderer.isEmpty() ? tr("none: headless") : node.renderer,
       tr("Of its OpenGL; none where it runs headless.")},
  };
}

std::vector<ShownFigure> figures_of_flow(const FlowRow& flow) {
  return {
      {tr("Throughput"), flow.gbit_per_s ? tr("%1 Gbit/s").arg(*flow.gbit_per_s, 0, 'f', 3) : QString(),
       definition(Quantity::throughput)},
      {tr("Lost"), count_text(flow.lost), tr("%1 Total since the node started.").arg(definition(Quantity::loss)),
       flow.lost > 0},
      {tr("Kernel drops"), count_text(flow.kernel_drops), definition(Quantity::kernel_drops), flow.kernel_drops > 0},
      {tr("Reordered"), count_text(flow.reordered), definition(Quantity::reordered)},
      {tr("Late packets"), count_text(flow.late), definition(Quantity::late_packets)},
      {tr("Jitter"), time_text(flow.jitter_us), definition(Quantity::jitter)},
      {tr("Delay, p99"), time_text(flow.delay_us_p99), definition(Quantity::delay)},
      {tr("Round trip"), time_text(flow.rtt_us), tr("From RTCP, RFC 3550 section 6.4.1.")},
      {tr("Sender's CPU"), flow.sender_cpu >= 0 ? count_text(flow.sender_cpu) : QString(),
       tr("The core that the flow's thread of the server is pinned to.")},
      {tr("Receiver's CPU"), flow.receiver_cpu >= 0 ? count_text(flow.receiver_cpu) : QString(),
       tr("The core that the flow's thread of the node is pinned to.")},
  };
}

const std::vector<QString>& pattern_keys() {
  static const auto all = [] {
    std::vector<QString> keys;
    for (const auto& name : pattern_names.names) keys.push_back(QString::fromStdString(std::string(name)));
    return keys;
  }();
  return all;
}

QString pattern_text(const QString& pattern) {
  if (pattern == "none") return tr("Stream");
  if (pattern == "identify") return tr("Identify");
  if (pattern == "grid") return tr("Grid");
  if (pattern == "bar") return tr("Moving bar");
  if (pattern == "ramp") return tr("Ramps");
  if (pattern == "black") return tr("Black");
  return pattern;
}

}  // namespace lw
