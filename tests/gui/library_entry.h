// A visualization as a scripted server lists it.
#pragma once

#include <QJsonArray>
#include <QJsonObject>

namespace lw::test {

inline QJsonObject visualization(const QString& name, const QStringList& tags, double gbit, double bytes, int day) {
  return {{"name", name},
          {"title", "The " + name},
          {"description", "About " + name},
          {"tags", QJsonArray::fromStringList(tags)},
          {"columns", 2},
          {"rows", 1},
          {"tile_width", 640},
          {"tile_height", 400},
          {"pixel_format", "rgb8"},
          {"frame_rate", "30"},
          {"frames", 300},
          {"bytes", bytes},
          {"gbit_per_s", gbit},
          {"poster", true},
          {"thumbnails", 4},
          {"made", QString("2026-01-%1T12:00:00.000Z").arg(day, 2, 10, QChar('0'))},
          {"fits", name != "narrow"},
          {"reason", name != "narrow" ? "" : "made for another wall"}};
}

}  // namespace lw::test
