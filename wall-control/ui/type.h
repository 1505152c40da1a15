// The sizes of text, all relative to the application's font, so that they follow Ctrl+= and Ctrl+-. GUI thread.
#pragma once

#include <QFont>
#include <QString>
#include <QStringList>

class QPainter;
class QRectF;

namespace lw::type {

inline constexpr double body_px = 13;  // of the application's font at its usual size

// 11 axis and context, 12 tables, 13 body, 14 panel titles, 16 inspector, 19 the answer, 20 figures.
QFont sized(double px, bool strong = false);
// A length that grows with the text.
int scaled(double px);

// Draws the text with each digit in a cell as wide as the widest one, so that a changing figure does not move: Inter's
// digits differ in width, and Qt 6.4 cannot request its tabular ones. Aligned as `alignment` says; returns the width.
double paint_figure(QPainter& painter, const QRectF& place, int alignment, const QString& text);
double figure_width(const QFont& font, const QString& text);

// The first of the texts that fits, or else the last one with an ellipsis.
QString fitting(const QFont& font, const QStringList& texts, int width);

}  // namespace lw::type
