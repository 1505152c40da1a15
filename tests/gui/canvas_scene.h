// The canvas alone, with the figures and previews of a wall of any size: for its tests.
#pragma once

#include "tests/gui/as_read.h"
#include "tests/gui/large_wall.h"
#include "tests/gui/picture.h"
#include "wall-control/wallview/problem_strip.h"
#include "wall-control/wallview/wall_view.h"

#include <QBoxLayout>

#include <cmath>
#include <map>

namespace lw::test {

enum class Fault : unsigned char { none, frames, silent };
using Faults = std::map<std::pair<int, int>, Fault>;  // by column and row

// Nodes of `node_columns` x `node_rows` tiles, one flow each.
inline QJsonObject wall_of(int columns, int rows, int node_columns, int node_rows) {
  QJsonArray flows, nodes;
  std::map<QString, QJsonArray> tiles;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const auto node =
          QString("render-%1").arg(row / node_rows * (columns / node_columns) + column / node_columns + 1);
      const QJsonArray place{column, row};
      tiles[node] << place;
      flows << QJsonObject{{"flow", flows.size()}, {"tile", place}, {"node", node},
                           {"first_row", 0},       {"rows", 1600},  {"port", 50'000 + 2 * flows.size() % 10'000}};
    }
  for (const auto& [name, own] : tiles) nodes << QJsonObject{{"name", name}, {"tiles", own}};
  return {{"protocol", 1},
          {"wall", QJsonObject{{"name", "canvas"},
                               {"columns", columns},
                               {"rows", rows},
                               {"tile_width", 2560},
                               {"tile_height", 1600},
                               {"bezel_x", 90},
                               {"bezel_y", 90},
                               {"flows_per_tile", 1},
                               {"playout_delay_ms", 80},
                               {"nodes", nodes},
                               {"flows", flows}}}};
}

inline QJsonObject stats_of(const QJsonObject& wall, const Faults& faults, int tenth) {
  QJsonArray nodes;
  std::map<QString, QJsonArray> flows_of;
  for (const auto flow : wall["wall"].toObject()["flows"].toArray())
    flows_of[flow.toObject()["node"].toString()]
        << QJsonObject{{"flow", flow.toObject()["flow"]}, {"receiving", true}, {"packets", 100 * tenth}};
  for (const auto node : wall["wall"].toObject()["nodes"].toArray()) {
    QJsonArray tiles;
    bool silent = false;
    for (const auto place : node.toObject()["tiles"].toArray()) {
      const std::pair at{place.toArray()[0].toInt(), place.toArray()[1].toInt()};
      const auto found = faults.find(at);
      const auto fault = found == faults.end() ? Fault::none : found->second;
      silent |= fault == Fault::silent;
      const int concealed = fault == Fault::frames ? tenth * (1 + at.first % 3) : 0;
      tiles << QJsonObject{{"tile", place},
                           {"frame", 1960 + tenth},
                           {"fps", 24.0},
                           {"frames_due", 100 + 10 * tenth},
                           {"shown_whole", 100 + 10 * tenth - concealed},
                           {"shown_concealed", concealed},
                           {"not_shown", 0},
                           {"late", 0},
                           {"lateness_us_p99", 1400.0}};
    }
    QJsonObject entry{{"node", node.toObject()["name"]}, {"connected", !silent}, {"age_s", 0.05}};
    if (!silent)
      entry["report"] = QJsonObject{{"flows", flows_of[node.toObject()["name"].toString()]}, {"tiles", tiles}};
    nodes << entry;
  }
  return {{"interval_s", 0.1}, {"nodes", nodes}};
}

// A part of one image across the wall.
inline QImage preview_of(int columns, int rows, int column, int row) {
  const int scale = columns * rows > 64 ? 4 : 1;  // of a large wall in a fraction of the time
  QImage image(192 / scale, 120 / scale, QImage::Format_RGB32);
  for (int y = 0; y < image.height(); ++y) {
    auto* pixels = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < image.width(); ++x) {
      const double u = (column + static_cast<double>(x) / image.width()) / columns;
      const double v = (row + static_cast<double>(y) / image.height()) / rows;
      const double wave = std::sin(14 * u + 5 * std::sin(6 * v)) * std::sin(11 * v + 4 * std::cos(5 * u));
      const double glow = std::pow(std::abs(wave), 6.0);
      const auto level = [](double share) { return static_cast<int>(255 * share); };
      pixels[x] = qRgb(level(0.05 + 0.9 * glow), level(0.08 + 0.55 * glow), level(0.16 + 0.25 * std::abs(wave)));
    }
  }
  return scale == 1 ? image : image.scaled(192, 120, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
}

struct Scene {
  int columns, rows;
  QJsonObject info;
  FlowHistory history;
  WallStatus status;
  Health health{history, status};
  Focus focus{history};
  TilePreviews previews;
  QWidget window;
  WallView* view = nullptr;
  ProblemStrip* strip = nullptr;

  Scene(int columns_, int rows_, int node_columns, int node_rows, QSize size, const Faults& faults = {})
      : Scene(wall_of(columns_, rows_, node_columns, node_rows), columns_, rows_, size, faults) {}
  Scene(const QJsonObject& of_wall, int columns_, int rows_, QSize size, const Faults& faults)
      : columns(columns_), rows(rows_), info(of_wall) {
    const auto wall = read_info(info).wall;
    history.set_wall(wall);
    status.set_wall(wall);
    take(faults);
    view = new WallView(history, status, health, focus, previews);
    strip = new ProblemStrip(*view, previews, focus);
    auto* layout = new QVBoxLayout(&window);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(view, 1);
    layout->addWidget(strip);
    window.resize(size);
    window.show();
    view->set_wall(wall);
    QCoreApplication::processEvents();
    send_previews();
  }
  // Nodes send them all the time: old ones are not shown.
  void send_previews() {
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column)
        previews.add({column, row, preview_of(columns, rows, column, row)});
  }
  void take(const Faults& faults) {
    for (int tenth = 0; tenth < 25; ++tenth) {
      const auto stats = stats_from(stats_of(info, faults, tenth)).value();
      history.add(stats);
      status.add(stats);
      health.step({});
    }
  }
  // The strip may have appeared, and previews are scaled elsewhere.
  void settle() {
    send_previews();
    QTest::qWait(600);
  }
  [[nodiscard]] QImage grab() const { return view->grab().toImage(); }
  void save(const QString& name) {
    settle();
    QVERIFY(window.grab().save(test::picture("canvas-" + name + ".png")));
  }
};

inline Faults incident() { return {{{3, 1}, Fault::frames}, {{1, 2}, Fault::frames}, {{4, 0}, Fault::silent}}; }

inline Faults large_incident() {
  Faults faults;
  for (const auto& [column, row] : {std::pair{16, 6}, {17, 6}, {18, 6}, {19, 6}, {17, 7}, {18, 7}, {27, 11}})
    faults[{column, row}] = Fault::frames;
  faults[{5, 12}] = Fault::silent;
  return faults;
}

}  // namespace lw::test
