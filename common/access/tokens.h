// Tokens let clients in from other hosts. A token is shown once; tokens.json of the state folder has only its SHA-256,
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
  std::string sha256;  // of the token's text, hex
  std::string made;    // ISO 8601
  bool operator==(const Token&) const = default;
};

inline constexpr std::string_view token_prefix = "lw-";  // so that those who look for leaked ones find it

// Whether it has a token's form.
bool is_token(std::string_view text);

// What tokens.json holds. (Fuzzed.)
Result<std::vector<Token>> parse_tokens(std::string_view json);
std::string to_text(const std::vector<Token>& tokens);

Result<std::vector<Token>> load_tokens(const std::filesystem::path& file);  // empty if the file does not exist
// Makes one, and returns its text. Like remove_token it may be called by any number of programs at the same time.
Result<std::string> add_token(const std::filesystem::path& file, const std::string& name, AccessRole role);
Result<void> remove_token(const std::filesystem::path& file, const std::string& name);

// Whose it is. Takes as long whether any, or how much of any, agrees.
const Token* find_token(const std::vector<Token>& tokens, std::string_view presented);

}  // namespace lw
