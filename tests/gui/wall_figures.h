// Made-up walls and figures in the server's form, for tests of the views.
#pragma once

#include <QDateTime>
#include <QJsonArray>
#include <QJsonObject>

namespace lw {

inline const qint64 figures_begin_ms =
    QDateTime::fromString("2026-01-31T12:00:00.000Z", Qt::ISODateWithMs).toMSecsSinceEpoch();

inline QJsonObject wall_info(int columns, int rows, int flows_per_tile) {
  QJsonArray flows;
  QJsonArray tiles;
  for (int tile = 0; tile < columns * rows; ++tile) {
    const QJsonArray place{tile % columns, tile / columns};
    tiles << place;
    for (int band = 0; band < flows_per_tile; ++band)
      flows << QJsonObject{{"flow", flows_per_tile * tile + band},
                           {"tile", place},
                           {"node", "one"},
                           {"first_row", 400 / flows_per_tile * band},
                           {"rows", 400 / flows_per_tile},
                           {"port", 50'000 + 2 * (flows_per_tile * tile + band)}};
  }
  return {{"program", "wall-server"},
          {"version", "0"},
          {"protocol", 1},
          {"host", "gpu1"},
          {"wall", QJsonObject{{"name", "test wall"},
                               {"columns", columns},
                               {"rows", rows},
                               {"tile_width", 640},
                               {"tile_height", 400},
                               {"flows_per_tile", flows_per_tile},
                               {"playout_delay_ms", 80},
                               {"nodes", QJsonArray{QJsonObject{{"name", "one"}, {"tiles", tiles}}}},
                               {"flows", flows}}}};
}

inline QString time_of_tenth(qint64 tenth) {
  return QDateTime::fromMSecsSinceEpoch(figures_begin_ms + 100 * tenth, Qt::UTC).toString(Qt::ISODateWithMs);
}

// Flow f has f Mbit/s more and f us more jitter than the first; `bad` loses `lost` packets in total.
inline QJsonObject wall_stats(const QJsonObject& info, qint64 tenth, int bad = -1, qint64 lost = 0) {
  const auto wall = info["wall"].toObject();
  QJsonArray flows;
  QJsonArray tiles;
  for (const auto& entry : wall["flows"].toArray()) {
    const int flow = entry.toObject()["flow"].toInt();
    flows << QJsonObject{
        {"flow", flow},   {"receiving", true}, {"packets", 1000 * tenth},          {"lost", flow == bad ? lost : 0},
        {"reordered", 0}, {"late", 0},         {"gbit_per_s", 0.2 + 0.001 * flow}, {"jitter_us", 20.0 + flow}};
  }
  for (const auto place : wall["nodes"].toArray()[0].toObject()["tiles"].toArray())
    tiles << QJsonObject{
        {"tile", place},        {"frame", tenth}, {"fps", 30.0}, {"frames_due", 3 * tenth}, {"shown_whole", 3 * tenth},
        {"shown_concealed", 0}, {"not_shown", 0}, {"late", 0},   {"lateness_us_p99", 200.0}};
  return {{"time", time_of_tenth(tenth)},
          {"interval_s", 0.1},
          {"wall",
           QJsonObject{
               {"skew_us_p50", 50.0}, {"skew_us_p99", 900.0}, {"skew_error_us", 120.0}, {"playout_delay_us", 80000.0}}},
          {"sender", QJsonArray{}},
          {"nodes",
           QJsonArray{QJsonObject{
               {"node", "one"}, {"connected", true}, {"report", QJsonObject{{"flows", flows}, {"tiles", tiles}}}}}}};
}

}  // namespace lw
