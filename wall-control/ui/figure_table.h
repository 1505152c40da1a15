// A dense table of figures: numbers with digits of equal width, sparklines, rows of one height, and Ctrl+C, which
// copies the selected rows with their headings as tab-separated text.
#pragma once

#include <QTableView>

#include <vector>

namespace lw {

class FigureTable : public QTableView {
  Q_OBJECT

public:
  // Roles that columns may have beside Qt's own.
  static constexpr int spark_role = Qt::UserRole + 10;   // QList<float>; not measured: not a number
  static constexpr int pen_role = Qt::UserRole + 11;     // QPen, drawn before the text
  static constexpr int strong_role = Qt::UserRole + 12;  // bool

  explicit FigureTable(QWidget* parent = nullptr);

  // In pixels at the usual text size. Negative: at least that, and takes what is left.
  void set_widths(const std::vector<int>& widths);
  // Hidden, in this order, if there is no room for all.
  void set_spare(const std::vector<int>& columns);
  [[nodiscard]] QString selected_as_text() const;

protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  void fit();

  std::vector<int> widths_, spare_;
};

}  // namespace lw
