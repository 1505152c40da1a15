// One problem in a few lines, with what can be done about it. A click selects the part of the wall that it is about.
#pragma once

#include "wall-control/models/problems.h"

#include <QWidget>

class QPushButton;

namespace lw {

class StateMark;
class TextLabel;

class ProblemCard : public QWidget {
  Q_OBJECT

public:
  explicit ProblemCard(QWidget* parent = nullptr);

  // `brief`: its cause in a few words; `minute`: of its figure.
  void show_problem(const Problem& problem, const QString& brief, std::vector<float> minute, bool selected);
  [[nodiscard]] const Problem& problem() const { return problem_; }

signals:
  void chosen();
  void hosts_wanted();

protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

private:
  Problem problem_;
  std::vector<float> minute_;
  bool selected_ = false;
  StateMark* mark_;
  TextLabel* name_;
  TextLabel* what_;
  TextLabel* context_;
  TextLabel* brief_;
  QWidget* actions_;
  QPushButton* hosts_;
  QPushButton* select_;
};

}  // namespace lw
