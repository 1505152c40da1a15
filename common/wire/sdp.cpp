#include "common/wire/sdp.h"

#include "common/wire/media_packet.h"

#include <fmt/format.h>

namespace lw {

std::string to_sdp(const FlowDescription& flow) {
  const auto& pixel = info(flow.format);
  const auto family = [](const std::string& address) { return address.find(':') == std::string::npos ? "IP4" : "IP6"; };
  const auto rate = flow.frame_rate.denominator == 1
                        ? fmt::format("{}", flow.frame_rate.numerator)
                        : fmt::format("{}/{}", flow.frame_rate.numerator, flow.frame_rate.denominator);
  const bool group = flow.group_ttl.has_value();
  const std::string to_family = family(flow.destination_address);
  const bool rgb = flow.format == PixelFormat::rgb8;
  return fmt::format(
      "v=0\r\n"
      "o=- 0 0 IN {source_family} {source}\r\n"
      "s={name}\r\n"
      "t=0 0\r\n"
      "m=video {port} {profile} {type}\r\n"
      "c=IN {destination_family} {destination}{ttl}\r\n"
      "{filter}"
      "a=rtpmap:{type} raw/90000\r\n"
      "a=fmtp:{type} sampling={sampling}; width={width}; height={height}; exactframerate={rate}; depth={depth}; "
      "TCS=SDR; "
      "colorimetry=BT709; PM=2110GPM; SSN=ST2110-20:2017; TP=2110TPW; PAR=1:1; RANGE={range}{packets}\r\n"
      "a=extmap:{ntp_id} urn:ietf:params:rtp-hdrext:ntp-64\r\n"
      "a=extmap:{frame_id} urn:lambdawall:frame\r\n"
      "a=mediaclk:direct=0\r\n"
      "a=recvonly\r\n",
      fmt::arg("source_family", family(flow.source_address)), fmt::arg("source", flow.source_address),
      fmt::arg("name", flow.session_name), fmt::arg("port", flow.port),
      fmt::arg("profile", flow.sealed ? "RTP/SAVP" : "RTP/AVP"), fmt::arg("type", pixel.payload_type),
      fmt::arg("destination_family", to_family),
      // IPv6 has no TTL here: the address says how far packets go.
      fmt::arg("ttl", group && to_family == "IP4" ? fmt::format("/{}", *flow.group_ttl) : std::string{}),
      fmt::arg("filter", group ? fmt::format("a=source-filter: incl IN {} {} {}\r\n", to_family,
                                             flow.destination_address, flow.source_address)
                               : std::string{}),
      fmt::arg("destination", flow.destination_address), fmt::arg("sampling", pixel.sampling),
      fmt::arg("width", flow.width), fmt::arg("height", flow.height), fmt::arg("rate", rate),
      fmt::arg("depth", pixel.depth), fmt::arg("range", rgb ? "FULL" : "NARROW"),
      fmt::arg("packets", flow.extended_packets ? fmt::format("; MAXUDP={}", flow.udp_payload_bytes) : std::string{}),
      fmt::arg("ntp_id", wire::ntp_extension_id), fmt::arg("frame_id", wire::frame_extension_id));
}

}  // namespace lw
