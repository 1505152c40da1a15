// How often sizes occur: a column for each class of sizes. The classes grow by powers of two, 1, 2, 3-4, 5-8 and so on,
// because bursts differ by much. Beside it, framed, the column of what they are compared with. Without antialiasing.
// GUI thread.
#pragma once

#include <QWidget>

#include <optional>
#include <vector>

namespace lw {

class Histogram : public QWidget {
  Q_OBJECT

public:
  static constexpr int classes_max = 16;  // the last one has everything above

  explicit Histogram(QWidget* parent = nullptr);

  struct Titles {
    QString sizes;   // below the axis: "Packets lost in a burst"
    QString counts;  // above: "Bursts"
  };
  struct Compared {
    QString own_name, name;  // of the sizes themselves: "6 min"; of these: "6 min before"
    std::vector<double> sizes;
  };
  void set(const Titles& titles, const std::vector<double>& sizes, const std::optional<Compared>& compared = {});
  // From the first class to the last one that has any.
  [[nodiscard]] const std::vector<qint64>& counts() const { return counts_; }
  // Of the same classes; empty if nothing is compared.
  [[nodiscard]] const std::vector<qint64>& compared_counts() const { return compared_; }
  [[nodiscard]] static int class_of(double size);
  [[nodiscard]] static QString name_of(int size_class);  // "3–4"
  [[nodiscard]] QString text_at(QPointF place) const;

  [[nodiscard]] QSize minimumSizeHint() const override { return {220, 110}; }

protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

private:
  [[nodiscard]] QRect area() const;
  [[nodiscard]] QRect column(int size_class) const;
  [[nodiscard]] QString words_of(int size_class) const;
  void draw_axis(QPainter& painter, double top) const;
  void draw_legend(QPainter& painter) const;

  Titles titles_;
  QString own_name_, compared_name_;
  std::vector<qint64> counts_, compared_;
};

}  // namespace lw
