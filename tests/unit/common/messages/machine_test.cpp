// A host's facts arrive unchanged; unknown ones, or those of the wrong type, are skipped.
#include "common/messages/machine.h"

#include "common/host/host_facts.h"

#include <catch2/catch.hpp>

#include <string>

namespace {

using namespace lw;

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

}  // namespace

TEST_CASE("a host's facts come through unchanged") {
  CHECK(checked_machine(small_machine()) == small_machine());
  const auto host = checked_machine(host_json(read_host_facts({"/"})));
  REQUIRE(host);
  CHECK_FALSE((*host)["topology"]["cores"].empty());
  CHECK_FALSE((*host)["interfaces"].empty());
  CHECK((*host)["disks"].size() == 1);
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
  CHECK(checked_machine(odd) == expected);
}

TEST_CASE("invalid facts of a host are refused, and a list that is too long is ignored") {
  CHECK_FALSE(checked_machine(Json::array()).has_value());
  CHECK_FALSE(checked_machine({{"name", "gpu1"}}).has_value());
  CHECK_FALSE(checked_machine({{"topology", 1}}).has_value());
  auto many = small_machine();
  for (std::size_t i = 0; i < machine_list_max; ++i) many["topology"]["cores"].push_back(Json::object());
  CHECK((*checked_machine(many))["topology"]["cores"].empty());
}
