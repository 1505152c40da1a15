// The previews of the wall in the size in which they are drawn, scaled on a separate thread. GUI thread.
#pragma once

#include "wall-control/models/tile_pictures.h"

#include <QObject>
#include <QPixmap>
#include <QSize>
#include <QThreadPool>

#include <map>
#include <utility>

namespace lw {

class ScaledPreviews : public QObject {
  Q_OBJECT

public:
  // `pictures` must outlive this.
  explicit ScaledPreviews(const TilePictures& pictures, QObject* parent = nullptr);
  ~ScaledPreviews() override;

  void clear() { ready_.clear(); }
  // Null if the tile has none. A newer one is being scaled meanwhile, and `changed` follows.
  [[nodiscard]] const QPixmap* of(int column, int row, const QSize& pixels);

signals:
  void changed();

private:
  struct Ready {
    qint64 key = 0;  // of the image
    QPixmap pixmap;
    bool at_work = false;
  };
  using Place = std::pair<int, int>;
  void scale(const Place& place, const QImage& image, const QSize& pixels);

  const TilePictures& pictures_;
  QThreadPool scaler_;
  std::map<Place, Ready> ready_;
};

}  // namespace lw
