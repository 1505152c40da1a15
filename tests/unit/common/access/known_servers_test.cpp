// Which servers a client knows, and how it treats those with another certificate.
#include "common/access/known_servers.h"

#include "common/access/credentials.h"
#include "common/base/fingerprint.h"
#include "tests/support/temporary_folder.h"

#include <spdlog/spdlog.h>
#include <catch2/catch.hpp>

using namespace lw;
using lw::test::TemporaryFolder;

namespace {

const auto one = std::string(fingerprint_prefix) + std::string(64, '1');
const auto other = std::string(fingerprint_prefix) + std::string(64, '2');

}  // namespace

TEST_CASE("lines are servers, comments or errors") {
  const auto servers = parse_known_servers("# of the lab\n10.0.0.1:9010 " + one + "\n\n[fd00::1]:9010 " + other);
  REQUIRE(servers.has_value());
  CHECK(servers->size() == 2);
  CHECK(servers->at("[fd00::1]:9010") == other);
  for (const auto& wrong : {"10.0.0.1:9010", " x", "a b c", "10.0.0.1:9010 sha256:12"})
    CHECK_THAT(parse_known_servers(std::string("# one\n") + wrong).error().text(), Catch::StartsWith("line 2 "));
}

TEST_CASE("a server is trusted at first use, and then only with the same certificate") {
  spdlog::set_level(spdlog::level::off);
  const TemporaryFolder folder;
  Credentials credentials;
  credentials.known_servers = folder.path / "known-servers";
  REQUIRE(check_server(credentials, "10.0.0.1:9010", one).has_value());
  CHECK(folder.read("known-servers") == "10.0.0.1:9010 " + one + "\n");
  CHECK(check_server(credentials, "10.0.0.1:9010", one).has_value());
  const auto refused = check_server(credentials, "10.0.0.1:9010", other);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().text() == "the certificate of 10.0.0.1:9010 is another one (" + other +
                                      ") than before; if this is intended, remove its line from " +
                                      credentials.known_servers.string());
  CHECK(check_server(credentials, "10.0.0.1:9011", other).has_value());
  CHECK(known_fingerprint(credentials.known_servers, "10.0.0.1:9011").value() == other);

  folder.write("known-servers", "rubbish\n");  // an invalid file makes no server trusted
  CHECK_FALSE(check_server(credentials, "10.0.0.1:9012", one).has_value());
}

TEST_CASE("the wall file's fingerprint takes precedence over known servers") {
  const TemporaryFolder folder;
  Credentials credentials;
  credentials.fingerprint = one;
  CHECK(check_server(credentials, "10.0.0.1:9010", one).has_value());
  CHECK_THAT(check_server(credentials, "10.0.0.1:9010", other).error().text(),
             Catch::Contains("than the wall file's; if this is intended, correct [[server]] fingerprint"));
}

TEST_CASE("credentials are only looked for if they are needed") {
  const TemporaryFolder folder;
  const auto token = "lw-" + std::string(64, 'a');
  CredentialOptions options{"", (folder.path / "token").string(), (folder.path / "state").string()};
  CHECK(credentials_for("127.0.0.1", options).has_value());
  CHECK(credentials_for("0.0.0.0", options).has_value());
  CHECK_FALSE(std::filesystem::exists(folder.path / "state"));
  CHECK_THAT(credentials_for("10.0.0.1", options).error().text(), Catch::Contains("correct --token-file"));
  folder.write("token", "secret\n");
  CHECK_THAT(credentials_for("10.0.0.1", options).error().text(), Catch::Contains("contains no token"));
  folder.write("token", token + "\n");
  const auto credentials = credentials_for("10.0.0.1", options);
  REQUIRE(credentials.has_value());
  CHECK(credentials->token == token);
  CHECK(credentials->known_servers == folder.path / "state" / "known-servers");
  CHECK(credentials_for("10.0.0.1", options, one)->known_servers.empty());
}
