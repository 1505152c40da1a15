// What charts, heat map, tables and distribution of all panels share: the one time, the one selection, what is drawn
// over the charts, and what the operator chose to look at. The window owns one; panels only look at it. GUI thread.
#pragma once

#include "wall-control/models/bursts.h"
#include "wall-control/models/flow_paths.h"
#include "wall-control/models/flow_table_model.h"
#include "wall-control/models/focus.h"
#include "wall-control/models/time_window.h"
#include "wall-control/plots/heat_map.h"
#include "wall-control/plots/plot_notes.h"
#include "wall-control/plots/time_plot.h"

#include <QObject>

namespace lw {

// Models that explain the figures of a flow. All must outlive the models that use it.
struct FlowEvidence {
  FlowPaths& paths;
  const Bursts& bursts;
  const Causes& causes;
};

class NetworkModels : public QObject {
  Q_OBJECT

public:
  // `history` must outlive this. Without evidence, paths and bursts are not measured.
  explicit NetworkModels(const FlowHistory& history, std::optional<FlowEvidence> evidence = {},
                         QObject* parent = nullptr);

  [[nodiscard]] const FlowHistory& history() const { return history_; }
  [[nodiscard]] TimeWindow& window() { return window_; }
  [[nodiscard]] Focus& focus() { return focus_; }
  [[nodiscard]] PlotNotes& notes() { return notes_; }
  [[nodiscard]] FlowTableModel& flows() { return flows_; }
  [[nodiscard]] const std::optional<FlowEvidence>& evidence() const { return evidence_; }
  [[nodiscard]] PlotSource source() { return {history_, window_, focus_, &notes_}; }
  [[nodiscard]] const QString& wall_name() const { return wall_name_; }

  // The history is of another wall.
  void set_wall(const QString& name);
  // Starts afresh: live, the entire wall.
  void forget();
  // After the history received new figures.
  void refresh() { emit refreshed(); }

  // The quantity that heat map, table and distribution show.
  [[nodiscard]] Quantity quantity() const { return quantity_; }
  void set_quantity(Quantity quantity);
  [[nodiscard]] Rows rows() const { return rows_; }
  void set_rows(Rows rows);
  // With the same length of time before the chosen one.
  [[nodiscard]] bool compares() const { return compares_; }
  void set_compares(bool compares);

  // For people: "in the last 1 min".
  [[nodiscard]] QString chosen_time_words() const;
  // Backspace in a view goes one part up.
  void add_up_key(QWidget& view);

  // The marked range, in ms since 1970.
  [[nodiscard]] std::optional<std::pair<qint64, qint64>> marked_times() const;
  void point_to(qint64 time_ms);

signals:
  void refreshed();
  void wall_changed();
  void choice_changed();

private:
  const FlowHistory& history_;
  std::optional<FlowEvidence> evidence_;
  TimeWindow window_{history_.times()};
  Focus focus_{history_};
  PlotNotes notes_;
  FlowTableModel flows_{history_};
  QString wall_name_;
  Quantity quantity_ = Quantity::jitter;
  Rows rows_ = Rows::flows;
  bool compares_ = false;
};

}  // namespace lw
