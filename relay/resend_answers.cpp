#include "relay/resend_answers.h"

#include <algorithm>
#include <chrono>

namespace lw {
namespace {

constexpr std::chrono::milliseconds budget_depth{10};
constexpr double budget_least = 8;  // packets at once

double resends_per_second(const Wall& wall, const WallSite& site, const Band& band) {
  const auto bits = 8.0 * static_cast<double>(media_datagram_max(wall, band.tile));
  return band_rate_max(wall, band).bits_per_second * site.resend_percent / 100.0 / bits;
}

double resends_at_once(double per_second) {
  return std::max(budget_least, per_second * std::chrono::duration<double>(budget_depth).count());
}

}  // namespace

// The number of the largest packets that fit.
std::size_t ResendAnswers::packets_kept(const Wall& wall, const WallSite& site, const Band& band) {
  const auto seconds = std::chrono::duration<double>(site.playout_delay).count();
  const auto bytes = band_rate_max(wall, band).bits_per_second / 8 * seconds;
  const auto most = static_cast<double>(store_bytes_max) / 2;  // the store rounds up to a power of two
  return static_cast<std::size_t>(std::min(bytes, most)) / media_datagram_max(wall, band.tile) + 1;
}

ResendAnswers::ResendAnswers(const Wall& wall, const WallSite& site, const Band& band, bool keeps,
                             DatagramSender& sender, std::uint32_t ssrc)
    : sender_(sender),
      store_(keeps ? packets_kept(wall, site, band) : 1, media_datagram_max(wall, band.tile)),
      budget_(resends_per_second(wall, site, band), resends_at_once(resends_per_second(wall, site, band))),
      ssrc_(ssrc),
      resend_bytes_max_(media_datagram_max(wall, band.tile) + wire::resend_bytes),
      resends_(run_max * resend_bytes_max_) {}

void ResendAnswers::answer(Requests& requested, LocalTime now, RelayStats& counts) {
  counts.resends_asked += requested.size();
  Requests missing;
  std::size_t count = 0;
  for (const auto sequence : requested) {
    const auto original = store_.find(static_cast<std::uint32_t>(sequence));
    MediaPacket packet;
    if (original.empty()) {
      missing.push_back(sequence);
    } else if (!budget_.take(now) || !parse_media_packet(original, packet).empty()) {
      ++counts.resends_refused;
    } else {
      const auto out = std::span(resends_).subspan(count * resend_bytes_max_, resend_bytes_max_);
      const auto bytes = write_resend(original, packet, ssrc_, sequence_++, out);
      run_[count++] = {{piece_of(out.data(), bytes)}, 1};
      if (count == run_max) send(std::exchange(count, 0), counts);
    }
  }
  if (count > 0) send(count, counts);
  counts.resends_passed += missing.size();
  requested = missing;
}

void ResendAnswers::send(std::size_t count, RelayStats& counts) {
  const auto sent = sender_.send_apart(std::span(run_).first(count));
  counts.resent += sent;
  counts.send_errors += count - sent;
}

}  // namespace lw
