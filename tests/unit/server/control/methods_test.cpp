// docs/protocol.md describes every method of the control plane, and no other.
#include <catch2/catch.hpp>

#include "tests/unit/server/control/service_fixture.h"

#include "tests/support/source_folder.h"

#include <fstream>
#include <set>
#include <string>

namespace {

using namespace lw;
using lw::test::Service;

// The first column of the table under "### Methods".
std::set<std::string> documented_methods() {
  std::ifstream in(test::source_folder() / "docs/protocol.md");
  std::set<std::string> names;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) inside = line == "### Methods";
    if (inside && line.starts_with("| `")) names.insert(line.substr(3, line.find('`', 3) - 3));
  }
  return names;
}

}  // namespace

TEST_CASE("docs/protocol.md has every method and no other") {
  Service service;
  const auto names = service.control->method_names();
  CHECK(documented_methods() == lw::test::all_method_names());
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
}

TEST_CASE("info lists the methods, and each exists") {
  Service service;
  const auto answer = service.call("info");
  REQUIRE(answer.contains("result"));
  CHECK(answer["result"]["methods"] == Json(service.control->method_names()));
  CHECK(answer["result"]["protocol"] == protocol_version);
  for (const auto& name : service.control->method_names()) {
    const auto reply = service.call(name, {{"nobody_asks_for_this", 1}});
    INFO(name << ": " << reply.dump());
    // node.report reads only known params; without node.hello it is refused.
    REQUIRE(reply.contains("error"));
    CHECK(reply["error"]["code"] == (name == "node.report" ? rpc_code::cannot : rpc_code::bad_params));
  }
  CHECK(service.call("no-such-method")["error"]["code"] == rpc_code::unknown_method);
}
