#include "wall-control/transport/level_meter.h"

#include "common/metrics/sound_stats.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace lw {
namespace {

constexpr double least_db = -60, loud_db = -6;
constexpr int bar_height = 8, least_width = 120;

double share_of(double db) { return std::clamp((db - least_db) / -least_db, 0.0, 1.0); }

}  // namespace

LevelMeter::LevelMeter(QWidget* parent) : QWidget(parent) {
  setObjectName("level-meter");
  setAccessibleName(tr("Level"));
  setToolTip(tr("Loudest sample of the last tenths of a second, of the loudest node, below full scale"));
  setAccessibleDescription(tr("nothing plays"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize LevelMeter::sizeHint() const { return {least_width, bar_height + 2 + QFontMetrics(type::sized(11)).height()}; }

void LevelMeter::set_peak(const std::optional<double>& db) {
  if (std::exchange(db_, db) == db) return;
  setAccessibleDescription(!db                   ? tr("nothing plays")
                           : *db <= silence_dbfs ? tr("silence")
                                                 : tr("%1 dB").arg(*db, 0, 'f', 0));
  update();
}

void LevelMeter::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QRect bar(0, 0, width() - 1, bar_height);
  const auto at = [&](double db) { return static_cast<int>(share_of(db) * bar.width()); };
  painter.setPen(colors::edge);
  painter.drawRect(bar);
  if (db_) {
    const int loud = std::min(at(*db_), at(loud_db));
    painter.fillRect(QRect(1, 1, loud, bar_height - 1), colors::series[0]);
    if (*db_ > loud_db) painter.fillRect(QRect(1 + loud, 1, at(*db_) - loud, bar_height - 1), colors::series[1]);
  }
  painter.setFont(type::sized(11));
  painter.setPen(colors::axis);
  const QFontMetrics metrics(painter.font());
  for (const int db : {-60, -40, -20, 0}) {
    const auto label = QString::number(db);
    const int wide = metrics.horizontalAdvance(label);
    const int left = std::clamp(at(db) - wide / 2, 0, std::max(0, width() - wide));
    painter.drawText(left, bar_height + 2 + metrics.ascent(), label);
  }
}

}  // namespace lw
