// What a node sends to the server's control plane: `node.hello` on each connection, a report ten times a second, and
// previews of its tiles while an operator wants them. It receives fades, labels, test patterns and CPUs of flows.
// Reports are tables (common/messages/node_tables.h) if the server accepts them, otherwise JSON.
//
// An agent without sockets: the connection, the node's figures and the time come from outside (NodeLink provides the
// real ones, a simulation its own). One thread.
#pragma once

#include "common/base/log_limit.h"
#include "common/clock/wall_clock_stats.h"
#include "common/concurrency/agent.h"
#include "common/messages/node_report.h"
#include "common/messages/node_tables.h"
#include "common/messages/place_requests.h"
#include "common/messages/requests.h"
#include "common/messages/rpc.h"
#include "common/messages/sound_level.h"
#include "common/messages/tile_overlay.h"
#include "common/metrics/flow_stats.h"
#include "common/metrics/frame_record.h"
#include "common/metrics/process_stats.h"
#include "common/metrics/sound_stats.h"
#include "common/wall/wall_file.h"
#include "common/wire/fade.h"
#include "wall-client/display/capture/preview.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

// One reading of everything a node reports. Cheap: the data threads publish their figures, and nobody waits.
struct NodeReading {
  void clear();

  std::vector<ReceiverFlowStats> flows;
  std::vector<TileStats> tiles;
  std::vector<std::vector<SwapTime>> swaps;  // of each tile, since the previous reading
  ClockStats clock;
  ProcessStats process;
  std::optional<SoundNodeStats> sound;  // absent if it plays none
  std::string renderer;                 // of the OpenGL context; empty when headless
  std::string swap_group;               // whether it was joined; empty if the wall file names none
  std::vector<FrameRecord> records;     // of frames, since the previous reading
  std::uint64_t records_dropped = 0;
};

// The reported node: sources of its figures, and callbacks for the server's requests. All are called by the thread that
// steps.
struct ReportedNode {
  NodeHello hello;
  std::function<Json()> machine;                // facts about its host; called once, when connected to a server
  std::function<void(NodeReading& into)> read;  // `into` is empty, but has the memory of an earlier reading
  std::function<void(TileIndex, const TileOverlay&)> on_overlay;
  std::function<void(const Fades&)> on_fades;
  std::function<void(const SoundLevel&)> on_sound;      // may be empty
  std::function<void(unsigned flow, int cpu)> on_move;  // may be empty
  std::vector<PreviewSlot*> previews;
  std::function<void()> on_previews;  // some were asked for; may be empty
  std::function<void()> on_refused;   // by this server, perhaps because another one coordinates; may be empty
};

class NodeReporter final : public Agent {
public:
  static constexpr std::chrono::milliseconds report_interval{100};

  // `send`: to the server, while connected. `wall` must outlive this object.
  NodeReporter(const Wall& wall, ReportedNode node, std::function<void(std::string)> send,
               Nanoseconds interval = report_interval);

  void connected();
  void lost();
  void hear(std::string_view message, LocalTime now);
  // Reports when a report is due: evenly, and never in a burst.
  Wait step(const Moment& now) override;

private:
  void report(const Moment& now);
  void send_records(const NodeReading& reading);
  void send_pictures();
  void on_request(const RpcRequest& request, LocalTime now);
  void on_pictures(const PicturesWanted& wanted);
  void on_place(const NodePlaceMessage& place);
  void on_answer(const RpcResponse& response);
  void on_tables(const NodeTablesWanted& wanted, LocalTime now);
  [[nodiscard]] Nanoseconds interval() const;
  void misunderstood(std::string_view method, const std::string& why, LocalTime now);
  template <class Message>
  void take(const RpcRequest& request, LocalTime now, const auto& use);

  void refused() const {
    if (node_.on_refused) node_.on_refused();
  }

  const Wall& wall_;
  const ReportedNode node_;
  const std::function<void(std::string)> send_;
  const Nanoseconds interval_;
  Json machine_;
  LocalTime next_{};
  bool connected_ = false;
  std::uint64_t epoch_ = 0;  // the highest of the coordinators that it was connected to
  std::string refusal_;      // the newest, logged once
  bool pictures_wanted_ = false;
  std::size_t picture_turn_ = 0;
  NodeReport told_;  // the newest; kept for its memory
  NodeReading reading_, last_;
  std::optional<LocalTime> last_time_;
  LogLimit misunderstood_{std::chrono::seconds{1}, 5};
  std::optional<NodeTablesSender> tables_;  // if the server accepts them
  unsigned detailed_every_ = 1;             // reports, by the server's wish
  Nanoseconds wanted_interval_{0};          // by the server
  unsigned reports_ = 0;
  bool records_wanted_ = true;  // servers of earlier versions always want them
  std::vector<FrameRecord> unsent_;
  std::uint64_t records_dropped_ = 0;  // dropped from unsent_
};

}  // namespace lw
