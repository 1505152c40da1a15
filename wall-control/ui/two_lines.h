// A text in a few lines, the last of which is shortened with an ellipsis where it has no room.
#pragma once

class QFont;
class QPainter;
class QRect;
class QString;

namespace lw {

// With the painter's font and pen, from the top left. Returns the number of lines used.
int draw_lines(QPainter& painter, const QRect& place, const QString& text, int lines_max);
// How many lines the text would use.
int lines_of(const QFont& font, const QString& text, int width, int lines_max);

}  // namespace lw
