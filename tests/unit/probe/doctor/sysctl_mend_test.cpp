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

std::string text_of(const std::filesystem::path& name) {
  std::ifstream file(name);
  return {std::istreambuf_iterator<char>(file), {}};
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
  CHECK(told == std::vector<std::string>{"sysctl -w net.core.rmem_max=4194304", "sysctl -w vm.nr_hugepages=64",
                                         "write them into /etc/sysctl.d/90-lambdawall.conf"});
  CHECK(told == changes_of(sysctls));
  CHECK(text_of(tree.root() / sysctl_file) ==
        "# Written by wall-probe doctor --apply.\nnet.core.rmem_max = 4194304\nvm.nr_hugepages = 64\n");
  const auto script = text_of(undo);
  CHECK(script.starts_with("#!/bin/sh\n"));
  CHECK(script.find("sysctl -w net.core.rmem_max='212992'\n") != std::string::npos);
  CHECK(script.find("sysctl -w vm.nr_hugepages='0'\n") != std::string::npos);
  CHECK(script.ends_with("\nrm -f /etc/sysctl.d/90-lambdawall.conf\n"));

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
  CHECK_FALSE(std::filesystem::exists(tree.root() / sysctl_file));
}

TEST_CASE("the settings of every boot keep what is not doctor's") {
  const std::vector<Sysctl> sysctls{{"net.core.rmem_max", "4194304"}};
  const std::string before = "# Ours.\nvm.swappiness = 1\n net.core.rmem_max=1\n; net.core.rmem_max = 2\nlast = 3";
  CHECK(sysctl_file_with(sysctls, before) ==
        "# Ours.\nvm.swappiness = 1\n; net.core.rmem_max = 2\nlast = 3\nnet.core.rmem_max = 4194304\n");
  CHECK(sysctl_file_with(sysctls, sysctl_file_with(sysctls, before)) == sysctl_file_with(sysctls, before));

  const test::FakeTree tree;
  tree.write("proc/sys/net/core/rmem_max", "212992");
  tree.write(std::string(sysctl_file), before);
  REQUIRE(apply(
              sysctls, tree.root() / "undo.sh", [](const std::string&) {}, tree.root())
              .has_value());
  CHECK(text_of(tree.root() / "undo.sh")
            .find("<<'END_OF_90_LAMBDAWALL_CONF'\n" + before + "\nEND_OF_90_LAMBDAWALL_CONF\n") != std::string::npos);
}

TEST_CASE("nothing to apply writes nothing") {
  const test::FakeTree tree;
  CHECK(changes_of({}).empty());
  REQUIRE(apply(
              {}, tree.root() / "undo.sh", [](const std::string&) {}, tree.root())
              .has_value());
  CHECK_FALSE(std::filesystem::exists(tree.root() / "undo.sh"));
}

}  // namespace
}  // namespace lw
