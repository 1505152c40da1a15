// The newest small picture of each tile, as the nodes send them. What is no picture, or too large, is left out.
#pragma once

#include <QElapsedTimer>
#include <QImage>
#include <QJsonObject>

#include <map>
#include <utility>

namespace lw {

class TilePictures {
public:
  void add(const QJsonObject& picture);
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
