// The sites of the wall as a table: for each site a row, then one for each of its nodes. Fed by `info`, `stats` and
// `state`; figures are of the last seconds, and absent while they are not measured. Draws nothing.
#pragma once

#include "common/messages/info.h"
#include "common/messages/stats.h"

#include <QAbstractTableModel>

#include <deque>
#include <optional>
#include <vector>

namespace lw {

enum class SiteState : unsigned char {
  not_measured,  // no figures
  not_playing,
  silent,  // no flow has been reported about for five seconds
  partly_heard,
  heard,
};

struct SiteRow {
  QString site;
  QString node;  // empty: the row is of the site
  bool relay = false;
  QString way;  // how the server sends there, in full
  qint64 playout_delay_ms = 0;
  unsigned resend_percent = 0;
  SiteState state = SiteState::not_measured;
  std::optional<std::uint64_t> flows_heard, flows;
  std::optional<double> lost_per_s, resent_per_s, refused_per_s;  // packets
  std::optional<double> budget_used_percent;                      // of the rate that resends may have
  std::optional<double> round_trip_ms;
};

class SiteModel : public QAbstractTableModel {
  Q_OBJECT

public:
  enum Column { place, state, sent_by, heard, delay, round_trip, lost, resent, refused, budget, column_count };
  static constexpr double rate_seconds = 5;  // that rates are of

  using QAbstractTableModel::QAbstractTableModel;

  void set_wall(const WallInfo& wall);
  void set_playing(bool playing) { playing_ = playing; }
  void add(const Stats& stats);
  void add_gap();  // no statistics: the connection is lost
  // Tells the views what has changed.
  void refresh();

  [[nodiscard]] const std::vector<SiteRow>& rows() const { return rows_; }
  // How many sites have this state.
  [[nodiscard]] int count(SiteState state) const;
  static QString words_of(SiteState state);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
  }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : column_count;
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  struct Sample {
    double time_s = 0;
    double lost = 0, resent = 0, refused = 0, resent_bytes = 0;
  };
  void take(std::size_t row, const Figures<SiteStats>& figures);
  [[nodiscard]] SiteState state_of(const SiteRow& row) const;
  [[nodiscard]] QString text_of(const SiteRow& row, int column) const;

  std::vector<SiteRow> rows_;
  std::vector<std::deque<Sample>> samples_;  // of each row, the oldest first
  double time_s_ = 0;
  bool playing_ = false;
};

}  // namespace lw
