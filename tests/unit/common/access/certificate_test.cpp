// The certificate that a server creates for itself, and by which clients recognize it.
#include "common/access/certificate.h"

#include "common/base/fingerprint.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace lw;
using lw::test::TemporaryFolder;

TEST_CASE("a certificate is created once, and only its owner can read the key") {
  const TemporaryFolder folder;
  const auto files = own_certificate(folder.path);
  REQUIRE(files.has_value());
  CHECK(folder.mode("control.key") == 0600);
  CHECK_THAT(folder.read("control.key"), Catch::Contains("PRIVATE KEY"));
  CHECK_THAT(folder.read("control.crt"), Catch::Contains("BEGIN CERTIFICATE") && !Catch::Contains("PRIVATE"));
  const auto fingerprint = fingerprint_of(files->certificate);
  REQUIRE(fingerprint.has_value());
  CHECK(is_fingerprint(*fingerprint));
  REQUIRE(own_certificate(folder.path).has_value());
  CHECK(fingerprint_of(files->certificate).value() == *fingerprint);

  const TemporaryFolder other;
  CHECK(fingerprint_of(own_certificate(other.path)->certificate).value() != *fingerprint);
}

TEST_CASE("a missing half of a pair is not silently replaced") {
  const TemporaryFolder folder;
  REQUIRE(own_certificate(folder.path).has_value());
  std::filesystem::remove(folder.path / "control.crt");
  CHECK_THAT(own_certificate(folder.path).error().text(), Catch::Contains("control.crt is missing beside"));
  std::filesystem::remove(folder.path / "control.key");
  CHECK(own_certificate(folder.path).has_value());
}

TEST_CASE("an invalid certificate is reported") {
  const TemporaryFolder folder;
  CHECK_THAT(fingerprint_of(folder.path / "none").error().text(), Catch::StartsWith("there is no "));
  folder.write("text", "-----BEGIN CERTIFICATE-----\nnot\n");
  CHECK_THAT(fingerprint_of(folder.path / "text").error().text(), Catch::Contains("is not a certificate in PEM form"));
  CHECK_THAT(own_certificate(folder.path / "not-there").error().text(), Catch::Contains("cannot write"));
}
