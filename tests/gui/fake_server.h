// A server of a wall of 2 x 2 tiles with two visualizations, and the messages of wall-server about such a wall.
#pragma once

#include "tests/gui/scripted_server.h"

#include <QJsonArray>
#include <QJsonObject>

namespace lw {

inline QJsonObject info(int protocol) {
  QJsonArray flows;
  QJsonArray tiles;
  for (int tile = 0; tile < 4; ++tile) {
    flows << QJsonObject{{"flow", tile},  {"tile", QJsonArray{tile % 2, tile / 2}},
                         {"node", "one"}, {"first_row", 0},
                         {"rows", 400},   {"port", 50000 + 2 * tile}};
    tiles << QJsonArray{tile % 2, tile / 2};
  }
  return {{"program", "wall-server"},
          {"version", "0"},
          {"protocol", protocol},
          {"host", "test"},
          {"wall", QJsonObject{{"name", "test wall"},
                               {"columns", 2},
                               {"rows", 2},
                               {"tile_width", 640},
                               {"tile_height", 400},
                               {"bezel_x", 16},
                               {"bezel_y", 16},
                               {"flows_per_tile", 1},
                               {"playout_delay_ms", 80},
                               {"nodes", QJsonArray{QJsonObject{{"name", "one"}, {"tiles", tiles}}}},
                               {"flows", flows}}}};
}

inline QJsonObject visualization(const QString& name, bool fits) {
  return {{"name", name},
          {"title", "Title of " + name},
          {"tags", QJsonArray{"tag"}},
          {"columns", 2},
          {"rows", 2},
          {"tile_width", 640},
          {"tile_height", 400},
          {"pixel_format", "rgb8"},
          {"frame_rate", "30"},
          {"frames", 90},
          {"gbit_per_s", 0.74},
          {"poster", false},
          {"fits", fits},
          {"reason", fits ? "" : "made for another wall"}};
}

inline QJsonObject stats(qint64 packets, qint64 lost) {
  QJsonArray flows;
  QJsonArray tiles;
  for (int tile = 0; tile < 4; ++tile) {
    flows << QJsonObject{{"flow", tile},
                         {"receiving", true},
                         {"packets", packets},
                         {"lost", tile == 2 ? lost : 0},
                         {"gbit_per_s", 0.18 + tile * 0.01},
                         {"jitter_us", 20.0 + tile}};
    tiles << QJsonObject{{"tile", QJsonArray{tile % 2, tile / 2}},
                         {"frame", 17},
                         {"fps", 30.0},
                         {"frames_due", 100},
                         {"shown_whole", 100},
                         {"shown_concealed", 0},
                         {"not_shown", 0},
                         {"late", 0}};
  }
  return {{"interval_s", 0.1},
          {"sender", QJsonArray{}},
          {"nodes",
           QJsonArray{QJsonObject{
               {"node", "one"}, {"connected", true}, {"report", QJsonObject{{"flows", flows}, {"tiles", tiles}}}}}}};
}

class FakeServer : public test::ScriptedServer {
public:
  explicit FakeServer(int protocol = 1) {
    results["info"] = info(protocol);
    results["list"] = {{"visualizations", QJsonArray{visualization("alpha", true), visualization("beta", false)}}};
  }
};

inline const QJsonObject playing_state{{"status", "playing"}, {"name", "alpha"}, {"frame", 17}, {"frames", 90},
                                       {"frame_rate", "30"},  {"rate", 1.0},     {"loop", true}};

}  // namespace lw
