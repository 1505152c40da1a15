#include "server/control/announcement.h"

#include <catch2/catch.hpp>

#include <random>
#include <set>

namespace lw {

TEST_CASE("an announcement says which wall it is, how large, and by which program") {
  Wall wall;
  wall.name = "Hub";
  wall.set_grid({.columns = 3, .rows = 2, .tile_width = 1920, .tile_height = 1080});
  const auto announced = announcement_of(wall, "10.1.0.1", 9010);
  CHECK(announced.name == "Hub");
  CHECK(announced.at == "10.1.0.1");
  CHECK(announced.port == 9010);
  CHECK(announced.txt == std::vector<std::string>{"wall=Hub", "columns=3", "rows=2", "pixels=12441600",
                                                  "version=" LW_VERSION, "protocol=1"});
}

TEST_CASE("names of services are different labels of DNS, in UTF-8") {
  CHECK(service_name("Hub", 1) == "Hub");
  CHECK(service_name("Hub", 2) == "Hub #2");
  std::mt19937 random(3);
  const std::vector<std::string> characters{"a", "\u00e4", "\u65e5", "\U0001f5bc", " ", "#"};
  for (int round = 0; round < 500; ++round) {
    std::string name;
    while (name.size() < random() % 70) name += characters[random() % characters.size()];
    std::set<std::string> names;
    for (unsigned attempt = 1; attempt <= 40; ++attempt) {
      const auto made = service_name(name, attempt);
      CHECK(made.size() <= Announcement::name_bytes_max);
      names.insert(made);
      // Cut between characters: no byte of a character without those before it.
      const auto cut = made.find("...");
      if (cut != std::string::npos && name.size() > made.size()) CHECK(name.starts_with(made.substr(0, cut)));
      if (cut != std::string::npos && cut < name.size())
        CHECK((static_cast<unsigned char>(name[cut]) & 0xC0U) != 0x80U);
    }
    CHECK(names.size() == 40);
  }
}

}  // namespace lw
