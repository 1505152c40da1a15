#include "probe/measure/interrupt_core.h"

#include <catch2/catch.hpp>

#include <unistd.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace lw {
namespace {

using nlohmann::json;

// A made-up host: a card with two interrupts and two queues, and a virtual interface with one queue.
struct Host {
  std::filesystem::path root = std::filesystem::temp_directory_path() / ("lw-interrupts-" + std::to_string(getpid()));
  std::filesystem::path function = root / "sys/devices/pci0000:3a/0000:3b:00.0";
  std::filesystem::path card = function / "net/eth0";

  Host() {
    std::filesystem::remove_all(root);
    write(function / "class", "0x020000");
    write(function / "vendor", "0x8086");
    for (const auto* irq : {"40", "41"}) {
      write(function / "msi_irqs" / irq, "msix");
      write(root / "proc/irq" / irq / "smp_affinity_list", "0-7");
    }
    for (const auto* queue : {"rx-0", "rx-1"}) write(card / "queues" / queue / "rps_cpus", "000000ff");
    std::filesystem::create_directory_symlink(function, card / "device");
    std::filesystem::create_directories(root / "sys/class/net");
    std::filesystem::create_directory_symlink(card, root / "sys/class/net/eth0");
    write(root / "sys/class/net/veth0/queues/rx-0/rps_cpus", "0");
    std::filesystem::create_directories(root / "sys/class/net/dummy0/queues");
    std::filesystem::create_directories(root / "run");
  }
  ~Host() { std::filesystem::remove_all(root); }
  static void write(const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
  }
  std::string text(const std::string& name) const {
    std::ifstream in(root / name);
    std::string line;
    std::getline(in, line);
    return line;
  }
  std::string irq(int number) const { return text("proc/irq/" + std::to_string(number) + "/smp_affinity_list"); }
  std::vector<std::filesystem::path> notes() const {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(root / "run"))
      if (entry.path().extension() == ".json") found.push_back(entry.path());
    return found;
  }
};

TEST_CASE("all interrupts of a card are moved to one CPU, and back") {
  const Host host;
  {
    const auto moved = InterruptCore::move({{"eth0", 5}}, host.root);
    REQUIRE(moved.has_value());
    CHECK(host.irq(40) == "5");
    CHECK(host.irq(41) == "5");
    CHECK(host.text("sys/class/net/eth0/queues/rx-1/rps_cpus") == "0");
    CHECK(host.notes().size() == 1);
    CHECK_FALSE((*moved)->overwritten());
    // One at a time: what the second found would not be what was there before.
    CHECK(InterruptCore::move({{"veth0", 1}}, host.root).has_error());
    CHECK(restore_interrupts(host.root).value() == 0);
    Host::write(host.root / "proc/irq/41/smp_affinity_list", "3");
    REQUIRE((*moved)->overwritten());
    CHECK((*moved)->overwritten()->find("irq/41") != std::string::npos);
  }
  CHECK(host.irq(40) == "0-7");
  CHECK(host.irq(41) == "0-7");
  CHECK(host.text("sys/class/net/eth0/queues/rx-0/rps_cpus") == "000000ff");
  CHECK(host.notes().empty());
}

TEST_CASE("an interface without interrupts is steered by its receive queues") {
  const Host host;
  Host::write(host.root / "sys/class/net/veth0/queues/rx-0/rps_cpus", "00000000,00000000");
  {
    const auto moved = InterruptCore::move({{"veth0", 34}}, host.root);
    REQUIRE(moved.has_value());
    CHECK(host.text("sys/class/net/veth0/queues/rx-0/rps_cpus") == "00000004,00000000");
  }
  CHECK(host.text("sys/class/net/veth0/queues/rx-0/rps_cpus") == "00000000,00000000");
  CHECK(InterruptCore::move({{"dummy0", 1}}, host.root).error().what.find("neither") != std::string::npos);
  CHECK(InterruptCore::move({{"absent", 1}}, host.root).has_error());
  CHECK(host.notes().empty());
}

