// One way of a flow to its node: a socket for media and one for RTCP, bound to an address of the server and connected
// to one of the node. A flow has one, or two over different networks (SMPTE ST 2022-7) by which it sends everything
// alike. One thread (the flow's) after open.
#pragma once

#include "common/base/result.h"
#include "common/net/datagram_sender.h"
#include "common/net/udp_socket.h"
#include "common/srtp/media_key.h"
#include "common/wall/geometry.h"
#include "common/wall/wall_file.h"
#include "server/send/rtcp_reporter.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lw {

struct FlowPath {
  // Of a flow: one for each address of its node. Errors name the address or port that is of no use.
  static Result<std::vector<std::unique_ptr<FlowPath>>> open_all(const Wall& wall, const Band& band, std::uint32_t ssrc,
                                                                 const std::optional<MediaKey>& key);

  FlowPath(UdpSocket media_socket, UdpSocket control_socket, const Wall& wall, std::uint32_t ssrc,
           const std::string& name, const std::optional<MediaKey>& key)
      : media(std::move(media_socket)),
        sender(media, wall.streaming.assemble),
        rtcp(std::move(control_socket), ssrc, name, key) {}
  FlowPath(const FlowPath&) = delete;
  FlowPath& operator=(const FlowPath&) = delete;

  UdpSocket media;
  DatagramSender sender;
  RtcpReporter rtcp;
};

}  // namespace lw
