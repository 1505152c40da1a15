// The node's connection to the server's control plane: keeps it up, and has a NodeReporter speak over it. Always
// reconnects; the frames never wait for it. Runs its own thread (Asio); what the node does for the server is called on
// that thread.
#pragma once

#include "common/access/credentials.h"
#include "common/wall/wall_file.h"
#include "wall-client/control/node_reporter.h"

#include <memory>

namespace lw {

class NodeLink {
public:
  // `node`: its hello need not be filled in but for the name.
  NodeLink(const Wall& wall, ReportedNode node, Credentials credentials = {});
  ~NodeLink();  // closes the connection and joins the thread
  NodeLink(const NodeLink&) = delete;
  NodeLink& operator=(const NodeLink&) = delete;

private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lw
