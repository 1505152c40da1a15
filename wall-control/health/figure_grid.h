// Names and values in two columns.
#pragma once

#include <QWidget>

#include <vector>

namespace lw {

class FigureGrid : public QWidget {
  Q_OBJECT

public:
  struct Pair {
    QString name, value;  // no value: not measured
    QString definition;
    bool bad = false;
  };
  explicit FigureGrid(QWidget* parent = nullptr);

  void show_pairs(std::vector<Pair> pairs);
  [[nodiscard]] const std::vector<Pair>& pairs() const { return pairs_; }

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

private:
  [[nodiscard]] QRect place_of(std::size_t pair) const;

  std::vector<Pair> pairs_;
};

}  // namespace lw
