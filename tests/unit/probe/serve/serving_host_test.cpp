// What `wall-probe serve` does for whom, and how much of it: through its handlers, with peers made up here. Datagrams
// go over loopback; time is a parameter.
#include "probe/serve/serving_host.h"

#include "common/net/udp_socket.h"
#include "probe/loads/frame_statistics.h"
#include "probe/loads/value_sample.h"
#include "probe/measure/kept_intervals.h"
#include "tests/support/ports.h"

#include <spdlog/spdlog.h>
#include <catch2/catch.hpp>

#include <array>

namespace lw {
namespace {

class FakePeer final : public WebPeer {
public:
  explicit FakePeer(std::string address) : address_(std::move(address)) {}
  void send(std::shared_ptr<const std::string> text, bool) override { heard = Json::parse(*text); }
  void close(const std::string& why) override { closed = why; }
  [[nodiscard]] const std::string& address() const override { return address_; }
  [[nodiscard]] const Visitor& visitor() const override { return visitor_; }
  [[nodiscard]] std::size_t unread_bytes() const override { return 0; }

  Json heard;
  std::string closed;

private:
  const std::string address_;
  const Visitor visitor_{};
};

// A host that serves, and two clients of it.
struct Fixture {
  explicit Fixture(ServeLimits limits = {100, true, 3600}) : host({{}, {}, {}, limits}), handlers(host.handlers()) {
    spdlog::set_level(spdlog::level::off);
    for (auto* peer : {&client, &other}) handlers.opened(*peer);
  }
  Json call(FakePeer& peer, const char* method, const Json& params = Json::object()) {
    handlers.message(peer, Json{{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", params}}.dump());
    return peer.heard;
  }
  // The error, or an empty text.
  std::string problem(const char* method, const Json& params = Json::object()) {
    const auto answer = call(client, method, params);
    return answer.contains("error") ? answer["error"]["message"].get<std::string>() : "";
  }
  static Json reverse(Json more = Json::object()) {
    Json load{{"direction", "reverse"}, {"gbit_per_s", 0.001}, {"base_port", port}, {"source_port", port + 100}};
    load.update(more);
    return load;
  }
  static Json params(const Json& load, double duration_s = 1) {
    return {{"your_address", "127.0.0.1"}, {"run", {{"duration_s", duration_s}, {"loads", Json::array({load})}}}};
  }

  static inline const std::uint16_t port = free_even_ports(104);
  ServingHost host;
  WebHandlers handlers;
  FakePeer client{"127.0.0.1:40000"}, other{"127.0.0.1:40001"};
};

}  // namespace

TEST_CASE("a client moves no interrupts of a host that was not started for it") {
  Fixture fixture;
  const auto load = Fixture::reverse({{"direction", "forward"}, {"receiver_interrupt_cpu", 0}});
  CHECK(fixture.problem("prepare", Fixture::params(load)).find("--interrupts") != std::string::npos);
  // Returning packets arrive at the client, which sets its own interrupts.
  CHECK(fixture.problem("prepare", Fixture::params(Fixture::reverse({{"receiver_interrupt_cpu", 0}}))).empty());
}

TEST_CASE("a client enables no time stamps of a host that was not started for it") {
  Fixture fixture;
  const auto load = Fixture::reverse({{"direction", "forward"}, {"hardware_stamps", true}});
  CHECK(fixture.problem("prepare", Fixture::params(load)).find("--hardware-stamps") != std::string::npos);
  // Returning packets arrive at the client's card.
  CHECK(fixture.problem("prepare", Fixture::params(Fixture::reverse({{"hardware_stamps", true}}))).empty());
}

TEST_CASE("figures are for the addresses that may measure") {
  ServingHost host({AllowedClients::parse({"10.1.0.0/16"}).value(), {}, {}, {}});
  const auto handlers = host.handlers();
  spdlog::set_level(spdlog::level::off);
  const auto status = [&](const std::string& from, bool upgrade, std::string_view path) {
    const auto decision = handlers.admit({from, false, upgrade, path, ""});
    const auto* reply = std::get_if<HttpReply>(&decision);
    return reply == nullptr ? 200U : reply->status;
  };
  for (const auto* path : {"/metrics", "/", "/healthz/../metrics"}) {
    CHECK(status("10.2.0.1", false, path) == 403);
    CHECK(status("::ffff:10.2.0.1", false, path) == 403);
    CHECK(status("10.1.0.1", false, path) == 200);
    CHECK(status("127.0.0.1", false, path) == 200);
  }
  CHECK(status("10.2.0.1", false, "/healthz") == 200);
  CHECK(status("10.2.0.1", true, "/healthz") == 403);
  CHECK(status("10.1.0.1", true, "/") == 200);
}

TEST_CASE("nothing is sent to an address that the client merely names") {
  Fixture serve;
  const auto victim = UdpSocket::bind(Address::parse("127.0.0.9", Fixture::port + 2).value());
  REQUIRE(victim.has_value());
  for (const auto* protocol : {"udp", "tcp"})
    for (const auto* direction : {"reverse", "both"})
      for (const auto* address : {"127.0.0.9", "10.0.0.1", "239.1.1.1", "255.255.255.255", "0.0.0.0"}) {
        auto load = Fixture::reverse({{"protocol", protocol}, {"direction", direction}, {"from", {address}}});
        CHECK_THAT(serve.problem("prepare", Fixture::params(load)), Catch::Contains("no proof that"));
        CHECK_THAT(serve.problem("start"), Catch::Contains("no measurement is prepared"));
      }
  std::array<std::byte, 64> buffer{};
  CHECK_FALSE(victim->receive_now(buffer).has_value());

  const auto challenge = [](const Json& addresses) {
    return Json{{"your_address", "127.0.0.1"}, {"port", Fixture::port + 2}, {"addresses", addresses}};
  };
  // A cookie that was sent is not one that came back, and another client's is none.
  CHECK(serve.problem("challenge", challenge({"127.0.0.9"})).empty());
  const auto cookie_datagram = victim->receive_now(buffer);
  REQUIRE(cookie_datagram.has_value());
  CHECK(cookie_datagram->bytes < 64);
  const std::string text(reinterpret_cast<const char*>(buffer.data()), cookie_datagram->bytes);
  auto params = Fixture::params(Fixture::reverse({{"from", {"127.0.0.9"}}}));
  CHECK_FALSE(serve.problem("prepare", params).empty());
  params["cookies"] = {std::string(32, '0')};
  CHECK_FALSE(serve.problem("prepare", params).empty());
  params["cookies"] = {text.substr(text.rfind(' ') + 1)};
  CHECK(serve.call(serve.other, "prepare", params).contains("error"));
  auto elsewhere = Fixture::params(Fixture::reverse({{"from", {"127.0.0.8"}}}));
  elsewhere["cookies"] = params["cookies"];
  CHECK_FALSE(serve.problem("prepare", elsewhere).empty());

  // Nothing is sent to groups, to ports of the system, or to more than a few.
  for (const auto* group : {"239.1.1.1", "255.255.255.255", "0.0.0.0"})
    CHECK_THAT(serve.problem("challenge", challenge({group})), Catch::Contains("not the address of one host"));
  auto low = challenge({"127.0.0.9"});
  low["port"] = 53;
  CHECK_THAT(serve.problem("challenge", low), Catch::Contains("port"));
  CHECK_THAT(serve.problem("challenge", challenge(std::vector<std::string>(17, "127.0.0.9"))), Catch::Contains("16"));
  std::string last;
  for (int i = 0; i < 100 && last.empty(); ++i) last = serve.problem("challenge", challenge({"127.0.0.9"}));
  CHECK_THAT(last, Catch::Contains("at once"));
}

TEST_CASE("an address is sent to once its owner returns the cookie") {
  Fixture serve;
  const Json challenge{{"your_address", "127.0.0.1"}, {"port", Fixture::port + 2}, {"addresses", {"127.0.0.9"}}};
  int asked = 0;
  const auto cookies = take_cookies({"127.0.0.9"}, Fixture::port + 2, [&]() -> Result<void> {
    if (++asked == 1) return {};  // a datagram that is lost
    const auto problem = serve.problem("challenge", challenge);
    return problem.empty() ? Result<void>() : Error{problem, ""};
  });
  REQUIRE(cookies.has_value());
  CHECK(asked == 2);
  auto params = Fixture::params(Fixture::reverse({{"from", {"127.0.0.9"}}}));
  params["cookies"] = *cookies;
  CHECK(serve.problem("prepare", params).empty());
}

TEST_CASE("a request beyond the limits is refused, naming the limits") {
  Fixture serve({2, true, 60});
  const auto problem = [&](const Json& load, double duration_s = 1) {
    return serve.problem("prepare", Fixture::params(load, duration_s));
  };
  CHECK_THAT(problem(Fixture::reverse(), 61), Catch::Contains("60 s") && Catch::Contains("--max-seconds"));
  CHECK_THAT(problem(Fixture::reverse({{"gbit_per_s", 3}})), Catch::Contains("--max-gbit-per-s"));
  CHECK_THAT(problem(Fixture::reverse({{"protocol", "tcp"}, {"gbit_per_s", 0}})), Catch::Contains("no rate limit"));
  CHECK_THAT(problem(Fixture::reverse({{"protocol", "tcp"}, {"gbit_per_s", 3}})), Catch::Contains("--max-gbit-per-s"));
  // The declared rate is not trusted if the frames contradict it.
  CHECK_THAT(problem(Fixture::reverse({{"gbit_per_s", 0},
                                       {"frame_bytes", 6},
                                       {"frame_rate", 60},
                                       {"width", 1920},
                                       {"rows", 20'000},
                                       {"flows", 2}})),
             Catch::Contains("--max-gbit-per-s"));
  // What the client sends is its own affair.
  auto forward = Fixture::reverse({{"gbit_per_s", 3}});
  forward["direction"] = "forward";
  CHECK(problem(forward).empty());
}

TEST_CASE("UDT's library runs for clients of other hosts where the host's owner wants it") {
  const RunSpec run = parse_run({{"loads", Json::array({{{"protocol", "udt"}}})}}).value();
  ServeLimits limits{10, false, 3600};
  const auto refused = check_limits(run, limits, false);
  REQUIRE_FALSE(refused.has_value());
  CHECK_THAT(refused.error().text(), Catch::Contains("--udt"));
  CHECK(check_limits(run, limits, true).has_value());
  limits.udt = true;
  CHECK(check_limits(run, limits, false).has_value());
}

TEST_CASE("without a given limit, other hosts are limited to the link's rate") {
  const RunSpec run = parse_run({{"loads", Json::array({Fixture::reverse({{"gbit_per_s", 12}})})}}).value();
  const ServeLimits of_link{10, false, 3600};
  CHECK(check_limits(run, of_link, true).has_value());
  CHECK_FALSE(check_limits(run, of_link, false).has_value());
  Nic slow, fast, down;
  slow.up = fast.up = true;
  slow.link_rate = BitRate::gbit(1);
  fast.link_rate = BitRate::gbit(25);
  down.link_rate = BitRate::gbit(100);
  CHECK(link_gbit_per_s({slow, fast, down}) == Approx(25));
  CHECK(link_gbit_per_s({down}) == Approx(100));
}

TEST_CASE("a measurement is started once, and ends when its time is over, whatever its client does") {
  Fixture serve;
  const auto now = LocalClock::now();
  REQUIRE(serve.problem("prepare", Fixture::params(Fixture::reverse(), 5)).empty());
  CHECK_THAT(
      serve.call(serve.other, "prepare", Fixture::params(Fixture::reverse()))["error"]["message"].get<std::string>(),
      Catch::Contains("another client is measuring"));
  serve.host.step(now + ServingHost::start_within + std::chrono::seconds{10});
  CHECK_THAT(serve.problem("start"), Catch::Contains("no measurement is prepared"));

  REQUIRE(serve.problem("prepare", Fixture::params(Fixture::reverse(), 5)).empty());
  REQUIRE(serve.problem("start").empty());
  CHECK_THAT(serve.problem("start"), Catch::Contains("started already"));
  const auto over = LocalClock::now() + std::chrono::seconds{6} + ServingHost::overtime;
  serve.host.step(over);  // sends no more
  CHECK(serve.problem("progress").empty());
  serve.host.step(over + ServingHost::finish_within + std::chrono::seconds{1});
  CHECK_THAT(serve.problem("progress"), Catch::Contains("no measurement is prepared"));
  CHECK(serve.call(serve.other, "prepare", Fixture::params(Fixture::reverse())).contains("result"));
}

TEST_CASE("a client learns nothing of the files of the serving host") {
  Fixture serve;
  const auto problem = [&](const std::string& source) {
    return serve.problem("prepare", Fixture::params({{"direction", "forward"}, {"source", source}}));
  };
  CHECK(problem("/") == problem("/there/is/no/such/folder"));
  CHECK_THAT(problem("/"), Catch::Contains("width and rows"));
}

TEST_CASE("intervals that nobody fetches are kept up to a number, and the others counted") {
  KeptIntervals intervals;
  for (std::size_t i = 0; i < KeptIntervals::kept_max + 5; ++i) intervals.add(i);
  CHECK(intervals.left_out() == 5);
  CHECK(intervals.take(2) == Json::array({0, 1}));
  CHECK(intervals.take(KeptIntervals::kept_max).size() == KeptIntervals::kept_max - 2);
  CHECK(intervals.empty());
}

TEST_CASE("values are kept up to a number, as a fair sample of all") {
  ValueSample values;
  const auto all = 4 * values_kept_max;
  for (std::size_t i = 0; i < all; ++i) values.add(static_cast<double>(i));
  CHECK(values.count() == all);
  CHECK(values.kept().size() == values_kept_max);
  CHECK(values.min() == 0);
  CHECK(values.max() == static_cast<double>(all - 1));
  CHECK(values.mean() == Approx(static_cast<double>(all - 1) / 2));
  for (const double fraction : {0.01, 0.5, 0.99})
    CHECK(quantile_of(values.kept(), fraction) / static_cast<double>(all) == Approx(fraction).margin(0.005));
}

}  // namespace lw
