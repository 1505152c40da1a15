// A box of the start page; of the one that takes files the outline is dashed.
#pragma once

#include <QWidget>

namespace lw {

class Card : public QWidget {
public:
  explicit Card(bool takes_files = false, QWidget* parent = nullptr);

  void set_marked(bool marked);  // files are over it

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  bool takes_files_;
  bool marked_ = false;
};

// A line across.
class Rule : public QWidget {
public:
  explicit Rule(QWidget* parent = nullptr);

protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace lw
