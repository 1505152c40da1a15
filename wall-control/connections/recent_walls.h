// The walls that this program was connected to, the newest first, kept in its settings: without names that an operator
// gave them and without tokens, which are those of Profiles.
#pragma once

#include <QString>

#include <vector>

namespace lw {

struct RecentWall {
  QString address;  // HOST:PORT
  QString name;     // in the wall file
  int columns = 0, rows = 0;
  qint64 pixels = 0;

  bool operator==(const RecentWall&) const = default;
};

class RecentWalls {
public:
  static constexpr std::size_t walls_max = 8;

  // As saved. Invalid walls in the settings are skipped.
  RecentWalls();

  [[nodiscard]] const std::vector<RecentWall>& all() const { return walls_; }
  // Was connected just now.
  void add(const RecentWall& wall);
  void remove(const QString& address);

private:
  void save() const;

  std::vector<RecentWall> walls_;
};

}  // namespace lw
