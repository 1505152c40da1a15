// The figures of this node for Prometheus, at an address of its own: GET /metrics and /healthz. For hosts whose server
// nobody scrapes; the server's page has the figures of all nodes. Runs its own thread, on which `read` is called.
#pragma once

#include "common/base/result.h"
#include "wall-client/control/node_link.h"

#include <functional>
#include <memory>
#include <string>

namespace lw {

class MetricsPage {
public:
  // `where`: "ADDRESS:PORT". Off loopback by TLS with the certificate, and for the tokens, of the state folder `state`,
  // as state_folder() takes it. `wall` outlives this.
  static Result<std::unique_ptr<MetricsPage>> open(const std::string& where, const Wall& wall, std::string node,
                                                   std::function<NodeReading()> read, const std::string& state = {});
  virtual ~MetricsPage() = default;  // joins the thread
};

// In the text exposition format. What is true only with a clock whose error is known, but is not known here, is absent.
std::string metrics_text(const Wall& wall, const std::string& node, const NodeReading& reading);

}  // namespace lw
