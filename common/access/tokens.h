// Tokens admit clients from other hosts. A token is shown once; tokens.json in the state folder has only its SHA-256,
// with a name and a role.
#pragma once

#include "common/access/access_role.h"
#include "common/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

struct Token {
  std::string name;
  AccessRole role = AccessRole::view;
  std::string sha256;  // of the token, hex
  std::string made;    // ISO 8601
  bool operator==(const Token&) const = default;
};

inline constexpr std::string_view token_prefix = "lw-";  // lets scanners for leaked secrets recognize tokens

// Whether the text has the form of a token.
bool is_token(std::string_view text);

// Parses tokens.json. (Fuzzed.)
Result<std::vector<Token>> parse_tokens(std::string_view json);
std::string to_text(const std::vector<Token>& tokens);

Result<std::vector<Token>> load_tokens(const std::filesystem::path& file);  // empty if the file does not exist
// Creates a token and returns it. Any number of programs may call this and remove_token at the same time.
Result<std::string> add_token(const std::filesystem::path& file, const std::string& name, AccessRole role);
Result<void> remove_token(const std::filesystem::path& file, const std::string& name);

// The token presented, or null. Takes the same time whether or how far any token matches.
const Token* find_token(const std::vector<Token>& tokens, std::string_view presented);

}  // namespace lw
