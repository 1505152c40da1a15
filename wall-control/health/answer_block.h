// The wall's answer in words, always in the same place and size, with what to do about it.
#pragma once

#include "wall-control/models/health.h"

#include <QWidget>

class QPushButton;

namespace lw {

class AnswerBlock : public QWidget {
  Q_OBJECT

public:
  explicit AnswerBlock(QWidget* parent = nullptr);

  enum class Offer : unsigned char { nothing, cause, connection };
  struct Content {
    Answer answer;
    QStringList details;  // the longest first
    QString more;
    Offer offer = Offer::nothing;
    bool acknowledge = false;
  };
  void show_content(const Content& content);

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

signals:
  void show_cause();
  void acknowledge();
  void try_now();

protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  void place_buttons();
  [[nodiscard]] int text_width() const;

  Content content_;
  QPushButton* cause_;
  QPushButton* acknowledge_;
  QPushButton* try_now_;
};

}  // namespace lw
