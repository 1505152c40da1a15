#include "probe/stamp/session_sender.h"

#include "common/access/peer_address.h"
#include "common/base/moment.h"
#include "common/clock/kernel_clock.h"

#include <algorithm>
#include <random>

namespace lw {
namespace {

constexpr std::size_t class_of_service_bytes = 4, direct_measurement_bytes = 12, timestamp_information_bytes = 4;
constexpr std::size_t extension_bytes =
    3 * stamp_tlv_head_bytes + class_of_service_bytes + direct_measurement_bytes + timestamp_information_bytes;
constexpr std::size_t signature_bytes = stamp_tlv_head_bytes + sizeof(StampDigest);
// Bound of a second of drift at the kernel's limit of 500 ppm, plus two readings.
constexpr std::chrono::milliseconds step_least{1};
constexpr double drift_most = 500e-6;

std::optional<Nanoseconds> sum(std::optional<Nanoseconds> a, std::optional<Nanoseconds> b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}
std::optional<Nanoseconds> larger(std::optional<Nanoseconds> a, std::optional<Nanoseconds> b) {
  return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
}

// Whether packets to it stay on the host.
bool is_this_host(const Address& own, const Address& peer) { return own.same_host(peer) || is_loopback(own.host()); }

bool has_value(const std::optional<WallTime>& time) { return time.has_value(); }

Nanoseconds wall_less_local() {
  const auto now = Moment::now();
  return now.wall.time_since_epoch() - now.local.time_since_epoch();
}

class StampSessionSender {
public:
  StampSessionSender(const StampSenderSettings& settings, StampSocket socket)
      : settings_(settings),
        socket_(std::move(socket)),
        same_host_(is_this_host(socket_.local_address(), settings.to)),
        packet_(std::max(settings.bytes, stamp_packet_bytes(settings))),
        reply_(65'536) {
    std::minstd_rand random{settings.session};
    for (auto& byte : padding_) byte = static_cast<std::byte>(random() >> 8U);
  }

  StampOutcome run(const std::atomic<bool>& stop) {
    read_clock();
    const auto offset = wall_less_local();
    const LocalTime start = LocalClock::now();
    LocalTime last = start;
    while (!stop && outcome_.sent.packets < settings_.packets) {
      last = std::max(start + outcome_.sent.packets * settings_.interval, last);
      receive_until(last, stop);
      if (!stop) send_next();
    }
    outcome_.duration_s = std::chrono::duration<double>(LocalClock::now() - start).count();
    receive_until(LocalClock::now() + settings_.wait, stop, true);
    read_clock();
    const auto moved = std::chrono::abs(wall_less_local() - offset);
    const auto passed = static_cast<double>((LocalClock::now() - start).count());
    outcome_.clock_stepped = moved > step_least + Nanoseconds{static_cast<std::int64_t>(passed * drift_most)};
    finish();
    return std::move(outcome_);
  }

private:
  void read_clock() {
    const auto error = system_clock_error();
    own_error_ = clock_reads_++ == 0 ? error : larger(own_error_, error);
    tai_less_utc_ = tai_less_utc();
  }

  void send_next() {
    const std::uint32_t sequence = outcome_.sent.packets++;
    const auto time = stamp_time(WallClock::now(), settings_.format, tai_less_utc_);
    times_.push_back(time);
    write_packet({sequence, time, StampErrorEstimate::of(own_error_, settings_.format).wire(), settings_.session});
    if (!socket_.send(packet_, settings_.traffic_class)) ++outcome_.not_sent;
  }

  void write_packet(const StampRequest& request) {
    const std::span packet(packet_);
    const auto base = packet.first(stamp_base_bytes(settings_.mode));
    write_stamp(request, settings_.mode, base);
    if (settings_.mode == StampMode::authenticated)
      std::ranges::copy(settings_.key->digest(base.first(stamp_signed_bytes)), base.begin() + stamp_signed_bytes);
    if (settings_.extensions) write_extensions(request.sequence + 1);
  }

