// A UDP load over loopback: its distributions are those of the measured time.
#include "probe/loads/udp_load.h"

#include "tests/support/ports.h"

#include <catch2/catch.hpp>

#include <thread>

using namespace lw;
using namespace std::chrono_literals;

namespace {

LoadSpec small_load(const char* sink) {
  LoadSpec load;
  load.frame_rate = 50;
  load.width = 64;
  load.rows = 20;
  load.sink = sink;
  load.base_port = free_even_ports(8);
  load.source_port = static_cast<std::uint16_t>(load.base_port + 4);
  return load;
}

double packets(LoadEnd& receiver) { return receiver.read().front().totals.at("packets"); }

bool arrives(LoadEnd& receiver, double count) {
  for (const auto until = LocalClock::now() + 20s; LocalClock::now() < until; std::this_thread::sleep_for(5ms))
    if (packets(receiver) >= count) return true;
  return false;
}

}  // namespace

TEST_CASE("frames that arrive after the end of a measurement are not in its figures") {
  const std::string sink = GENERATE("memory", "none");
  const auto load = small_load(sink.c_str());
  auto receiver = make_udp_receiver(load, {.from = {"127.0.0.1"}, .to = "127.0.0.1", .from_peer = {}}, {});
  auto sender = make_udp_sender(load, {.from = {"127.0.0.1"}, .to = "127.0.0.1", .from_peer = {}});
  REQUIRE((receiver.has_value() && sender.has_value()));
  auto& end = **receiver;

  const bool ends_early = GENERATE(true, false);
  end.begin_to_measure();
  if (ends_early) end.end_to_measure();
  REQUIRE((*sender)->start().has_value());
  REQUIRE(arrives(end, 10));
  end.end_to_measure();  // a second end changes nothing
  REQUIRE(arrives(end, packets(end) + 10));
  (*sender)->finish();

  const auto figures = end.finish().front();
  CHECK((figures.at("frames") == 0) == ends_early);
  CHECK(figures.contains("pdv_us_p50") == !ends_early);
}
