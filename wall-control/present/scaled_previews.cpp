#include "wall-control/present/scaled_previews.h"

namespace lw {

ScaledPreviews::ScaledPreviews(const TilePictures& pictures, QObject* parent) : QObject(parent), pictures_(pictures) {
  scaler_.setMaxThreadCount(1);
}

ScaledPreviews::~ScaledPreviews() { scaler_.waitForDone(); }

const QPixmap* ScaledPreviews::of(int column, int row, const QSize& pixels) {
  const auto* image = pictures_.of(column, row);
  if (image == nullptr || pixels.isEmpty()) return nullptr;
  auto& ready = ready_[{column, row}];
  if (!ready.at_work && (ready.key != image->cacheKey() || ready.pixmap.size() != pixels)) {
    ready.at_work = true;
    scale({column, row}, *image, pixels);
  }
  return ready.pixmap.isNull() ? nullptr : &ready.pixmap;
}

void ScaledPreviews::scale(const Place& place, const QImage& image, const QSize& pixels) {
  scaler_.start([this, place, image, pixels] {
    const auto done = [this, place, key = image.cacheKey(),
                       scaled = image.scaled(pixels, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)] {
      const auto found = ready_.find(place);
      if (found == ready_.end()) return;  // another wall
      found->second = {key, QPixmap::fromImage(scaled), false};
      emit changed();
    };
    QMetaObject::invokeMethod(this, done, Qt::QueuedConnection);
  });
}

}  // namespace lw
