#include "wall-control/wallview/tile_previews.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lw {
namespace {

constexpr int waiting_max = 128;         // above this, decoding would not keep up anyway
constexpr int enlarged_side_max = 1024;  // on the zoomed canvas: larger ones would fill the memory

std::size_t index_of(TilePreviews::Use use) { return static_cast<std::size_t>(use); }

// All tiles of a strip or of the audience's wall fit on a display.
QSize bounded(TilePreviews::Use use, const QSize& size) {
  if (use != TilePreviews::Use::canvas) return size;
  return size.width() <= enlarged_side_max && size.height() <= enlarged_side_max
             ? size
             : size.scaled(enlarged_side_max, enlarged_side_max, Qt::KeepAspectRatio);
}

}  // namespace

TilePreviews::Scaled TilePreviews::scale(const TilePicture& preview, const Wanted& wanted) {
  Scaled made;
  for (std::size_t use = 0; use < made.size(); ++use) {
    const auto found = wanted[use].find({preview.column, preview.row});
    if (found == wanted[use].end()) continue;
    // Without a format to convert, painting is copying.
    made[use] =
        preview.image
            .scaled(bounded(static_cast<Use>(use), found->second), Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
            .convertToFormat(QImage::Format_RGB32);
  }
  return made;
}

void TilePreviews::take(const QJsonObject& preview) {
  if (waiting_ >= waiting_max) return;
  ++waiting_;
  worker_.start([this, preview, wanted = wanted_, age = age_] {
    const auto decoded = decode_picture(preview);
    auto made = decoded ? scale(*decoded, *wanted) : Scaled();
    const auto taken = [this, decoded, made, age] {
      --waiting_;
      if (decoded && age == age_) put(*decoded, made);
    };
    QMetaObject::invokeMethod(this, taken, Qt::QueuedConnection);
  });
}

void TilePreviews::add(TilePicture preview) {
  auto made = scale(preview, *wanted_);
  put(preview, std::move(made));
}

void TilePreviews::put(const TilePicture& preview, Scaled scaled) {
  scaled_[{preview.column, preview.row}] = std::move(scaled);
  previews_.add(preview);
  emit changed(preview.column, preview.row);
}

void TilePreviews::clear() {
  ++age_;
  previews_.clear();
  scaled_.clear();
  emit cleared();
}

void TilePreviews::set_sizes(Use use, Sizes sizes) {
  if (sizes == (*wanted_)[index_of(use)]) return;
  auto wanted = *wanted_;
  wanted[index_of(use)] = std::move(sizes);
  wanted_ = std::make_shared<const Wanted>(std::move(wanted));
  scale_again(use);
}

void TilePreviews::scale_again(Use use) {
  std::vector<TilePicture> sources;
  for (const auto& [place, size] : (*wanted_)[index_of(use)]) {
    const auto* shown = scaled(use, place.first, place.second);
    const auto* source = of(place.first, place.second);
    if (source != nullptr && (shown == nullptr || shown->size() != bounded(use, size)))
      sources.push_back({place.first, place.second, *source});
  }
  if (sources.empty()) return;
  worker_.start([this, sources, wanted = wanted_, use, age = age_] {
    std::vector<Scaled> made;
    made.reserve(sources.size());
    for (const auto& source : sources) made.push_back(scale(source, *wanted));
    const auto done = [this, sources, made, wanted, use, age] {
      if (age != age_ || wanted != wanted_) return;
      for (std::size_t i = 0; i < made.size(); ++i) {
        const auto& source = sources[i];
        const auto* newest = of(source.column, source.row);
        if (newest == nullptr || newest->cacheKey() != source.image.cacheKey()) continue;
        scaled_[{source.column, source.row}][index_of(use)] = made[i][index_of(use)];
        emit changed(source.column, source.row);
      }
    };
    QMetaObject::invokeMethod(this, done, Qt::QueuedConnection);
  });
}

const QImage* TilePreviews::scaled(Use use, int column, int row) const {
  if (of(column, row) == nullptr) return nullptr;
  const auto found = scaled_.find({column, row});
  if (found == scaled_.end() || found->second[index_of(use)].isNull()) return nullptr;
  return &found->second[index_of(use)];
}

}  // namespace lw
