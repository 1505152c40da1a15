#include "wall-control/models/tile_pictures.h"

#include "wall-control/messages/told.h"

#include <QBuffer>
#include <QImageReader>

namespace lw {
namespace {

constexpr int side_max = tile_picture_side_max;  // checked before decoding
constexpr qint64 age_max_ms = 3000;
constexpr std::size_t tiles_max = 4096;

}  // namespace

std::optional<TilePicture> decode_picture(const QJsonObject& picture) {
  const auto read = picture_from(picture);
  if (!read) return std::nullopt;
  auto bytes = QByteArray::fromBase64(QByteArray::fromStdString(read->base64));
  QBuffer buffer(&bytes);
  QImageReader reader(&buffer, "png");
  const auto size = reader.size();
  if (!size.isValid() || size.width() > side_max || size.height() > side_max) return std::nullopt;
  QImage image = reader.read();
  if (image.isNull()) return std::nullopt;
  return TilePicture{static_cast<int>(read->tile.column), static_cast<int>(read->tile.row), std::move(image)};
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
