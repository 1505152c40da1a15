// A text in one of the sizes of type.h and in one of the theme's colours for texts. Follows theme and text size, which
// a font that is set on a label does not under a style sheet.
#pragma once

#include <QLabel>

namespace lw {

enum class Tone : unsigned char { text, text2, text3 };

class TextLabel : public QLabel {
public:
  TextLabel(const QString& text, double px, Tone tone = Tone::text, bool strong = false, QWidget* parent = nullptr);
  // An empty one that wraps at whatever width it gets, and asks for one line: where others decide how wide it is.
  static TextLabel* wrapping(double px, Tone tone = Tone::text, bool strong = false);

  void set_tone(Tone tone);

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] int heightForWidth(int width) const override;

protected:
  void changeEvent(QEvent* event) override;

private:
  void restyle();

  double px_;
  Tone tone_;
  bool strong_;
  bool wraps_at_any_width_ = false;
};

}  // namespace lw
