#include "wall-control/report/report_pdf.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextObjectInterface>

namespace lw {
namespace {

constexpr int resolution = 600;    // dots per inch
constexpr double text_width = 17;  // cm: A4 without the 2 cm that QTextDocument leaves on either side
constexpr double dots_per_cm = resolution / 2.54;
constexpr int plot_object = QTextFormat::UserObject;
constexpr int plot_number = QTextFormat::UserProperty;

constexpr const char* print_style = "h1{font-size:16pt}h2{font-size:12pt}td,th{padding:2px 6px}";

// Draws a plot, as vectors, in the place that the text reserves for it.
class PlotObject final : public QObject, public QTextObjectInterface {
  Q_OBJECT
  Q_INTERFACES(QTextObjectInterface)

public:
  explicit PlotObject(const std::vector<std::unique_ptr<TimePlot>>& plots) : plots_(plots) {}

  QSizeF intrinsicSize(QTextDocument*, int, const QTextFormat& format) override {
    const double width = text_width * dots_per_cm;
    return {width, width * plot(format).height() / plot(format).width()};
  }
  void drawObject(QPainter* painter, const QRectF& place, QTextDocument*, int, const QTextFormat& format) override {
    const auto& drawn = plot(format);
    painter->save();
    painter->translate(place.topLeft());
    painter->scale(place.width() / drawn.width(), place.height() / drawn.height());
    painter->setClipRect(QRectF(0, 0, drawn.width(), drawn.height()));
    drawn.draw(*painter, true);
    painter->restore();
  }

private:
  [[nodiscard]] const TimePlot& plot(const QTextFormat& format) const {
    return *plots_[static_cast<std::size_t>(format.intProperty(plot_number))];
  }

  const std::vector<std::unique_ptr<TimePlot>>& plots_;
};

void insert_plots(QTextCursor& cursor, int count) {
  for (int i = 0; i < count; ++i) {
    QTextCharFormat format;
    format.setObjectType(plot_object);
    format.setProperty(plot_number, i);
    cursor.insertBlock(QTextBlockFormat(), QTextCharFormat());
    cursor.insertText(QString(QChar::ObjectReplacementCharacter), format);
  }
  cursor.insertBlock(QTextBlockFormat(), QTextCharFormat());
}

}  // namespace

QByteArray report_as_pdf(const ReportText& text, const std::vector<std::unique_ptr<TimePlot>>& plots) {
  QByteArray pdf;
  QBuffer buffer(&pdf);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setResolution(resolution);
  writer.setPageSize(QPageSize(QPageSize::A4));
  writer.setPageMargins(QMarginsF());
  writer.setTitle(text.title);
  QTextDocument document;
  PlotObject object(plots);
  document.documentLayout()->registerHandler(plot_object, &object);
  document.setDefaultFont(QFont("sans-serif", 8));
  document.setDefaultStyleSheet(print_style);
  QTextCursor cursor(&document);
  cursor.insertHtml(text.before_plots);
  insert_plots(cursor, static_cast<int>(plots.size()));
  cursor.insertHtml(text.after_plots);
  document.print(&writer);
  return pdf;
}

}  // namespace lw

#include "report_pdf.moc"
