#include "wall-control/sessions/session_writer.h"

#include <QObject>

namespace lw {

SessionWriter::SessionWriter(std::unique_ptr<QIODevice> file, std::function<void(const QString&)> failed)
    : file_(std::move(file)), failed_(std::move(failed)), thread_([this] { run(); }) {}

SessionWriter::~SessionWriter() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

bool SessionWriter::write(QByteArray line) {
  line += '\n';
  {
    const std::lock_guard lock(mutex_);
    if (broken_) return false;
    if (waiting_bytes_ + line.size() > waiting_max) {
      broken_ = true;
      return false;
    }
    waiting_bytes_ += line.size();
    waiting_.push_back(std::move(line));
  }
  changed_.notify_one();
  return true;
}

void SessionWriter::run() {
  while (true) {
    std::deque<QByteArray> lines;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      lines.swap(waiting_);
    }
    qint64 bytes = 0;
    for (const auto& line : lines) {
      if (file_->write(line) != line.size()) return fail(file_->errorString());
      bytes += line.size();
    }
    auto* file = qobject_cast<QFile*>(file_.get());
    if (file != nullptr && !file->flush()) return fail(file_->errorString());
    const std::lock_guard lock(mutex_);
    waiting_bytes_ -= bytes;
  }
}

void SessionWriter::fail(const QString& words) {
  {
    const std::lock_guard lock(mutex_);
    broken_ = true;
  }
  failed_(words);
}

}  // namespace lw
