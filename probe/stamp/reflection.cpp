#include "probe/stamp/reflection.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace lw {
namespace {

enum class Signature : std::uint8_t { absent, good, bad };

// Data after the base packet of a TWAMP-Light sender is padding, often zeros; type 0 is reserved (RFC 8972 table 2).
bool is_zero_padding(std::span<const std::byte> extensions) {
  const auto head = extensions.first(std::min(extensions.size(), stamp_tlv_head_bytes));
  return std::ranges::all_of(head, [](std::byte byte) { return byte == std::byte{0}; });
}

// The HMAC extension covers the packet's sequence number and all extensions before it; only padding may follow
// (RFC 8972 section 4.8).
Signature check_signature(std::span<const std::byte> packet, std::span<const std::byte> extensions,
                          const StampKey* key) {
  auto signature = Signature::absent;
  auto rest = extensions;
  while (!rest.empty()) {
    const auto before = extensions.first(extensions.size() - rest.size());
    const auto tlv = take_stamp_tlv(rest);
    if (!tlv) return signature;
    if (signature != Signature::absent) {
      if (tlv->type() != StampTlvType::extra_padding) return Signature::bad;
    } else if (tlv->type() == StampTlvType::hmac && is_stamp_tlv_length(tlv->type(), tlv->value().size())) {
      const bool good = key != nullptr && key->made(tlv->value(), packet.first(sizeof(std::uint32_t)), before);
      signature = good ? Signature::good : Signature::bad;
    }
  }
  return signature;
}

// A packet whose only extension is padding need not be signed.
bool is_padding_only(std::span<const std::byte> extensions) {
  const auto tlv = take_stamp_tlv(extensions);
  return tlv && tlv->type() == StampTlvType::extra_padding && extensions.empty();
}

bool fails_integrity(std::span<const std::byte> packet, std::span<const std::byte> extensions, const StampKey* key) {
  const auto signature = check_signature(packet, extensions, key);
  if (signature == Signature::bad) return true;
  return signature == Signature::absent && key != nullptr && !is_padding_only(extensions);
}

// The extensions of one packet, as in the reply: first copies, then the reflector's answers.
class Extensions {
public:
  Extensions(std::span<std::byte> own, const StampArrival& arrival, const StampClock& clock, StampSession* session)
      : own_(own), arrival_(arrival), clock_(clock), session_(session) {}

  void mark_integrity_failed() {
    for (auto rest = own_; !rest.empty();) {
      const auto tlv = take_stamp_tlv(rest);
      if (!tlv) return set_flags(rest, stamp_malformed | stamp_integrity_failed);
      set_flags(tlv->whole(), stamp_integrity_failed | (is_known_stamp_tlv(tlv->type()) ? 0U : stamp_unrecognized));
    }
  }

  void answer() {
    for (auto rest = own_; !rest.empty();) {
      const auto tlv = take_stamp_tlv(rest);
      if (!tlv) return set_flags(rest, stamp_malformed);
      if (!is_known_stamp_tlv(tlv->type())) {
        set_flags(tlv->whole(), stamp_unrecognized);
        continue;
      }
      if (!is_stamp_tlv_length(tlv->type(), tlv->value().size())) {
        // Its answer would be zero (RFC 8972 section 4.7).
        if (tlv->type() == StampTlvType::follow_up_telemetry) std::ranges::fill(tlv->value(), std::byte{0});
        return set_flags(tlv->whole(), stamp_malformed);
      }
      set_flags(tlv->whole(), answer(*tlv) ? 0U : stamp_unrecognized);
    }
  }

  // Call after answer(), if the request was signed.
  void sign(std::span<const std::byte> packet, const StampKey& key) {
    for (auto rest = own_; !rest.empty();) {
      const auto before = own_.first(own_.size() - rest.size());
      const auto tlv = take_stamp_tlv(rest);
      if (!tlv) return;
      if (tlv->type() != StampTlvType::hmac || tlv->value().size() != sizeof(StampDigest)) continue;
      std::ranges::copy(key.digest(packet.first(sizeof(std::uint32_t)), before), tlv->value().begin());
      return;
    }
  }

  [[nodiscard]] std::optional<std::uint8_t> wanted_dscp() const { return wanted_dscp_; }

private:
  static void set_flags(std::span<std::byte> tlv, unsigned flags) { tlv[0] = static_cast<std::byte>(flags); }

  // False if this reflector cannot answer it.
  bool answer(const StampTlv& tlv) {
    switch (tlv.type()) {
      case StampTlvType::class_of_service:
        answer_class_of_service(tlv.value());
        return true;
      case StampTlvType::timestamp_information:
        answer_timestamp_information(tlv.value());
        return true;
      case StampTlvType::direct_measurement:
        return answer_direct_measurement(tlv.value());
      case StampTlvType::follow_up_telemetry:
        write_stamp(session_ != nullptr ? session_->newest : StampFollowUp{}, tlv.value());
        return true;
      case StampTlvType::access_report:  // 3GPP or not; others must be discarded (RFC 8972 section 4.6)
        return (tlv.value()[0] >> 4U) == std::byte{1} || (tlv.value()[0] >> 4U) == std::byte{2};
      default:
        return true;
    }
  }
  // The local policy permits every class.
  void answer_class_of_service(std::span<std::byte> value) {
    auto service = read_class_of_service(value);
    wanted_dscp_ = service.wanted_dscp;
    service.received_dscp = static_cast<std::uint8_t>(arrival_.traffic_class >> 2U);
    service.received_ecn = static_cast<std::uint8_t>(arrival_.traffic_class & 3U);
    service.reverse_path = 0;
    write_stamp(service, value);
  }
  void answer_timestamp_information(std::span<std::byte> value) const {
    const auto source = clock_.error ? StampSyncSource::ntp : StampSyncSource::local;
    write_stamp(StampTimestampInformation{source, arrival_.hardware ? StampMethod::hardware : StampMethod::software,
                                          source, StampMethod::software},
                value);
  }
  // Without state there are no counts.
  bool answer_direct_measurement(std::span<std::byte> value) const {
    if (session_ == nullptr) return false;
    write_stamp(StampDirectMeasurement{read_direct_measurement(value).sent, session_->received, session_->reflected},
                value);
    return true;
  }

