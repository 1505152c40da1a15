#include "wall-control/ui/two_lines.h"

#include <QFontMetrics>
#include <QPainter>
#include <QTextLayout>
#include <QTextOption>

namespace lw {
namespace {

// Calls `each` with the number of the line and its text.
template <class Each>
int break_lines(const QFont& font, const QString& text, int width, int lines_max, const Each& each) {
  const QFontMetrics metrics(font);
  QTextLayout layout(text, font);
  QTextOption option;
  option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  layout.setTextOption(option);
  layout.beginLayout();
  int number = 0;
  while (number < lines_max) {
    auto line = layout.createLine();
    if (!line.isValid()) break;
    line.setLineWidth(width);
    const bool last = number + 1 == lines_max;
    each(number, last ? metrics.elidedText(text.mid(line.textStart()), Qt::ElideRight, width)
                      : text.mid(line.textStart(), line.textLength()).trimmed());
    ++number;
  }
  layout.endLayout();
  return number;
}

}  // namespace

int draw_lines(QPainter& painter, const QRect& place, const QString& text, int lines_max) {
  const int height = painter.fontMetrics().height();
  return break_lines(painter.font(), text, place.width(), lines_max, [&](int number, const QString& line) {
    painter.drawText(QRect(place.left(), place.top() + number * height, place.width(), height),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, line);
  });
}

int lines_of(const QFont& font, const QString& text, int width, int lines_max) {
  return break_lines(font, text, width, lines_max, [](int, const QString&) {});
}

}  // namespace lw
