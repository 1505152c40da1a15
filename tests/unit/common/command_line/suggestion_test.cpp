#include "common/command_line/suggestion.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <string>

using namespace lw;

namespace {

std::string random_word(std::mt19937& dice, std::size_t length) {
  std::string word(length, ' ');
  for (auto& letter : word) letter = static_cast<char>('a' + dice() % 26);
  return word;
}

// One slip: a letter is added, dropped, replaced, or swapped with its neighbour.
std::string mistyped(std::mt19937& dice, std::string word) {
  const auto at = static_cast<std::ptrdiff_t>(dice() % (word.size() - 1));
  switch (dice() % 4) {
    case 0:
      word.insert(word.begin() + at, static_cast<char>('a' + dice() % 26));
      break;
    case 1:
      word.erase(word.begin() + at);
      break;
    case 2:
      word[static_cast<std::size_t>(at)] = static_cast<char>('a' + dice() % 26);
      break;
    default:
      std::swap(word[static_cast<std::size_t>(at)], word[static_cast<std::size_t>(at) + 1]);
  }
  return word;
}

}  // namespace

TEST_CASE("a slip counts as one error, and the distance is one of both directions") {
  std::mt19937 dice(7);
  for (int i = 0; i < 2000; ++i) {
    const auto word = random_word(dice, 2 + dice() % 12);
    const auto slipped = mistyped(dice, word);
    const auto other = random_word(dice, 2 + dice() % 12);
    INFO(word << " " << slipped << " " << other);
    CHECK(typing_errors(word, word) == 0);
    CHECK(typing_errors(slipped, word) <= 1);
    CHECK(typing_errors(word, other) == typing_errors(other, word));
    CHECK(typing_errors(word, other) <= std::max(word.size(), other.size()));
    CHECK(typing_errors("", word) == word.size());
  }
}

TEST_CASE("an option with one slip is found among all others") {
  const std::vector<std::string> options{"--wall",       "--node",  "--headless", "--dump", "--metrics",
                                         "--token-file", "--state", "--vsync",    "--log",  "--seconds"};
  std::mt19937 dice(8);
  for (int i = 0; i < 2000; ++i) {
    const auto& meant = options[dice() % options.size()];
    if (meant.size() < 6) continue;  // a slip in --log may lead nearer to another
    const auto typed = "--" + mistyped(dice, meant.substr(2));
    INFO(typed);
    CHECK(suggestion(typed, options) == meant);
  }
}

TEST_CASE("what is like nothing has no suggestion, and a beginning must be of one word only") {
  const std::vector<std::string> words{"analyze", "capacity", "run", "serve", "stamp", "sweep", "--overwrite"};
  CHECK(suggestion("rnu", words) == "run");
  CHECK(suggestion("cap", words) == "capacity");
  CHECK(suggestion("--over", words) == "--overwrite");
  CHECK(suggestion("se", words) == std::nullopt);
  CHECK(suggestion("frobnicate", words) == std::nullopt);
  CHECK(suggestion("", words) == std::nullopt);
  CHECK(suggestion("--", words) == std::nullopt);
  CHECK(suggestion("run", {}) == std::nullopt);
  CHECK(suggestion(std::string(100'000, 'x'), words) == std::nullopt);
}
