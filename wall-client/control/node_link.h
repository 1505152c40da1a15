// The node's connection to the server's control plane, over which a NodeReporter reports. Always
// reconnects; frames never wait for it. Runs its own thread (Asio); callbacks of the node are called on
// that thread.
#pragma once

#include "common/access/credentials.h"
#include "common/wall/wall_file.h"
#include "wall-client/control/node_reporter.h"

#include <memory>

namespace lw {

class NodeLink {
public:
  // `node`: of its hello, only the name must be filled in.
  NodeLink(const Wall& wall, ReportedNode node, Credentials credentials = {});
  ~NodeLink();  // closes the connection and joins the thread
  NodeLink(const NodeLink&) = delete;
  NodeLink& operator=(const NodeLink&) = delete;

private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lw
