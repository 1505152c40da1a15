// The RTP streams of a capture or of a file of records written by wall-probe. Pure. (Fuzzed.)
#pragma once

#include "probe/analyze/rtp_stream.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace lw {

struct AnalyzedStream {
  std::optional<UdpEndpoint> from, to;  // in a capture
  std::optional<unsigned> flow;         // in a file of records
  std::uint32_t ssrc = 0;
  RtpFigures figures;
};

struct Analysis {
  CaptureCounts capture;
  std::uint64_t udp = 0;                // datagrams
  std::uint64_t other = 0;              // of these, those in none of the streams below
  std::uint64_t over_streams = 0;       // of these, those skipped because the capture has too many streams
  std::vector<AnalyzedStream> streams;  // in the order of their first packet
};

// `clock_hz`: RTP clock rate of all streams; 0: by their payload type.
Result<Analysis> analyze(std::span<const std::byte> capture, std::uint32_t clock_hz = 0);

nlohmann::json analysis_json(const Analysis& analysis);
std::string analysis_text(const Analysis& analysis);

}  // namespace lw
