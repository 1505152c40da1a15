// What every flow did: the newest figures, and their history for the plots. Fed by `stats`, ten times a second; memory
// is bounded. Draws nothing; the same code will feed on recorded sessions.
#pragma once

#include <QJsonObject>
#include <QString>

#include <optional>
#include <vector>

namespace lw {

// A series of samples at a fixed pace; a gap is a gap, not zero.
class TimeSeries {
public:
  static constexpr int samples_max = 6000;  // ten minutes at 10 Hz

  void add(std::optional<double> value);
  // 0 is the newest.
  [[nodiscard]] std::optional<double> back(int age) const;
  [[nodiscard]] int size() const { return static_cast<int>(count_); }

private:
  std::vector<float> ring_ = std::vector<float>(samples_max);
  std::size_t next_ = 0;
  std::size_t count_ = 0;
};

enum class Quantity { throughput, jitter, loss };

struct FlowRow {
  int flow = 0;
  int column = 0, row = 0;
  QString node;
  bool reported = false;  // the node's report is there
  bool receiving = false;
  std::optional<double> gbit_per_s, jitter_us, rtt_us, delay_us_p99;
  qint64 packets = 0, lost = 0, kernel_drops = 0, reordered = 0, duplicates = 0, late = 0, invalid = 0, sent = 0;
  double lost_per_s = 0;
  int sender_cpu = -1, receiver_cpu = -1;
  TimeSeries throughput, jitter, loss;

  [[nodiscard]] const TimeSeries& series(Quantity quantity) const {
    return quantity == Quantity::throughput ? throughput : quantity == Quantity::jitter ? jitter : loss;
  }
};

struct TileRow {
  int column = 0, row = 0;
  QString node;
  bool connected = false;
  bool receiving = false;  // any of its flows
  std::optional<int> frame;
  std::optional<double> fps;  // mean of the last second: a tenth of it holds now 3, now 4 swaps
  std::optional<double> lateness_us_p99;
  qint64 frames_due = 0, shown_whole = 0, shown_concealed = 0, not_shown = 0, late = 0;
  qint64 troubles = 0;  // concealed, not shown or late in the last two seconds
  std::vector<qint64> trouble_history;
  std::vector<double> fps_history;
};

class FlowHistory {
public:
  static constexpr double interval_s = 0.1;

  void set_wall(const QJsonObject& info);
  void add(const QJsonObject& stats);
  void add_gap();  // nothing came: the connection is gone

  [[nodiscard]] const std::vector<FlowRow>& flows() const { return flows_; }
  [[nodiscard]] const std::vector<TileRow>& tiles() const { return tiles_; }
  [[nodiscard]] const TileRow* tile(int column, int row) const;

private:
  void take_flow(FlowRow& row, const QJsonObject& json, double interval);
  void take_tile(TileRow& row, const QJsonObject& json);
  std::vector<FlowRow> flows_;
  std::vector<TileRow> tiles_;
};

}  // namespace lw