TEST_CASE("what a killed program left is restored at the next start, and only that") {
  const Host host;
  CHECK(restore_interrupts(host.root).value() == 0);
  { const auto make_names = InterruptCore::move({{"veth0", 1}}, host.root); }
  std::filesystem::path note;
  {
    const auto moved = InterruptCore::move({{"veth0", 1}}, host.root);
    REQUIRE(moved.has_value());
    REQUIRE(host.notes().size() == 1);
    note = host.notes().front();
    std::filesystem::copy_file(note, host.root / "kept");
  }
  const auto leave = [&](const std::string& text) { Host::write(note, text); };
  // As if killed: the setting is changed, and the note is there.
  Host::write(host.root / "sys/class/net/veth0/queues/rx-0/rps_cpus", "2");
  std::filesystem::copy_file(host.root / "kept", note);
  CHECK(restore_interrupts(host.root).value() == 1);
  CHECK(host.text("sys/class/net/veth0/queues/rx-0/rps_cpus") == "0");
  CHECK(host.notes().empty());
  // A measurement that begins restores it first, so that what it notes is what was there before.
  Host::write(host.root / "sys/class/net/veth0/queues/rx-0/rps_cpus", "2");
  std::filesystem::copy_file(host.root / "kept", note);
  { const auto moved = InterruptCore::move({{"veth0", 3}}, host.root); }
  CHECK(host.text("sys/class/net/veth0/queues/rx-0/rps_cpus") == "0");
  // A note that names other files changes none of them.
  const auto other = host.root / "etc";
  Host::write(other, "as it was");
  for (const auto& file : {other.string(), (host.root / "proc/irq/../../etc").string(), std::string("/etc/hostname")}) {
    leave(json{{"settings", {{{"file", file}, {"before", "0"}}}}}.dump());
    CHECK(restore_interrupts(host.root).value() == 0);
    CHECK(host.text("etc") == "as it was");
  }
  for (const auto* wrong :
       {"", "[]", "{\"settings\": 3}", "{\"settings\": [3, {}]}", "{\"settings\": [{\"file\": 3}]}"}) {
    leave(wrong);
    CHECK(restore_interrupts(host.root).value() == 0);
    CHECK(host.notes().empty());
  }
}

TEST_CASE("the interface is that of the address at which a load arrives") {
  const std::multimap<std::string, std::string> interfaces{{"lo", "127.0.0.1"}, {"eth0", "10.0.0.2"}, {"eth0", "::1"}};
  const SideAddresses server{"10.0.0.2", "10.0.0.1", false};
  const auto run_of = [](const json& loads) { return parse_run({{"loads", loads}}).value(); };
  const json load{{"gbit_per_s", 1}, {"receiver_interrupt_cpu", 3}};
  const auto run = run_of(json::array({load}));
  CHECK(interrupt_cpus(run, Role::server, server, interfaces).value() == std::map<std::string, unsigned>{{"eth0", 3}});
  CHECK(interrupt_cpus(run, Role::client, {"10.0.0.1", "10.0.0.2", false}, interfaces)->empty());
  CHECK(interrupt_cpus(run, Role::server, {"10.0.0.9", "10.0.0.1", false}, interfaces).has_error());
  auto reverse = load;
  reverse["direction"] = "reverse";
  CHECK(interrupt_cpus(run_of(json::array({reverse})), Role::client, {"10.0.0.2", "10.0.0.1", false}, interfaces)
            ->contains("eth0"));
  json other = load;
  other.update({{"name", "other"}, {"receiver_interrupt_cpu", 2}});
  CHECK(interrupt_cpus(run_of(json::array({load, other})), Role::server, server, interfaces).error().what.find("two") !=
        std::string::npos);
  CHECK(parse_run({{"loads", json::array({{{"gbit_per_s", 1}, {"direction", "both"}, {"receiver_interrupt_cpu", 1}}})}})
            .has_error());
}

}  // namespace
}  // namespace lw
