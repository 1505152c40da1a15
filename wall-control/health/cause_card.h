// The likely cause of a fault, with its evidence and the way out.
#pragma once

#include "wall-control/models/causes.h"

#include <QWidget>

#include <vector>

class QPushButton;
class QVBoxLayout;

namespace lw {

class StateMark;
class TextLabel;

class CauseCard : public QWidget {
  Q_OBJECT

public:
  explicit CauseCard(QWidget* parent = nullptr);

  // `state`: of what the cause explains. Hides itself if nothing is wrong.
  void show_cause(const Cause& cause, State state);
  [[nodiscard]] const Cause& cause() const { return cause_; }

signals:
  void hosts_wanted(const QString& host);
  void move_wanted(const QString& host, const std::vector<int>& flows);

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  void show_evidence();

  struct Line {
    QWidget* row = nullptr;
    StateMark* shape = nullptr;
    TextLabel* text = nullptr;
  };
  Cause cause_;
  State state_ = State::ok;
  TextLabel* title_;
  TextLabel* text_;
  QVBoxLayout* evidence_;
  std::vector<Line> lines_;
  QPushButton* move_;
  QPushButton* hosts_;
};

}  // namespace lw
