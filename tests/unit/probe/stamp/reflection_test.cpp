// Pins what a reflector answers: as long as the request, with the flags of RFC 8972, signed where the request was.
// Recorded bytes: stamp-suite (tests/fixtures/interop at d6c45c7), whose key for session 42 is 16 bytes 0xab.
#include "probe/stamp/reflection.h"
#include "tests/support/hex_bytes.h"

#include <catch2/catch.hpp>

#include <random>
#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

const StampKey recorded_key(std::vector<std::byte>(16, std::byte{0xab}));
const StampKey other_key(std::vector<std::byte>(16, std::byte{0xac}));
constexpr WallTime now_2026{std::chrono::seconds{1'790'000'000}};
const StampArrival arrival{now_2026, 61, 0xb9, false};  // EF, ECT(1)
const StampClock clock_of_1_ms{std::chrono::milliseconds{1}, std::chrono::seconds{37}};

// Control (type 12), class of service, direct measurement, follow-up telemetry, destination node (9), return path (10),
// HMAC.
constexpr const char* recorded_request =
    "0000000700000000000000000000000012345678075bcd150001002a0000000000000000000000000000000000000000000000000000000000"
    "000000000000000000000000000000000000000000000000000000000000000000000000000000246f3a8acd7086e73c9dae6b8b9c8493800c"
    "000c0000000307270e000000000080040004b80000008005000c00000001000000000000000080070010000000000000000000000000000000"
    "00"
    "800900047f000001800a0014800400100000000000000000000000000000000180080010002e22c6fee640dc23a4671534c3ebe6";
// Of a stateful reflector, the third: it knows more types than this program.
constexpr const char* recorded_reply =
    "00000002ee4e213279e2ae0e0001002aee4e21325a450e330000000712345678075bcd154001000040000000000c000c0000000307270e0000"
    "00000000040004b80030000005000c0000000100000002000000020007001000000001ee4e21325b07309c02000000000900047f000001800a"
    "001480040010000000000000000000000000000000010008001034a6aece9749fb3f50ce8618a3c4e9df";

struct Answer {
  std::vector<std::byte> reply;
  std::uint8_t traffic_class = 0;
};
Answer answer(std::span<const std::byte> packet, const StampRules& rules, StampSession* session = nullptr) {
  const auto admitted = admit_stamp(packet, rules);
  REQUIRE(std::holds_alternative<StampRequest>(admitted));
  Answer out{std::vector<std::byte>(std::max(packet.size(), stamp_base_bytes(rules.mode)), std::byte{0xee}), 0};
  const auto reflection =
      reflect_stamp(packet, std::get<StampRequest>(admitted), arrival, rules, clock_of_1_ms, session, out.reply);
  finish_reflection(out.reply, now_2026 + 20us, rules, clock_of_1_ms, session);
  out.reply.resize(reflection.bytes);
  out.traffic_class = reflection.traffic_class;
  return out;
}

// A request with these extensions, signed or not.
std::vector<std::byte> request_with(const std::vector<std::byte>& extensions, StampMode mode,
                                    const StampKey* key = nullptr) {
  std::vector<std::byte> packet(stamp_base_bytes(mode));
  write_stamp(StampRequest{9, 0x1234, 1, 42}, mode, packet);
  if (mode == StampMode::authenticated)
    std::ranges::copy(recorded_key.digest(std::span(packet).first(stamp_signed_bytes)),
                      packet.begin() + stamp_signed_bytes);
  packet.insert(packet.end(), extensions.begin(), extensions.end());
  if (key == nullptr) return packet;
  const auto digest = key->digest(std::span(packet).first(4), extensions);
  const auto head = hex_bytes("80080010");
  packet.insert(packet.end(), head.begin(), head.end());
  packet.insert(packet.end(), digest.begin(), digest.end());
  return packet;
}

std::vector<unsigned> flags_of(std::span<const std::byte> packet, StampMode mode) {
  std::vector<unsigned> flags;
  for (auto rest = stamp_extensions(packet, mode); !rest.empty();) {
    const auto tlv = take_stamp_tlv(rest);
    flags.push_back(tlv ? tlv->flags() : std::to_integer<unsigned>(rest[0]));
    if (!tlv) break;
  }
  return flags;
}

}  // namespace

TEST_CASE("digests are those of RFC 4231, cut to 128 bits") {
  const auto text = hex_bytes("7768617420646f2079612077616e7420666f72206e6f7468696e673f");
  const StampKey key(hex_bytes("4a656665"));
  const auto expected = hex_bytes("5bdcc146bf60754e6a042426089575c7");
  CHECK(std::ranges::equal(key.digest(text), expected));
  CHECK(std::ranges::equal(key.digest(std::span(text).first(5), std::span(text).subspan(5)), expected));
  CHECK(key.made(expected, text));
  CHECK_FALSE(key.made(std::span(expected).first(15), text));
}

TEST_CASE("a request that another sender signed is admitted; with any bit changed it is not") {
  auto packet = hex_bytes(recorded_request);
  const StampRules rules{StampMode::authenticated, &recorded_key};
  CHECK(std::get<StampRequest>(admit_stamp(packet, rules)) == StampRequest{7, 0x12345678075BCD15, 1, 42});
  for (std::size_t bit = 0; bit < 112 * 8; ++bit) {
    packet[bit / 8] ^= std::byte{1} << (bit % 8);
    CHECK(std::get<StampRefusal>(admit_stamp(packet, rules)) == StampRefusal::not_authentic);
    packet[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  const StampRules other{StampMode::authenticated, &other_key};
  CHECK(std::get<StampRefusal>(admit_stamp(packet, other)) == StampRefusal::not_authentic);
  CHECK(std::get<StampRefusal>(admit_stamp(std::span(packet).first(111), rules)) == StampRefusal::too_short);
}

TEST_CASE("the extensions of a recorded request are answered, and signed again") {
  const StampRules rules{StampMode::authenticated, &recorded_key};
  StampSession session{4, 3, {2, 0x1122334455667788, StampMethod::software}};
  const auto packet = hex_bytes(recorded_request);
  const auto answered = answer(packet, rules, &session);
  REQUIRE(answered.reply.size() == packet.size());
  CHECK(answered.traffic_class == 46 << 2);
  CHECK(flags_of(answered.reply, rules.mode) == std::vector<unsigned>{0x80, 0, 0, 0, 0x80, 0x80, 0});
  CHECK(recorded_key.made(std::span(answered.reply).subspan(stamp_signed_bytes, 16),
                          std::span(answered.reply).first(stamp_signed_bytes)));
  const auto extensions = read_reflected_extensions(answered.reply, rules.mode, &recorded_key);
  CHECK_FALSE(extensions.integrity_failed);
  CHECK(extensions.class_of_service == StampClassOfService{46, 46, 1, 0});
  CHECK(extensions.direct_measurement == StampDirectMeasurement{1, 5, 4});
  CHECK(extensions.follow_up == StampFollowUp{2, 0x1122334455667788, StampMethod::software});
  const auto reply = read_stamp_reply(answered.reply, rules.mode);
  CHECK(reply->sequence == 3);
  CHECK(reply->session == 42);
  CHECK(reply->request == StampRequest{7, 0x12345678075BCD15, 1, 0});
  CHECK(reply->request_ttl == 61);
  CHECK(session.newest == StampFollowUp{3, reply->time, StampMethod::software});
  CHECK(read_stamp_time(reply->receive_time, StampTimeFormat::ntp, 37s, now_2026) == now_2026);
  CHECK(StampErrorEstimate::read(reply->error_estimate).bound() >= 1ms);
}

TEST_CASE("a stateless reflector repeats the number, counts nothing and follows up nothing") {
  const auto answered =
      answer(hex_bytes(recorded_request), {StampMode::authenticated, &recorded_key, StampTimeFormat::ptp});
  const auto reply = read_stamp_reply(answered.reply, StampMode::authenticated);
  CHECK(reply->sequence == 7);
  CHECK(StampErrorEstimate::read(reply->error_estimate).format == StampTimeFormat::ptp);
  CHECK(read_stamp_time(reply->receive_time, StampTimeFormat::ptp, 37s, now_2026) == now_2026);
  const auto extensions = read_reflected_extensions(answered.reply, StampMode::authenticated, &recorded_key);
  CHECK_FALSE(extensions.integrity_failed);
  CHECK_FALSE(extensions.direct_measurement);
  CHECK(extensions.follow_up == StampFollowUp{});
}

TEST_CASE("a reply that another reflector signed is trusted; with any bit changed it is not") {
  auto reply = hex_bytes(recorded_reply);
  const auto read = [&](const StampKey* key) {
    return read_reflected_extensions(reply, StampMode::unauthenticated, key);
  };
  const auto extensions = read(&recorded_key);
  CHECK_FALSE(extensions.integrity_failed);
  CHECK(extensions.direct_measurement == StampDirectMeasurement{1, 2, 2});
  CHECK(extensions.follow_up == StampFollowUp{1, 0xEE4E21325B07309C, StampMethod::software});
  CHECK(read(&other_key).integrity_failed);
  const auto signature = reply.size() - 20;
  for (std::size_t bit = 44 * 8; bit < reply.size() * 8; ++bit) {
    if (bit / 8 == signature) continue;  // its flags are not signed
    reply[bit / 8] ^= std::byte{1} << (bit % 8);
    CAPTURE(bit);
    CHECK(read(&recorded_key).integrity_failed);
    reply[bit / 8] ^= std::byte{1} << (bit % 8);
  }
}

TEST_CASE("flags of a request are not trusted, and each extension gets its own") {
  const StampRules rules;
  const auto flags = [&](const char* extensions) {
    return flags_of(answer(request_with(hex_bytes(extensions), rules.mode), rules).reply, rules.mode);
  };
  CHECK(flags("7f010002aabbff630000") == std::vector<unsigned>{0, stamp_unrecognized});
  // A wrong length ends the processing: the rest is a copy.
  CHECK(flags("800400028000800300040000000080c80000") == std::vector<unsigned>{stamp_malformed, 0x80, 0x80});
  CHECK(flags("80030004000000008001ffff00") == std::vector<unsigned>{0, stamp_malformed});
  CHECK(flags("80030004000000008001") == std::vector<unsigned>{0, stamp_malformed});
  // Access reports are of 3GPP or other networks.
  CHECK(flags("8006000410010000"
              "8006000420010000"
              "8006000430010000") == std::vector<unsigned>{0, 0, stamp_unrecognized});
}

TEST_CASE("extensions whose signature is wrong or missing are copied with a flag, and not answered") {
  const auto extensions = hex_bytes("80040004b800000080c80000");
  constexpr unsigned failed = stamp_integrity_failed;
  const std::vector<unsigned> all{failed, failed | stamp_unrecognized, failed};
  for (const auto mode : {StampMode::unauthenticated, StampMode::authenticated}) {
    const StampRules rules{mode, &recorded_key};
    const auto good = answer(request_with(extensions, mode, &recorded_key), rules);
    CHECK(flags_of(good.reply, mode) == std::vector<unsigned>{0, stamp_unrecognized, 0});
    CHECK(good.traffic_class == 46 << 2);
    const auto bad = answer(request_with(extensions, mode, &other_key), rules);
    CHECK(flags_of(bad.reply, mode) == all);
    CHECK(std::ranges::equal(stamp_extensions(std::span<const std::byte>(bad.reply), mode).subspan(4, 4),
                             hex_bytes("b8000000")));
    CHECK(read_reflected_extensions(bad.reply, mode, nullptr).integrity_failed);
    const auto missing = answer(request_with(extensions, mode), rules);
    CHECK(flags_of(missing.reply, mode) == std::vector<unsigned>{failed, failed | stamp_unrecognized});
    // Padding alone need not be signed.
    CHECK(flags_of(answer(request_with(hex_bytes("80010001aa"), mode), rules).reply, mode) == std::vector<unsigned>{0});
    // Behind the signature only padding may stand.
    auto padded = request_with(extensions, mode, &recorded_key);
    for (const auto byte : hex_bytes("80010001aa")) padded.push_back(byte);
    CHECK(flags_of(answer(padded, rules).reply, mode) == std::vector<unsigned>{0, stamp_unrecognized, 0, 0});
    padded[padded.size() - 4] = std::byte{3};
    CHECK(flags_of(answer(padded, rules).reply, mode).back() == failed);
  }
  const auto unknown = answer(request_with(extensions, StampMode::unauthenticated, &recorded_key), StampRules{});
  CHECK(flags_of(unknown.reply, StampMode::unauthenticated) == all);
}

TEST_CASE("TWAMP-Light packets are answered in their length, with their padding") {
  const StampRules rules;
  std::vector<std::byte> packet(100);
  write_stamp(StampRequest{3, 0x1122334455667788, 0x3fff, 0}, rules.mode, std::span(packet).first(44));
  for (const std::size_t size : {41, 42, 44, 45, 47, 48, 100}) {
    const auto answered = answer(std::span(packet).first(size), rules);
    CHECK(answered.reply.size() == size);
    const auto reply = read_stamp_reply(answered.reply, rules.mode);
    REQUIRE(reply);
    CHECK(reply->request == StampRequest{3, 0x1122334455667788, 0x3fff, 0});
    for (std::size_t i = 44; i < size; ++i) CHECK(answered.reply[i] == std::byte{0});
  }
  CHECK(std::get<StampRefusal>(admit_stamp(std::span(packet).first(40), rules)) == StampRefusal::too_short);
  StampRules willing;
  willing.answer_short = true;
  for (const std::size_t size : {14, 15, 16, 40})
    CHECK(answer(std::span(packet).first(size), willing).reply.size() == 44);
  CHECK(std::get<StampRefusal>(admit_stamp(std::span(packet).first(13), willing)) == StampRefusal::too_short);
}

TEST_CASE("a reply is never longer than its request, and what is signed verifies, whatever comes") {
  std::mt19937_64 random{7};
  const auto byte = [&] { return static_cast<std::byte>(random()); };
  for (int i = 0; i < 3000; ++i) {
    const auto mode = i % 2 == 0 ? StampMode::unauthenticated : StampMode::authenticated;
    std::vector<std::byte> extensions;
    for (std::uint64_t tlvs = random() % 5; tlvs > 0; --tlvs) {
      const std::size_t length = random() % 4 == 0 ? random() % 40 : 4 * (1 + random() % 4);
      for (const auto part :
           {byte(), static_cast<std::byte>(random() % 10), std::byte{0}, static_cast<std::byte>(length)})
        extensions.push_back(part);
      for (std::size_t at = 0; at < length; ++at) extensions.push_back(byte());
    }
    if (random() % 4 == 0 && !extensions.empty()) extensions.resize(random() % extensions.size());
    const auto packet = request_with(extensions, mode, random() % 2 == 0 ? &recorded_key : nullptr);
    StampSession session;
    const StampRules rules{mode, mode == StampMode::authenticated || random() % 2 == 0 ? &recorded_key : nullptr};
    const auto answered = answer(packet, rules, random() % 2 == 0 ? &session : nullptr);
    REQUIRE(answered.reply.size() == packet.size());
    for (const auto flag : flags_of(answered.reply, mode)) {
      if ((flag & stamp_malformed) != 0) break;  // what follows is a copy
      CHECK((flag & 0x1fU) == 0);
    }
    if (mode == StampMode::authenticated)
      CHECK(recorded_key.made(std::span(answered.reply).subspan(stamp_signed_bytes, 16),
                              std::span(answered.reply).first(stamp_signed_bytes)));
  }
}
