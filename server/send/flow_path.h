// One path of a flow to its node: its media, and its half of RTCP. One thread (the flow's).
#pragma once

#include "common/net/datagram_sender.h"
#include "common/srtp/media_key.h"
#include "common/wall/wall_file.h"
#include "server/send/rtcp_reporter.h"
#include "server/send/sender_ports.h"

#include <memory>
#include <optional>
#include <string>

namespace lw {

struct FlowPath {
  FlowPath(SenderPorts::Path ports, const Wall& wall, std::uint32_t ssrc, const std::string& name,
           const std::optional<MediaKey>& key)
      : media(std::move(ports.media)),
        sender(*media, wall.streaming.assemble),
        rtcp(std::move(ports.control), ssrc, name, key) {}
  FlowPath(const FlowPath&) = delete;
  FlowPath& operator=(const FlowPath&) = delete;

  const std::unique_ptr<DatagramPort> media;
  DatagramSender sender;
  RtcpReporter rtcp;
};

}  // namespace lw
