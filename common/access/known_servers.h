// The servers that a client has met, and by which certificate: "HOST:PORT sha256:..." on each line of known-servers in
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

// Nothing: not met yet.
Result<std::optional<std::string>> known_fingerprint(const std::filesystem::path& file, const std::string& where);
// May be called by any number of programs at the same time. One that is known by another certificate is an error.
Result<void> remember_server(const std::filesystem::path& file, const std::string& where,
                             const std::string& fingerprint);

}  // namespace lw
