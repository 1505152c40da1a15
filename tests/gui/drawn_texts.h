// The texts that a widget draws, without those of its children, and whether they have their room.
#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QTextItem>
#include <QWidget>

namespace lw::test {

struct DrawnText {
  QString text;
  QRectF place;      // in the widget
  bool cut = false;  // at its left or right, by a clip or by the widget's edge
};

class TextEngine : public QPaintEngine {
public:
  explicit TextEngine(QSize size) : QPaintEngine(AllFeatures), size_(size) {}
  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  void updateState(const QPaintEngineState&) override {}
  void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
  void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
  void drawPath(const QPainterPath&) override {}
  void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
  [[nodiscard]] Type type() const override { return User; }
  void drawTextItem(const QPointF& place, const QTextItem& item) override {
    const QRectF box(place.x(), place.y() - item.ascent(), item.width(), item.ascent() + item.descent());
    const auto shown = painter()->transform().mapRect(box);
    bool cut = shown.left() < -tolerance || shown.right() > size_.width() + tolerance;
    if (painter()->hasClipping()) {
      const auto clip = painter()->transform().mapRect(painter()->clipBoundingRect());
      if (!clip.intersects(shown)) return;
      cut |= shown.left() < clip.left() - tolerance || shown.right() > clip.right() + tolerance;
    }
    drawn_ << DrawnText{item.text(), shown, cut};
  }
  [[nodiscard]] const QList<DrawnText>& drawn() const { return drawn_; }

private:
  // Letters may reach a little beyond the width that they are given.
  static constexpr double tolerance = 1.5;
  QSize size_;
  QList<DrawnText> drawn_;
};

class TextDevice : public QPaintDevice {
public:
  explicit TextDevice(QSize size) : size_(size), engine_(size) {}
  [[nodiscard]] QPaintEngine* paintEngine() const override { return &engine_; }
  [[nodiscard]] const QList<DrawnText>& drawn() const { return engine_.drawn(); }

protected:
  [[nodiscard]] int metric(PaintDeviceMetric metric) const override {
    switch (metric) {
      case PdmWidth:
        return size_.width();
      case PdmHeight:
        return size_.height();
      case PdmDepth:
        return 32;
      case PdmDpiX:
      case PdmDpiY:
      case PdmPhysicalDpiX:
      case PdmPhysicalDpiY:
        return 96;
      case PdmDevicePixelRatio:
        return 1;
      case PdmDevicePixelRatioScaled:
        return static_cast<int>(devicePixelRatioFScale());
      default:
        return 0;
    }
  }

private:
  QSize size_;
  mutable TextEngine engine_;
};

inline QList<DrawnText> texts_drawn_by(QWidget& widget) {
  TextDevice device(widget.size());
  QPainter painter(&device);
  widget.render(&painter, {}, {}, {});
  painter.end();
  return device.drawn();
}

}  // namespace lw::test
