// Which pages are this port's own: those with the same scheme, host and port, however they are written.
#include "common/web/page_origin.h"

#include <catch2/catch.hpp>

#include <random>
#include <string>
#include <vector>

using lw::is_own_origin;

TEST_CASE("a page is the port's own if scheme, host and port are equal") {
  CHECK(is_own_origin("http://127.0.0.1:9010", "127.0.0.1:9010", false));
  CHECK(is_own_origin("https://10.1.0.1:9010", "10.1.0.1:9010", true));
  CHECK(is_own_origin("https://wall.example.org", "wall.example.org", true));
  CHECK(is_own_origin("https://wall.example.org", "wall.example.org:443", true));
  CHECK(is_own_origin("http://wall.example.org:80", "WALL.example.org", false));
  CHECK(is_own_origin("https://[fd00::1]:9010", "[FD00::1]:9010", true));
  CHECK(is_own_origin("https://[fd00::1]", "[fd00::1]", true));
}

TEST_CASE("a page from elsewhere is not") {
  const std::string host = "10.1.0.1:9010";
  for (const char* origin :
       {"", "null", "https://", "10.1.0.1:9010", "http://10.1.0.1:9010", "https://10.1.0.1", "https://10.1.0.1:9011",
        "https://10.1.0.10:9010", "https://10.1.0.1:9010.evil.example", "https://evil.example/10.1.0.1:9010",
        "https://10.1.0.1:9010/", "https://user@10.1.0.1:9010", "https://10.1.0.1:9010 https://10.1.0.1:9010",
        "https://10.1.0.1:09010", "HTTPS://10.1.0.1:9010", "file://10.1.0.1:9010", "https://10.1.0.1:"}) {
    INFO(origin);
    CHECK_FALSE(is_own_origin(origin, host, true));
  }
  CHECK_FALSE(is_own_origin("https://10.1.0.1:9010", host, false));
  CHECK_FALSE(is_own_origin("https://", "", true));
  CHECK_FALSE(is_own_origin("https://:443", ":443", true));
  CHECK_FALSE(is_own_origin("https://a/b", "a/b", true));
}

TEST_CASE("a host never has the origin of another, and always its own") {
  std::mt19937 random(7);
  const std::vector<std::string> names{"a", "b.example", "10.0.0.1", "[::1]", "localhost", "a.b"};
  const std::vector<std::string> ports{"", ":80", ":443", ":9010", ":1"};
  for (int round = 0; round < 5000; ++round) {
    const bool secure = random() % 2 == 0;
    const auto pick = [&](const auto& from) { return from[random() % from.size()]; };
    const auto name = pick(names), other = pick(names), port = pick(ports), other_port = pick(ports);
    const auto full = [&](const std::string& written) { return written.empty() ? secure ? ":443" : ":80" : written; };
    const std::string scheme = secure ? "https://" : "http://";
    CHECK(is_own_origin(scheme + name + port, name + port, secure));
    CHECK(is_own_origin(scheme + name + port, other + other_port, secure) ==
          (name == other && full(port) == full(other_port)));
    CHECK_FALSE(is_own_origin(scheme + name + port, name + port, !secure));
  }
}
