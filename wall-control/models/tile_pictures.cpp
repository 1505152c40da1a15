#include "wall-control/models/tile_pictures.h"

#include <QBuffer>
#include <QImageReader>
#include <QJsonArray>

namespace lw {
namespace {

constexpr int side_max = 512;  // pixels; before any is decoded
constexpr qint64 age_max_ms = 3000;
constexpr std::size_t tiles_max = 4096;

}  // namespace

void TilePictures::add(const QJsonObject& picture) {
  const auto tile = picture["tile"].toArray();
  const std::pair place{tile.at(0).toInt(-1), tile.at(1).toInt(-1)};
  if (place.first < 0 || place.second < 0 || (pictures_.size() >= tiles_max && !pictures_.contains(place))) return;
  auto bytes = QByteArray::fromBase64(picture["base64"].toString().toLatin1());
  QBuffer buffer(&bytes);
  QImageReader reader(&buffer, "png");
  const auto size = reader.size();
  if (!size.isValid() || size.width() > side_max || size.height() > side_max) return;
  QImage image = reader.read();
  if (image.isNull()) return;
  auto& entry = pictures_[place];
  entry.image = std::move(image);
  entry.age.start();
}

const QImage* TilePictures::of(int column, int row) const {
  const auto found = pictures_.find({column, row});
  return found == pictures_.end() || found->second.age.elapsed() > age_max_ms ? nullptr : &found->second.image;
}

}  // namespace lw
