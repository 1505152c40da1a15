// What a server says about its library: once all digests are known, and again when something has changed.
#include "server/control/library_listing.h"

#include "tests/support/store_folder.h"
#include "tests/support/written_store.h"
#include "tests/unit/server/control/service_fixture.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

namespace {

using namespace lw;

struct Listed {
  Wall wall = lw::test::two_tiles();
  StoreFolder content;
  Library library{{content.path}};
  LibraryListing listing{wall, wall.servers.front(), library};

  void store(const std::string& name, std::uint32_t frames = 6) { write_store(content.path / name, wall.grid, frames); }
  // Whether the list has changed.
  bool scan() {
    library.scan();
    bool changed = false;
    for (int tick = 0; tick < 20; ++tick) changed = listing.step() || changed;
    return changed;
  }
};

}  // namespace

TEST_CASE("a list has digests, reasons for what cannot be sent, and a revision that grows with each change") {
  Listed a;
  CHECK_FALSE(a.listing.step());
  CHECK(a.listing.revision() == 0);
  CHECK(a.scan());
  CHECK(a.listing.revision() == 1);
  CHECK(a.listing.entries().empty());
  a.store("film");
  a.store("same");
  a.store("longer", 7);
  write_store(a.content.path / "other-wall", {2, 1, 32, 20, 0, 0});
  std::filesystem::create_directories(a.content.path / "broken");
  std::ofstream(a.content.path / "broken" / "visualization.json") << "{}";
  CHECK(a.scan());
  CHECK(a.listing.revision() == 2);
  const auto& entries = a.listing.entries();
  REQUIRE(entries.size() == 5);
  CHECK(entries[0].name == "broken");
  CHECK_FALSE(entries[0].fits);
  CHECK(entries[1].name == "film");
  CHECK(entries[1].fits);
  CHECK(entries[1].digest.size() == 16);
  CHECK(entries[1].digest == entries[4].digest);
  CHECK(entries[1].digest != entries[2].digest);
  CHECK(entries[3].name == "other-wall");
  CHECK_FALSE(entries[3].reason.empty());
  CHECK_FALSE(a.scan());
  CHECK(a.listing.revision() == 2);
}

TEST_CASE("a list is not complete before the last digest is known, one in each turn") {
  Listed a;
  a.store("film");
  a.store("longer", 7);
  a.library.scan();
  CHECK_FALSE(a.listing.step());
  CHECK_FALSE(a.listing.step());
  CHECK(a.listing.revision() == 0);
  CHECK(a.listing.step());
}

TEST_CASE("a visualization that was replaced gets the digest of its new frames") {
  Listed a;
  a.store("film");
  a.scan();
  const auto before = a.listing.entries().front().digest;
  std::filesystem::remove_all(a.content.path / "film");
  a.store("film", 7);
  CHECK(a.scan());
  CHECK(a.listing.entries().front().digest != before);
}

TEST_CASE("pages follow each other by name") {
  Listed a;
  for (const auto* name : {"a", "b", "c"}) a.store(name);
  a.scan();
  const auto first = a.listing.page({});
  CHECK(first.visualizations.size() == 3);
  CHECK_FALSE(first.more);
  CHECK(a.listing.page("a").visualizations.front().name == "b");
  CHECK(a.listing.page("aa").visualizations.front().name == "b");
  CHECK(a.listing.page("c").visualizations.empty());
}
