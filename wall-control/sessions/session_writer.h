// Writes lines to a file on its own thread, so that a slow disk never delays the window. The queue is bounded:
// a disk that is full or falls behind ends the recording with an error text.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace lw {

class SessionWriter {
public:
  static constexpr qint64 waiting_max = 64 << 20;  // bytes

  // `failed` is called at most once, on the writer's thread. The file is open.
  SessionWriter(std::unique_ptr<QIODevice> file, std::function<void(const QString&)> failed);
  // Writes the queue and closes the file.
  ~SessionWriter();

  // False if it accepts no more.
  bool write(QByteArray line);

private:
  void run();
  void fail(const QString& words);

  std::unique_ptr<QIODevice> file_;
  std::function<void(const QString&)> failed_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<QByteArray> waiting_;
  qint64 waiting_bytes_ = 0;
  bool ended_ = false;
  bool broken_ = false;
  std::jthread thread_;  // last: it uses all the others
};

}  // namespace lw
