#include "wall-control/app/status_line.h"

#include "wall-control/ui/palette.h"

#include <QBoxLayout>
#include <QTime>

namespace lw {
namespace {

constexpr int message_ms = 10'000;

}  // namespace

StatusLine::StatusLine(QWidget* connection, QWidget* parent) : QWidget(parent) {
  setObjectName("status-line");
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 0, 12, 0);
  layout->setSpacing(16);
  layout->addWidget(connection);
  const auto label = [&](const char* name) {
    auto* made = new QLabel;
    made->setObjectName(name);
    layout->addWidget(made);
    return made;
  };
  wall_ = label("status-wall");
  clocks_ = label("status-clocks");
  layout->addStretch(1);
  message_ = label("status-message");
  message_->setForegroundRole(QPalette::PlaceholderText);
  recording_ = label("status-recording");
  time_ = label("status-time");
  message_ends_.setSingleShot(true);
  message_ends_.setInterval(message_ms);
  connect(&message_ends_, &QTimer::timeout, message_, &QLabel::clear);
  connect(&second_, &QTimer::timeout, this, &StatusLine::show_time);
  second_.start(1000);
  show_time();
  set_recording({});
}

void StatusLine::set_wall(const QString& words) { wall_->setText(words); }

void StatusLine::set_clocks(const QString& words) { clocks_->setText(words); }

void StatusLine::set_recording(const QString& words) {
  recording_->setText(words);
  recording_->setVisible(!words.isEmpty());
}

void StatusLine::say(const QString& words) {
  message_->setText(words);
  words.isEmpty() ? message_ends_.stop() : message_ends_.start();
}

void StatusLine::set_hover(const QString& words) {
  message_ends_.stop();
  message_->setText(words);
}

void StatusLine::show_time() { time_->setText(QTime::currentTime().toString("HH:mm:ss")); }

}  // namespace lw
