// The node's connection to the server's control plane: calls `node.hello`, reports 10 times a second, receives fades
// and requests for labels and test patterns, and sends previews of its tiles while an operator looks. Always
// reconnects; the frames never wait for it. Runs its own thread (Asio); the callbacks are called on that thread.
#pragma once

#include "common/access/credentials.h"
#include "common/messages/tile_overlay.h"
#include "common/metrics/clock_stats.h"
#include "common/metrics/flow_stats.h"
#include "common/metrics/frame_record.h"
#include "common/metrics/process_stats.h"
#include "common/wall/wall_file.h"
#include "common/wire/fade.h"
#include "wall-client/display/capture/preview.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lw {

// One reading of everything a node reports. Cheap to take: the data threads publish, nobody waits.
struct NodeReading {
  std::vector<ReceiverFlowStats> flows;
  std::vector<TileStats> tiles;
  std::vector<std::vector<SwapTime>> swaps;  // of each tile, since the reading before
  ClockStats clock;
  ProcessStats process;
  std::string renderer;              // of the OpenGL context; empty when headless
  std::string swap_group;            // what came of it; empty where the wall file names none
  std::vector<FrameRecord> records;  // of frames, since the reading before
  std::uint64_t records_dropped = 0;
};

class NodeLink {
public:
  NodeLink(const Wall& wall, std::string node, std::function<NodeReading()> read,
           std::function<void(const TileOverlay&)> on_overlay, std::function<void(const Fades&)> on_fades,
           std::vector<PreviewSlot*> previews = {}, std::function<void(unsigned flow, int cpu)> on_move = {},
           Credentials credentials = {});
  ~NodeLink();  // closes the connection and joins the thread
  NodeLink(const NodeLink&) = delete;
  NodeLink& operator=(const NodeLink&) = delete;

private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lw
