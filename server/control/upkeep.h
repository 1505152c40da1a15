// Keeps the server running steadily for days: reports to the service manager that its threads are alive, announces what
// plays to other programs, and saves it to a file. Called by the control thread. The file is written by a separate
// thread, which a slow disk may delay.
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

// Writes the newest text if it differs from the one before.
class ResumeWriter {
public:
  explicit ResumeWriter(std::filesystem::path file);
  ~ResumeWriter();  // writes what is not yet written
  ResumeWriter(const ResumeWriter&) = delete;
  ResumeWriter& operator=(const ResumeWriter&) = delete;

  void keep(std::string text);

private:
  void run();

  const std::filesystem::path file_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string newest_;  // empty: everything is written
  bool ending_ = false;
  bool failed_ = false;  // the last write; already logged
  std::thread thread_;
};

class Upkeep {
public:
  // `file`: where to save what plays; empty: nowhere. Notifies the service manager that the server is ready.
  Upkeep(boost::asio::io_context& io, Session& session, const Library& library, const std::filesystem::path& file);
  ~Upkeep();  // notifies the service manager that the server stops
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
