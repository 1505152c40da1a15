// Pins frame memory: aligned, zeroed, resident, and on the requested NUMA node.
#include "common/memory/pages.h"

#include <numaif.h>
#include <sys/mman.h>
#include <catch2/catch.hpp>

#include <numa.h>
#include <algorithm>
#include <vector>

using namespace lw;

TEST_CASE("frame memory is aligned, zeroed and resident") {
  const std::size_t bytes = GENERATE(std::size_t{100}, std::size_t{5000}, std::size_t{3} << 20U);
  const auto pages = Pages::allocate(bytes).value();
  REQUIRE(pages.bytes() >= bytes);
  REQUIRE(pages.bytes() % 4096 == 0);
  REQUIRE(reinterpret_cast<std::uintptr_t>(pages.data()) % 4096 == 0);
  REQUIRE(std::all_of(pages.data(), pages.data() + pages.bytes(), [](std::byte b) { return b == std::byte{0}; }));
  std::vector<unsigned char> present(pages.bytes() / 4096);
  REQUIRE(mincore(pages.data(), pages.bytes(), present.data()) == 0);
  CHECK(std::all_of(present.begin(), present.end(), [](unsigned char page) { return (page & 1U) != 0; }));
}

TEST_CASE("frame memory is on the node of the core that works on it") {
  if (numa_available() < 0) return;  // a kernel without NUMA has one kind of memory only
  const auto pages = Pages::allocate(std::size_t{4} << 20U, 0).value();
  int node = -1;
  REQUIRE(get_mempolicy(&node, nullptr, 0, pages.data(), MPOL_F_NODE | MPOL_F_ADDR) == 0);
  CHECK(node == numa_node_of_cpu(0));
}

TEST_CASE("memory that cannot be allocated is an error that says how to need less") {
  const auto pages = Pages::allocate(std::size_t{1} << 55U);
  REQUIRE(!pages);
  CHECK_THAT(pages.error().text(), Catch::Contains("playout_delay_ms"));
}

TEST_CASE("the log says what is locked and how to lock the rest") {
  FrameMemory memory{200 << 20U, 0, 200 << 20U};
  CHECK(memory.text() == "200.0 MiB of frames in memory, locked");
  memory.locked_bytes = 50 << 20U;
  CHECK_THAT(memory.text(), Catch::Contains("150.0 MiB not locked") && Catch::Contains("ulimit -l"));
}

TEST_CASE("a view and a driver's memory are used like pages, and belong to others") {
  std::vector<std::byte> memory(10'000, std::byte{7});
  {
    const auto driver = Pages::of_driver(memory);
    CHECK(driver.data() == memory.data());
    CHECK(driver.bytes() == memory.size());
    CHECK_FALSE(driver.reserved_huge());
  }
  CHECK(std::all_of(memory.begin(), memory.end(), [](std::byte b) { return b == std::byte{0}; }));
  const auto pages = Pages::allocate(5000).value();
  {
    const auto view = pages.view();
    CHECK(view.data() == pages.data());
    CHECK(view.bytes() == pages.bytes());
    CHECK(view.locked() == pages.locked());
    view.data()[4999] = std::byte{1};
  }
  CHECK(pages.data()[4999] == std::byte{1});  // still mapped
}
