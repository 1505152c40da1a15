#include "ingest/shards.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <system_error>

#include "common/base/cannot_write.h"
#include "common/base/read_file.h"
#include "common/base/whole_number.h"
#include "common/store/checksum.h"
#include "ingest/disk.h"

namespace lw {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view state_name = "shards.json";
constexpr std::string_view lock_name = "shards.lock";
constexpr std::size_t state_bytes_max = 4096;

// Recipes may be long, and need not be UTF-8.
std::string digest_of(const std::string& recipe) {
  return fmt::format("{:016x}", checksum(std::as_bytes(std::span(recipe))));
}

Result<Descriptor> open_lock(const fs::path& file) {
  Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!lock) return cannot_write(file, "check the directory's permissions, and run the command again");
  return lock;
}

}  // namespace

Result<Shard> parse_shard(const std::string& text) {
  const auto slash = std::min(text.find('/'), text.size());
  const auto number = whole_number<unsigned>(std::string_view(text).substr(0, slash));
  const auto count =
      slash < text.size() ? whole_number<unsigned>(std::string_view(text).substr(slash + 1)) : std::nullopt;
  if (!number || !count || *number < 1 || *number > *count || *count > shards_max)
    return Error{"'" + text + "' is not a shard",
                 fmt::format("write 2/4 for the second of four; at most {}", shards_max)};
  return Shard{*number, *count};
}

std::string to_text(Shard shard) { return fmt::format("{}/{}", shard.number, shard.count); }

FrameRange frames_of(Shard shard, std::uint32_t total) {
  const auto cut = [&](unsigned number) {
    return static_cast<std::uint32_t>(std::uint64_t{total} * number / shard.count);
  };
  FrameRange range;
  range.begin = cut(shard.number - 1);
  if (shard.number < shard.count) range.end = cut(shard.number);
  return range;
}

std::string journal_name(Shard shard) { return fmt::format("shard-{}-of-{}", shard.number, shard.count); }

Result<std::optional<unsigned>> shards_in(const fs::path& folder, const std::string& recipe) {
  using Found = Result<std::optional<unsigned>>;
  std::error_code error;
  if (!fs::exists(folder / state_name, error)) return Found(boost::system::in_place_value, std::nullopt);
  const auto text = read_file(folder / state_name, state_bytes_max, "remove " + folder.string());
  if (!text) return text.error();
  const auto state = json::parse(*text, nullptr, false);
  const bool ours = state.is_object() && state.value("recipe", json()) == json(digest_of(recipe)) &&
                    state.value("shards", json()).is_number_unsigned();
  const auto count = ours ? state["shards"].get<std::uint64_t>() : 0;
  if (count < 1 || count > shards_max) return Found(boost::system::in_place_value, std::nullopt);
  return Found(boost::system::in_place_value, static_cast<unsigned>(count));
}

Result<void> note_shards(const fs::path& folder, const std::string& recipe, unsigned count) {
  const auto file = folder / state_name;
  int error = disk::write_file(file, json{{"recipe", digest_of(recipe)}, {"shards", count}}.dump());
  if (error == 0) error = disk::sync_folder(folder);
  if (error == 0) return {};
  errno = error;
  return cannot_write(file);
}

Result<Descriptor> lock_beginning(const fs::path& folder) {
  auto lock = open_lock(folder / lock_name);
  if (!lock) return lock;
  while (::flock(lock->get(), LOCK_EX) != 0)
    if (errno != EINTR) return cannot_write(folder / lock_name, "use a filesystem with locks (flock)");
  return lock;
}

Result<Descriptor> lock_shard(const fs::path& folder, Shard shard) {
  auto lock = open_lock(folder / (journal_name(shard) + ".lock"));
  if (lock && ::flock(lock->get(), LOCK_EX | LOCK_NB) != 0)
    return Error{"another wall-ingest is importing shard " + to_text(shard), "wait for it"};
  return lock;
}

Result<void> empty_partial(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().filename() != lock_name) fs::remove_all(entry.path(), error);
  if (error) return Error{"cannot empty " + folder.string() + ": " + error.message(), "check its permissions"};
  return {};
}

void remove_shards(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().filename().string().starts_with("shard")) fs::remove(entry.path(), error);
}

}  // namespace lw
