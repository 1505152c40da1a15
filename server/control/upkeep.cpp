#include "server/control/upkeep.h"

#include <spdlog/spdlog.h>
#include <boost/asio/io_context.hpp>

#include <utility>

namespace lw {
namespace {

constexpr std::chrono::milliseconds tick_interval{100};
constexpr std::chrono::seconds keep_interval{3};  // for the frame, which always changes

}  // namespace

ResumeWriter::ResumeWriter(std::filesystem::path file) : file_(std::move(file)), thread_([this] { run(); }) {}

ResumeWriter::~ResumeWriter() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void ResumeWriter::keep(std::string text) {
  {
    const std::lock_guard lock(mutex_);
    newest_ = std::move(text);
  }
  changed_.notify_all();
}

void ResumeWriter::run() {
  std::string written;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return !newest_.empty() || ending_; });
    if (newest_.empty()) return;
    auto text = std::exchange(newest_, {});
    if (text == written) continue;
    lock.unlock();
    const auto saved = save_resume(file_, text);
    if (saved)
      written = std::move(text);
    else if (!failed_)
      spdlog::warn(saved.error().text());
    failed_ = !saved;
    lock.lock();
  }
}

Upkeep::Upkeep(boost::asio::io_context& io, Session& session, const Library& library, const std::filesystem::path& file)
    : session_(session), watchdog_(manager_, [this] { return session_.turns(); }), notice_(library), timer_(io) {
  if (!file.empty()) writer_.emplace(file);
  manager_.tell("READY=1");
  tick();
}

Upkeep::~Upkeep() {
  manager_.tell("STOPPING=1");
  if (writer_) writer_->keep(to_json_text(resume_of(session_.state())));
}

void Upkeep::tick() {
  const auto now = LocalClock::now();
  watchdog_.look(now);
  notice_.keep(session_.state());
  if (writer_) keep(now);
  timer_.expires_after(tick_interval);
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error) tick();
  });
}

void Upkeep::keep(LocalTime now) {
  const auto state = session_.state();
  if (state.revision == revision_kept_ && now - kept_ < keep_interval) return;
  revision_kept_ = state.revision;
  kept_ = now;
  writer_->keep(to_json_text(resume_of(state)));
}

}  // namespace lw
