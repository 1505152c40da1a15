#include "probe/analyze/analysis.h"

#include "common/base/counted.h"
#include "common/base/put_json.h"
#include "common/base/text_table.h"
#include "probe/loads/packet_records.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

namespace lw {
namespace {

using nlohmann::json;

// Each takes some 20 KB; a capture of other traffic that looks like RTP may have one for each packet.
constexpr std::size_t streams_max = 4096;
constexpr std::uint32_t video_clock_hz = 90'000;

struct Kept {
  AnalyzedStream stream;
  RtpStream packets;
};

class Collector {
public:
  explicit Collector(std::uint32_t clock_hz) : clock_hz_(clock_hz) {}

  void take(const CapturedPacket& captured) {
    const auto datagram = udp_in(captured);
    if (!datagram) return;
    ++udp;
    const auto packet = rtp_in(*datagram);
    if (!packet) return;
    if (auto* stream = stream_of(*datagram, *packet)) stream->take(*packet, captured.time, datagram->payload_bytes);
  }

  std::vector<AnalyzedStream> streams() const {
    std::vector<AnalyzedStream> streams;
    for (const auto& kept : kept_)
      if (kept->packets.is_probable()) {
        streams.push_back(kept->stream);
        streams.back().figures = kept->packets.figures();
      }
    return streams;
  }

  std::uint64_t udp = 0, over_streams = 0;

private:
  RtpStream* stream_of(const UdpDatagram& datagram, const RtpPacket& packet) {
    const auto key = std::tuple(datagram.from, datagram.to, packet.ssrc);
    const auto found = by_key_.find(key);
    if (found != by_key_.end()) return found->second;
    if (kept_.size() == streams_max) {
      ++over_streams;
      return nullptr;
    }
    const auto clock_hz = clock_hz_ != 0 ? clock_hz_ : clock_rate_of(packet.payload_type);
    kept_.push_back(std::make_unique<Kept>(
        Kept{{datagram.from, datagram.to, {}, packet.ssrc, {}}, RtpStream(clock_hz, datagram.to.ipv6)}));
    return by_key_[key] = &kept_.back()->packets;
  }

