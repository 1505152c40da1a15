#include "common/access/tokens.h"

#include "common/access/digest.h"
#include "common/access/private_file.h"
#include "common/base/json_depth.h"
#include "common/messages/iso_time.h"
#include "common/messages/rpc.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace lw {
namespace {

constexpr std::size_t tokens_max = 1000;
constexpr std::size_t name_bytes_max = 64;
constexpr std::size_t token_bytes = 32;

// Names appear in logs and in `info`.
bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= name_bytes_max &&
         std::ranges::all_of(name, [](char c) { return c > ' ' && c < 0x7f; });
}

std::optional<Token> token_of(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  Params params(json);
  Token token;
  token.name = params.text("name");
  const auto role = access_role(params.text("role"));
  token.sha256 = params.text("sha256");
  token.made = params.text("made");
  if (params.problem() || !role || !is_name(token.name) || !are_digits(token.sha256, sha256_digits))
    return std::nullopt;
  token.role = *role;
  return token;
}

Result<std::vector<Token>> tokens_of(const std::filesystem::path& file, const std::optional<std::string>& text) {
  if (!text) return std::vector<Token>();
  auto tokens = parse_tokens(*text);
  if (!tokens) return Error(tokens.error()).in(file.string());
  return tokens;
}

using TokensChange = std::function<Result<void>(std::vector<Token>&)>;

Result<void> change_tokens(const std::filesystem::path& file, const TokensChange& change) {
  return change_private_file(file, [&](const auto& text) -> Result<std::optional<std::string>> {
    auto tokens = tokens_of(file, text);
    if (!tokens) return tokens.error();
    if (const auto changed = change(*tokens); !changed) return changed.error();
    return std::optional(to_text(*tokens));
  });
}

}  // namespace

Result<std::vector<Token>> parse_tokens(std::string_view text) {
  const Json json = is_json_deeper_than(rpc_depth_max, text) ? Json() : Json::parse(text, nullptr, false);
  const auto list = json.is_object() ? json.find("tokens") : json.end();
  if (list == json.end() || !list->is_array() || list->size() > tokens_max)
    return Error{"not a list of tokens", "remove it, and create tokens with --add-token"};
  std::vector<Token> tokens;
  for (const auto& entry : *list) {
    auto token = token_of(entry);
    if (!token || std::ranges::find(tokens, token->name, &Token::name) != tokens.end())
      return Error{"token " + std::to_string(tokens.size() + 1) + " is not understood",
                   "remove it, and make a new one with --add-token"};
    tokens.push_back(std::move(*token));
  }
  return tokens;
}

std::string to_text(const std::vector<Token>& tokens) {
  Json list = Json::array();
  for (const auto& token : tokens)
    list.push_back(
        {{"name", token.name}, {"role", name_of(token.role)}, {"sha256", token.sha256}, {"made", token.made}});
  return Json{{"tokens", std::move(list)}}.dump(2) + "\n";
}

Result<std::vector<Token>> load_tokens(const std::filesystem::path& file) {
  const auto text = read_private_file(file);
  if (!text) return text.error();
  return tokens_of(file, *text);
}

Result<std::string> add_token(const std::filesystem::path& file, const std::string& name, AccessRole role) {
  if (!is_name(name)) return Error{"'" + name + "' is not a valid token name", "use 1 to 64 letters, digits and signs"};
  const auto random = random_hex(token_bytes);
  if (!random) return random.error();
  auto token = std::string(token_prefix) + *random;
  const auto added = change_tokens(file, [&](std::vector<Token>& tokens) -> Result<void> {
    if (std::ranges::find(tokens, name, &Token::name) != tokens.end())
      return Error{"there is a token '" + name + "' already", "remove it first with --remove-token " + name};
    if (tokens.size() == tokens_max) return Error{"there are 1000 tokens", "remove some with --remove-token"};
    tokens.push_back({name, role, sha256_hex(token), to_iso8601(WallClock::now())});
    return {};
  });
  if (!added) return added.error();
  return {boost::system::in_place_value, std::move(token)};
}

Result<void> remove_token(const std::filesystem::path& file, const std::string& name) {
  return change_tokens(file, [&](std::vector<Token>& tokens) -> Result<void> {
    if (std::erase_if(tokens, [&](const Token& token) { return token.name == name; }) == 0)
      return Error{"unknown token '" + name + "'", "--tokens lists the tokens"};
    return {};
  });
}

bool is_token(std::string_view text) {
  return text.starts_with(token_prefix) && are_digits(text.substr(token_prefix.size()), sha256_digits);
}

const Token* find_token(const std::vector<Token>& tokens, std::string_view presented) {
  const auto digest = sha256_hex(presented);
  const Token* found = nullptr;
  for (const auto& token : tokens)
    if (same_digits(token.sha256, digest)) found = &token;
  return found;
}

}  // namespace lw
