#include "common/store/playing_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace lw {
namespace {

constexpr std::string_view record_start = "lambdawall ";
constexpr std::string_view record_figure = "bytes/s ";

Error cannot_use(const std::filesystem::path& file, const std::string& reason) {
  return {"cannot use " + file.string() + ": " + reason, "remove it, or check the directory's permissions"};
}

// Whether a server holds a lock on a part of the file.
bool is_locked(int fd, std::size_t start, std::size_t bytes) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(start);
  lock.l_len = static_cast<off_t>(bytes);
  return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

bool is_regular_with_one_name(int fd) {
  struct stat status {};
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1;
}

}  // namespace

std::string playing_record(std::uint64_t bytes_per_second) {
  auto record = fmt::format("{}pid {} {}{}", record_start, getpid(), record_figure, bytes_per_second);
  record.resize(playing_record_bytes - 1, ' ');
  return record + '\n';
}

std::optional<std::uint64_t> parse_playing_record(std::string_view record) {
  const auto figure = record.find(record_figure);
  if (!record.starts_with(record_start) || figure == std::string_view::npos) return std::nullopt;
  record.remove_prefix(figure + record_figure.size());
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(record.data(), record.data() + record.size(), value);
  const bool ends = end == record.data() + record.size() || *end == ' ' || *end == '\n';
  return error == std::errc{} && ends ? std::optional(value) : std::nullopt;
}

Result<int> open_playing_file(const std::filesystem::path& directory, bool create) {
  const auto file = directory / playing_file_name;
  const int fd =
      open(file.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (create ? O_CREAT : 0), 0644);
  if (fd < 0) return cannot_use(file, errno == ELOOP ? "it is a link" : std::strerror(errno));
  std::array<char, record_start.size()> head{};
  const auto got = is_regular_with_one_name(fd) ? pread(fd, head.data(), head.size(), 0) : -1;
  const bool ours =
      got == 0 || std::string_view(head.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))) == record_start;
  if (!ours) {
    close(fd);
    return cannot_use(file, "it is not a file of wall-server's");
  }
  if (got == 0) fchmod(fd, 0644);  // others must see the lock, whatever the umask; not if the file is not ours
  return fd;
}

std::optional<Playing> playing_from(const std::filesystem::path& directory) {
  const auto file = directory / playing_file_name;
  const int fd = open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  // In doubt, assume a server.
  if (fd < 0) return errno == EACCES ? std::optional(Playing{1, 0, false}) : std::nullopt;
  Playing playing;
  if (is_regular_with_one_name(fd) && is_locked(fd, 0, playing_record_bytes * playing_records_max)) {
    for (std::size_t i = 0; i < playing_records_max; ++i) {
      if (!is_locked(fd, i * playing_record_bytes, playing_record_bytes)) continue;
      std::array<char, playing_record_bytes> record{};
      const auto got = pread(fd, record.data(), record.size(), static_cast<off_t>(i * playing_record_bytes));
      const auto bytes = parse_playing_record({record.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))});
      ++playing.servers;
      playing.complete = playing.complete && bytes.has_value();
      playing.bytes_per_second += std::min(bytes.value_or(0), UINT64_MAX - playing.bytes_per_second);
    }
  }
  close(fd);
  return playing.servers > 0 ? std::optional(playing) : std::nullopt;
}

}  // namespace lw
