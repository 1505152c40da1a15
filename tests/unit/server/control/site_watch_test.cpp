// Pins the events about sites: a node or a whole site falls silent, and is heard again.
#include "server/control/site_watch.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

namespace {

using Codes = std::vector<std::string>;

// A wall with a site of two nodes and one of one node; what senders know of them, and the events of a tenth of a
// second.
struct Sites {
  Sites() {
    wall.sites.resize(2);
    wall.sites[0].name = "near";
    wall.sites[0].nodes = {{"left", "10.0.0.1", {}}, {"right", "10.0.0.2", {}}};
    wall.sites[1].name = "far";
    wall.sites[1].nodes = {{"all", "10.0.0.3", {}}};
    watch.emplace(wall);
  }
  // Heard: left, right, all.
  Codes look(std::array<bool, 3> heard, LocalTime now, bool sends = true) {
    std::vector<std::vector<SiteStats>> sites{std::vector<SiteStats>(2), std::vector<SiteStats>(1)};
    sites[0][0].flows_heard = heard[0];
    sites[0][1].flows_heard = heard[1];
    sites[1][0].flows_heard = heard[2];
    Codes codes;
    for (const auto& event : watch->update(sites, sends, now)) {
      codes.push_back(event.code);
      text = event.text;
    }
    return codes;
  }

  Wall wall;
  std::optional<SiteWatch> watch;
  std::string text;  // of the newest event
};

}  // namespace

TEST_CASE("a node of a site that falls silent is reported once, and when it is heard again") {
  Sites sites;
  CHECK(sites.look({true, true, true}, LocalTime{10s}).empty());
  CHECK(sites.look({true, false, true}, LocalTime{20s}) == Codes{"site-node-silent"});
  CHECK(sites.text == "node right of site near has not reported for five seconds");
  CHECK(sites.look({true, false, true}, LocalTime{21s}).empty());
  CHECK(sites.look({true, true, true}, LocalTime{30s}) == Codes{"site-node-reports"});
  CHECK(sites.text == "node right of site near reports again");
}

TEST_CASE("a site of which no node is left is silent as a whole") {
  Sites sites;
  sites.look({true, true, true}, LocalTime{10s});
  CHECK(sites.look({true, true, false}, LocalTime{20s}) == Codes{"site-silent"});
  CHECK(sites.text == "site far: no node has reported for five seconds");
  CHECK(sites.look({true, true, true}, LocalTime{21s}) == Codes{"site-reports"});
  CHECK(sites.look({false, true, true}, LocalTime{22s}) == Codes{"site-node-silent"});
  CHECK(sites.look({false, false, true}, LocalTime{23s}) == Codes{"site-silent"});
  CHECK(sites.look({true, true, true}, LocalTime{24s}) == Codes{"site-reports", "site-node-reports"});
  CHECK(sites.look({false, false, true}, LocalTime{25s}) == Codes{"site-node-silent", "site-silent"});
}

TEST_CASE("what never reported is not silent, and neither is a site to which nothing is sent") {
  Sites sites;
  CHECK(sites.look({true, false, false}, LocalTime{10s}).empty());
  CHECK(sites.look({true, false, false}, LocalTime{30s}).empty());
  CHECK(sites.look({false, false, false}, LocalTime{40s}, false).empty());
  // Senders have heard nothing while nothing was sent: nodes have time to report.
  CHECK(sites.look({false, false, false}, LocalTime{50s}).empty());
  CHECK(sites.look({false, false, false}, LocalTime{50s} + SiteWatch::begin_after - 1ms).empty());
  CHECK(sites.look({false, false, false}, LocalTime{50s} + SiteWatch::begin_after) == Codes{"site-silent"});
}
