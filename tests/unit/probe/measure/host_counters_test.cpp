#include "probe/measure/host_counters.h"

#include "tests/support/fake_tree.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace lw {
namespace {

using nlohmann::json;

using test::FakeTree;

void fill(const FakeTree& tree, unsigned factor) {
  const auto times = [&](unsigned count) { return std::to_string(count * factor); };
  tree.write("proc/stat", "cpu 1 1 1 1 1 1 1 1 0 0\ncpu0 " + times(30) + " 0 " + times(20) + " " + times(40) + " 0 0 " +
                              times(10) + " 0 0 0\ncpu1 0 0 0 " + times(100) + " 0 0 0 0 0 0\nintr 5\n");
  tree.write("proc/net/softnet_stat", (factor == 1 ? "0000000a 00000001 00000002 0\n0000000a 00000000 00000000 0\n"
                                                   : "0000001e 00000003 00000002 0\n0000000a 00000000 00000000 0\n"));
  tree.write("proc/net/snmp",
             "Ip: Forwarding\nIp: 1\nUdp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors\nUdp: " + times(1000) +
                 " 0 " + times(3) + " 900 " + times(2) + "\n");
  tree.write("proc/interrupts", "           CPU0       CPU1\n 24:  " + times(7) +
                                    "  0  PCI-MSI  eth0-rx-0\n 25:  5  5  idle\n NMI:  0  0  Non-maskable\n");
  tree.write("sys/class/net/eth0/statistics/rx_bytes", times(5000) + "\n");
  tree.write("sys/class/net/eth0/statistics/rx_dropped", times(4) + "\n");
}

TEST_CASE("a host's counters are compared between two readings") {
  const FakeTree before, after;
  fill(before, 1);
  fill(after, 3);
  const auto counted = counted_between(read_host_counters(before.root()), read_host_counters(after.root()));
  const auto& cpu0 = counted["cpus"][0];
  CHECK(cpu0["cpu"] == 0);
  CHECK(cpu0["user"] == Approx(0.3));
  CHECK(cpu0["system"] == Approx(0.2));
  CHECK(cpu0["idle"] == Approx(0.4));
  CHECK(cpu0["softirq"] == Approx(0.1));
  CHECK(counted["cpus"][1]["idle"] == Approx(1));
  CHECK(counted["softnet"] == json{{"processed", 20}, {"dropped", 2}, {"time_squeeze", 0}});
  CHECK(counted["udp"]["rcvbuf_errors"] == 4);
  CHECK(counted["udp"]["in_datagrams"] == 2000);
  REQUIRE(counted["interrupts"].size() == 1);  // the others had none
  CHECK(counted["interrupts"][0]["name"] == "PCI-MSI eth0-rx-0");
  CHECK(counted["interrupts"][0]["per_cpu"] == json{14, 0});
  CHECK(counted["interfaces"][0] == json{{"name", "eth0"}, {"rx_bytes", 10000}, {"rx_dropped", 8}});
}

TEST_CASE("a host that reports nothing has no figures, and a counter that was reset is skipped") {
  const FakeTree empty;
  CHECK(counted_between(read_host_counters(empty.root()), read_host_counters(empty.root())) == json::object());
  const FakeTree later, earlier;
  fill(later, 1);
  fill(earlier, 3);
  const auto counted = counted_between(read_host_counters(earlier.root()), read_host_counters(later.root()));
  CHECK_FALSE(counted["udp"].contains("rcvbuf_errors"));
}

}  // namespace
}  // namespace lw
