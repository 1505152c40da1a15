#include "common/access/known_servers.h"

#include "common/access/private_file.h"
#include "common/base/fingerprint.h"

#include <algorithm>

namespace lw {
namespace {

Result<std::map<std::string, std::string>> parse(const std::filesystem::path& file,
                                                 const std::optional<std::string>& text) {
  auto servers = parse_known_servers(text.value_or(""));
  if (!servers) return Error(servers.error()).in(file.string());
  return servers;
}

}  // namespace

Result<std::map<std::string, std::string>> parse_known_servers(std::string_view text) {
  std::map<std::string, std::string> servers;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.empty() || line.starts_with('#')) continue;
    const auto space = line.find(' ');
    if (space == 0 || space == std::string_view::npos || !is_fingerprint(line.substr(space + 1)))
      return Error{"line " + std::to_string(number) + " is invalid", "write HOST:PORT sha256:..., or remove it"};
    servers.emplace(line.substr(0, space), line.substr(space + 1));
  }
  return servers;
}

Result<std::optional<std::string>> known_fingerprint(const std::filesystem::path& file, const std::string& where) {
  const auto text = read_private_file(file);
  if (!text) return text.error();
  const auto servers = parse(file, *text);
  if (!servers) return servers.error();
  const auto found = servers->find(where);
  return found == servers->end() ? std::optional<std::string>() : found->second;
}

Result<void> remember_server(const std::filesystem::path& file, const std::string& where,
                             const std::string& fingerprint) {
  return change_private_file(file, [&](const auto& text) -> Result<std::optional<std::string>> {
    const auto servers = parse(file, text);
    if (!servers) return servers.error();
    // Another program may have added the server since this one looked.
    if (const auto known = servers->find(where); known != servers->end()) {
      if (known->second == fingerprint) return std::optional<std::string>();
      return Error{"another program met " + where + " a moment ago by another certificate, " + known->second,
                   "find out which is the server's, and correct its line in " + file.string()};
    }
    auto all = text.value_or("");
    if (!all.empty() && !all.ends_with('\n')) all += '\n';
    return std::optional(all + where + " " + fingerprint + "\n");
  });
}

}  // namespace lw
