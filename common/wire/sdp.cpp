#include "common/wire/sdp.h"

#include "common/wire/media_packet.h"
#include "common/wire/sound_packet.h"

#include <fmt/format.h>

#include <string_view>

namespace lw {
namespace {

// By ST 2110-20, section 7.6.
std::string_view tcs_of(Transfer transfer) {
  return transfer == Transfer::pq ? "PQ" : transfer == Transfer::hlg ? "HLG" : "SDR";
}

// By ST 2110-20, section 7.5. It has no name for P3.
std::string_view colorimetry_of(const Colour& colour) {
  if (colour.primaries == Primaries::p3) return "UNSPECIFIED";
  if (colour.primaries == Primaries::bt709) return "BT709";
  return colour.transfer == Transfer::sdr ? "BT2020" : "BT2100";
}

const char* family(const std::string& address) { return address.find(':') == std::string::npos ? "IP4" : "IP6"; }

// ST 2110-30 section 6.2.2. Other numbers of channels may have any order.
std::string channel_order(unsigned channels) {
  if (channels == 1) return "M";
  if (channels == 2) return "ST";
  return channels == 6 ? "51" : fmt::format("U{:02}", channels);
}

// Of an uncompressed format, what ST 2110-20 requires. Blocks are a format of our own: its name says which.
std::string format_lines(const FlowDescription& flow, const std::string& rate) {
  const auto& pixel = info(flow.format);
  const auto common = fmt::format("width={}; height={}; exactframerate={}", flow.width, flow.height, rate);
  const auto colours = fmt::format("TCS={}; colorimetry={}", tcs_of(flow.colour.transfer), colorimetry_of(flow.colour));
  const auto packets = flow.extended_packets ? fmt::format("; MAXUDP={}", flow.udp_payload_bytes) : std::string{};
  if (pixel.has_blocks())
    return fmt::format(
        "a=rtpmap:{0} vnd.lambdawall.{1}/90000\r\n"
        "a=fmtp:{0} {2}; {3}; RANGE=FULL{4}\r\n",
        pixel.payload_type, pixel.name, common, colours, packets);
  return fmt::format(
      "a=rtpmap:{type} raw/90000\r\n"
      "a=fmtp:{type} sampling={sampling}; {common}; depth={depth}; {colours}; PM=2110GPM; "
      "SSN=ST2110-20:2017; TP=2110TPW; PAR=1:1; RANGE={range}{packets}\r\n",
      fmt::arg("type", pixel.payload_type), fmt::arg("sampling", pixel.sampling), fmt::arg("common", common),
      fmt::arg("depth", pixel.depth), fmt::arg("colours", colours),
      fmt::arg("range", pixel.is_rgb() ? "FULL" : "NARROW"), fmt::arg("packets", packets));
}

}  // namespace

std::string to_sdp(const FlowDescription& flow) {
  const auto rate = flow.frame_rate.denominator == 1
                        ? fmt::format("{}", flow.frame_rate.numerator)
                        : fmt::format("{}/{}", flow.frame_rate.numerator, flow.frame_rate.denominator);
  const bool group = flow.group_ttl.has_value();
  const std::string to_family = family(flow.destination_address);
  return fmt::format(
      "v=0\r\n"
      "o=- 0 0 IN {source_family} {source}\r\n"
      "s={name}\r\n"
      "t=0 0\r\n"
      "m=video {port} {profile} {type}\r\n"
      "c=IN {destination_family} {destination}{ttl}\r\n"
      "{filter}"
      "{format}"
      "a=extmap:{ntp_id} urn:ietf:params:rtp-hdrext:ntp-64\r\n"
      "a=extmap:{frame_id} urn:lambdawall:frame\r\n"
      "a=mediaclk:direct=0\r\n"
      "a=recvonly\r\n",
      fmt::arg("source_family", family(flow.source_address)), fmt::arg("source", flow.source_address),
      fmt::arg("name", flow.session_name), fmt::arg("port", flow.port),
      fmt::arg("profile", flow.sealed ? "RTP/SAVP" : "RTP/AVP"), fmt::arg("type", info(flow.format).payload_type),
      fmt::arg("destination_family", to_family),
      // IPv6 has no TTL here: the address says how far packets go.
      fmt::arg("ttl", group && to_family == "IP4" ? fmt::format("/{}", *flow.group_ttl) : std::string{}),
      fmt::arg("filter", group ? fmt::format("a=source-filter: incl IN {} {} {}\r\n", to_family,
                                             flow.destination_address, flow.source_address)
                               : std::string{}),
      fmt::arg("destination", flow.destination_address), fmt::arg("format", format_lines(flow, rate)),
      fmt::arg("ntp_id", wire::ntp_extension_id), fmt::arg("frame_id", wire::frame_extension_id));
}

std::string to_sdp(const SoundDescription& sound) {
  return fmt::format(
      "v=0\r\n"
      "o=- 0 0 IN {source_family} {source}\r\n"
      "s={name}\r\n"
      "t=0 0\r\n"
      "m=audio {port} {profile} {type}\r\n"
      "c=IN {destination_family} {destination}\r\n"
      "a=rtpmap:{type} L24/{rate}/{channels}\r\n"
      "a=fmtp:{type} channel-order=SMPTE2110.({order})\r\n"
      "a=ptime:1\r\n"
      "a=mediaclk:direct=0\r\n"
      "a=recvonly\r\n",
      fmt::arg("source_family", family(sound.source_address)), fmt::arg("source", sound.source_address),
      fmt::arg("name", sound.session_name), fmt::arg("port", sound.port),
      fmt::arg("profile", sound.sealed ? "RTP/SAVP" : "RTP/AVP"), fmt::arg("type", sound_payload_type(sound.channels)),
      fmt::arg("destination_family", family(sound.destination_address)),
      fmt::arg("destination", sound.destination_address), fmt::arg("rate", sound_rate),
      fmt::arg("channels", sound.channels), fmt::arg("order", channel_order(sound.channels)));
}

}  // namespace lw
