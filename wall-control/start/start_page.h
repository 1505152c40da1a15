// What the window shows while no wall is connected: the walls that are known or found on this network, a field for an
// address, the demo wall, a place for videos, and whether this computer is ready.
#pragma once

#include "wall-control/start/demo_wall.h"
#include "wall-control/start/start_walls.h"

#include <QScrollArea>

class QBoxLayout;
class QCheckBox;
class QLabel;
class QLineEdit;

namespace lw {

class Card;
class ComputerStrip;
class StartRow;

class StartPage : public QScrollArea {
  Q_OBJECT

public:
  // All must outlive this.
  StartPage(Connection& connection, Discovery& discovery, DemoWall& demo, QWidget* parent = nullptr);

  // As the operator chose in the check box.
  static bool wanted();
  // The window is about to close. False while the demo wall runs: asks whether to end it, and then closes the window.
  bool may_close();

signals:
  // Dropped, or chosen: videos, or folders of images.
  void files_dropped(const QStringList& paths);
  void guide_wanted();
  void session_wanted();
  void keys_wanted();

protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;

private:
  QWidget* make_walls();
  QWidget* make_address();
  QWidget* make_drop();
  QLayout* make_links();
  void show_walls();
  void connect_to_typed();
  void follow_link();
  void show_problem(const QString& words);
  void choose_files();

  Connection& connection_;
  Discovery& discovery_;
  DemoWall& demo_;
  StartWalls walls_;
  QBoxLayout* rows_layout_ = nullptr;
  std::vector<StartRow*> rows_;
  QLabel* looking_ = nullptr;
  QLabel* none_ = nullptr;
  QLineEdit* address_ = nullptr;
  QLabel* hint_ = nullptr;
  QLabel* problem_ = nullptr;
  Card* drop_ = nullptr;
  ComputerStrip* computer_ = nullptr;
  QTimer check_;
  bool typed_ = false;  // the newest attempt is that of the field
};

}  // namespace lw
