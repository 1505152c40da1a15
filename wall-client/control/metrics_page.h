// This node's figures for Prometheus, on its own address: GET /metrics and /healthz. For its histograms, and for
// installations where nobody scrapes the server; the server's page has the other figures of all nodes. Runs its own
// thread, on which `read` is called.
#pragma once

#include "common/base/result.h"
#include "common/metrics/histograms.h"
#include "wall-client/control/node_link.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lw {

// Histograms of the node's flows and tiles, each with its tile. They must outlive the page.
struct NodeHistograms {
  std::vector<std::pair<TileIndex, const ReceiverFlowHistograms*>> flows;
  std::vector<std::pair<TileIndex, const TileHistograms*>> tiles;
};

class MetricsPage {
public:
  // `where`: "ADDRESS:PORT". Off loopback it uses TLS with the certificate and requires the tokens from the state
  // folder `state` (see state_folder()). `wall` must outlive this object.
  static Result<std::unique_ptr<MetricsPage>> open(const std::string& where, const Wall& wall, std::string node,
                                                   std::function<NodeReading()> read, NodeHistograms histograms = {},
                                                   const std::string& state = {});
  virtual ~MetricsPage() = default;  // joins the thread
};

// In the text exposition format. Without figures that need a clock with a known error bound, if the clock has none.
// Histograms of flows are added up over each tile.
std::string metrics_text(const Wall& wall, const std::string& node, const NodeReading& reading,
                         const NodeHistograms& histograms = {});

}  // namespace lw
