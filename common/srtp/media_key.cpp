#include "common/srtp/media_key.h"

#include "common/base/hex_digits.h"
#include "common/base/read_file.h"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <system_error>

namespace lw {
namespace {

constexpr std::size_t file_bytes_max = 4096;
constexpr const char* mend =
    "make one with (umask 077; openssl rand -hex 32 > FILE), the same on the server and its nodes, for [streaming] "
    "srtp_key_file";

}  // namespace

Result<std::optional<MediaKey>> load_media_key(const std::filesystem::path& file) {
  if (file.empty()) return std::optional<MediaKey>();
  auto text = read_file(file, file_bytes_max, mend);
  if (!text) return text.error();
  std::error_code unreadable;
  const auto mode = std::filesystem::status(file, unreadable).permissions();
  if (unreadable || (mode & std::filesystem::perms::others_read) != std::filesystem::perms::none)
    return Error{fmt::format("{}: everybody on this host may read the key", file.string()),
                 fmt::format("chmod o-rwx {}", file.string())};
  while (!text->empty() && (text->back() == '\n' || text->back() == '\r')) text->pop_back();
  MediaKey key;
  if (!are_digits(*text, 2 * key.bytes.size()))
    return Error{fmt::format("{}: not a key: it must be {} lower-case hex digits", file.string(), 2 * key.bytes.size()),
                 mend};
  const char* digits = text->data();
  for (auto& byte : key.bytes) {
    std::from_chars(digits, digits + 2, byte, 16);
    digits += 2;
  }
  return std::optional(key);
}

}  // namespace lw
