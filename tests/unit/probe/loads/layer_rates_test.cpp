// What a load has at each layer: counted packet by packet, and against standards' own numbers.
#include "probe/loads/layer_rates.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <random>

namespace lw {
namespace {

using nlohmann::json;

Result<LoadSpec> load_of(const json& json) {
  const auto run = parse_run({{"loads", json::array({json})}});
  if (!run) return run.error();
  return run->loads.front();
}

TEST_CASE("each layer adds its headers to every packet") {
  const auto load = load_of({{"frame_bytes", 60'000}, {"frame_rate", 60}, {"datagram_bytes", 1400}});
  REQUIRE(load.has_value());
  const auto ipv4 = frame_bytes_of(*load, {}), ipv6 = frame_bytes_of(*load, {.ipv6 = true, .mtu = 1500});
  REQUIRE(ipv4.has_value());
  REQUIRE(ipv6.has_value());
  CHECK(ipv4->media == 3.0 * load->width * load->rows);
  CHECK(ipv4->packets == std::ceil(ipv4->udp / 1400));
  CHECK(ipv4->udp > ipv4->media + 12 * ipv4->packets);
  CHECK(ipv4->ip == ipv4->udp + 28 * ipv4->packets);
  CHECK(ipv4->ethernet == ipv4->ip + 38 * ipv4->packets);
  CHECK(ipv6->ip == ipv6->udp + 48 * ipv6->packets);
}

TEST_CASE("packets above the MTU go in fragments, each with its own headers") {
  // 9000 bytes of UDP in 1500: six fragments of 1480 and one of 128.
  const auto load = load_of({{"frame_bytes", 5000}, {"frame_rate", 60}, {"datagram_bytes", 8900}});
  REQUIRE(load.has_value());
  const auto whole = frame_bytes_of(*load, {.ipv6 = false, .mtu = 9000});
  const auto pieces = frame_bytes_of(*load, {.ipv6 = false, .mtu = 1500});
  const auto six = frame_bytes_of(*load, {.ipv6 = true, .mtu = 1500});
  REQUIRE(whole.has_value());
  REQUIRE(pieces.has_value());
  REQUIRE(six.has_value());
  REQUIRE(whole->packets == 1);
  const double fragments = std::ceil((whole->udp + 8) / 1480);
  CHECK(fragments == 4);
  CHECK(pieces->ip == whole->udp + 8 + fragments * 20);
  CHECK(pieces->ethernet == pieces->ip + fragments * 38);
  CHECK(six->ip == whole->udp + 8 + std::ceil((whole->udp + 8) / 1448) * 48);
  CHECK(frame_bytes_of(*load, {.ipv6 = false, .mtu = 20})->ip == whole->ip);  // nonsense is not a link
}

TEST_CASE("a load has the rate that is asked for, at the layer it is asked for") {
  std::mt19937 random(3);
  const std::pair<const char*, RateLayer> layers[]{
      {"udp", RateLayer::udp}, {"ip", RateLayer::ip}, {"ethernet", RateLayer::ethernet}};
  for (int round = 0; round < 60; ++round) {
    const auto& [name, layer] = layers[round % 3];
    const double gbit = std::exp(std::uniform_real_distribution<double>(std::log(0.02), std::log(3))(random));
    const auto flows = static_cast<unsigned>(1 + random() % 4), datagram = static_cast<unsigned>(400 + random() % 8500);
    const auto load =
        load_of({{"gbit_per_s", gbit}, {"rate_of", name}, {"flows", flows}, {"datagram_bytes", datagram}});
    REQUIRE(load.has_value());
    const auto frame = frame_bytes_of(*load, {});
    REQUIRE(frame.has_value());
    INFO(gbit << " Gbit/s of " << name << ", " << flows << " flows of " << datagram << " bytes");
    const double wanted = gbit * 1e9 / 8 / load->frame_rate / flows;
    CHECK(std::abs(frame->of(layer) - wanted) < 0.001 * wanted + 110);  // the headers of a packet more or less
    CHECK(frame->media < frame->of(layer));
    CHECK(load->frame_bytes == static_cast<std::size_t>(frame->media));
    // The peer gets what was chosen here.
    const auto told = parse_run(to_json(RunSpec{.loads = {*load}}), RunFrom::peer);
    REQUIRE(told.has_value());
    CHECK(told->loads.front().rows == load->rows);
    CHECK(told->loads.front().width == load->width);
    CHECK(told->loads.front().rate_of == layer);
  }
}

TEST_CASE("a rate of a layer that cannot be had is refused") {
  const auto problem = [](const json& load) {
    const auto made = load_of(load);
    return made ? std::string() : made.error().what;
  };
  CHECK(problem({{"gbit_per_s", 1}, {"rate_of", "wire"}}) == "rate_of must be one of media, udp, ip, ethernet");
  CHECK_THAT(problem({{"frame_bytes", 6000}, {"rate_of", "udp"}}), Catch::Contains("whose size is chosen"));
  CHECK_THAT(problem({{"protocol", "tcp"}, {"gbit_per_s", 1}, {"rate_of", "udp"}}), Catch::Contains("is for UDP"));
  const auto peer = parse_run({{"loads", json::array({{{"gbit_per_s", 1}, {"rate_of", "udp"}}})}}, RunFrom::peer);
  CHECK_FALSE(peer.has_value());
  const auto named = parse_run({{"loads", json::array({{{"gbit_per_s", 1}}, {{"name", "ip"}, {"gbit_per_s", 1}}})}});
  REQUIRE_FALSE(named.has_value());
  CHECK_THAT(named.error().what, Catch::Contains("a layer"));
}

}  // namespace
}  // namespace lw
