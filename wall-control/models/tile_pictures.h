// The newest preview of each tile, as the nodes send them. Invalid and oversized ones are skipped.
#pragma once

#include <QElapsedTimer>
#include <QImage>
#include <QJsonObject>

#include <map>
#include <optional>
#include <utility>

namespace lw {

struct TilePicture {
  int column = 0, row = 0;
  QImage image;
};

// Decodes what a node sent, if valid. For any thread: it takes a millisecond, and a wall of 64 tiles has 160 a second.
std::optional<TilePicture> decode_picture(const QJsonObject& picture);

class TilePictures {
public:
  void add(TilePicture picture);
  void clear() { pictures_.clear(); }
  // Null if there is none, or if it is too old to describe the present.
  [[nodiscard]] const QImage* of(int column, int row) const;

private:
  struct Entry {
    QImage image;
    QElapsedTimer age;
  };
  std::map<std::pair<int, int>, Entry> pictures_;
};

}  // namespace lw
