// What a server does to be steady over days: tells the service manager that its threads are alive and other programs
// what plays, and keeps what is playing in a file. Called by the control thread; the file is written by a thread of its
// own, which a slow disk may hold up.
#pragma once

#include "common/host/service_manager.h"
#include "common/host/watchdog.h"
#include "server/control/playing_notice.h"
#include "server/control/resume.h"

#include <boost/asio/steady_timer.hpp>

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

namespace lw {

// Writes the newest text, if it is another than before.
class ResumeWriter {
public:
  explicit ResumeWriter(std::filesystem::path file);
  ~ResumeWriter();  // writes what is not written yet
  ResumeWriter(const ResumeWriter&) = delete;
  ResumeWriter& operator=(const ResumeWriter&) = delete;

  void keep(std::string text);

private:
  void run();

  const std::filesystem::path file_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string newest_;  // not written yet, if not empty
  bool ending_ = false;
  bool failed_ = false;  // the last time, and said so
  std::thread thread_;
};

class Upkeep {
public:
  // `file`: of what is playing; empty: it is not kept. Says that the server is ready.
  Upkeep(boost::asio::io_context& io, Session& session, const Library& library, const std::filesystem::path& file);
  ~Upkeep();  // says that it ends
  Upkeep(const Upkeep&) = delete;
  Upkeep& operator=(const Upkeep&) = delete;

private:
  void tick();
  void keep(LocalTime now);

  Session& session_;
  ServiceManager manager_;
  Watchdog watchdog_;
  PlayingNotice notice_;
  std::optional<ResumeWriter> writer_;
  std::uint64_t revision_kept_ = 0;
  LocalTime kept_{};
  boost::asio::steady_timer timer_;
};

}  // namespace lw
