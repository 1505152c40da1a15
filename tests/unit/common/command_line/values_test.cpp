#include "common/command_line/values.h"

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <fstream>

using namespace lw;

namespace {

std::string checked(const CLI::Validator& validator, const std::string& text) { return validator(text); }

}  // namespace

TEST_CASE("anything but a finite number within the bounds is refused, with the bounds") {
  const auto check = number_between(0.1, 600);
  for (const char* good : {"0.1", "1", "600", "6e2", "59.5"}) {
    INFO(good);
    CHECK(checked(check, good).empty());
  }
  for (const char* bad : {"nan", "NaN", "-nan", "inf", "-inf", "infinity", "1e-320", "1e-999", "1e999", "0", "-1",
                          "600.1", "", "1s", "0x10"}) {
    INFO(bad);
    CHECK(checked(check, bad) == "'" + std::string(bad) + "' is not valid; write a number from 0.1 to 600");
  }
  const auto rate = number_between(1e-6, 1000, true);
  CHECK(checked(rate, "0").empty());
  CHECK(checked(rate, "0.001").empty());
  CHECK_THAT(checked(rate, "1e-320"), Catch::EndsWith(" to 1000, or 0"));
}

TEST_CASE("a whole number within the bounds is accepted, and nothing else") {
  const auto check = whole_between(0, 63);
  for (const char* good : {"0", "1", "63"}) CHECK(checked(check, good).empty());
  for (const char* bad : {"-1", "64", "1.5", "", "x", "1e1", " 1", "99999999999999999999"}) {
    INFO(bad);
    CHECK(checked(check, bad) == "'" + std::string(bad) + "' is not valid; write a whole number from 0 to 63");
  }
}

TEST_CASE("a word that is not a choice is refused, with all choices") {
  const auto check = one_of({"fit", "fill", "exact"});
  for (const char* good : {"fit", "fill", "exact"}) CHECK(checked(check, good).empty());
  for (const char* bad : {"foo", "", "Fit", "fit,fill", "0", "{fit"})
    CHECK(checked(check, bad) == "'" + std::string(bad) + "' is unknown; use fit, fill or exact");
}

TEST_CASE("a file is not a directory, and both must exist") {
  const test::TemporaryFolder folder;
  const auto file = (folder.path / "file").string();
  std::ofstream(file) << "x";
  CHECK(checked(existing_folder(), folder.path.string()).empty());
  CHECK(checked(existing_folder(), file) == "'" + file + "' is not a directory; name a directory");
  CHECK(checked(existing_folder(), file + "2") == "'" + file + "2' does not exist; name a directory");
  CHECK(checked(existing_file(), file).empty());
  CHECK(checked(existing_file(), folder.path.string()).empty());
  CHECK(checked(existing_file(), file + "2") == "'" + file + "2' does not exist; name a file or a directory");
}