  std::uint32_t clock_hz_;
  std::vector<std::unique_ptr<Kept>> kept_;
  std::map<std::tuple<UdpEndpoint, UdpEndpoint, std::uint32_t>, RtpStream*> by_key_;
};

json st2110_21_json(const RtpFigures& figures) {
  const auto& model = *figures.spacing_model;
  json limits = json::object(), types = json::array();
  for (const auto type : {SenderType::narrow, SenderType::narrow_linear, SenderType::wide}) {
    const auto of_type = limits_of(type, model);
    limits[name_of(type)] = {{"cinst_packets", of_type.cinst}, {"vrx_packets", of_type.vrx}};
    if (conforms(figures.spacing, type, model)) types.push_back(name_of(type));
  }
  return {{"packets_per_frame", model.packets_per_frame},
          {"frame_interval_us", model.frame_interval_s * 1e6},
          {"maxip_bytes", model.maxip_bytes},
          {"cinst_max_packets", figures.spacing.cinst_max},
          {"vrx_max_packets_gapped", figures.spacing.vrx_max_gapped},
          {"vrx_max_packets_linear", figures.spacing.vrx_max_linear},
          {"limits", std::move(limits)},
          {"conforms_to", std::move(types)},
          {"sender_type", name_of(sender_type(figures.spacing, model))}};
}

json stream_json(const AnalyzedStream& stream) {
  const auto& figures = stream.figures;
  json entry{{"clock_hz", figures.clock_hz},
             {"packets", figures.packets},
             {"bytes", figures.bytes},
             {"duration_s", figures.duration_s},
             {"lost", figures.lost},
             {"loss_runs", figures.loss_runs},
             {"loss_run_max", figures.loss_run_max},
             {"duplicates", figures.duplicates},
             {"reordered", figures.reordered},
             {"frames", figures.frames}};
  if (stream.from) {
    entry["from"] = stream.from->text();
    entry["to"] = stream.to->text();
    entry["ssrc"] = stream.ssrc;
    entry["payload_type"] = figures.payload_type;
  }
  put(entry, "flow", stream.flow);
  put(entry, "gbit_per_s", figures.gbit_per_s);
  put(entry, "jitter_us", figures.jitter_us);
  put(entry, "jitter_us_mean", figures.jitter_us_mean);
  put(entry, "jitter_us_max", figures.jitter_us_max);
  put(entry, "frame_jitter_us", figures.frame_jitter_us);
  put(entry, "frame_interval_us_min", figures.frame_interval_us_min);
  put(entry, "frame_interval_us_mean", figures.frame_interval_us_mean);
  put(entry, "frame_interval_us_max", figures.frame_interval_us_max);
  if (figures.pdv_us) {
    entry["pdv_us_p50"] = figures.pdv_us->p50;
    entry["pdv_us_p99"] = figures.pdv_us->p99;
    entry["pdv_us_max"] = figures.pdv_us->max;
  }
  if (figures.spacing_model) entry["st2110_21"] = st2110_21_json(figures);
  return entry;
}

std::string number(const std::optional<double>& value, int digits = 1) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

// The name of a stream in a table.
std::string name_of(const AnalyzedStream& stream) {
  return stream.flow ? fmt::format("flow {}", *stream.flow) : fmt::format("{:08x}", stream.ssrc);
}

Result<Analysis> analyze_records(std::span<const std::byte> records, std::uint32_t clock_hz) {
  std::map<unsigned, RtpStream> flows;
  Analysis analysis;
  const auto counted = read_packet_records(records, [&](const PacketRecord& arrival) {
    auto flow = flows.find(arrival.flow);
    if (flow == flows.end()) {
      if (flows.size() == streams_max) {
        ++analysis.over_streams;
        return;
      }
      flow = flows.emplace(arrival.flow, RtpStream(clock_hz != 0 ? clock_hz : video_clock_hz)).first;
    }
    RtpPacket packet;
    packet.sequence = static_cast<std::uint16_t>(arrival.sequence);
    packet.extended_sequence = arrival.sequence;
    packet.timestamp = arrival.timestamp;
    packet.marker = arrival.marker != 0;
    flow->second.take(packet, Nanoseconds{arrival.arrival_ns}, arrival.bytes);
  });
  if (!counted) return counted.error();
  analysis.capture.packets = analysis.udp = *counted;
  for (const auto& [number, stream] : flows) {
    AnalyzedStream& out = analysis.streams.emplace_back();
    out.flow = number;
    out.figures = stream.figures();
  }
  return analysis;
}

}  // namespace

Result<Analysis> analyze(std::span<const std::byte> capture, std::uint32_t clock_hz) {
  if (is_packet_records(capture)) return analyze_records(capture, clock_hz);
  Collector collector(clock_hz);
  const auto counts = read_capture(capture, [&](const CapturedPacket& packet) { collector.take(packet); });
  if (!counts) return counts.error();
  Analysis analysis{*counts, collector.udp, collector.udp, collector.over_streams, collector.streams()};
  for (const auto& stream : analysis.streams) analysis.other -= stream.figures.packets;
  return analysis;
}

json analysis_json(const Analysis& analysis) {
  json streams = json::array();
  for (const auto& stream : analysis.streams) streams.push_back(stream_json(stream));
  return {{"captured_packets", analysis.capture.packets},
          {"untimed_packets", analysis.capture.untimed},
          {"ends_early", analysis.capture.ends_early},
          {"udp_datagrams", analysis.udp},
          {"other_datagrams", analysis.other},
          {"streams", std::move(streams)}};
}

std::string analysis_text(const Analysis& analysis) {
  TextTable loss({"ssrc", "from", "to", "packets", "Gbit/s", "lost", "runs", "longest", "twice", "reordered"},
                 "<<<>>>>>>>");
  TextTable times({"ssrc", "jitter us", "max", "frames", "jitter us", "interval us", "max", "PDV us p99", "max",
                   "Cinst", "VRX gapped", "linear", "ST 2110-21"},
                  "<>>>>>>>>>>><");
  for (const auto& stream : analysis.streams) {
    const auto& figures = stream.figures;
    const auto ssrc = name_of(stream);
    loss.add({ssrc, stream.from ? stream.from->text() : "-", stream.to ? stream.to->text() : "-",
              std::to_string(figures.packets), number(figures.gbit_per_s, 3), std::to_string(figures.lost),
              std::to_string(figures.loss_runs), std::to_string(figures.loss_run_max),
              std::to_string(figures.duplicates), std::to_string(figures.reordered)});
    const auto spacing = [&](double value) {
      return figures.spacing_model ? fmt::format("{:.0f}", value) : std::string("-");
    };
    const auto pdv = [&](double Quantiles::*which) {
      return figures.pdv_us ? number((*figures.pdv_us).*which) : std::string("-");
    };
    times.add(
        {ssrc, number(figures.jitter_us_mean), number(figures.jitter_us_max), std::to_string(figures.frames),
         number(figures.frame_jitter_us), number(figures.frame_interval_us_mean), number(figures.frame_interval_us_max),
         pdv(&Quantiles::p99), pdv(&Quantiles::max), spacing(figures.spacing.cinst_max),
         spacing(figures.spacing.vrx_max_gapped), spacing(figures.spacing.vrx_max_linear),
         figures.spacing_model ? std::string(name_of(sender_type(figures.spacing, *figures.spacing_model))) : "-"});
  }
  auto out = analysis.streams.empty() ? "no RTP stream in the capture\n" : loss.text() + "\n" + times.text();
  out += fmt::format("\n{} captured, {}, {} of no stream above\n", counted(analysis.capture.packets, "packet"),
                     counted(analysis.udp, "UDP datagram"), analysis.other);
  if (analysis.over_streams > 0)
    out += fmt::format("{} datagrams are of streams beyond the first {}\n", analysis.over_streams, streams_max);
  if (analysis.capture.untimed > 0)
    out += fmt::format("{} packets carry no time and are skipped\n", analysis.capture.untimed);
  if (analysis.capture.ends_early) out += "the capture ends in the middle of a packet\n";
  return out;
}

}  // namespace lw
