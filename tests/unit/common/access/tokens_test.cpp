// Tokens: created once, stored as digests, found or not found; an invalid file holds none.
#include "common/access/tokens.h"

#include "common/access/digest.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace lw;
using lw::test::TemporaryFolder;

TEST_CASE("a token is found by its text, which is not stored anywhere") {
  const TemporaryFolder folder;
  const auto file = folder.path / "tokens.json";
  CHECK(load_tokens(file).value().empty());
  const auto desk = add_token(file, "desk", AccessRole::operate);
  const auto left = add_token(file, "left", AccessRole::node);
  REQUIRE(desk.has_value());
  REQUIRE(left.has_value());
  CHECK(desk->starts_with(token_prefix));
  CHECK(desk->size() == token_prefix.size() + 64);
  CHECK(folder.mode("tokens.json") == 0600);
  CHECK_THAT(folder.read("tokens.json"), !Catch::Contains(desk->substr(token_prefix.size())));

  const auto tokens = load_tokens(file).value();
  REQUIRE(tokens.size() == 2);
  const auto* found = find_token(tokens, *desk);
  REQUIRE(found != nullptr);
  CHECK(found->name == "desk");
  CHECK(found->role == AccessRole::operate);
  CHECK(find_token(tokens, *left)->name == "left");
  auto wrong = *desk;
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  for (const auto& text : {wrong, std::string(), desk->substr(1), *desk + "0", tokens[0].sha256})
    CHECK(find_token(tokens, text) == nullptr);

  CHECK_THAT(add_token(file, "desk", AccessRole::view).error().text(), Catch::Contains("already"));
  REQUIRE(remove_token(file, "desk").has_value());
  CHECK(find_token(load_tokens(file).value(), *desk) == nullptr);
  CHECK_THAT(remove_token(file, "desk").error().text(), Catch::Contains("unknown token 'desk'"));
}

TEST_CASE("names of tokens are short, printable words") {
  const TemporaryFolder folder;
  for (const auto& name : {std::string(), std::string("two words"), std::string("line\nfeed"), std::string(65, 'x')})
    CHECK_FALSE(add_token(folder.path / "tokens.json", name, AccessRole::view).has_value());
  CHECK(add_token(folder.path / "tokens.json", std::string(64, 'x'), AccessRole::view).has_value());
}

TEST_CASE("a thousand tokens are enough") {
  std::vector<Token> tokens;
  for (int i = 0; i < 1000; ++i) tokens.push_back({"t" + std::to_string(i), AccessRole::view, sha256_hex("1"), ""});
  CHECK(parse_tokens(to_text(tokens)).has_value());
  tokens.push_back({"one-more", AccessRole::view, sha256_hex("1"), ""});
  CHECK_FALSE(parse_tokens(to_text(tokens)).has_value());
}

TEST_CASE("a file of tokens is read as written, or is an error") {
  const std::vector<Token> tokens{{"a", AccessRole::view, sha256_hex("1"), "2026-01-31T12:00:00.000Z"},
                                  {"b", AccessRole::administer, sha256_hex("2"), ""}};
  CHECK(parse_tokens(to_text(tokens)).value() == tokens);
  CHECK(parse_tokens(R"({"tokens": []})").value().empty());
  const auto digest = sha256_hex("1");
  const auto one = [&](const std::string& name, const std::string& role, const std::string& sha256) {
    return R"({"name": ")" + name + R"(", "role": ")" + role + R"(", "sha256": ")" + sha256 + R"(", "made": ""})";
  };
  const auto list = [](const std::string& entries) { return R"({"tokens": [)" + entries + "]}"; };
  CHECK(parse_tokens(list(one("a", "view", digest))).has_value());
  for (const auto& wrong :
       {std::string(), std::string("{}"), std::string("[]"), std::string(R"({"tokens": {}})"), list("1"),
        list(one("a", "root", digest)), list(one("", "view", digest)), list(one("a", "view", "abc")),
        list(one("a", "view", digest) + "," + one("a", "view", digest)), list(R"({"name": "a"})"),
        std::string(100'000, '[')})
    CHECK_FALSE(parse_tokens(wrong).has_value());
}
