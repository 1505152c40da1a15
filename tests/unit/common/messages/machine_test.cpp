// A host's facts arrive unchanged; unknown ones, or those of the wrong type, are skipped.
#include "common/messages/machine.h"

#include "common/host/host_facts.h"
#include "tests/unit/common/messages/told.h"

#include <catch2/catch.hpp>

#include <string>

using namespace lw;
using namespace lw::test;

namespace {

Json small_machine() {
  return {{"name", "gpu1"},
          {"topology",
           {{"packages", 1U},
            {"cores", {{{"package", 0U}, {"numa_node", 0U}, {"cpus", {0U, 4U}}}}},
            {"numa_nodes", {{{"numa_node", 0U}, {"cores", 1U}, {"memory_bytes", 1U << 30U}}}}}},
          {"interfaces",
           {{{"name", "eth0"},
             {"addresses", {"10.0.0.1"}},
             {"up", true},
             {"transmit_queues", {{{"queue", 0U}, {"irq", 33U}, {"irq_cpus", {0U}}}}}}}},
          {"disks", {{{"directory", "/ssd"}, {"device", "nvme0n1"}}}}};
}

// As it is passed on; null if it is refused.
Json passed_on(const Json& machine) {
  const auto read = read_message<MachineMessage>(machine);
  return read ? to_json(*read) : Json();
}

}  // namespace

TEST_CASE("a host's facts come through unchanged") {
  CHECK(passed_on(small_machine()) == small_machine());
  const auto host = message_of(read_host_facts({"/"}));
  CHECK(read_message<MachineMessage>(to_json(host)).value() == host);
  CHECK_FALSE(host.topology.cores.empty());
  CHECK_FALSE(host.interfaces.empty());
  CHECK(host.disks.size() == 1);
}

TEST_CASE("facts of a host that are unknown, or of the wrong type, are skipped") {
  auto odd = small_machine();
  odd["more"] = 1;
  odd["topology"]["cores"][0]["cpus"] = {-1};
  odd["interfaces"][0]["mtu"] = "large";
  odd["interfaces"][0]["addresses"] = {std::string(300, 'x')};
  odd["disks"] = 5;
  auto expected = small_machine();
  expected["topology"]["cores"][0].erase("cpus");
  expected["interfaces"][0].erase("addresses");
  expected["disks"] = Json::array();
  CHECK(passed_on(odd) == expected);
}

TEST_CASE("invalid facts of a host are refused, and a list that is too long is ignored") {
  CHECK(problem_of<MachineMessage>(Json::array()) == "it must be an object");
  CHECK(problem_of<MachineMessage>({{"name", "gpu1"}}) == "topology is missing");
  CHECK(problem_of<MachineMessage>({{"topology", 1}}) == "topology must be an object");
  auto many = small_machine();
  for (std::size_t i = 0; i < machine_list_max; ++i) many["topology"]["cores"].push_back(Json::object());
  CHECK(passed_on(many)["topology"]["cores"].empty());
}

TEST_CASE("an answer about the hosts is read as it was written") {
  MachinesReply reply;
  reply.machines = {{HostRole::server, "local", read_message<MachineMessage>(small_machine()).value()},
                    {HostRole::node, "left", {}}};
  reply.flows = {{0, "10.0.0.1", "10.0.0.9"}, {1, {}, "10.0.0.9"}};
  reply.more = true;
  const auto json = to_json(reply);
  CHECK(read_message<MachinesReply>(json).value() == reply);
  CHECK(json["machines"][0]["machine"] == small_machine());
  CHECK(json["machines"][1] == Json{{"role", "node"}, {"name", "left"}});
  CHECK(json["flows"][1] == Json{{"flow", 1}, {"arrives_at", "10.0.0.9"}});
  CHECK(to_json(MachinesReply()) == Json{{"machines", Json::array()}, {"flows", Json::array()}});
}

TEST_CASE("one host's invalid facts do not hide the others") {
  const Json odd{{"machines",
                  {{{"role", "server"}, {"name", "local"}, {"machine", 5}},
                   {{"role", "node"}, {"name", "left"}, {"machine", small_machine()}}}}};
  const auto read = read_message<MachinesReply>(odd).value();
  CHECK_FALSE(read.machines[0].machine);
  CHECK(read.machines[1].machine);
  CHECK(problem_with<MachinesReply>(odd, "/machines/1/role", "guest") ==
        "machines, number 2: role must be server or node");
}
