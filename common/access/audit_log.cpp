#include "common/access/audit_log.h"

#include "common/base/short_text.h"
#include "common/messages/iso_time.h"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace lw {
namespace {

constexpr std::size_t params_bytes_max = 1024;
constexpr std::size_t outcome_bytes_max = 1024;  // it may quote what the caller sent

// Params as sent; longer ones become the beginning of their text.
Json shortened(const Json& params) {
  auto text = to_text(params);
  if (text.size() <= params_bytes_max) return params;
  text.resize(params_bytes_max);
  return text;
}

}  // namespace

void AuditLog::write(const AuditEntry& entry) {
  Json json{{"time", to_iso8601(WallClock::now())},
            {"name", entry.name},
            {"role", entry.role},
            {"address", entry.address},
            {"method", entry.method},
            {"outcome", short_text(entry.outcome, outcome_bytes_max)}};
  if (entry.calls == 1)
    json["params"] = shortened(entry.params);
  else
    json["calls"] = entry.calls;
  const bool failed = !append(to_text(json) + "\n");
  if (failed && !failed_)
    spdlog::error("cannot write {}: {}; changes are not being logged", file_.string(), std::strerror(errno));
  if (!failed && failed_) spdlog::info("{} is written again", file_.string());
  failed_ = failed;
}

// Opened for each line: lines are few, and another program may have moved the file.
bool AuditLog::append(const std::string& line) {
  struct stat before {};
  if (::stat(file_.c_str(), &before) == 0 && static_cast<std::uintmax_t>(before.st_size) + line.size() > bytes_max_ &&
      ::rename(file_.c_str(), (file_.string() + ".1").c_str()) != 0)
    return false;
  const int fd = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (fd < 0) return false;
  const auto end = ::lseek(fd, 0, SEEK_END);
  const auto written = ::write(fd, line.data(), line.size());
  auto error = written < 0 ? errno : ENOSPC;
  const bool whole = written == static_cast<ssize_t>(line.size());
  // Removes an incomplete line.
  if (written > 0 && !whole && ::ftruncate(fd, end) != 0) error = errno;
  ::close(fd);
  errno = error;
  return whole;
}

}  // namespace lw
