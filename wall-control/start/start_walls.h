// The walls that the start page offers: saved, recent, and found on this network, each with what its server answers
// when it is asked. Asks only while it is watched.
#pragma once

#include "wall-control/connections/connection.h"
#include "wall-control/connections/discovery.h"
#include "wall-control/link/wall_inquiry.h"

#include <QTimer>

#include <map>
#include <optional>
#include <vector>

namespace lw {

struct StartWall {
  QString name, address;
  int columns = 0, rows = 0;  // 0: not known
  qint64 pixels = 0;
  std::optional<WallAnswer> answer;  // empty: it is being asked
};

// "sara-hub.lab:9010 · 15 tiles, 61 megapixels"
QString details_of(const StartWall& wall);

class StartWalls : public QObject {
  Q_OBJECT

public:
  static constexpr std::size_t walls_max = 32;

  // Both must outlive this.
  StartWalls(const Connection& connection, const Discovery& discovery, QObject* parent = nullptr);

  [[nodiscard]] const std::vector<StartWall>& all() const { return walls_; }
  void set_watched(bool watched);
  void ask_again();

signals:
  void changed();

private:
  void collect();
  void add(const StartWall& wall);
  void ask(const QString& address);
  void take(const QString& address, const WallAnswer& answer);

  const Connection& connection_;
  const Discovery& discovery_;
  std::vector<StartWall> walls_;
  std::map<QString, WallInquiry*> asked_;  // by address
  QTimer again_;
  bool watched_ = false;
};

}  // namespace lw
