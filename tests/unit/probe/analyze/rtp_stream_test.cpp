#include "probe/analyze/analysis.h"

#include "tests/unit/probe/analyze/capture_maker.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cmath>

namespace lw {
namespace {

constexpr std::int64_t start_ns = 1'700'000'000'000'000'000;

struct Arrival {
  std::int64_t at_us;
  test::Rtp rtp;
};

Analysis analysis_of(const std::vector<Arrival>& arrivals) {
  test::Pcap pcap;
  for (const auto& arrival : arrivals)
    pcap.add(start_ns + arrival.at_us * 1000, test::ethernet_bytes(test::rtp_bytes(arrival.rtp)));
  return analyze(pcap.bytes()).value();
}

// 10 frames of 4 packets at 25 frames a second, evenly spaced over the frame.
std::vector<Arrival> even_frames(std::uint16_t first_sequence = 65'530,
                                 std::uint32_t first_timestamp = 4'294'960'000U) {
  std::vector<Arrival> arrivals;
  for (unsigned frame = 0; frame < 10; ++frame)
    for (unsigned packet = 0; packet < 4; ++packet)
      arrivals.push_back({frame * 40'000 + packet * 10'000,
                          {static_cast<std::uint16_t>(first_sequence + frame * 4 + packet),
                           first_timestamp + frame * 3600, packet == 3}});
  return arrivals;
}

TEST_CASE("an even stream is reported as even, over the wraps of sequence number and timestamp") {
  const auto analysis = analysis_of(even_frames());
  REQUIRE(analysis.streams.size() == 1);
  CHECK(analysis.other == 0);
  const auto& stream = analysis.streams[0];
  CHECK(stream.from->text() == "10.0.0.1:40000");
  CHECK(stream.ssrc == 0x1234);
  const auto& figures = stream.figures;
  CHECK(figures.packets == 40);
  CHECK(figures.bytes == 40 * 112);
  CHECK(figures.lost == 0);
  CHECK(figures.duplicates == 0);
  CHECK(figures.reordered == 0);
  CHECK(figures.duration_s == Approx(0.39));
  CHECK(figures.gbit_per_s.value() == Approx(40 * 112 * 8e-9 / 0.39));
  CHECK(figures.frames == 10);
  CHECK(figures.frame_jitter_us.value() == Approx(0).margin(1e-6));
  CHECK(figures.frame_interval_us_min.value() == Approx(40'000));
  CHECK(figures.frame_interval_us_max.value() == Approx(40'000));
  CHECK(figures.pdv_us->max == Approx(0).margin(1e-6));
  REQUIRE(figures.spacing_model.has_value());
  CHECK(figures.spacing_model->packets_per_frame == 4);
  CHECK(figures.spacing_model->frame_interval_s == Approx(0.04));
  CHECK(figures.spacing_model->maxip_bytes == 1500);
  CHECK(figures.spacing.vrx_max_linear == 0);
  CHECK(figures.spacing.vrx_max_gapped == 1);
  CHECK(figures.spacing.cinst_max == 0);
}

TEST_CASE("losses are counted in runs, also at the end; duplicates and late packets are counted separately") {
  auto arrivals = even_frames(0, 0);
  const auto twice = arrivals[20];
  std::swap(arrivals[30].rtp, arrivals[31].rtp);
  arrivals.insert(arrivals.begin() + 21, twice);
  arrivals.erase(arrivals.begin() + 37, arrivals.begin() + 39);  // 36 and 37 of the stream
  arrivals.erase(arrivals.begin() + 5);
  const auto figures = analysis_of(arrivals).streams.at(0).figures;
  CHECK(figures.packets == 38);
  CHECK(figures.lost == 3);
  CHECK(figures.loss_runs == 2);
  CHECK(figures.loss_run_max == 2);
  CHECK(figures.duplicates == 1);
  CHECK(figures.reordered == 1);
}

TEST_CASE("jitter is that of RFC 3550") {
  // Frames of one packet each, 40 ms apart by timestamp, arriving 40 and 41 ms apart in turn.
  std::vector<Arrival> arrivals;
  double jitter = 0, sum = 0, most = 0, of_frames = 0;
  std::int64_t at = 0;
  for (unsigned i = 0; i < 50; ++i) {
    arrivals.push_back({at, {static_cast<std::uint16_t>(i), i * 3600, true}});
    at += i % 2 == 0 ? 41'000 : 40'000;
    if (i == 0) continue;
    jitter += ((i % 2 == 1 ? 1000 : 0) - jitter) / 16;
    if (i > 1) of_frames += ((i % 2 == 1 ? 1000 : 0) - of_frames) / 16;  // the first may have been joined in its middle
    sum += jitter;
    most = std::max(most, jitter);
  }
  const auto figures = analysis_of(arrivals).streams.at(0).figures;
  CHECK(figures.jitter_us.value() == Approx(jitter));
  CHECK(figures.jitter_us_mean.value() == Approx(sum / 49));
  CHECK(figures.jitter_us_max.value() == Approx(most));
  CHECK(figures.frame_jitter_us.value() == Approx(of_frames));
  CHECK(figures.pdv_us->max == Approx(24'000));  // from 1 to 25 ms later than their timestamps say
  CHECK(figures.pdv_us->p50 == Approx(12'000).margin(1000));
  CHECK_FALSE(figures.spacing_model.has_value());  // one packet for each frame
}

TEST_CASE("a frame whose first packet is missing is not used for frame times") {
  auto arrivals = even_frames(0, 0);
  arrivals.erase(arrivals.begin() + 20);                        // the first packet of a frame
  arrivals.erase(arrivals.begin() + 6, arrivals.begin() + 10);  // the end of a frame and the begin of the next
  arrivals.erase(arrivals.begin(), arrivals.begin() + 2);       // joined in the middle
  const auto figures = analysis_of(arrivals).streams.at(0).figures;
  CHECK(figures.frames == 10);
  CHECK(figures.frame_jitter_us.value() == Approx(0).margin(1e-6));
  CHECK(figures.frame_interval_us_min.value() == Approx(40'000));
  CHECK(figures.frame_interval_us_max.value() == Approx(40'000));
  CHECK(figures.pdv_us->max == Approx(0).margin(1e-6));
  CHECK(figures.spacing_model->packets_per_frame == 4);
  CHECK(figures.spacing.vrx_max_linear == 0);
}

TEST_CASE("bursts show in Cinst and VRX, and a lost packet does not shift the others") {
  auto arrivals = even_frames(0, 0);
  for (std::size_t i = 0; i < arrivals.size(); ++i)
    arrivals[i].at_us = static_cast<std::int64_t>(i / 4 * 40'000 + i % 4);
  const auto figures = analysis_of(arrivals).streams.at(0).figures;
  CHECK(figures.spacing.cinst_max == 3);
  CHECK(figures.spacing.vrx_max_linear == 3);
  arrivals.erase(arrivals.begin() + 8);  // the first of a frame
  CHECK(analysis_of(arrivals).streams.at(0).figures.spacing.vrx_max_linear == 3);
}

// What a sender of exactly even packets sends, in a capture with nanoseconds.
struct EvenSender {
  double frames_per_s = 60;
  unsigned packets_per_frame = 1000;
  double active = 1;         // share of the frame in which packets are sent
  double clock_rate = 1;     // of the capture's clock
  std::size_t bytes = 1400;  // payload of each

  [[nodiscard]] RtpFigures figures(unsigned frames) const {
    RtpStream stream(90'000);
    std::uint16_t sequence = 0;
    for (unsigned frame = 0; frame < frames; ++frame)
      for (unsigned i = 0; i < packets_per_frame; ++i) {
        const double time_s = (frame + i * active / packets_per_frame) / frames_per_s * clock_rate;
        RtpPacket packet;
        packet.sequence = sequence++;
        packet.timestamp = static_cast<std::uint32_t>(frame / frames_per_s * 90'000 + 1e-6);
        packet.marker = i == packets_per_frame - 1;
        stream.take(packet, Nanoseconds{start_ns + std::llround(time_s * 1e9)}, bytes);
      }
    return stream.figures();
  }
};

SenderType type_of(const RtpFigures& figures) { return sender_type(figures.spacing, figures.spacing_model.value()); }

constexpr double ntsc_60 = 60'000.0 / 1001;

TEST_CASE("an even stream of 59.94 frames a second is narrow: its timestamps are 1501 and 1502 ticks apart") {
  const auto figures = EvenSender{ntsc_60}.figures(360);
  CHECK(figures.spacing_model->frame_interval_s == Approx(1 / ntsc_60).epsilon(1e-7));
  CHECK(figures.spacing.vrx_max_linear <= 1);
  CHECK(type_of(figures) == SenderType::narrow_linear);
}

TEST_CASE("a stream that pauses for vertical blanking is narrow by the gapped schedule") {
  const auto figures = EvenSender{60, 2000, 1080.0 / 1125}.figures(120);
  CHECK(figures.spacing.vrx_max_gapped <= 1);
  CHECK(figures.spacing.vrx_max_linear == 80);
  CHECK(type_of(figures) == SenderType::narrow);
}

TEST_CASE("an even stream is narrow for an hour, while the clocks of sender and capture drift apart") {
  for (const double clock_rate : {1.0, 1 - 100e-6, 1 + 100e-6}) {
    const auto figures = EvenSender{ntsc_60, 8, 1, clock_rate}.figures(3600 * 60);
    CHECK(figures.spacing_model->frame_interval_s == Approx(1 / ntsc_60).epsilon(1e-9));
    CHECK(figures.spacing.vrx_max_linear <= 1);
    CHECK(type_of(figures) == SenderType::narrow_linear);
  }
}

TEST_CASE("larger datagrams than the standard's have smaller limits") {
  const auto small = EvenSender{25, 100}.figures(30).spacing_model.value();
  CHECK(limits_of(SenderType::narrow_linear, small).vrx == 8);
  CHECK(limits_of(SenderType::wide, small).vrx == 720);
  const auto large = EvenSender{25, 100, 1, 1, 8900}.figures(30).spacing_model.value();
  CHECK(large.maxip_bytes == 8928);
  CHECK(limits_of(SenderType::narrow_linear, large).vrx == 1);
  CHECK(limits_of(SenderType::wide, large).vrx == 120);
}

TEST_CASE("a stream whose timestamps follow no period has no frame spacing to judge") {
  RtpStream stream(90'000);
  std::uint32_t timestamp = 0;
  for (std::uint16_t i = 0; i < 400; ++i) {
    RtpPacket packet;
    packet.sequence = i;
    packet.marker = i % 4 == 3;
    packet.timestamp = timestamp;
    if (packet.marker) timestamp += 3000 + i * 7919U % 3000;
    stream.take(packet, Nanoseconds{start_ns} + i * std::chrono::milliseconds{9}, 1000);
  }
  CHECK_FALSE(stream.figures().spacing_model.has_value());
}

TEST_CASE("streams are separated, and other packets are ignored") {
  std::vector<Arrival> arrivals;
  for (std::uint16_t i = 0; i < 10; ++i) {
    arrivals.push_back({i, {i, 0, false, 1}});
    arrivals.push_back({i, {i, 0, false, 2}});
    arrivals.push_back({i, {static_cast<std::uint16_t>(i * 100), 0, false, 3}});  // numbers that follow no order
    arrivals.push_back({i, {i, 0, true, 4, 72}});                                 // RTCP's sender report
  }
  const auto analysis = analysis_of(arrivals);
  REQUIRE(analysis.streams.size() == 2);
  CHECK(analysis.streams[1].ssrc == 2);
  CHECK(analysis.udp == 40);
  CHECK(analysis.other == 20);
  const auto json = analysis_json(analysis);
  CHECK(json["streams"].size() == 2);
  CHECK(json["other_datagrams"] == 20);
  CHECK_FALSE(json["streams"][0].contains("pdv_us_max"));  // one frame: nothing to compare with
  CHECK(analysis_text(analysis).find("00000002") != std::string::npos);
}

TEST_CASE("the largest possible jumps of timestamps are handled") {
  test::Pcap pcap;
  for (std::uint16_t i = 0; i < 100; ++i)
    pcap.add(i % 2 == 0 ? 0 : 4'294'967'295'000'000'000,
             test::ethernet_bytes(test::rtp_bytes({i, i * 0x7fffffffU, i % 3 == 0})));
  for (const std::uint32_t clock_hz : {1U, 8000U, 10'000'000U}) {
    const auto figures = analyze(pcap.bytes(), clock_hz).value().streams.at(0).figures;
    CHECK(figures.packets == 100);
    CHECK(figures.lost == 0);
    CHECK(figures.jitter_us_max.value() > 0);
    CHECK(std::isfinite(figures.spacing.vrx_max_linear));
    CHECK(std::isfinite(figures.spacing.vrx_max_gapped));
  }
}

TEST_CASE("a capture of many one-packet streams does not take memory for each") {
  std::vector<Arrival> arrivals;
  for (std::uint32_t i = 0; i < 5000; ++i) arrivals.push_back({i, {0, 0, false, i}});
  const auto analysis = analysis_of(arrivals);
  CHECK(analysis.streams.empty());
  CHECK(analysis.over_streams == 5000 - 4096);
}

}  // namespace
}  // namespace lw
