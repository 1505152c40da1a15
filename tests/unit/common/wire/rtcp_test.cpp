// Pins RTCP: what is written can be read, and malformed packets are refused. (tshark's view of the same bytes:
// tests/peers.)
#include "common/wire/rtcp.h"
#include "common/wire/ntp_time.h"
#include "common/wire/relayed.h"

#include <catch2/catch.hpp>

#include <array>
#include <string>
#include <vector>

using namespace lw;

namespace {
std::array<std::byte, rtcp_bytes_max> buffer;
}

TEST_CASE("a sender report comes back as written") {
  const SenderReport report{7, WallTime{std::chrono::seconds{1'700'000'000}}, 123, 456, 789};
  const auto bytes = encode(report, "server@host", true, buffer);
  REQUIRE(bytes % 4 == 0);
  RtcpContents contents;
  REQUIRE(parse_rtcp({buffer.data(), bytes}, std::nullopt, contents) == "");
  REQUIRE(contents.sender);
  REQUIRE(contents.sender->ssrc == 7);
  REQUIRE(contents.sender->time == report.time);
  REQUIRE(contents.sender->rtp_timestamp == 123);
  REQUIRE(contents.sender->packet_count == 456);
  REQUIRE(contents.sender->octet_count == 789);
  REQUIRE(contents.bye);
}

TEST_CASE("a receiver report comes back as written, with negative loss") {
  ReceiverReport report{9, ReportBlock{7, 25, -3, 0x10005, 12, 34, 56}, StatisticsSummary{7, 1, 5, 2, 1}};
  const auto bytes = encode(report, "node", false, buffer);
  RtcpContents contents;
  REQUIRE(parse_rtcp({buffer.data(), bytes}, 7, contents) == "");
  REQUIRE(contents.receiver->block);
  REQUIRE(contents.receiver->block->cumulative_lost == -3);
  REQUIRE(contents.receiver->block->fraction_lost == 25);
  REQUIRE(contents.receiver->block->highest_sequence == 0x10005);
  REQUIRE_FALSE(contents.bye);
  REQUIRE(parse_rtcp({buffer.data(), bytes}, 8, contents) == "");
  REQUIRE_FALSE(contents.receiver->block);
}

TEST_CASE("a request for the time and its answer come back as written") {
  auto bytes = encode(9, ClockRequest{0x123456789abcdef0, 7}, "node", buffer);
  const auto request_bytes = bytes;
  RtcpContents contents;
  REQUIRE(parse_rtcp({buffer.data(), bytes}, 7, contents) == "");
  REQUIRE(contents.clock_request);
  CHECK(contents.clock_request->asked == 0x123456789abcdef0);
  CHECK(contents.clock_request->source_ssrc == 7);
  CHECK_FALSE(contents.clock_reply);
  CHECK(contents.receiver);
  CHECK_FALSE(contents.receiver->block);
  CHECK(parse_rtcp({buffer.data(), bytes - 4}, 7, contents) != "");

  const WallTime came{std::chrono::nanoseconds{1'700'000'000'123'456'789}};
  const ClockReply reply{5, came, came + std::chrono::nanoseconds{1}};
  bytes = encode(9, reply, "serv", buffer);
  CHECK(bytes == request_bytes);
  REQUIRE(parse_rtcp({buffer.data(), bytes}, 7, contents) == "");
  REQUIRE(contents.clock_reply);
  CHECK(contents.clock_reply->asked == 5);
  CHECK(contents.clock_reply->came == reply.came);
  CHECK(contents.clock_reply->left == reply.left);
  CHECK_FALSE(contents.clock_request);
}

TEST_CASE("the frames that are held or committed come back as written") {
  TickSet ticks;
  ticks.add(65535);
  ticks.add(2);
  const auto subject = GENERATE(SyncSubject::held, SyncSubject::committed);
  const bool for_node = GENERATE(false, true);
  const auto bytes = encode(9, subject, {7, ticks, for_node}, "node", buffer);
  RtcpContents contents;
  REQUIRE(parse_rtcp({buffer.data(), bytes}, 7, contents) == "");
  const auto& told = subject == SyncSubject::held ? contents.held : contents.committed;
  REQUIRE(told);
  CHECK(told->source_ssrc == 7);
  CHECK(told->ticks == ticks);
  CHECK(told->for_node == for_node);
  CHECK(contents.held.has_value() != contents.committed.has_value());
  CHECK(parse_rtcp({buffer.data(), bytes - 4}, 7, contents) != "");
}

TEST_CASE("a required or decided playout delay comes back as written") {
  RtcpContents contents;
  auto bytes = encode(9, DelayNeed{7, std::chrono::microseconds{181'234}}, "node", buffer);
  REQUIRE(parse_rtcp({buffer.data(), bytes}, 7, contents) == "");
  REQUIRE(contents.delay_need);
  CHECK(contents.delay_need->source_ssrc == 7);
  CHECK(contents.delay_need->delay == std::chrono::microseconds{181'234});
  CHECK_FALSE(contents.delay_kept);
  CHECK(parse_rtcp({buffer.data(), bytes - 4}, 7, contents) != "");

  const PlayoutRamp ramp{WallTime{std::chrono::seconds{1'700'000'000}}, std::chrono::milliseconds{80},
                         std::chrono::milliseconds{190}, std::chrono::milliseconds{1100}};
  bytes = encode(7, DelayKept{7, ramp}, "server", buffer);
  REQUIRE(parse_rtcp({buffer.data(), bytes}, 7, contents) == "");
  REQUIRE(contents.delay_kept);
  CHECK(contents.delay_kept->source_ssrc == 7);
  CHECK(contents.delay_kept->ramp == ramp);
  CHECK(parse_rtcp({buffer.data(), bytes - 4}, 7, contents) != "");
}

TEST_CASE("every cut of a compound is refused") {
  ReceiverReport report{9, ReportBlock{7, 25, 3, 5, 12, 34, 56}, StatisticsSummary{7, 1, 5, 2, 1}};
  const auto bytes = encode(report, "node", true, buffer);
  RtcpContents contents;
  int accepted = 0;
  for (std::size_t length = 0; length < bytes; ++length)
    accepted += parse_rtcp({buffer.data(), length}, 7, contents).empty();
  REQUIRE(accepted == 3);  // the cuts between the four complete packets
}

TEST_CASE("round trip time") {
  const WallTime sent{std::chrono::seconds{1'700'000'000}};
  ReportBlock block;
  REQUIRE_FALSE(round_trip(block, sent));
  block.last_sr = ntp_middle(sent);
  block.delay_since_last_sr = 65536 / 2;
  const auto rtt = round_trip(block, sent + std::chrono::milliseconds{520});
  REQUIRE(rtt);
  REQUIRE(std::chrono::abs(*rtt - std::chrono::milliseconds{20}) < std::chrono::microseconds{50});
}

TEST_CASE("a receiver asks for lost packets, by number, across the wrap of 16 bits") {
  std::array<std::byte, rtcp_bytes_max> buffer{};
  ReportBlock block;
  block.source_ssrc = 42;
  block.highest_sequence = 0x0003'0010;
  const std::vector<std::int64_t> missing{0x0002'fff0, 0x0002'fff1, 0x0003'0000, 0x0003'0001, 0x0003'000f};
  std::size_t taken = 0;
  const auto bytes = encode(ReceiverReport{7, block, std::nullopt}, "node@host", missing, buffer, taken);
  REQUIRE(taken == missing.size());
  RtcpContents contents;
  REQUIRE(parse_rtcp(std::span(buffer).first(bytes), 42, contents).empty());
  REQUIRE(contents.nacks.size() == 2);
  std::vector<std::int64_t> asked;
  for_each_missing(contents, [&](std::uint32_t sequence) { asked.push_back(sequence); });
  CHECK(asked == missing);
  // About another stream: nothing.
  REQUIRE(parse_rtcp(std::span(buffer).first(bytes), 43, contents).empty());
  CHECK(contents.nacks.empty());
}

TEST_CASE("requests for packets above the highest received are ignored: their numbers would be those of another turn") {
  std::array<std::byte, rtcp_bytes_max> buffer{};
  ReportBlock block;
  block.source_ssrc = 42;
  block.highest_sequence = 0x0003'0010;
  const std::vector<std::int64_t> missing{0x0003'000e, 0x0003'0010, 0x0003'0011, 0x0003'001e};
  std::size_t taken = 0;
  const auto bytes = encode(ReceiverReport{7, block, std::nullopt}, "node@host", missing, buffer, taken);
  RtcpContents contents;
  REQUIRE(parse_rtcp(std::span(buffer).first(bytes), 42, contents).empty());
  std::vector<std::int64_t> asked;
  for_each_missing(contents, [&](std::uint32_t sequence) { asked.push_back(sequence); });
  CHECK(asked == std::vector<std::int64_t>{0x0003'000e, 0x0003'0010});
}

TEST_CASE("a relay replaces the requests of a compound and nothing else") {
  std::array<std::byte, rtcp_bytes_max> request{};
  std::array<std::byte, rtcp_bytes_max> changed{};
  ReportBlock block{};
  block.source_ssrc = 5;
  block.highest_sequence = 0x1'0010;
  const std::vector<std::int64_t> missing{0xfff0, 0xfff2, 0x1'0001, 0x1'0008};
  std::size_t taken = 0;
  const auto bytes = encode(ReceiverReport{9, block, {}}, "node", missing, request, taken);
  const auto asked = [&](std::size_t changed_bytes) {
    RtcpContents contents;
    REQUIRE(parse_rtcp(std::span(changed).first(changed_bytes), 5, contents).empty());
    REQUIRE((contents.receiver && contents.receiver->block));
    CHECK(contents.receiver->ssrc == 9);
    CHECK(contents.receiver->block->highest_sequence == block.highest_sequence);
    std::vector<std::int64_t> numbers;
    for_each_missing(contents, [&](std::uint32_t sequence) { numbers.push_back(sequence); });
    return numbers;
  };
  const auto compound = std::span<const std::byte>(request).first(bytes);
  for (const auto& rest : {std::vector<std::int64_t>{}, {0xfff2, 0x1'0008}, missing})
    CHECK(asked(replace_nacks(compound, 9, 5, rest, changed)) == rest);
  // Without a request nothing changes.
  const auto plain = encode(ReceiverReport{9, block, {}}, "node", false, request);
  REQUIRE(replace_nacks(std::span<const std::byte>(request).first(plain), 9, 5, {}, changed) == plain);
  CHECK(changed == request);
  const std::vector<std::byte> too_long(rtcp_bytes_max + 4);
  CHECK(replace_nacks(too_long, 9, 5, {}, changed) == 0);
}

TEST_CASE("more lost packets than one compound holds are left for the next") {
  std::array<std::byte, rtcp_bytes_max> buffer{};
  ReportBlock block;
  std::vector<std::int64_t> missing;
  for (std::int64_t i = 0; i < 1000; ++i) missing.push_back(i * 40);
  std::size_t taken = 0;
  const auto bytes = encode(ReceiverReport{7, block, std::nullopt}, std::string(255, 'x'), missing, buffer, taken);
  CHECK(bytes <= rtcp_bytes_max);
  CHECK(taken == nacks_max);
}
