// Frame records as messages, in the form defined in docs/protocol.md: `node.frames`, from a node to its server, and
// `trace`, from the server to its callers.
#pragma once

#include "common/messages/host_role.h"
#include "common/messages/message.h"
#include "common/metrics/frame_record.h"
#include "common/wall/wall_file.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lw {

inline constexpr std::size_t frame_records_max = 4096;  // in one message

struct FrameRecordMessage {
  FrameStep step = FrameStep::read;
  FrameFate fate = FrameFate::whole;
  std::uint32_t frame = 0;
  std::uint16_t generation = 0;
  std::uint16_t tick = 0;
  std::uint32_t bytes = 0;
  std::int64_t media_ns = 0;                            // since 1970
  std::vector<std::optional<std::int64_t>> times_ns{};  // from media_ns, as many as the step has; null: not measured
  std::optional<std::uint16_t> flow{};                  // if sent or received
  std::optional<GridCell> tile{};                       // if read or shown
  std::optional<std::uint16_t> stripe{};                // if read

  // No stage takes longer.
  static constexpr std::int64_t offset_max = std::int64_t{3'600'000'000'000};
  static constexpr bool closed = false;
  static void members(auto& record, auto& visit) {
    visit("step", record.step, Names{"read", "sent", "received", "shown"});
    visit("fate", record.fate, Names{"whole", "repaired", "incomplete", "left_out"});
    visit("frame", record.frame);
    visit("generation", record.generation);
    visit("tick", record.tick);
    visit("bytes", record.bytes);
    visit("media_ns", record.media_ns, Whole{offset_max, std::numeric_limits<std::int64_t>::max() - offset_max});
    visit("times_ns", record.times_ns, Whole{-offset_max, offset_max});
    visit("flow", record.flow);
    visit("tile", record.tile);
    visit("stripe", record.stripe);
  }
  [[nodiscard]] std::optional<std::string> problem() const;
  bool operator==(const FrameRecordMessage&) const = default;
};

FrameRecordMessage message_of(const FrameRecord& record, const Wall& wall);
std::vector<FrameRecordMessage> messages_of(std::span<const FrameRecord> records, const Wall& wall);
// The records of flows and tiles that the wall has.
std::vector<FrameRecord> frame_records(std::span<const FrameRecordMessage> messages, const Wall& wall);

struct FramesMessage {
  std::vector<FrameRecordMessage> records;  // invalid ones are skipped
  std::uint64_t dropped = 0;                // since the node's program started

  static constexpr bool closed = true;
  static void members(auto& message, auto& visit) {
    visit("records", message.records, AtMost{frame_records_max}, ValidOnly{});
    visit("dropped", message.dropped);
  }
  bool operator==(const FramesMessage&) const = default;
};

struct TracedHostMessage {
  HostRole role = HostRole::server;
  std::string name;
  std::uint64_t dropped = 0;             // since its program started
  std::optional<double> clock_error_us;  // of a node, if known

  static constexpr bool closed = false;
  static void members(auto& host, auto& visit) {
    visit("role", host.role, host_role_names);
    visit("name", host.name);
    visit("dropped", host.dropped);
    visit("clock_error_us", host.clock_error_us);
  }
  bool operator==(const TracedHostMessage&) const = default;
};

struct TraceReply {
  std::vector<FrameRecordMessage> records{};
  std::uint64_t next = 0;    // pass this as `after` to get the following records
  std::uint64_t missed = 0;  // records that were requested but are no longer kept
  bool more = false;         // further records are available now
  std::vector<TracedHostMessage> hosts{};

  static constexpr bool closed = false;
  static void members(auto& reply, auto& visit) {
    visit("records", reply.records, AtMost{frame_records_max});
    visit("next", reply.next);
    visit("missed", reply.missed);
    visit("more", reply.more);
    visit("hosts", reply.hosts);
  }
  bool operator==(const TraceReply&) const = default;
};

}  // namespace lw
