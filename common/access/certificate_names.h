// The names for which a certificate is valid.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lw {

// The host names and addresses in it; empty if it is not a certificate.
std::vector<std::string> names_in(const std::filesystem::path& certificate);

}  // namespace lw