  // Even without extensions there may be room: it is then TWAMP's padding, and stays 0.
  void write_extensions(std::uint32_t sent) {
    const auto extensions = stamp_extensions(std::span(packet_), settings_.mode);
    auto rest = extensions;
    const auto dscp = static_cast<std::uint8_t>(settings_.traffic_class >> 2U);
    write_stamp(StampClassOfService{dscp, 0, 0, 0},
                put_stamp_tlv(rest, StampTlvType::class_of_service, class_of_service_bytes));
    write_stamp(StampDirectMeasurement{sent, 0, 0},
                put_stamp_tlv(rest, StampTlvType::direct_measurement, direct_measurement_bytes));
    put_stamp_tlv(rest, StampTlvType::timestamp_information, timestamp_information_bytes);
    const std::size_t signature = settings_.key ? signature_bytes : 0;
    if (rest.size() > signature) put_padding(rest, rest.size() - signature - stamp_tlv_head_bytes);
    if (!settings_.key) return;
    const auto covered = extensions.first(extensions.size() - rest.size());
    const auto digest = settings_.key->digest(std::span(packet_).first(sizeof(std::uint32_t)), covered);
    std::ranges::copy(digest, put_stamp_tlv(rest, StampTlvType::hmac, sizeof(StampDigest)).begin());
  }
  // Random, so that it cannot be compressed on the way.
  void put_padding(std::span<std::byte>& rest, std::size_t bytes) const {
    const auto value = put_stamp_tlv(rest, StampTlvType::extra_padding, bytes);
    for (std::size_t i = 0; i < value.size(); ++i) value[i] = padding_[i % padding_.size()];
  }

  void receive_until(LocalTime until, const std::atomic<bool>& stop, bool end_early = false) {
    constexpr Nanoseconds look_up = std::chrono::milliseconds{100};
    while (!stop && !(end_early && answered_ == outcome_.sent.packets)) {
      take_departures();
      const Nanoseconds left = until - LocalTime{LocalClock::now()};
      if (const auto datagram = socket_.receive(reply_, std::clamp(left, Nanoseconds{0}, look_up)))
        take(*datagram);
      else if (left <= Nanoseconds{0})
        return;
    }
  }

  void take_departures() {
    while (const auto departure = socket_.next_departure()) {
      card_departures_.resize(times_.size());
      if (departure->packet < times_.size()) card_departures_[departure->packet] = departure->time;
    }
  }

  void take(const StampDatagram& datagram) {
    const auto bytes = std::span<const std::byte>(reply_).first(datagram.bytes);
    const auto reply = read_stamp_reply(bytes, settings_.mode);
    if (!reply || !is_ours(*reply, bytes)) {
      ++outcome_.strange;
      return;
    }
    const auto estimate = StampErrorEstimate::read(reply->error_estimate);
    const auto at = [&](std::uint64_t wire, StampTimeFormat format) {
      return read_stamp_time(wire, format, tai_less_utc_, datagram.arrival.time);
    };
    const auto sent = at(reply->request.time, settings_.format);
    const auto received = at(reply->receive_time, estimate.format);
    const auto returned = at(reply->time, estimate.format);
    if (!sent || !received || !returned) {
      ++outcome_.strange;
      return;
    }
    peer_error_ = outcome_.exchanges.empty() ? estimate.bound() : larger(peer_error_, estimate.bound());
    StampExchange exchange{reply->request.sequence,
                           reply->sequence,
                           *sent,
                           *received,
                           *returned,
                           datagram.arrival.time,
                           reply->request_ttl,
                           {},
                           datagram.arrival.traffic_class};
    if (settings_.extensions) take_extensions(bytes, exchange);
    card_arrivals_.push_back(datagram.card_arrival);
    counts_replies_ = counts_replies_ || reply->sequence != reply->request.sequence;
    answered_ += is_answered_[exchange.request_sequence] ? 0 : 1;
    is_answered_[exchange.request_sequence] = true;
    outcome_.exchanges.push_back(exchange);
  }

  // A reply repeats what was sent, so that nobody who did not see the packet can forge one.
  bool is_ours(const StampReply& reply, std::span<const std::byte> bytes) {
    if (settings_.mode == StampMode::authenticated &&
        !settings_.key->made(bytes.subspan(stamp_signed_bytes, sizeof(StampDigest)), bytes.first(stamp_signed_bytes)))
      return false;
    is_answered_.resize(times_.size());
    // A reflector without RFC 8972 does not return the session.
    const bool session = reply.session == settings_.session || reply.session == 0 || !settings_.extensions;
    return session && reply.request.sequence < times_.size() && times_[reply.request.sequence] == reply.request.time;
  }

