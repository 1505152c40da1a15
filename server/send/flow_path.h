// One path of a flow: its media, and its half of RTCP. One thread (the flow's).
#pragma once

#include "common/net/datagram_sender.h"
#include "common/srtp/media_key.h"
#include "common/wall/wall_file.h"
#include "server/send/rtcp_reporter.h"
#include "server/send/sender_ports.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace lw {

struct FlowPath {
  // `group_of_member`: of a member the path to its group, else null.
  FlowPath(SenderPorts::Path ports, const Wall& wall, std::uint32_t ssrc, const std::string& name,
           const std::optional<MediaKey>& key, const FlowPath* group_of_member = nullptr)
      : end(ports.end),
        site(ports.site),
        resend_percent(is_to_node() ? wall.streaming.resend_percent : ports.resend_percent),
        media(std::move(ports.media)),
        sender(*media, ports.end == PathEnd::member ? RunAssembly::kernel : wall.streaming.assemble),
        rtcp(std::move(ports.control), ssrc, name, key, group_of_member != nullptr ? &group_of_member->rtcp : nullptr),
        group(group_of_member) {}
  FlowPath(const FlowPath&) = delete;
  FlowPath& operator=(const FlowPath&) = delete;

  [[nodiscard]] bool is_to_node() const { return end == PathEnd::node; }
  // Frames and the sender's reports; a member gets them from its group.
  [[nodiscard]] bool carries_frames() const { return end != PathEnd::member; }
  [[nodiscard]] bool receives() const { return end != PathEnd::group; }

  const PathEnd end;
  const unsigned site;
  const unsigned resend_percent;
  const std::unique_ptr<DatagramPort> media;
  DatagramSender sender;
  RtcpReporter rtcp;
  const FlowPath* const group;    // of a member, else null
  std::uint64_t send_errors = 0;  // packets of frames that the kernel refused, on a path to a site
};

}  // namespace lw
