// Where the wall is in what plays: time, length, frame. Parts without room are skipped.
#pragma once

#include <QWidget>

namespace lw {

class PositionText : public QWidget {
  Q_OBJECT

public:
  explicit PositionText(QWidget* parent = nullptr);

  struct Words {
    QString time, length, frame;
    QString warning;  // tiles are apart
    bool operator==(const Words&) const = default;
  };
  void show_words(const Words& words);
  [[nodiscard]] const Words& words() const { return words_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  Words words_;
};

}  // namespace lw
