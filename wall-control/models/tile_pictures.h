// The newest small picture of each tile, as the nodes send them. What is no picture, or too large, is left out.
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

// Of what a node sent, if it is one. For any thread: it takes a millisecond, and a wall of 64 tiles has 160 a second.
std::optional<TilePicture> decode_picture(const QJsonObject& picture);

class TilePictures {
public:
  void add(TilePicture picture);
  void clear() { pictures_.clear(); }
  // Null where there is none, or it is so old that it says nothing of now.
  [[nodiscard]] const QImage* of(int column, int row) const;

private:
  struct Entry {
    QImage image;
    QElapsedTimer age;
  };
  std::map<std::pair<int, int>, Entry> pictures_;
};

}  // namespace lw
