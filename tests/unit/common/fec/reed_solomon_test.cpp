// Pins the erasure code: any symbols may be lost, as many as there is parity; symbols of unequal length; smaller
// groups.
#include "common/fec/reed_solomon.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

using namespace lw;

namespace {

// Symbols of these lengths, filled at random, and their parity.
struct Group {
  template <class Random>
  Group(const std::vector<std::size_t>& lengths, FecStrength strength, std::size_t bytes, ReedSolomon& sender,
        Random& random)
      : parity(strength.parity, std::vector<std::byte>(bytes)) {
    for (const auto length : lengths) {
      auto& symbol = symbols.emplace_back(length);
      for (auto& byte : symbol) byte = static_cast<std::byte>(random());
    }
    for (auto& symbol : symbols) data.push_back({symbol.data(), symbol.size()});
    for (auto& row : parity) rows.push_back(row.data());
    sender.encode(data, rows);
  }

  std::vector<std::vector<std::byte>> symbols, parity;
  std::vector<ReedSolomon::Symbol> data;
  std::vector<std::byte*> rows;
};

}  // namespace

TEST_CASE("any symbols, as many as there is parity, are rebuilt") {
  constexpr FecStrength strength{20, 4};
  constexpr std::size_t bytes = 1356;
  const std::size_t size = GENERATE(20U, 19U, 3U, 1U);
  std::minstd_rand random(static_cast<unsigned>(size));
  ReedSolomon sender(strength, bytes);
  ReedSolomon receiver(strength, bytes);
  for (int round = 0; round < 30; ++round) {
    // The last packet of a frame is shorter; others may lack a few bytes.
    std::vector<std::size_t> lengths(size);
    for (std::size_t i = 0; i < size; ++i) lengths[i] = i + 1 == size ? 1 + random() % bytes : bytes - random() % 9;
    Group group(lengths, strength, bytes, sender, random);
    auto& [symbols, parity, data, rows] = group;

    std::vector<unsigned> all(size + strength.parity);
    for (unsigned i = 0; i < all.size(); ++i) all[i] = i;
    std::shuffle(all.begin(), all.end(), random);
    std::vector<unsigned> missing;
    std::vector<unsigned> rows_lost;
    for (std::size_t i = 0; i < strength.parity; ++i)
      (all[i] < size ? missing : rows_lost).push_back(all[i] < size ? all[i] : all[i] - static_cast<unsigned>(size));
    std::sort(missing.begin(), missing.end());
    if (missing.empty()) continue;
    std::vector<ReedSolomon::Parity> came;
    for (unsigned row = 0; row < strength.parity; ++row)
      if (std::ranges::find(rows_lost, row) == rows_lost.end()) came.push_back({row, parity[row].data()});
    const auto before = symbols;
    for (const auto i : missing) std::fill(symbols[i].begin(), symbols[i].end(), std::byte{0xee});
    receiver.decode(data, missing, came);
    REQUIRE(symbols == before);
  }
}

TEST_CASE("one object rebuilds the same loss of several groups, another loss, and encodes in between") {
  const FecStrength strength{6, 3};
  constexpr std::size_t bytes = 100;
  ReedSolomon code(strength, bytes);
  std::mt19937 random(5);
  for (int group = 0; group < 8; ++group) {
    ReedSolomon sender(strength, bytes);
    Group made(std::vector<std::size_t>(strength.data, bytes), strength, bytes, sender, random);
    auto& [symbols, parity, data, rows] = made;
    if (group == 5) code.encode(data, rows);

    std::vector<unsigned> missing = group % 4 == 3 ? std::vector<unsigned>{0, 5} : std::vector<unsigned>{1, 2};
    if (group == 6) missing.push_back(3), std::ranges::sort(missing);
    std::vector<ReedSolomon::Parity> came{{0, rows[0]}, {2, rows[2]}};
    if (missing.size() == 3 || group == 2) came.insert(came.begin() + 1, {1, rows[1]});
    const auto before = symbols;
    for (const auto i : missing) std::fill(symbols[i].begin(), symbols[i].end(), std::byte{0xee});
    code.decode(data, missing, came);
    REQUIRE(symbols == before);
  }
}
