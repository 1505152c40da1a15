#include "ingest/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "common/base/read_file.h"
#include "common/base/write_all.h"
#include "ingest/disk.h"

namespace lw {
namespace {

using nlohmann::json;

constexpr std::size_t state_bytes_max = std::size_t{64} << 20U;

std::string json_text(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

}  // namespace

std::optional<std::vector<std::uint64_t>> Journal::resume() {
  const auto read = read_file(state_file(), state_bytes_max, "");
  if (!read) return std::nullopt;
  const auto state = json::parse(*read, nullptr, false);
  // Compares the written form: bytes of a file name that are not UTF-8 are replaced in both.
  if (!state.is_object() || !state.contains("frames") || !state["frames"].is_number_unsigned()) return std::nullopt;
  if (!state.contains("recipe") || json_text(state["recipe"]) != json_text(recipe_)) return std::nullopt;
  const auto frames = state["frames"].get<std::uint64_t>();
  std::error_code none;
  const auto there = std::filesystem::file_size(checksum_file(), none);
  if (none || frames > there / sizeof(std::uint64_t) / tiles_) return std::nullopt;
  std::ifstream data(checksum_file(), std::ios::binary);
  std::vector<std::uint64_t> checksums(frames * tiles_);
  const auto bytes = static_cast<std::streamsize>(checksums.size() * sizeof(checksums[0]));
  data.read(reinterpret_cast<char*>(checksums.data()), bytes);
  if (data.gcount() != bytes) return std::nullopt;
  recorded_ = checksums.size();
  complete_ = state.value("complete", json()) == json(true);
  return checksums;
}

Result<void> Journal::record(std::span<const std::uint64_t> checksums, bool complete) {
  const auto failed = [this](int error) {
    return Error{"cannot write the journal in " + folder_.string() + ": " + std::strerror(error),
                 "check the disk and free some space"};
  };
  // Writes only the new ones, because a long import has many.
  const int fd = open(checksum_file().c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return failed(errno);
  int error = write_all(fd, std::as_bytes(checksums.subspan(recorded_)), recorded_ * sizeof(checksums[0]));
  if (error == 0 && fdatasync(fd) != 0) error = errno;
  close(fd);
  if (error != 0) return failed(error);

  const auto next = next_file();
  std::ofstream out(next);
  out << json_text({{"recipe", recipe_}, {"frames", checksums.size() / tiles_}, {"complete", complete}});
  out.close();
  if (!out) return failed(ENOSPC);
  if (error = disk::sync_file(next); error != 0) return failed(error);
  std::error_code renamed;
  std::filesystem::rename(next, state_file(), renamed);
  if (renamed) return failed(renamed.value());
  recorded_ = checksums.size();
  return {};
}

void Journal::remove() const {
  std::error_code error;
  for (const auto& file : {state_file(), checksum_file(), next_file()}) std::filesystem::remove(file, error);
}

}  // namespace lw