  std::span<std::byte> own_;
  const StampArrival& arrival_;
  const StampClock& clock_;
  StampSession* session_;
  std::optional<std::uint8_t> wanted_dscp_;
};

StampReply reply_to(const StampRequest& request, const StampArrival& arrival, const StampRules& rules,
                    const StampClock& clock, StampSession* session) {
  StampReply reply;
  reply.sequence = session != nullptr ? session->reflected : request.sequence;
  reply.error_estimate = StampErrorEstimate::of(clock.error, rules.format).wire();
  reply.session = request.session;
  reply.receive_time = stamp_time(arrival.time, rules.format, clock.tai_less_utc);
  reply.request = request;
  reply.request_ttl = arrival.ttl;
  return reply;
}

}  // namespace

std::variant<StampRequest, StampRefusal> admit_stamp(std::span<const std::byte> packet, const StampRules& rules) {
  const auto request = read_stamp_request(packet, rules.mode);
  if (!request || (packet.size() < twamp_reply_bytes && !rules.answer_short)) return StampRefusal::too_short;
  if (rules.mode == StampMode::authenticated) {
    const auto digest = packet.subspan(stamp_signed_bytes, sizeof(StampDigest));
    if (!rules.key->made(digest, packet.first(stamp_signed_bytes))) return StampRefusal::not_authentic;
  }
  return *request;
}

StampReflection reflect_stamp(std::span<const std::byte> packet, const StampRequest& request,
                              const StampArrival& arrival, const StampRules& rules, const StampClock& clock,
                              StampSession* session, std::span<std::byte> reply) {
  const auto base = stamp_base_bytes(rules.mode);
  write_stamp(reply_to(request, arrival, rules, clock, session), rules.mode, reply.first(base));
  if (session != nullptr) {
    ++session->received;
    ++session->reflected;
  }
  // A request that lacks only fields that must be zero also gets a reply that lacks them.
  const auto bytes = packet.size() < twamp_reply_bytes ? base : packet.size();
  StampReflection reflection{bytes, static_cast<std::uint8_t>(arrival.traffic_class & 0xfcU)};
  const auto asked = stamp_extensions(packet, rules.mode);
  if (asked.empty()) return reflection;
  const auto answered = reply.subspan(base, asked.size());
  std::ranges::copy(asked, answered.begin());
  if (is_zero_padding(asked)) return reflection;
  Extensions extensions(answered, arrival, clock, session);
  if (fails_integrity(packet, asked, rules.key)) {
    extensions.mark_integrity_failed();
    return reflection;
  }
  extensions.answer();
  if (rules.key != nullptr) extensions.sign(reply, *rules.key);
  if (const auto dscp = extensions.wanted_dscp()) reflection.traffic_class = static_cast<std::uint8_t>(*dscp << 2U);
  return reflection;
}

void finish_reflection(std::span<std::byte> reply, WallTime now, const StampRules& rules, const StampClock& clock,
                       StampSession* session) {
  const auto time = stamp_time(now, rules.format, clock.tai_less_utc);
  set_stamp_time(reply, rules.mode, time);
  if (rules.mode == StampMode::authenticated)
    std::ranges::copy(rules.key->digest(reply.first(stamp_signed_bytes)), reply.begin() + stamp_signed_bytes);
  if (session != nullptr) session->newest = {session->reflected - 1, time, StampMethod::software};
}

ReflectedExtensions read_reflected_extensions(std::span<const std::byte> reply, StampMode mode, const StampKey* key) {
  ReflectedExtensions out;
  auto rest = stamp_extensions(reply, mode);
  if (rest.empty() || is_zero_padding(rest)) return out;
  if (key != nullptr && fails_integrity(reply, rest, key)) return {.integrity_failed = true};
  while (!rest.empty()) {
    const auto tlv = take_stamp_tlv(rest);
    if (!tlv || (tlv->flags() & stamp_malformed) != 0) return out;
    if ((tlv->flags() & stamp_integrity_failed) != 0) return {.integrity_failed = true};
    if ((tlv->flags() & stamp_unrecognized) != 0) continue;
    if (!is_stamp_tlv_length(tlv->type(), tlv->value().size())) return out;
    switch (tlv->type()) {
      case StampTlvType::class_of_service:
        out.class_of_service = read_class_of_service(tlv->value());
        break;
      case StampTlvType::direct_measurement:
        out.direct_measurement = read_direct_measurement(tlv->value());
        break;
      case StampTlvType::timestamp_information:
        out.timestamp_information = read_timestamp_information(tlv->value());
        break;
      case StampTlvType::follow_up_telemetry:
        out.follow_up = read_follow_up(tlv->value());
        break;
      default:
        break;
    }
  }
  return out;
}

}  // namespace lw
