// The other places that show the wall: a table of sites and their nodes, as far as the server's senders know them.
#pragma once

#include "wall-control/models/site_model.h"
#include "wall-control/ui/slow_refresh.h"

#include <QWidget>

class QLabel;
class QTableView;

namespace lw {

class SitesPage : public QWidget {
  Q_OBJECT

public:
  explicit SitesPage(QWidget* parent = nullptr);

  void set_wall(const WallInfo& wall);
  void set_playing(bool playing) { sites_.set_playing(playing); }
  void take(const Stats& stats) { sites_.add(stats); }
  void take_gap() { sites_.add_gap(); }
  // Shows what came.
  void refresh() { shown_.ask(); }
  [[nodiscard]] const SiteModel& table() const { return sites_; }

signals:
  // What the tab of this page says.
  void titled(const QString& title);

private:
  void make_table();
  void show_sites();

  SiteModel sites_;
  QLabel* summary_ = nullptr;
  QTableView* rows_ = nullptr;
  SlowRefresh shown_{[this] { show_sites(); }};
};

}  // namespace lw
