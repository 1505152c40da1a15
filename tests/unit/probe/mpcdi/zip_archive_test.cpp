#include "probe/mpcdi/zip_archive.h"

#include "tests/unit/probe/mpcdi/mpcdi_maker.h"

#include <catch2/catch.hpp>

#include <random>

using namespace lw;
using namespace lw::test;

namespace {

std::string random_bytes(std::mt19937_64& random, std::size_t size) {
  std::string bytes(size, '\0');
  for (auto& byte : bytes) byte = static_cast<char>(random() % 7);
  return bytes;
}

// An error says what is wrong and what to do, in one line.
void check_error(const Error& error, const std::string& expected) {
  INFO(error.text());
  CHECK(error.text().find(expected) != std::string::npos);
  CHECK_FALSE(error.mend.empty());
  CHECK(error.text().find('\n') == std::string::npos);
}

std::string error_of_open(const std::string& bytes, const ZipLimits& limits = {}) {
  const auto archive = ZipArchive::open(bytes, limits);
  return archive ? "" : archive.error().text();
}

Result<std::string> read_of(const std::string& bytes, const std::string& name, const ZipLimits& limits = {}) {
  auto archive = ZipArchive::open(bytes, limits);
  REQUIRE(archive.has_value());
  return archive->read(name);
}

}  // namespace

TEST_CASE("what was packed is read again, deflated or not") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 50; ++round) {
    ZipMaker maker;
    std::map<std::string, std::string> packed;
    for (unsigned i = 0; i < 1 + random() % 9; ++i) {
      const auto name = fmt::format("f{}.bin", i);
      packed[name] = random_bytes(random, random() % 5000);
      maker.add({.name = name, .bytes = packed[name], .deflated = random() % 2 == 0});
    }
    maker.add({.name = "folder/", .bytes = ""});
    const auto bytes = maker.bytes();
    auto archive = ZipArchive::open(bytes);
    REQUIRE(archive.has_value());
    CHECK(archive->names().size() == packed.size());
    for (const auto& [name, content] : packed) {
      REQUIRE(archive->has(name));
      const auto read = archive->read(name);
      REQUIRE(read.has_value());
      CHECK(*read == content);
    }
  }
}

TEST_CASE("a damaged archive gives an error or what was packed") {
  std::mt19937_64 random(4);
  const std::string content = random_bytes(random, 900);
  const auto good = ZipMaker().add({.name = "a.bin", .bytes = content}).bytes();
  for (std::size_t size = 0; size < good.size(); ++size) {
    const auto cut = good.substr(0, size);
    auto archive = ZipArchive::open(cut);
    if (archive && archive->has("a.bin"))
      if (const auto read = archive->read("a.bin")) CHECK(*read == content);  // only the archive's comment is cut
  }
  for (int round = 0; round < 4000; ++round) {
    auto bytes = good;
    bytes[random() % bytes.size()] ^= static_cast<char>(1U << random() % 8);
    auto archive = ZipArchive::open(bytes);
    if (!archive) {
      check_error(archive.error(), "");
      continue;
    }
    for (const auto& name : archive->names())
      if (const auto read = archive->read(name)) CHECK(*read == content);
  }
}

TEST_CASE("other files are not archives") {
  for (const std::string bytes : {"", "P", "PF\n2 2\n-1.0\n", "<MPCDI/>"})
    check_error(ZipArchive::open(bytes).error(), "not a ZIP");
}

TEST_CASE("an archive with too much in it is refused before it is unpacked") {
  const std::string zeros(std::size_t{3} << 20U, '\0');
  const auto bomb =
      ZipMaker().add({.name = "bomb.pfm", .bytes = zeros}).add({.name = "more.pfm", .bytes = zeros}).bytes();
  CHECK(bomb.size() < zeros.size() / 100);
  check_error(read_of(bomb, "bomb.pfm", {.entry_bytes = 1 << 20}).error(), "entry 'bomb.pfm' has 3 MiB, more than 1");
  const ZipLimits limits{.total_bytes = std::uint64_t{5} << 20U};
  auto archive = ZipArchive::open(bomb, limits);
  REQUIRE(archive.has_value());
  CHECK(archive->read("bomb.pfm").has_value());
  check_error(archive->read("more.pfm").error(), "more than 5 MiB");
  check_error(archive->read("bomb.pfm").error(), "more than 5 MiB");
  ZipMaker many;
  for (int i = 0; i < 11; ++i) many.add({.name = fmt::format("{}", i), .bytes = ""});
  check_error(ZipArchive::open(many.bytes(), {.entries = 10}).error(), "has 11 entries, more than 10");
}

TEST_CASE("an entry that states another size than it has is damaged") {
  const std::string zeros(100'000, '\0');
  for (const std::int64_t stated : {0, 1, 99'999, 100'001, 1 << 30}) {
    const auto bytes = ZipMaker().add({.name = "a", .bytes = zeros, .stated_size = stated}).bytes();
    const auto read = read_of(bytes, "a", {.entry_bytes = std::uint64_t{1} << 31U});
    INFO(stated);
    if (stated == 0)
      CHECK((!read || read->empty()));
    else
      CHECK_FALSE(read.has_value());
  }
}

TEST_CASE("an archive that cannot be used says why") {
  CHECK(error_of_open(ZipMaker().add({.name = "a", .bytes = "1"}).add({.name = "a", .bytes = "2"}).bytes()) ==
        "has two entries 'a'; remove one of them");
  CHECK(error_of_open(ZipMaker().add({.name = "a", .bytes = "1", .flags = 1}).bytes()) ==
        "entry 'a' is encrypted; export it without a password");
  CHECK(error_of_open(ZipMaker().add({.name = "a", .bytes = "1", .method = 12}).bytes()) ==
        "entry 'a' is compressed by method 12; pack it again with deflate, as zip does");
  check_error(read_of(ZipMaker().add({.name = "a", .bytes = "1"}).bytes(), "../b").error(), "has no entry '../b'");
}
