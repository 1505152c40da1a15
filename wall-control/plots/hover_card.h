// A card that describes the place under the pointer in a chart, once the pointer rests there. It lies above everything
// in the window, and takes no events.
#pragma once

#include <QString>
#include <QWidget>

#include <utility>
#include <vector>

namespace lw {

struct HoverText {
  QString title, context;                         // "Flow 33, tile 3,1, render-4"; "14:34:51"
  std::vector<std::pair<QString, QString>> rows;  // "Interarrival jitter", "521 µs"
  [[nodiscard]] bool empty() const { return title.isEmpty(); }
  [[nodiscard]] QString as_text() const;
};

class HoverCard : public QWidget {
  Q_OBJECT

public:
  explicit HoverCard(QWidget* window);

  void show_at(const QPoint& global, HoverText text);

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  HoverText text_;
};

}  // namespace lw