  void take_extensions(std::span<const std::byte> bytes, StampExchange& exchange) {
    const auto* key = settings_.key ? &*settings_.key : nullptr;
    const auto extensions = read_reflected_extensions(bytes, settings_.mode, key);
    if (extensions.integrity_failed) ++outcome_.integrity_failed;
    if (const auto& service = extensions.class_of_service)
      exchange.request_class = static_cast<std::uint8_t>(service->received_dscp << 2U | service->received_ecn);
    if (extensions.direct_measurement) counts_replies_ = true;
    if (extensions.timestamp_information) outcome_.reflector = extensions.timestamp_information;
  }

  // All of a kind or none: between a card's time and a program's lie microseconds, which would look like the path's.
  void use_card_times() {
    take_departures();
    auto& exchanges = outcome_.exchanges;
    card_departures_.resize(times_.size());
    outcome_.card_received = !exchanges.empty() && std::ranges::all_of(card_arrivals_, has_value);
    outcome_.card_sent = !exchanges.empty() && outcome_.not_sent == 0 &&
                         std::ranges::all_of(exchanges, [&](const StampExchange& exchange) {
                           return card_departures_[exchange.request_sequence].has_value();
                         });
    for (std::size_t i = 0; i < exchanges.size(); ++i) {
      if (outcome_.card_sent) exchanges[i].sent = *card_departures_[exchanges[i].request_sequence];
      if (outcome_.card_received) exchanges[i].arrived = *card_arrivals_[i];
    }
    const auto error = outcome_.card_sent || outcome_.card_received ? socket_.card_error() : std::nullopt;
    if (outcome_.sent.clock_error) *outcome_.sent.clock_error += error.value_or(Nanoseconds{0});
  }

  void finish() {
    outcome_.sent.traffic_class = settings_.traffic_class;
    if (counts_replies_) outcome_.sent.stateful = true;
    outcome_.sent.clock_error = same_host_ ? std::optional(Nanoseconds{0}) : sum(own_error_, peer_error_);
    use_card_times();
    outcome_.same_host = same_host_;
    outcome_.refused = socket_.was_refused();
  }

  const StampSenderSettings& settings_;
  StampSocket socket_;
  bool same_host_;
  std::vector<std::byte> packet_;
  std::vector<std::byte> reply_;
  std::array<std::byte, 1021> padding_{};  // repeated; its length is prime, so that packets differ inside
  std::vector<std::uint64_t> times_;       // as sent, by sequence number
  std::vector<std::optional<WallTime>> card_departures_;  // by sequence number
  std::vector<std::optional<WallTime>> card_arrivals_;    // of the exchanges
  std::vector<bool> is_answered_;
  std::uint32_t answered_ = 0;
  unsigned clock_reads_ = 0;
  std::optional<Nanoseconds> own_error_, peer_error_;
  std::chrono::seconds tai_less_utc_{0};
  bool counts_replies_ = false;
  StampOutcome outcome_;
};

}  // namespace

std::size_t stamp_packet_bytes(const StampSenderSettings& settings) {
  if (!settings.extensions) return stamp_base_bytes(settings.mode);
  return stamp_base_bytes(settings.mode) + extension_bytes + (settings.key ? signature_bytes : 0);
}

Result<StampOutcome> run_stamp_session(const StampSenderSettings& settings, const std::atomic<bool>& stop) {
  auto socket = StampSocket::open(settings.from.value_or(Address::any(settings.to.is_ipv6(), 0)));
  if (!socket) return socket.error();
  if (auto connected = socket->connect(settings.to); !connected)
    return Error{connected.error().what, "check the address and the routes (ip route)"};
  if (settings.hardware_stamps)
    if (auto used = socket->use_card(true); !used) return used.error();
  return StampSessionSender(settings, std::move(*socket)).run(stop);
}

}  // namespace lw
