#include "wall-control/start/demo_card.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/sign.h"
#include "wall-control/ui/text_label.h"
#include "wall-control/ui/type.h"

#include <QBoxLayout>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QRadialGradient>

#include <array>

namespace lw {
namespace {

constexpr int picture_px = 208, pad_px = 18;

// Four displays that show one sky: a drawing, made once for each size.
QPixmap drawing_of_wall(const QSize& size, double ratio) {
  struct Light {
    double x, y, radius;
    QColor color;
  };
  const std::array lights{Light{0.22, 0.3, 0.3, QColor::fromRgb(colors::audience_text)},
                          Light{0.7, 0.25, 0.22, colors::accent}, Light{0.45, 0.62, 0.4, colors::accent},
                          Light{0.85, 0.75, 0.3, QColor::fromRgb(colors::audience_text)}};
  QPixmap made(size * ratio);
  made.setDevicePixelRatio(ratio);
  made.fill(QColor::fromRgb(colors::audience));
  QPainter painter(&made);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  for (const auto& light : lights) {
    const QPointF middle(light.x * size.width(), light.y * size.height());
    QRadialGradient glow(middle, light.radius * size.width());
    auto color = light.color;
    color.setAlphaF(0.75F);
    glow.setColorAt(0, color);
    color.setAlphaF(0.15F);
    glow.setColorAt(0.35, color);
    color.setAlphaF(0);
    glow.setColorAt(1, color);
    painter.setBrush(glow);
    painter.drawEllipse(middle, light.radius * size.width(), light.radius * size.width());
  }
  constexpr double bezel = 4;
  const QColor dark = QColor::fromRgb(colors::audience);
  painter.fillRect(QRectF(size.width() / 2.0 - bezel / 2, 0, bezel, size.height()), dark);
  painter.fillRect(QRectF(0, size.height() / 2.0 - bezel / 2, size.width(), bezel), dark);
  return made;
}

}  // namespace

DemoCard::DemoCard(DemoWall& demo, QWidget* parent)
    : Card(false, parent),
      demo_(demo),
      about_(new TextLabel({}, 13, Tone::text2)),
      note_(new TextLabel({}, 12, Tone::text2)),
      button_(new QPushButton),
      progress_(new QProgressBar) {
  auto* heading = new QHBoxLayout;
  heading->setSpacing(8);
  heading->addWidget(new Sign(Icon::play, 16));
  heading->addWidget(new TextLabel(tr("Try the demo wall"), 14, Tone::text, true), 1);
  about_->setWordWrap(true);
  about_->setObjectName("demo-about");
  note_->setWordWrap(true);
  note_->setObjectName("demo-note");
  button_->setObjectName("demo");
  progress_->setObjectName("demo-progress");
  progress_->setTextVisible(false);
  progress_->setFixedHeight(8);
  progress_->setAccessibleName(tr("Progress of the demo wall"));
  auto* row = new QHBoxLayout;
  row->setSpacing(10);
  row->addWidget(button_);
  row->addWidget(note_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(picture_px + pad_px, pad_px - 4, pad_px, pad_px - 4);
  layout->setSpacing(8);
  layout->addLayout(heading);
  layout->addWidget(about_);
  layout->addWidget(progress_);
  layout->addLayout(row);
  layout->addStretch(1);
  connect(button_, &QPushButton::clicked, this,
          [this] { demo_.stage() == DemoWall::Stage::idle ? demo_.start() : demo_.stop(); });
  connect(&demo_, &DemoWall::changed, this, &DemoCard::refresh);
  refresh();
}

void DemoCard::refresh() {
  using Stage = DemoWall::Stage;
  const auto missing = demo_.programs().missing();
  const auto stage = demo_.stage();
  const bool idle = stage == Stage::idle;
  about_->setText(missing.isEmpty()
                      ? tr("Four windows on this computer with two sample films. Needs no GPU and no special rights.")
                      : missing);
  button_->setVisible(missing.isEmpty());
  note_->setVisible(missing.isEmpty());
  button_->setText(idle ? tr("Start demo wall") : stage == Stage::running ? tr("End demo wall") : tr("Cancel"));
  note_->setText(!idle || !demo_.words().isEmpty() ? demo_.words() : tr("about 1 min, 300 MB"));
  progress_->setVisible(stage == Stage::preparing || stage == Stage::starting);
  progress_->setRange(0, demo_.progress() < 0 ? 0 : 100);
  progress_->setValue(static_cast<int>(demo_.progress() * 100));
}

void DemoCard::paintEvent(QPaintEvent* event) {
  Card::paintEvent(event);
  QPainter painter(this);
  const QRect well(1, 1, picture_px - 2, height() - 2);
  painter.fillRect(well, QColor::fromRgb(colors::audience));
  QRect wall(QPoint(), QSize(16, 10).scaled(well.size() - QSize(24, 24), Qt::KeepAspectRatio));
  wall.moveCenter(well.center());
  painter.drawPixmap(wall, drawing_of_wall(wall.size(), devicePixelRatioF()));
}

}  // namespace lw
