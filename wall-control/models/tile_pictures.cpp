#include "wall-control/models/tile_pictures.h"

#include <QBuffer>
#include <QImageReader>
#include <QJsonArray>

namespace lw {
namespace {

constexpr int side_max = 512;  // pixels; checked before decoding
constexpr qint64 age_max_ms = 3000;
constexpr std::size_t tiles_max = 4096;

}  // namespace

std::optional<TilePicture> decode_picture(const QJsonObject& picture) {
  const auto tile = picture["tile"].toArray();
  const int column = tile.at(0).toInt(-1), row = tile.at(1).toInt(-1);
  if (column < 0 || row < 0) return std::nullopt;
  auto bytes = QByteArray::fromBase64(picture["base64"].toString().toLatin1());
  QBuffer buffer(&bytes);
  QImageReader reader(&buffer, "png");
  const auto size = reader.size();
  if (!size.isValid() || size.width() > side_max || size.height() > side_max) return std::nullopt;
  QImage image = reader.read();
  if (image.isNull()) return std::nullopt;
  return TilePicture{column, row, std::move(image)};
}

void TilePictures::add(TilePicture picture) {
  const std::pair place{picture.column, picture.row};
  if (pictures_.size() >= tiles_max && !pictures_.contains(place)) return;
  auto& entry = pictures_[place];
  entry.image = std::move(picture.image);
  entry.age.start();
}

const QImage* TilePictures::of(int column, int row) const {
  const auto found = pictures_.find({column, row});
  return found == pictures_.end() || found->second.age.elapsed() > age_max_ms ? nullptr : &found->second.image;
}

}  // namespace lw
