// The loudest sample of the last tenths of a second, as a bar from -60 dB to full scale: in another colour near full
// scale, and with a frame at full scale, which samples cannot exceed. Without antialiasing. GUI thread.
#pragma once

#include <QWidget>

#include <optional>

namespace lw {

class LevelMeter : public QWidget {
  Q_OBJECT

public:
  explicit LevelMeter(QWidget* parent = nullptr);

  // dB of full scale; none: nothing plays.
  void set_peak(const std::optional<double>& db);
  [[nodiscard]] QSize sizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  std::optional<double> db_;
};

}  // namespace lw
