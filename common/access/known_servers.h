// The servers that a client knows, with their certificates: a line "HOST:PORT sha256:..." for each in known-servers of
// the state folder.
#pragma once

#include "common/base/result.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace lw {

// By "HOST:PORT". (Fuzzed.)
Result<std::map<std::string, std::string>> parse_known_servers(std::string_view text);

// Empty: not known yet.
Result<std::optional<std::string>> known_fingerprint(const std::filesystem::path& file, const std::string& where);
// Any number of programs may call this at the same time. An error if the server is known with another certificate.
Result<void> remember_server(const std::filesystem::path& file, const std::string& where,
                             const std::string& fingerprint);

}  // namespace lw
