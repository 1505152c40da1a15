// Which role may call what: as docs/protocol.md says, and as callers from another host experience it.
#include "common/access/access_role.h"
#include "common/access/tokens.h"
#include "common/web/web_client.h"
#include "tests/support/source_folder.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/server/control/service_fixture.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace lw;
using lw::test::pump;
using lw::test::Service;

// The table under "### Roles": a role, and the methods it adds.
std::map<std::string, std::string> documented_roles() {
  std::ifstream in(test::source_folder() / "docs/protocol.md");
  std::map<std::string, std::string> role_of;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) inside = line == "### Roles";
    if (!inside || !line.starts_with("| `")) continue;
    std::vector<std::string> words;
    for (std::size_t from = 0, to = 0; (from = line.find('`', from)) != std::string::npos; from = to + 1) {
      to = line.find('`', from + 1);
      words.push_back(line.substr(from + 1, to - from - 1));
    }
    for (std::size_t i = 1; i < words.size(); ++i) CHECK(role_of.emplace(words[i], words[0]).second);
  }
  return role_of;
}

// A client on another host, from the server's point of view.
struct Stranger {
  lw::test::TemporaryFolder folder;
  Service service{{}, {folder.path, own_certificate(folder.path).value(), {}, false}};
  std::unique_ptr<WebClient> client;
  bool open = false;
  Json answer;

  explicit Stranger(AccessRole role, const std::string& name = "desk") {
    Credentials credentials;
    credentials.known_servers = folder.path / "known-servers";
    credentials.token = add_token(folder.path / "tokens.json", name, role).value();
    credentials.tls = TlsUse::always;
    client = WebClient::connect(service.io, "127.0.0.1", service.wall.coordinator().control_port,
                                {[this] { open = true; },
                                 [this](std::string_view text) {
                                   auto message = Json::parse(text);
                                   if (message.contains("id")) answer = std::move(message);
                                 },
                                 [this](const std::string&) { open = false; }},
                                credentials);
    REQUIRE(pump(service.io, [this] { return open; }));
  }
  Json call(const std::string& method, const Json& params = Json::object()) {
    answer = nullptr;
    client->send(rpc_request(1, method, params));
    REQUIRE(pump(service.io, [this] { return !answer.is_null(); }));
    return answer;
  }
};

}  // namespace

TEST_CASE("docs/protocol.md has each method under the role that it needs") {
  const auto names = lw::test::all_method_names();
  const auto documented = documented_roles();
  for (const auto& name : names) {
    INFO(name);
    const auto role = role_needed(name);
    const auto found = documented.find(name);
    CHECK((found == documented.end() ? "" : found->second) == (role ? std::string(name_of(*role)) : "any"));
    CHECK((role == AccessRole::node) == name.starts_with("node."));
    CHECK((role == AccessRole::server) == name.starts_with("server."));
  }
  CHECK(documented.size() == names.size());
}

TEST_CASE("a viewer is refused everything else, by name of the role, and the refusal is logged") {
  Stranger stranger(AccessRole::view);
  CHECK(stranger.call("info")["result"]["you"] == Json{{"name", "desk"}, {"role", "view"}});
  CHECK(stranger.call("state").contains("result"));
  const auto refused = stranger.call("load", {{"name", "a"}});
  CHECK(refused["error"]["code"] == rpc_code::forbidden);
  CHECK_THAT(refused["error"]["message"].get<std::string>(), Catch::Contains("the role operate"));
  CHECK(stranger.call("node.hello", Service::hello("left"))["error"]["code"] == rpc_code::forbidden);
  CHECK(stranger.service.session.state().status == PlayStatus::stopped);
  CHECK_THAT(stranger.folder.read("audit-attempts.ndjson"),
             Catch::Contains("\"method\":\"load\"") && Catch::Contains("refused: "));
}

TEST_CASE("operators can play, but not delete") {
  Stranger stranger(AccessRole::operate);
  CHECK(stranger.call("load", {{"name", "a"}}).contains("result"));
  stranger.service.session.refuse = Error{"not in the library", ""};
  CHECK(stranger.call("load", {{"name", "b"}})["error"]["code"] == rpc_code::cannot);
  CHECK(stranger.call("delete", {{"name", "a"}})["error"]["code"] == rpc_code::forbidden);
  CHECK(stranger.call("place", {{"planned", true}})["error"]["code"] == rpc_code::forbidden);
  CHECK_THAT(stranger.folder.read("audit.ndjson"), Catch::Contains("\"outcome\":\"done\""));
  const auto attempts = stranger.folder.read("audit-attempts.ndjson");
  CHECK_THAT(attempts, Catch::Contains("\"outcome\":\"failed: ") && Catch::Contains("\"outcome\":\"refused: "));
}

TEST_CASE("refused and failed calls, however many, do not displace changes from the audit log") {
  Stranger stranger(AccessRole::operate);
  CHECK(stranger.call("load", {{"name", "a"}}).contains("result"));
  const auto changes = stranger.folder.read("audit.ndjson");
  for (int i = 0; i < 300; ++i) {
    CHECK(stranger.call("delete", {{"name", std::string(900, 'x')}})["error"]["code"] == rpc_code::forbidden);
    CHECK(stranger.call("seek", {{"frame", "none"}})["error"]["code"] == rpc_code::bad_params);
  }
  CHECK(stranger.folder.read("audit.ndjson") == changes);
  const auto attempts = stranger.folder.read("audit-attempts.ndjson");
  CHECK(std::ranges::count(attempts, '\n') == 2);
}

TEST_CASE("a node's token is only valid for the node of its name") {
  Stranger stranger(AccessRole::node, "left");
  const auto refused = stranger.call("node.hello", Service::hello("right"))["error"];
  CHECK(refused["code"] == rpc_code::forbidden);
  CHECK_THAT(refused["message"].get<std::string>(), Catch::Contains("--add-token right --role node"));
  CHECK(stranger.call("node.hello", Service::hello("left")).contains("result"));
  CHECK(stranger.call("info")["result"]["you"]["role"] == "node");
  for (const char* method : {"state", "list", "subscribe", "load", "delete"})
    CHECK(stranger.call(method)["error"]["code"] == rpc_code::forbidden);
}

TEST_CASE("an administrator can do everything") {
  Stranger stranger(AccessRole::administer);
  for (const auto& name : stranger.service.control->method_names())
    CHECK(stranger.call(name, {{"nobody_asks_for_this", 1}}).value("error", Json::object()).value("code", 0) !=
          rpc_code::forbidden);
}

TEST_CASE("a connection is closed when its token is removed") {
  Stranger stranger(AccessRole::operate);
  CHECK(stranger.call("state").contains("result"));
  REQUIRE(remove_token(stranger.folder.path / "tokens.json", "desk").has_value());
  CHECK(pump(stranger.service.io, [&] { return !stranger.open; }));
}
