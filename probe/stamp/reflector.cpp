#include "probe/stamp/reflector.h"

#include "common/clock/kernel_clock.h"
#include "common/concurrency/pinned_thread.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lw {
namespace {

constexpr std::chrono::milliseconds stop_interval{100};
constexpr std::chrono::seconds clock_interval{1};
constexpr std::size_t packet_bytes_max = 65'536;

std::string_view address_bytes(const StampDatagram& datagram) {
  const auto bytes = [](const auto& address) {
    return std::string_view(reinterpret_cast<const char*>(&address), sizeof(address));
  };
  if (const auto* v4 = std::get_if<in_pktinfo>(&datagram.to)) return bytes(v4->ipi_addr);
  if (const auto* v6 = std::get_if<in6_pktinfo>(&datagram.to)) return bytes(v6->ipi6_addr);
  return {};
}

}  // namespace

Result<std::unique_ptr<StampReflector>> StampReflector::start(Settings settings) {
  auto socket = StampSocket::open(settings.listen);
  if (!socket) return std::move(socket.error()).in("--stamp");
  if (settings.hardware_stamps)
    if (auto used = socket->use_card(false); !used) return std::move(used.error()).in("--stamp");
  return std::unique_ptr<StampReflector>(new StampReflector(std::move(settings), std::move(*socket)));
}

StampReflector::StampReflector(Settings settings, StampSocket socket)
    : settings_(std::move(settings)), socket_(std::move(socket)) {
  if (settings_.key) settings_.rules.key = &*settings_.key;
  thread_ = start_thread("stamp", -1, [this](const std::stop_token& stop) { run(stop); });
}

StampReflector::~StampReflector() = default;

StampReflector::Counts StampReflector::counts() const {
  return {answered_, not_allowed_, too_short_, not_authentic_, not_sent_};
}

void StampReflector::run(const std::stop_token& stop) {
  std::vector<std::byte> packet(packet_bytes_max);
  std::vector<std::byte> reply(packet_bytes_max);
  LocalTime next_look{};
  while (!stop.stop_requested()) {
    if (const LocalTime now = LocalClock::now(); now >= next_look) {
      clock_ = {system_clock_error(), tai_less_utc()};
      if (clock_.error) *clock_.error += socket_.card_error().value_or(Nanoseconds{0});
      next_look = now + clock_interval;
    }
    auto datagram = socket_.receive(packet, stop_interval);
    if (datagram && datagram->card_arrival) {
      datagram->arrival.time = *datagram->card_arrival;
      datagram->arrival.hardware = true;
    }
    if (datagram) answer(*datagram, std::span(packet).first(datagram->bytes), reply);
  }
}

void StampReflector::answer(const StampDatagram& datagram, std::span<const std::byte> packet,
                            std::span<std::byte> reply) {
  if (!settings_.allows(datagram.from)) {
    ++not_allowed_;
    return;
  }
  const auto& rules = settings_.rules;
  const auto admitted = admit_stamp(packet, rules);
  if (const auto* refusal = std::get_if<StampRefusal>(&admitted)) return count_refusal(*refusal);
  const auto& request = std::get<StampRequest>(admitted);
  auto* session =
      settings_.stateful ? &sessions_.of(datagram.from, address_bytes(datagram), request, LocalClock::now()) : nullptr;
  const auto reflection = reflect_stamp(packet, request, datagram.arrival, rules, clock_, session, reply);
  finish_reflection(reply, WallClock::now(), rules, clock_, session);
  const bool sent = socket_.reply(reply.first(reflection.bytes), datagram, reflection.traffic_class);
  ++(sent ? answered_ : not_sent_);
}

void StampReflector::count_refusal(StampRefusal refusal) {
  ++(refusal == StampRefusal::too_short ? too_short_ : not_authentic_);
}

}  // namespace lw
