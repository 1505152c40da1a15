// Pins which servers a relay exchanges reports with.
#include "relay/reporting_servers.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

namespace {

Address at(const char* host, std::uint16_t port) { return Address::parse(host, port).value(); }

const auto server = at("10.0.0.1", 40001), standby = at("10.0.0.2", 40001);
const LocalTime start{100s};

}  // namespace

TEST_CASE("a server and its standby report, and nobody else while they do") {
  ReportingServers servers(2);
  CHECK(servers.all().empty());
  CHECK(servers.next_asked(start).empty());
  CHECK(servers.hear(server, start));
  CHECK(servers.hear(standby, start + 1s));
  CHECK_FALSE(servers.hear(at("10.0.0.3", 40001), start + 1s));
  CHECK(servers.all().size() == 2);
  // Another port of the same host, and another host, once one has been silent.
  CHECK_FALSE(servers.hear(at("10.0.0.1", 40003), start + 4s));
  CHECK(servers.hear(at("10.0.0.1", 40003), start + 5s));
  CHECK(servers.hear(at("10.0.0.3", 40001), start + 7s));
  REQUIRE(servers.all().size() == 2);
  CHECK(servers.all()[0].address == at("10.0.0.1", 40003));
  CHECK(servers.all()[1].address == at("10.0.0.3", 40001));
}

TEST_CASE("without a standby there is one server") {
  ReportingServers servers(1);
  CHECK(servers.hear(server, start));
  CHECK_FALSE(servers.hear(standby, start));
  CHECK(servers.all().size() == 1);
}

TEST_CASE("requests go in turn to the servers that report, and to a silent one only if all are") {
  ReportingServers servers(2);
  servers.hear(server, start);
  servers.hear(standby, start);
  const auto asked = [&](LocalTime now) { return servers.next_asked(now).front().address; };
  const auto first = asked(start), second = asked(start);
  CHECK(first != second);
  CHECK((asked(start) == first && asked(start) == second));
  servers.hear(standby, start + 2s);
  for (int i = 0; i < 3; ++i) CHECK(asked(start + 3s) == standby);
  const auto one = asked(start + 60s);
  CHECK(asked(start + 60s) != one);
}
