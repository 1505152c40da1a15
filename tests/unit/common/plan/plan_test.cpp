#include "common/plan/plan.h"

#include "common/memory/pages.h"
#include "common/plan/buffers.h"
#include "common/store/stripe_layout.h"
#include "common/wall/tile_slots.h"
#include "tests/support/source_folder.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <random>
#include <set>
#include <utility>

namespace lw {
namespace {

Wall example(const std::string& file) { return load_wall(test::source_folder() / "walls" / file).value(); }

Manifest content_for(const Wall& wall, std::size_t stripes) {
  Manifest manifest;
  manifest.name = "movie";
  manifest.geometry = wall.grid;
  manifest.pixel_format = wall.streaming.pixel_format;
  manifest.frame_rate = wall.frame_rate;
  manifest.frame_count = 240;
  for (std::size_t i = 0; i < stripes; ++i) manifest.stripes.push_back("/data/" + std::to_string(i));
  return manifest;
}

// A server that carries the SARA wall: 2 packages of 16 cores, 4 cards of 25 Gbit/s, two on each NUMA node.
HostFacts big_server() {
  HostFacts host;
  host.name = "server";
  host.topology = read_topology("pack:2 [numa] core:16 pu:1").value();
  for (unsigned i = 0; i < 4; ++i) {
    Nic nic;
    nic.name = "card" + std::to_string(i);
    nic.addresses = {"10.1.0." + std::to_string(i + 1)};
    nic.up = true;
    nic.link_rate = BitRate::gbit(25);
    nic.mtu = 9000;
    nic.numa_node = i / 2;
    nic.pcie = PcieLink{{3, 8}, {3, 8}};
    host.nics.push_back(nic);
  }
  host.limits.memory_available_bytes = std::uint64_t{64} << 30U;
  host.limits.open_files = 4096;
  host.limits.io_uring = true;
  return host;
}

const Finding* finding(const Plan& plan, Verdict verdict, const std::string& words) {
  for (const auto& entry : plan.findings)
    if (entry.verdict == verdict && entry.what.find(words) != std::string::npos) return &entry;
  return nullptr;
}

TEST_CASE("the SARA wall is 35.4 Gbit/s of pixels: 61.44 Mpixel x 24 bit x 24 frame/s") {
  const auto needs = requirements_of(example("sara-5x3.toml"), example("sara-5x3.toml").coordinator()).value();
  CHECK(needs.pixels_per_frame == 61'440'000);
  CHECK(needs.total.pixels.bits_per_second == Approx(61.44e6 * 24 * 24));
  CHECK(needs.total.pixels.gbit() == Approx(35.4).margin(0.05));
  CHECK(needs.total.wire.gbit() > needs.total.pixels.gbit() * 1.01);
  CHECK(needs.total.wire.gbit() < needs.total.pixels.gbit() * 1.02);
  CHECK(needs.flows.size() == 30);
  REQUIRE(needs.interfaces.size() == 4);
  CHECK(needs.read_bytes_per_s == Approx(35.4e9 / 8).epsilon(0.01));
}

TEST_CASE("compressed blocks need a third and a sixth of that") {
  for (const auto& [format, bits] : {std::pair{PixelFormat::bc7, 8}, std::pair{PixelFormat::bc1, 4}}) {
    auto wall = example("sara-5x3.toml");
    wall.streaming.pixel_format = format;
    const auto needs = requirements_of(wall, wall.coordinator()).value();
    CHECK(needs.total.pixels.bits_per_second == Approx(61.44e6 * bits * 24));
    CHECK(needs.read_bytes_per_s == Approx(61.44e6 * bits * 24 / 8).epsilon(0.01));
  }
}

TEST_CASE("an interface carries the wall's flows once more for each group and each relay") {
  const auto wall = example("sites-2x1.toml");
  const auto needs = requirements_of(wall, wall.coordinator()).value();
  REQUIRE(needs.interfaces.size() == 1);
  CHECK(needs.interfaces[0].flows == 6);
  CHECK(needs.interfaces[0].load.wire.bits_per_second == Approx(3 * needs.total.wire.bits_per_second));
  // A second site of the same group costs nothing but its sockets.
  auto more = wall;
  more.sites.push_back(more.sites.front());
  const auto same = requirements_of(more, more.coordinator()).value();
  CHECK(same.interfaces[0].load.wire.bits_per_second == needs.interfaces[0].load.wire.bits_per_second);
  CHECK(same.open_files == needs.open_files + 4);
  auto alone = wall;
  alone.sites.clear();
  const auto before = requirements_of(alone, alone.coordinator()).value();
  CHECK(before.interfaces[0].flows == 2);
  CHECK(needs.open_files == before.open_files + 2 * (2 + 2 + 2));
}

TEST_CASE("the flows of a standby leave by its own interfaces, also to sites") {
  auto wall = example("sites-2x1.toml");
  auto standby = wall.servers.front();
  standby.name = "standby";
  standby.standby_for = wall.servers.front().name;
  standby.standby = Standby::hot;
  standby.interfaces = {"10.1.0.9"};
  wall.servers.push_back(standby);
  const auto needs = requirements_of(wall, wall.servers.back()).value();
  REQUIRE(needs.interfaces.size() == 1);
  CHECK(needs.interfaces[0].address == "10.1.0.9");
  CHECK(needs.interfaces[0].flows == 6);
  CHECK(needs.interfaces[0].load.wire.bits_per_second == Approx(3 * needs.total.wire.bits_per_second));
  CHECK(needs.flows[0].interface == "10.1.0.9");
}

TEST_CASE("flows, tiles, nodes, interfaces and stripes each add up to the total") {
  auto wall = example("sara-5x3.toml");
  wall.streaming.flows_per_tile = 3;
  const auto manifest = content_for(wall, 7);
  const auto needs =
      requirements_of(wall, wall.coordinator(), manifest, stripe_directories_of(manifest, "/content/movie")).value();
  const auto check = [&](const auto& parts) {
    Load sum;
    for (const auto& part : parts) sum += part.load;
    CHECK(sum.pixels.bits_per_second == Approx(needs.total.pixels.bits_per_second));
    CHECK(sum.wire.bits_per_second == Approx(needs.total.wire.bits_per_second));
    CHECK(sum.packets_per_s == Approx(needs.total.packets_per_s));
  };
  check(needs.flows);
  check(needs.tiles);
  check(needs.nodes);
  check(needs.interfaces);
  double read = 0;
  std::uint64_t bytes = 0;
  for (const auto& stripe : needs.stripes) {
    read += stripe.bytes_per_s;
    bytes += stripe.bytes;
  }
  CHECK(read == Approx(needs.read_bytes_per_s));
  CHECK(bytes == 240u * 15 * StripeLayout(manifest).record_bytes({}) + 7u * 15 * 4096);
}

TEST_CASE("a packet's headers are counted down to the wire") {
  Wall wall = example("local-2x2.toml");
  auto grid = wall.grid;
  grid.tile_width = 2;
  grid.tile_height = 1;
  wall.set_grid(grid);
  // One row of 6 octets in one packet: Ethernet 38, IPv4 20, UDP 8, RTP and extensions 38, row header 6.
  const auto needs = requirements_of(wall, wall.coordinator()).value();
  CHECK(needs.flows[0].packets_per_frame == 1);
  CHECK(needs.flows[0].load.pixels.bits_per_second == Approx(6 * 8 * 30));
  CHECK(needs.flows[0].load.wire.bits_per_second == Approx((38 + 20 + 8 + 38 + 6 + 6) * 8 * 30));
  for (auto& node : wall.nodes) node.address = "::1";
  wall.coordinator().interfaces.clear();
  const auto ipv6 = requirements_of(wall, wall.coordinator()).value();
  CHECK(ipv6.flows[0].load.wire.bits_per_second == Approx((38 + 40 + 8 + 38 + 6 + 6) * 8 * 30));
  CHECK(ipv6.interfaces.size() == 1);
}

TEST_CASE("the memory is that of the buffers") {
  const auto wall = example("local-2x2.toml");
  const auto needs = requirements_of(wall, wall.coordinator()).value();
  const std::uint64_t frame = 640 * 400 * 15 / 4;  // the largest format
  const auto in_server = frame_memory_bytes(wall, {});
  CHECK(needs.read_ahead_frames == 4);
  CHECK(needs.server_memory_bytes ==
        program_bytes +
            4 * (sender_flow_bytes + Pages::rounded(server_frames_per_tile(wall.streaming, {30, 1}) * in_server)));
  CHECK((in_server > frame && 10 * in_server < 14 * frame));
  const auto bands = client_bands_per_flow(wall.streaming, {30, 1});
  CHECK(needs.client_memory_bytes ==
        2 * program_bytes + 4 * (receiver_flow_bytes + Pages::rounded(bands * frame) + frame +
                                 client_coverage_bytes(wall.streaming, {30, 1}, 640 * 400)));
  CHECK(needs.window_memory_bytes == 4 * 3 * frame);
  CHECK(client_bands_per_flow(StreamingSettings{.playout_delay = std::chrono::milliseconds(80)}, {30, 1}) == 2 + 7);
  CHECK(needs.nodes[0].memory_bytes * 2 == needs.client_memory_bytes);
  auto compressed = wall;
  compressed.streaming.pixel_format = PixelFormat::lossless;
  const auto decoded = requirements_of(compressed, compressed.coordinator()).value();
  CHECK(decoded.client_memory_bytes == needs.client_memory_bytes + 4 * Pages::rounded(bands * 640 * 400 * 3));
}

TEST_CASE("parity is counted: its memory, and its share on the wire if it is always sent") {
  auto wall = example("local-2x2.toml");
  wall.streaming.fec = FecUse::never;
  const auto without = requirements_of(wall, wall.coordinator()).value();
  CHECK(without.server_parity_bytes == 0);
  wall.streaming.fec = FecUse::needed;
  const auto needed = requirements_of(wall, wall.coordinator()).value();
  CHECK(needed.server_memory_bytes == without.server_memory_bytes);
  CHECK(needed.total.wire == without.total.wire);
  wall.streaming.fec = FecUse::always;
  const auto always = requirements_of(wall, wall.coordinator()).value();
  // 20+4: a fifth of a frame for each flow, and a little for groups that are not full.
  const double fifth = 0.2 * 640 * 400 * 3 * 4;
  CHECK(static_cast<double>(always.server_parity_bytes) == Approx(fifth).epsilon(0.2));
  CHECK(always.server_memory_bytes == without.server_memory_bytes + always.server_parity_bytes);
  CHECK(always.client_memory_bytes == without.client_memory_bytes + always.client_parity_bytes);
  CHECK(always.nodes[0].parity_bytes * 2 == always.client_parity_bytes);
  CHECK(always.client_parity_bytes > 3 * always.server_parity_bytes);
  CHECK(always.total.wire.bits_per_second == Approx(1.2 * without.total.wire.bits_per_second).epsilon(0.05));
  CHECK(always.total.pixels == without.total.pixels);
}

TEST_CASE("each flow gets its own core, on its card's NUMA node while there is one") {
  const auto wall = example("sara-5x3.toml");
  const auto host = big_server();
  const auto placement = place_flows(wall, wall.coordinator(), host.topology, host.nics);
  REQUIRE(placement.size() == 30);
  std::set<unsigned> cpus;
  unsigned near = 0;
  for (const auto& flow : placement) {
    cpus.insert(flow.cpu.value());
    CHECK(flow.nic_numa_node == (flow.flow % 4) / 2);
    if (!flow.crosses_nodes()) ++near;
  }
  CHECK(cpus.size() == 30);
  CHECK(near == 30);
}

TEST_CASE("the wall file's CPUs take precedence over the plan's, and the card's queue follows the CPU") {
  auto wall = example("sara-5x3.toml");
  auto host = big_server();
  wall.coordinator().cpus = {5, 9};
  const auto node_of = [&](unsigned cpu) {
    for (const auto& core : host.topology.cores)
      if (std::ranges::find(core.cpus, cpu) != core.cpus.end()) return core.numa_node;
    return std::optional<unsigned>();
  };
  for (auto& nic : host.nics) nic.queues = {{0, {4, 5}, 70, {5}}, {1, {6}, 71, {6}}};
  const auto placement = place_flows(wall, wall.coordinator(), host.topology, host.nics);
  for (const auto& flow : placement) {
    CHECK(flow.cpu == (flow.flow % 2 == 0 ? 5U : 9U));
    CHECK(flow.numa_node == node_of(*flow.cpu));
  }
  CHECK(placement[0].queue == 0U);
  CHECK(placement[0].irq == 70U);
  CHECK(placement[0].irq_cpus == std::vector<unsigned>{5});
  CHECK_FALSE(placement[1].queue);  // no queue is bound to CPU 9
}

TEST_CASE("flows share cores evenly if there are too few, and get none if none is known") {
  const auto wall = example("sara-5x3.toml");
  const auto host = big_server();
  const auto topology = read_topology("pack:1 core:4 pu:2").value();
  std::map<unsigned, unsigned> flows_on;
  for (const auto& flow : place_flows(wall, wall.coordinator(), topology, host.nics)) ++flows_on[flow.cpu.value()];
  CHECK(flows_on.size() == 8);
  for (const auto& [cpu, flows] : flows_on) CHECK((flows == 3 || flows == 4));
  CHECK(threads_of(place_flows(wall, wall.coordinator(), topology, host.nics)) == 8);
  for (const auto& flow : place_flows(wall, wall.coordinator(), {}, host.nics)) CHECK_FALSE(flow.cpu);
  CHECK(threads_of(place_flows(wall, wall.coordinator(), {}, host.nics)) == 30);
}

TEST_CASE("a server that is large enough is ok, with a finding for each resource") {
  const auto plan = make_plan(example("sara-5x3.toml"), example("sara-5x3.toml").coordinator(), big_server());
  for (const auto& entry : plan.findings) {
    INFO(entry.what << ": " << entry.needed << " / " << entry.have);
    CHECK(entry.verdict == Verdict::ok);
    CHECK(entry.mend.empty());
  }
  CHECK(plan.findings.size() >= 12);
  CHECK(plan.verdict == Verdict::ok);
}

TEST_CASE("limits of the host are found, each with its fix") {
  auto wall = example("sara-5x3.toml");
  auto host = big_server();
  SECTION("a link that is too slow") {
    host.nics[1].link_rate = BitRate::gbit(8);
    const auto plan = make_plan(wall, wall.coordinator(), host);
    CHECK(finding(plan, Verdict::impossible, "card1 (10.1.0.2) rate"));
    CHECK(plan.verdict == Verdict::impossible);
  }
  SECTION("a link that only the paced peaks fill") {
    host.nics[1].link_rate = BitRate::gbit(15);
    CHECK(finding(make_plan(wall, wall.coordinator(), host), Verdict::ok, "card1 (10.1.0.2) rate"));
    wall.streaming.pace_fraction = 0.5;
    CHECK(finding(make_plan(wall, wall.coordinator(), host), Verdict::limited, "card1 (10.1.0.2) rate"));
  }
  SECTION("two addresses of one card add up") {
    host.nics[0].addresses.push_back("10.1.0.2");
    host.nics[0].link_rate = BitRate::gbit(15);
    host.nics.erase(host.nics.begin() + 1);
    CHECK(finding(make_plan(wall, wall.coordinator(), host), Verdict::impossible, "card0 (10.1.0.1, 10.1.0.2) rate"));
  }
  SECTION("an MTU that is too small") {
    host.nics[3].mtu = 1500;
    const auto* found = finding(make_plan(wall, wall.coordinator(), host), Verdict::impossible, "card3 (10.1.0.4) MTU");
    REQUIRE(found);
  }
  SECTION("a card in a slot with too few lanes") {
    host.nics[0].pcie = PcieLink{{1, 8}, {3, 8}};
    const auto plan = make_plan(wall, wall.coordinator(), host);
    const auto* found = finding(plan, Verdict::limited, "card0 slot");
    REQUIRE(found);
    CHECK_THAT(found->mend, Catch::Contains("PCIe 3 x8"));
    host.nics[0].pcie = PcieLink{{1, 4}, {3, 8}};
    CHECK(finding(make_plan(wall, wall.coordinator(), host), Verdict::impossible, "card0 slot"));
  }
  SECTION("a card without link") {
    host.nics[2].up = false;
    CHECK(finding(make_plan(wall, wall.coordinator(), host), Verdict::impossible, "card2"));
  }
  SECTION("an address of another host") {
    host.nics[2].addresses = {"10.1.0.33"};
    CHECK(finding(make_plan(wall, wall.coordinator(), host), Verdict::impossible, "interface 10.1.0.3"));
  }
  SECTION("too few cores") {
    host.topology = read_topology("pack:1 core:2 pu:1").value();
    CHECK(finding(make_plan(wall, wall.coordinator(), host), Verdict::limited, "sending cores"));
  }
  SECTION("all cores far from two of the cards") {
    host.topology = read_topology("pack:1 [numa] core:40 pu:1").value();
    CHECK(finding(make_plan(wall, wall.coordinator(), host), Verdict::limited, "NUMA placement"));
  }
  SECTION("interrupts on another node than the flows") {
    unsigned there = 0;
    for (const auto& core : host.topology.cores)
      if (core.numa_node == 1U) there = core.cpus.front();
    wall.coordinator().cpus = {host.topology.cores.front().cpus.front()};
    for (auto& nic : host.nics) nic.queues = {{0, wall.coordinator().cpus, 70, {there}}};
    CHECK(finding(make_plan(wall, wall.coordinator(), host), Verdict::limited, "interrupt placement"));
  }
  SECTION("real-time priority that is not allowed, and throttling") {
    wall.streaming.realtime_priority = 10;
    host.limits.realtime_priority_max = 0;
    host.limits.realtime_us_per_second = 950'000;
    CHECK(finding(make_plan(wall, wall.coordinator(), host), Verdict::limited, "real-time priority"));
    CHECK(finding(make_plan(wall, wall.coordinator(), host), Verdict::limited, "real-time throttling"));
  }
  SECTION("too little memory") {
    host.limits.memory_available_bytes = std::uint64_t{1} << 28U;
    CHECK(finding(make_plan(wall, wall.coordinator(), host), Verdict::impossible, "server memory"));
  }
  SECTION("too few open files") {
    host.limits.open_files = 64;
    CHECK(finding(make_plan(wall, wall.coordinator(), host), Verdict::impossible, "open files"));
  }
  SECTION("kernel settings of a node that is this host") {
    host.nics[0].addresses.push_back("10.1.1.10");
    host.limits.rmem_max = 212992;
    host.limits.netdev_max_backlog = 100;
    const auto plan = make_plan(wall, wall.coordinator(), host);
    const auto* found = finding(plan, Verdict::limited, "net.core.rmem_max");
    REQUIRE(found);
    CHECK(found->mend == "sysctl -w net.core.rmem_max=4194304");
    CHECK(finding(plan, Verdict::limited, "net.core.netdev_max_backlog"));
  }
}

TEST_CASE("disks are judged by device") {
  const auto wall = example("sara-5x3.toml");
  const auto manifest = content_for(wall, 2);
  auto host = big_server();
  Disk disk;
  disk.directory = "/data/0";
  disk.exists = true;
  disk.device = "nvme0n1";
  disk.pcie = PcieLink{{3, 4}, {3, 4}};
  host.disks = {disk, disk};
  host.disks[1].directory = "/data/1";
  const auto directories = stripe_directories_of(manifest, "/content/movie");
  SECTION("both stripes on one device are its load together") {
    CHECK(finding(make_plan(wall, wall.coordinator(), manifest, host, directories), Verdict::impossible,
                  "disk nvme0n1 slot"));
  }
  SECTION("on two devices each carries half") {
    host.disks[1].device = "nvme1n1";
    const auto plan = make_plan(wall, wall.coordinator(), manifest, host, directories);
    CHECK(finding(plan, Verdict::ok, "disk nvme0n1 slot"));
    CHECK(finding(plan, Verdict::ok, "disk nvme1n1 slot"));
  }
  SECTION("a spinning disk, a filesystem without O_DIRECT, a missing directory") {
    host.disks[0].rotational = true;
    host.disks[0].direct_io = false;
    host.disks[1].exists = false;
    const auto plan = make_plan(wall, wall.coordinator(), manifest, host, directories);
    CHECK(finding(plan, Verdict::limited, "disk nvme0n1"));
    CHECK(finding(plan, Verdict::limited, "stripe /data/0"));
    CHECK(finding(plan, Verdict::impossible, "stripe /data/1"));
  }
}

TEST_CASE("content for another wall cannot play") {
  const auto wall = example("sara-5x3.toml");
  auto manifest = content_for(wall, 1);
  manifest.geometry.columns = 4;
  const auto plan =
      make_plan(wall, wall.coordinator(), manifest, big_server(), stripe_directories_of(manifest, "/content/movie"));
  CHECK(plan.verdict == Verdict::impossible);
  CHECK(finding(plan, Verdict::impossible, "geometry of movie"));
}

TEST_CASE("relative stripes lie in the visualization's folder") {
  Manifest manifest;
  manifest.stripes = {".", "b", "/data/c"};
  const auto directories = stripe_directories_of(manifest, "/content/movie");
  CHECK(directories == std::vector<std::filesystem::path>{"/content/movie/", "/content/movie/b", "/data/c"});
}

// A wall of a server whose cores each send some 10 Gbit/s in datagrams of 1472 bytes at most.
Wall with_small_datagrams() {
  auto wall = example("sara-5x3.toml");
  wall.streaming.mtu = 1500;
  return wall;
}

HostFacts with_few_cores() {
  auto host = big_server();
  host.topology = read_topology("pack:1 [numa] core:4 pu:1").value();
  return host;
}

TEST_CASE("packets that are ready on disk are recommended where putting datagrams together fills a core") {
  auto wall = with_small_datagrams();
  auto host = with_few_cores();
  const auto plan = make_plan(wall, wall.coordinator(), host);
  REQUIRE(plan.recommendations.size() == 1);
  const auto& [what, why] = plan.recommendations.front();
  CHECK(what == "wall-ingest --packets 1500, and packet_layout = \"slots\" in [streaming]");
  CHECK_THAT(why, Catch::Contains("of the planned 10.00 Gbit/s") &&
                      Catch::Contains(std::to_string(plan.needs.flows.front().datagram_bytes) + " bytes"));
  CHECK_THAT(plan_text(plan), Catch::EndsWith("\n  recommended: " + what + ": " + why + "\n"));
  CHECK(plan_json(plan)["recommendations"] == nlohmann::json::array({{{"what", what}, {"why", why}}}));

  SECTION("only what is missing is named") {
    auto manifest = content_for(wall, 1);
    manifest.packets = 1408;
    manifest.bands = wall.streaming.flows_per_tile;
    const auto stored = make_plan(wall, wall.coordinator(), manifest, host, {"/data/0"});
    REQUIRE(stored.recommendations.size() == 1);
    CHECK(stored.recommendations.front().what == "packet_layout = \"slots\" in [streaming]");
    wall.streaming.packet_layout = PacketLayout::in_slots;
    CHECK(make_plan(wall, wall.coordinator(), manifest, host, {"/data/0"}).recommendations.empty());
    manifest.packets = 8960;
    const auto set = make_plan(wall, wall.coordinator(), manifest, host, {"/data/0"});
    REQUIRE(set.recommendations.size() == 1);
    CHECK(set.recommendations.front().what == "wall-ingest --packets 1500");
  }
  SECTION("not with large datagrams, encryption, or cores with room") {
    const bool room = GENERATE(false, true);
    if (room)
      host = big_server();
    else if (GENERATE(false, true))
      wall.streaming.srtp_key_file = "key";
    else
      wall.streaming.mtu = 9000;
    const auto none = make_plan(wall, wall.coordinator(), host);
    CHECK(none.recommendations.empty());
    CHECK_FALSE(plan_json(none).contains("recommendations"));
    CHECK_THAT(plan_text(none), !Catch::Contains("recommended"));
  }
  SECTION("not where more packets would be too much for a link") {
    auto in_slots = wall;
    in_slots.streaming.packet_layout = PacketLayout::in_slots;
    const auto rate = [&](const Wall& of) {
      return requirements_of(of, of.coordinator()).value().interfaces.front().load.wire;
    };
    REQUIRE(rate(in_slots) > rate(wall));
    for (auto& nic : host.nics) nic.link_rate = (rate(wall) + rate(in_slots)) * 0.5;
    CHECK(make_plan(wall, wall.coordinator(), host).recommendations.empty());
  }
  SECTION("nor where a store of packets would be too much for a disk") {
    const auto manifest = content_for(wall, 1);
    Disk disk;
    disk.directory = "/data/0";
    disk.exists = true;
    disk.device = "nvme0n1";
    disk.read_bytes_per_s = plan.needs.read_bytes_per_s * 1.26;
    host.disks = {disk};
    CHECK(make_plan(wall, wall.coordinator(), manifest, host, {"/data/0"}).recommendations.empty());
    host.disks[0].read_bytes_per_s = plan.needs.read_bytes_per_s * 1.4;
    CHECK(make_plan(wall, wall.coordinator(), manifest, host, {"/data/0"}).recommendations.size() == 1);
  }
}

TEST_CASE("following a recommendation makes no finding worse, and leaves nothing to recommend") {
  std::minstd_rand random(23);
  const auto draw = [&](unsigned least, unsigned most) {
    return std::uniform_int_distribution<unsigned>(least, most)(random);
  };
  unsigned recommended = 0;
  for (int round = 0; round < 200; ++round) {
    auto wall = example("local-2x2.toml");
    wall.set_grid({.columns = 2, .rows = 2, .tile_width = 800, .tile_height = 600});
    wall.frame_rate = {240, 1};
    wall.coordinator().interfaces = {"10.1.0.1"};
    wall.streaming.mtu = draw(0, 2) == 0 ? draw(600, 9000) : 1500;
    wall.streaming.flows_per_tile = draw(1, 4);
    wall.streaming.packet_layout = draw(0, 3) == 0 ? PacketLayout::in_slots : PacketLayout::in_rows;
    wall.streaming.fec = draw(0, 1) == 0 ? FecUse::always : FecUse::needed;
    auto manifest = content_for(wall, draw(1, 3));
    if (draw(0, 2) == 0) manifest.packets = 1408;
    auto host = big_server();
    host.topology = read_topology(fmt::format("pack:1 [numa] core:{} pu:1", draw(1, 2))).value();
    for (auto& nic : host.nics) nic.link_rate = BitRate::gbit(draw(10, 20));
    const auto before = make_plan(wall, wall.coordinator(), manifest, host, {});
    if (before.verdict == Verdict::impossible || before.recommendations.empty()) continue;
    ++recommended;
    REQUIRE(before.recommendations.size() == 1);
    const auto& what = before.recommendations.front().what;
    if (what.find("packet_layout") != std::string::npos) {
      CHECK(wall.streaming.packet_layout == PacketLayout::in_rows);
      wall.streaming.packet_layout = PacketLayout::in_slots;
    }
    if (what.find("--packets " + std::to_string(wall.streaming.mtu)) != std::string::npos) {
      manifest.packets = PacketSlots::slot_bytes_for(media_datagram_max(wall, {}));
      manifest.bands = wall.streaming.flows_per_tile;
    }
    const auto after = make_plan(wall, wall.coordinator(), manifest, host, {});
    INFO(what << ", mtu " << wall.streaming.mtu);
    CHECK(after.recommendations.empty());
    for (const auto& now : after.findings)
      if (const auto was = std::ranges::find(before.findings, now.what, &Finding::what);
          was != before.findings.end() && now.what != "sending cores")
        CHECK(now.verdict <= was->verdict);
  }
  CHECK(recommended > 20);
}

TEST_CASE("the plan says which cores read from the disks: one for each NUMA node on which frames lie") {
  const auto wall = example("sara-5x3.toml");
  auto host = big_server();
  host.topology = read_topology("pack:2 [numa] core:20 pu:1").value();
  const auto plan = make_plan(wall, wall.coordinator(), host);
  REQUIRE(plan.readers.size() == 2);
  CHECK(plan.readers[0].tiles.size() + plan.readers[1].tiles.size() == 15);
  CHECK_THAT(plan_text(plan),
             Catch::Contains(fmt::format("disk readers   cpu {} of NUMA node 0 for {} tiles, cpu {}",
                                         plan.readers[0].cpu, plan.readers[0].tiles.size(), plan.readers[1].cpu)));
  CHECK(plan_json(plan)["needs"]["readers"][1] ==
        nlohmann::json{{"cpu", plan.readers[1].cpu}, {"numa_node", 1}, {"tiles", plan.readers[1].tiles.size()}});

  SECTION("one reader, near the disks if these are known") {
    host.topology = read_topology("pack:1 [numa] core:40 pu:1").value();
    const auto one = make_plan(wall, wall.coordinator(), host);
    CHECK(one.readers.empty());
    CHECK_THAT(plan_text(one), Catch::Contains("disk readers   1 on any core\n"));
    Disk disk;
    disk.directory = "/data/0";
    disk.exists = true;
    disk.numa_node = 0;
    host.disks = {disk};
    const auto near = make_plan(wall, wall.coordinator(), content_for(wall, 1), host, {"/data/0"});
    REQUIRE(near.reader_cpu);
    CHECK_THAT(plan_text(near), Catch::Contains(fmt::format("disk readers   1 on cpu {}\n", *near.reader_cpu)));
    CHECK(plan_json(near)["needs"]["readers"] == nlohmann::json::array({{{"cpu", *near.reader_cpu}, {"tiles", 15}}}));
  }
}

TEST_CASE("the plan's text and JSON carry the figures") {
  const auto plan = make_plan(example("sara-5x3.toml"), example("sara-5x3.toml").coordinator(), big_server());
  const auto text = plan_text(plan);
  CHECK_THAT(text, Catch::Contains("61.44 Mpixel x rgb8 x 24 frame/s = 35.4 Gbit/s") && Catch::Contains("10.1.0.4") &&
                       Catch::Contains("sender threads 30 for 30 flows"));
  const auto json = plan_json(plan);
  CHECK(json["verdict"] == "ok");
  CHECK(json["needs"]["pixels_gbit_per_s"].get<double>() == Approx(35.38944));
  CHECK(json["needs"]["frame_rate"] == "24");
  CHECK(json["needs"]["flows"].size() == 30);
  CHECK(json["needs"]["flows"][4]["tile"] == nlohmann::json::array({2, 0}));
  CHECK(json["needs"]["flows"][4].contains("cpu"));
  CHECK(json["host"]["interfaces"].size() == 4);
  CHECK_FALSE(json.contains("name"));
  CHECK(json.dump().find("null") == std::string::npos);
}

}  // namespace
}  // namespace lw
