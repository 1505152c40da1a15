// Pins STAMP's packets: bytes from other implementations are read, and written identically; times and error estimates
// are unchanged on the wire. Sources of the bytes: Scapy (test/contrib/stamp.uts at da5213c), stamp-suite
// (tests/fixtures/interop/replies.json at d6c45c7). (tshark's view: tests/peers.)
#include "common/wire/stamp.h"
#include "tests/support/hex_bytes.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>
#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr const char* scapy_request =
    "00001234000004d2915b573e9234054d00000000000000000000000000000000000000000000000000000000";
constexpr const char* scapy_reply =
    "00001234000004d2915b573e9234054d000010e1e0624dd2000043210000085fa8a0902d214300006f000000";
// Authenticated, in PTP's format, from a stateful reflector.
constexpr const char* recorded_reply =
    "000000010000000000000000000000006aa3a2c700af10644001002a000000006aa3a2c7009c84790000000000000000000000080000000000"
    "0"
    "000000000000012345678075bcd1500010000000000004000000000000000000000000000000013b60186845e8f3c35e9ef9879b966d5";
constexpr std::chrono::seconds no_tai{0};
constexpr WallTime now_2026{std::chrono::seconds{1'790'000'000}};

template <class Packet>
std::vector<std::byte> written(const Packet& packet, StampMode mode) {
  std::vector<std::byte> bytes(stamp_base_bytes(mode), std::byte{0xff});
  write_stamp(packet, mode, bytes);
  return bytes;
}

}  // namespace

TEST_CASE("a request is what Scapy makes of it") {
  const auto bytes = hex_bytes(scapy_request);
  const auto request = read_stamp_request(bytes, StampMode::unauthenticated);
  REQUIRE(request);
  CHECK(*request == StampRequest{0x1234, 0x4D2915B573E, 0x9234, 1357});
  CHECK(StampErrorEstimate::read(request->error_estimate) ==
        StampErrorEstimate{true, StampTimeFormat::ntp, 0x12, 0x34});
  CHECK(written(*request, StampMode::unauthenticated) == bytes);
}

TEST_CASE("a reply is what Scapy makes of it") {
  const auto bytes = hex_bytes(scapy_reply);
  const auto reply = read_stamp_reply(bytes, StampMode::unauthenticated);
  REQUIRE(reply);
  CHECK(reply->receive_time == 0x10E1E0624DD2);
  CHECK(reply->request == StampRequest{0x4321, 0x85FA8A0902D, 0x2143, 0});
  CHECK(reply->request_ttl == 111);
  CHECK(written(*reply, StampMode::unauthenticated) == bytes);
}

TEST_CASE("an authenticated reply that another reflector sent is read") {
  const auto bytes = hex_bytes(recorded_reply);
  const auto reply = read_stamp_reply(bytes, StampMode::authenticated);
  REQUIRE(reply);
  CHECK(reply->sequence == 1);
  CHECK(reply->session == 42);
  CHECK(reply->request == StampRequest{8, 0x12345678075BCD15, 1, 0});
  CHECK(reply->request_ttl == 64);
  const auto format = StampErrorEstimate::read(reply->error_estimate).format;
  REQUIRE(format == StampTimeFormat::ptp);
  const auto received = read_stamp_time(reply->receive_time, format, no_tai, now_2026);
  const auto sent = read_stamp_time(reply->time, format, no_tai, now_2026);
  REQUIRE((received && sent));
  CHECK(*received == WallTime{1'789'108'935s + 10'257'529ns});  // 2026-09-11
  CHECK(*sent - *received == 1'215'467ns);
  auto again = written(*reply, StampMode::authenticated);
  std::copy_n(bytes.begin() + stamp_signed_bytes, sizeof(StampDigest), again.begin() + stamp_signed_bytes);
  CHECK(again == bytes);
}

TEST_CASE("packets that are too short are not read") {
  std::vector<std::byte> bytes(200, std::byte{1});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    const auto packet = std::span(bytes).first(size);
    CHECK(read_stamp_request(packet, StampMode::unauthenticated).has_value() == (size >= 14));
    CHECK(read_stamp_request(packet, StampMode::authenticated).has_value() == (size >= 112));
    CHECK(read_stamp_reply(packet, StampMode::unauthenticated).has_value() == (size >= 41));
    CHECK(read_stamp_reply(packet, StampMode::authenticated).has_value() == (size >= 112));
    CHECK(stamp_extensions(packet, StampMode::unauthenticated).size() == (size < 44 ? 0 : size - 44));
  }
  // The padding of TWAMP-Light does not name a session.
  CHECK(read_stamp_request(std::span(bytes).first(41), StampMode::unauthenticated)->session == 0);
}

TEST_CASE("a time survives the wire in both formats") {
  std::mt19937_64 random{1};
  for (int i = 0; i < 2000; ++i) {
    const WallTime time{Nanoseconds{static_cast<std::int64_t>(random() % 4'000'000'000'000'000'000U)}};
    const WallTime near = time + Nanoseconds{static_cast<std::int64_t>(random() % 2'000'000'000)} - 1s;
    CHECK(read_stamp_time(stamp_time(time, StampTimeFormat::ntp, 37s), StampTimeFormat::ntp, 37s, near) == time);
    CHECK(read_stamp_time(stamp_time(time, StampTimeFormat::ptp, 37s), StampTimeFormat::ptp, 37s, near) == time);
    // A peer that writes UTC in PTP's format.
    CHECK(read_stamp_time(stamp_time(time, StampTimeFormat::ptp, no_tai), StampTimeFormat::ptp, 37s, near) == time);
  }
  CHECK_FALSE(read_stamp_time(1'000'000'000, StampTimeFormat::ptp, no_tai, now_2026));
  CHECK(read_stamp_time(999'999'999, StampTimeFormat::ptp, no_tai, WallTime{1s}) == WallTime{999'999'999ns});
}

TEST_CASE("an error estimate is a bound, and not much more than the error") {
  std::mt19937_64 random{2};
  for (int i = 0; i < 2000; ++i) {
    const Nanoseconds error{static_cast<std::int64_t>(random() >> (4 + random() % 60))};
    const auto estimate = StampErrorEstimate::of(error, StampTimeFormat::ptp);
    CHECK(StampErrorEstimate::read(estimate.wire()) == estimate);
    const auto bound = estimate.bound();
    REQUIRE(bound);
    CAPTURE(error.count(), bound->count());
    CHECK(*bound >= error);
    CHECK(static_cast<double>(bound->count()) <= static_cast<double>(error.count()) * (1 + 1.0 / 127) + 2);
  }
  CHECK_FALSE(StampErrorEstimate::of({}, StampTimeFormat::ntp).bound());
  CHECK_FALSE(StampErrorEstimate::read(0x8000).bound());  // RFC 4656: the multiplier must not be 0
  CHECK_FALSE(StampErrorEstimate::read(0xbfff).bound());  // 17,000 years
}

TEST_CASE("extensions are read one by one, to what does not fit") {
  const auto bytes = hex_bytes("800400048c14000080ff000080010003aabbcc8002000401");
  auto rest = std::span<const std::byte>(bytes);
  const auto first = take_stamp_tlv(rest);
  REQUIRE(first);
  CHECK(first->flags() == stamp_unrecognized);
  CHECK(first->type() == StampTlvType::class_of_service);
  CHECK(read_class_of_service(first->value()) == StampClassOfService{35, 1, 1, 0});
  CHECK_FALSE(is_known_stamp_tlv(take_stamp_tlv(rest)->type()));
  CHECK(take_stamp_tlv(rest)->value().size() == 3);
  CHECK_FALSE(take_stamp_tlv(rest));
  CHECK(rest.size() == 5);
}

TEST_CASE("values of extensions are read as written") {
  std::vector<std::byte> value(16);
  const StampClassOfService service{46, 10, 3, 1};
  write_stamp(service, std::span(value).first(4));
  CHECK(read_class_of_service(value) == service);
  const StampDirectMeasurement counts{1, 0x80000002, 0xffffffff};
  write_stamp(counts, std::span(value).first(12));
  CHECK(read_direct_measurement(value) == counts);
  const StampTimestampInformation information{StampSyncSource::ntp, StampMethod::hardware, StampSyncSource::local,
                                              StampMethod::software};
  write_stamp(information, std::span(value).first(4));
  CHECK(read_timestamp_information(value) == information);
  const StampFollowUp follow_up{7, 0x0123456789abcdef, StampMethod::software};
  write_stamp(follow_up, value);
  CHECK(read_follow_up(value) == follow_up);
}

TEST_CASE("an extension is written as a sender does") {
  std::vector<std::byte> bytes(10, std::byte{0xff});
  auto rest = std::span(bytes);
  const auto value = put_stamp_tlv(rest, StampTlvType::extra_padding, 2);
  CHECK(value.data() == bytes.data() + 4);
  CHECK(rest.size() == 4);
  CHECK(bytes == hex_bytes("800100020000ffffffff"));
}
