// The tiles' previews, decoded and scaled by a separate thread to the size at which they are shown: the GUI thread only
// copies pixels. GUI thread.
#pragma once

#include "wall-control/models/tile_pictures.h"

#include <QJsonObject>
#include <QObject>
#include <QThreadPool>

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <utility>

namespace lw {

class TilePreviews : public QObject {
  Q_OBJECT

public:
  using Place = std::pair<int, int>;  // column, row
  enum class Use : unsigned char { canvas, strip, audience };
  using Sizes = std::map<Place, QSize>;  // in the screen's pixels

  explicit TilePreviews(QObject* parent = nullptr) : QObject(parent) { worker_.setMaxThreadCount(1); }

  // From a node. Skipped if they come faster than they can be decoded.
  void take(const QJsonObject& preview);
  void add(TilePicture preview);
  void clear();
  // The tiles that are shown for this use, and how large. Previews of another size are scaled again.
  void set_sizes(Use use, Sizes sizes);

  // Null if there is none, or if it is too old. The scaled one may have another size than wanted for some time.
  [[nodiscard]] const QImage* of(int column, int row) const { return previews_.of(column, row); }
  [[nodiscard]] const QImage* scaled(Use use, int column, int row) const;

signals:
  void changed(int column, int row);
  void cleared();

private:
  static constexpr std::size_t uses = 3;
  using Wanted = std::array<Sizes, uses>;   // by use
  using Scaled = std::array<QImage, uses>;  // null: not wanted
  static Scaled scale(const TilePicture& preview, const Wanted& wanted);
  void put(const TilePicture& preview, Scaled scaled);
  void scale_again(Use use);

  TilePictures previews_;
  std::map<Place, Scaled> scaled_;
  std::shared_ptr<const Wanted> wanted_ = std::make_shared<Wanted>();
  int waiting_ = 0;     // to be decoded
  int age_ = 0;         // of what is shown: clear() makes it older
  QThreadPool worker_;  // destroyed before everything that its thread uses
};

}  // namespace lw
