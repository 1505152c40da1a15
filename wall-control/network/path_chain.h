// The way of one flow as a row of stations, with the state, the name and the evidence of each; in a narrow place as two
// rows. GUI thread.
#pragma once

#include "wall-control/models/flow_paths.h"

#include <QWidget>

#include <optional>

namespace lw {

class PathChain : public QWidget {
  Q_OBJECT

public:
  explicit PathChain(QWidget* parent = nullptr);

  void show_path(const FlowPath& path);
  [[nodiscard]] const std::optional<FlowPath>& path() const { return path_; }
  // All of it as a text.
  [[nodiscard]] QString words() const;

  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override { return {600, heightForWidth(600)}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {300, 80}; }

protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  [[nodiscard]] int columns_at(int width) const;
  [[nodiscard]] int station_height(const HopFacts& hop, int width) const;
  [[nodiscard]] int row_height(int row, int columns, int width) const;
  void paint_station(QPainter& painter, Hop hop, const QRect& place, bool last) const;

  std::optional<FlowPath> path_;
};

}  // namespace lw
