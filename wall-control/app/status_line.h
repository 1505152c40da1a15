// The line at the bottom of the window: connection, what the wall consists of, its clocks; at the right what is under
// the pointer, recording, and the time of day.
#pragma once

#include <QLabel>
#include <QTimer>
#include <QWidget>

namespace lw {

class StatusLine : public QWidget {
  Q_OBJECT

public:
  // `connection`: shown first.
  explicit StatusLine(QWidget* connection, QWidget* parent = nullptr);

  void set_wall(const QString& words);
  void set_clocks(const QString& words);
  void set_recording(const QString& words);  // empty: nothing is recorded
  // For some seconds, or until `words` are empty.
  void say(const QString& words);
  void set_hover(const QString& words);
  [[nodiscard]] QString message() const { return message_->text(); }

private:
  void show_time();

  QLabel* wall_;
  QLabel* clocks_;
  QLabel* message_;
  QLabel* recording_;
  QLabel* time_;
  QTimer message_ends_;
  QTimer second_;
};

}  // namespace lw
