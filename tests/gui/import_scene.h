// For tests of imports: media on this host, and a server that names its wall file, its folders and its media.
#pragma once

#include "tests/gui/scripted_server.h"
#include "wall-control/app/main_window.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QTemporaryDir>

namespace lw::test {

inline constexpr const char* two_tiles_file = R"(
[wall]
name = "two"
columns = 2
rows = 1
tile_width = 64
tile_height = 40
frame_rate = 30
[[node]]
name = "one"
address = "127.0.0.1"
tiles = [{ column = 0, row = 0 }, { column = 1, row = 0 }]
[[server]]
name = "s"
)";

// A wall file, a content folder, and two folders of images.
inline QStringList make_films(const QTemporaryDir& folder) {
  QFile wall(folder.filePath("wall.toml"));
  QStringList films;
  if (!wall.open(QIODevice::WriteOnly)) return films;
  wall.write(two_tiles_file);
  for (const auto* name : {"content", "one", "two"}) QDir(folder.path()).mkdir(name);
  QImage image(256, 80, QImage::Format_RGB32);
  image.fill(Qt::red);
  for (const auto* name : {"one", "two"}) {
    for (int i = 0; i < 10; ++i) image.save(folder.filePath(QString("%1/f%2.png").arg(name).arg(i)));
    films << folder.filePath(name);
  }
  return films;
}

inline QJsonObject folder_message(const QString& directory, bool content, bool usual, double free_bytes) {
  return {
      {"directory", directory}, {"content", content}, {"usual", usual}, {"free_bytes", free_bytes}, {"bytes", 2e12}};
}

// To a server on this host that imports from these directories, into these folders.
inline void reconnect(ScriptedServer& server, MainWindow& window, const std::string& host, const QStringList& from,
                      const QJsonArray& folders, const QString& wall, const QStringList& inputs = {},
                      const QJsonArray& methods = {"info", "import.places", "import.probe"}) {
  auto info = server.results["info"];
  info["host"] = QString::fromStdString(host);
  if (!from.isEmpty()) info["import_from"] = QJsonArray::fromStringList(from);
  info["you"] = QJsonObject{{"name", "desk"}, {"role", "administer"}};
  info["methods"] = methods;
  server.results["info"] = info;
  server.results["import.places"] = {{"wall_file", wall}, {"folders", folders}};
  if (!inputs.isEmpty()) server.results["import.places"]["inputs"] = QJsonArray::fromStringList(inputs);
  server.calls.clear();
  window.connect_to(server.address());
  QVERIFY(server.was_asked("list"));
  QTRY_COMPARE(window.link().state(), ControlLink::State::ready);
}

}  // namespace lw::test
