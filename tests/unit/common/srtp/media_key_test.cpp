#include "common/srtp/media_key.h"

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace lw;

TEST_CASE("a media key is 64 hex digits in a file that only some may read") {
  const test::TemporaryFolder folder;
  const auto file = folder.path / "media.key";
  const auto load = [&](const std::string& text, unsigned mode = 0600) {
    folder.write("media.key", text);
    std::filesystem::permissions(file, static_cast<std::filesystem::perms>(mode));
    return load_media_key(file);
  };
  const std::string digits = "00ff" + std::string(60, 'a');
  const auto key = load(digits + "\n");
  REQUIRE(key.has_value());
  CHECK((*key)->bytes[0] == 0);
  CHECK((*key)->bytes[1] == 0xff);
  CHECK((*key)->bytes[31] == 0xaa);
  CHECK(load(digits, 0640).has_value());
  CHECK_THAT(load(digits, 0644).error().text(), Catch::Contains("everybody") && Catch::Contains("chmod o-rwx"));
  for (const auto& wrong :
       {std::string(), std::string("secret"), digits.substr(1), digits + "0", "G" + digits.substr(1)})
    CHECK_THAT(load(wrong).error().text(), Catch::Contains("media.key") &&
                                               Catch::Contains("64 lower-case hex digits") &&
                                               Catch::Contains("openssl rand -hex 32"));
  CHECK_THAT(load_media_key(folder.path / "absent").error().text(), Catch::Contains("absent"));
  CHECK_FALSE(load_media_key({}).value().has_value());
}
