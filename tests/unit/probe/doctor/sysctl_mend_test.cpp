#include "probe/doctor/sysctl_mend.h"

#include "common/host/sysfs.h"
#include "tests/support/fake_tree.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>

namespace lw {
namespace {

Complaint complaint(const std::string& name, const std::string& value) {
  return {Level::warn, name, value, "", "", Sysctl{name, value}};
}

TEST_CASE("settings are applied, and a script reverts them") {
  const test::FakeTree tree;
  tree.write("proc/sys/net/core/rmem_max", "212992");
  tree.write("proc/sys/vm/nr_hugepages", "0");
  const auto undo = tree.root() / "undo.sh";
  const auto sysctls = sysctls_of({complaint("net.core.rmem_max", "1"),
                                   complaint("vm.nr_hugepages", "64"),
                                   {Level::fail, "MTU", "9000", "1500", "ip link", {}},
                                   complaint("net.core.rmem_max", "4194304")});
  REQUIRE(sysctls.size() == 2);
  std::vector<std::string> told;
  REQUIRE(apply(
              sysctls, undo, [&](const std::string& command) { told.push_back(command); }, tree.root())
              .has_value());
  CHECK(read_number(tree.root() / "proc/sys/net/core/rmem_max") == 4'194'304);
  CHECK(read_number(tree.root() / "proc/sys/vm/nr_hugepages") == 64);
  CHECK(told == std::vector<std::string>{"sysctl -w net.core.rmem_max=4194304", "sysctl -w vm.nr_hugepages=64"});
  std::ifstream file(undo);
  const std::string script{std::istreambuf_iterator<char>(file), {}};
  CHECK(script.starts_with("#!/bin/sh\n"));
  CHECK(script.find("sysctl -w net.core.rmem_max='212992'\n") != std::string::npos);
  CHECK(script.find("sysctl -w vm.nr_hugepages='0'\n") != std::string::npos);

  // A link that leads nowhere is not followed.
  std::filesystem::create_symlink(tree.root() / "elsewhere", tree.root() / "link.sh");
  CHECK_FALSE(apply(
                  sysctls, tree.root() / "link.sh", [](const std::string&) {}, tree.root())
                  .has_value());
  CHECK_FALSE(std::filesystem::exists(tree.root() / "elsewhere"));
}

TEST_CASE("nothing is changed if it could not be reverted") {
  const test::FakeTree tree;
  tree.write("proc/sys/net/core/rmem_max", "212992");
  tree.write("undo.sh", "what was before an earlier run");
  const auto ignore = [](const std::string&) {};
  const std::vector<Sysctl> sysctls{{"net.core.rmem_max", "4194304"}};
  CHECK(apply(sysctls, tree.root() / "undo.sh", ignore, tree.root()).error().what.find("already") != std::string::npos);
  CHECK_FALSE(apply(sysctls, tree.root() / "nowhere/undo.sh", ignore, tree.root()).has_value());
  CHECK_FALSE(apply({sysctls[0], {"no.such", "1"}}, tree.root() / "new.sh", ignore, tree.root()).has_value());
  CHECK(read_number(tree.root() / "proc/sys/net/core/rmem_max") == 212'992);
}

}  // namespace
}  // namespace lw
