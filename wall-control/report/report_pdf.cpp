#include "wall-control/report/report_pdf.h"

#include "wall-control/ui/palette.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QTextLayout>

#include <algorithm>

namespace lw {
namespace {

using Kind = ReportBlock::Kind;

constexpr int resolution = 600;  // dots per inch
// Everything is laid out in pixels of which a page has as many as a drawing is wide.
constexpr double page_width = 900, mm_wide = 178, mm_margin = 16;
constexpr double page_height = page_width / mm_wide * (297 - 2 * mm_margin - 8);
constexpr double block_gap = 10, row_height = 22, cell_margin = 8;

// The height that a text of this font needs, and draws it unless there is no painter.
double lay_text(QPainter* painter, const QString& text, const QFont& font, double top, double width = page_width,
                double left = 0) {
  QTextLayout layout(text, font);
  double height = 0;
  layout.beginLayout();
  for (auto line = layout.createLine(); line.isValid(); line = layout.createLine()) {
    line.setLineWidth(width);
    line.setPosition(QPointF(0, height));
    height += line.height();
  }
  layout.endLayout();
  if (painter != nullptr) layout.draw(painter, QPointF(left, top));
  return height;
}

// As wide as their contents; the last column of texts takes what is left, and wraps.
std::vector<double> column_widths(const ReportBlock& block) {
  const QFontMetricsF strong(TimePlot::font_of(12, true));
  std::vector<double> widths(static_cast<std::size_t>(block.rows[0].size()));
  for (const auto& row : block.rows)
    for (qsizetype i = 0; i < row.size(); ++i)
      widths[static_cast<std::size_t>(i)] =
          std::max(widths[static_cast<std::size_t>(i)], strong.horizontalAdvance(row[i]) + 2 * cell_margin);
  double all = 0;
  for (const double width : widths) all += width;
  auto& last = widths[static_cast<std::size_t>(std::max(0, block.text_columns - 1))];
  last = std::max(80.0, last + std::min(0.0, page_width - all));
  return widths;
}

double lay_table(QPainter* painter, const ReportBlock& block, double top) {
  const auto widths = column_widths(block);
  double y = top;
  for (std::size_t row = 0; row < block.rows.size(); ++row) {
    const auto font = TimePlot::font_of(12, row == 0);
    double height = row_height;
    for (const bool draw : {false, true}) {
      double x = 0;
      for (qsizetype i = 0; i < block.rows[row].size(); ++i) {
        const double width = widths[static_cast<std::size_t>(i)];
        const auto& cell = block.rows[row][i];
        if (!draw) {
          height = std::max(height, lay_text(nullptr, cell, font, 0, width - 2 * cell_margin) + 6);
        } else if (painter != nullptr) {
          painter->setPen(row == 0 ? colors::text2 : colors::text);
          const double used = QFontMetricsF(font).horizontalAdvance(cell);
          const double room = width - 2 * cell_margin;
          const double left =
              i < block.text_columns || used > room ? x + cell_margin : x + width - cell_margin - used - 1;
          lay_text(painter, cell, font, y + 3, std::max(room, i < block.text_columns ? room : used + 2), left);
        }
        x += width;
      }
      if (!draw || painter == nullptr) continue;
      painter->setPen(QPen(colors::line, 1));
      painter->drawLine(QPointF(0, y + height), QPointF(x, y + height));
    }
    y += height;
  }
  return y - top;
}

double lay_drawing(QPainter* painter, const ReportBlock& block, double top) {
  double y = top;
  if (!block.text.isEmpty()) {
    if (painter != nullptr) painter->setPen(colors::text);
    y += lay_text(painter, block.text, TimePlot::font_of(12, true), y) + 2;
  }
  if (!block.drawing.caption.isEmpty()) {
    if (painter != nullptr) painter->setPen(colors::text2);
    y += lay_text(painter, block.drawing.caption, TimePlot::font_of(11), y) + 4;
  }
  if (painter != nullptr) {
    painter->save();
    painter->translate(0, y);
    block.drawing.draw(*painter);
    painter->restore();
  }
  return y + block.drawing.size.height() - top;
}

double lay(QPainter* painter, const ReportBlock& block, double top) {
  if (painter != nullptr) painter->setPen(block.kind == Kind::text ? colors::text2 : colors::text);
  switch (block.kind) {
    case Kind::title:
      return lay_text(painter, block.text, TimePlot::font_of(22, true), top);
    case Kind::section:
      return lay_text(painter, block.text, TimePlot::font_of(16, true), top + block_gap) + block_gap;
    case Kind::text:
      return lay_text(painter, block.text, TimePlot::font_of(12), top);
    case Kind::table:
      return lay_table(painter, block, top);
    case Kind::drawing:
      break;
  }
  return lay_drawing(painter, block, top);
}

void draw_foot(QPainter& painter, const QString& title, std::size_t page, std::size_t pages) {
  painter.setFont(TimePlot::font_of(11));
  painter.setPen(colors::text3);
  const QRectF foot(0, page_height + 8, page_width, 20);
  painter.drawText(foot, Qt::AlignLeft | Qt::AlignVCenter, title);
  painter.drawText(foot, Qt::AlignRight | Qt::AlignVCenter,
                   QCoreApplication::translate("Report", "Page %1 of %2").arg(page + 1).arg(pages));
}

}  // namespace

// A heading stays with what follows it.
std::vector<std::vector<std::size_t>> pages_of(const std::vector<ReportBlock>& blocks,
                                               const std::vector<double>& heights, double page_height) {
  std::vector<std::vector<std::size_t>> pages(1);
  double used = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    double needed = heights[i];
    if (blocks[i].kind == Kind::section && i + 1 < blocks.size()) needed += block_gap + heights[i + 1];
    if (used > 0 && used + needed > page_height) {
      pages.emplace_back();
      used = 0;
    }
    pages.back().push_back(i);
    used += heights[i] + block_gap;
  }
  return pages;
}

QByteArray report_as_pdf(const Report& report) {
  QByteArray pdf;
  QBuffer buffer(&pdf);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setResolution(resolution);
  writer.setPageSize(QPageSize(QPageSize::A4));
  writer.setPageMargins(QMarginsF());
  writer.setTitle(report.title);
  std::vector<double> heights;
  for (const auto& block : report.blocks) heights.push_back(lay(nullptr, block, 0));
  const auto pages = pages_of(report.blocks, heights, page_height);
  const double dots_per_mm = resolution / 25.4;
  QPainter painter(&writer);
  for (std::size_t page = 0; page < pages.size(); ++page) {
    if (page > 0) writer.newPage();
    painter.save();
    painter.scale(dots_per_mm, dots_per_mm);
    painter.translate(mm_margin, mm_margin);
    painter.scale(mm_wide / page_width, mm_wide / page_width);
    double top = 0;
    for (const auto block : pages[page]) {
      lay(&painter, report.blocks[block], top);
      top += heights[block] + block_gap;
    }
    draw_foot(painter, report.title, page, pages.size());
    painter.restore();
  }
  painter.end();
  return pdf;
}

}  // namespace lw
