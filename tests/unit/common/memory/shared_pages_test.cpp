// Laws of shared pages: parts are as large as asked, do not overlap, and lie next to each other; parts that fill huge
// pages are allocated separately.
#include "common/memory/shared_pages.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

using namespace lw;

TEST_CASE("parts of any sizes are zeroed, separate and side by side") {
  std::mt19937 random(GENERATE(1U, 2U, 3U));
  std::uniform_int_distribution<std::size_t> sizes(1, 300'000);
  std::vector<std::size_t> asked(40);
  for (auto& bytes : asked) bytes = sizes(random);
  SharedPages shared;
  for (const auto bytes : asked) shared.expect(bytes, -1);
  std::vector<Pages> parts;
  for (const auto bytes : asked) {
    auto part = shared.take(bytes, -1);
    REQUIRE(part.has_value());
    CHECK(part->bytes() == Pages::rounded(bytes));
    CHECK(reinterpret_cast<std::uintptr_t>(part->data()) % 4096 == 0);
    CHECK(std::all_of(part->data(), part->data() + part->bytes(), [](std::byte b) { return b == std::byte{0}; }));
    if (!parts.empty()) CHECK(parts.back().data() + parts.back().bytes() == part->data());
    std::fill(part->data(), part->data() + part->bytes(), static_cast<std::byte>(parts.size() + 1));
    parts.push_back(std::move(*part));
  }
  for (std::size_t i = 0; i < parts.size(); ++i)
    CHECK(std::all_of(parts[i].data(), parts[i].data() + parts[i].bytes(),
                      [&](std::byte b) { return b == static_cast<std::byte>(i + 1); }));
  // Many small parts together begin where a huge page does.
  CHECK(reinterpret_cast<std::uintptr_t>(parts.front().data()) % (std::size_t{2} << 20U) == 0);
}

TEST_CASE("a part that fills huge pages is allocated separately") {
  SharedPages shared;
  const std::size_t large = std::size_t{5} << 20U;
  shared.expect(large, -1);
  shared.expect(1000, -1);
  const auto small = shared.take(1000, -1).value();
  {
    const auto part = shared.take(large, -1).value();
    CHECK(part.bytes() >= large);
    part.data()[large - 1] = std::byte{1};
  }
  small.data()[999] = std::byte{1};  // still mapped
  CHECK(small.bytes() == 4096);
}
