#include "relay/relay_flow.h"

#include "common/net/socket_drops.h"
#include "common/wall/flow_routes.h"
#include "common/wall/geometry.h"
#include "common/wire/media_packet.h"
#include "common/wire/relayed.h"
#include "common/wire/sequence.h"

#include <algorithm>
#include <utility>

namespace lw {
namespace {

constexpr unsigned batches_per_step = 8;  // then the other flows of the thread have their turn
constexpr unsigned controls_per_step = 16;
constexpr std::chrono::milliseconds control_interval{1};            // how often RTCP is read while media keeps coming
constexpr double control_per_second = 4000, control_at_once = 400;  // as in the server and the node
constexpr std::chrono::milliseconds silence_before_change{100};     // of a stream, until another one replaces it
constexpr std::chrono::milliseconds relay_publish_interval{20};

}  // namespace

RelayFlow::RelayFlow(const Wall& wall, const WallSite& site, const Band& band, RelayPorts ports, std::uint32_t ssrc)
    : ports_(std::move(ports)),
      encrypted_(!wall.streaming.srtp_key_file.empty()),
      from_server_(ports_.from_server),
      control_from_server_(ports_.control_from_server),
      to_site_(ports_.to_site),
      control_to_site_(ports_.control_to_site),
      receiver_(from_server_, std::chrono::microseconds{0}, true),
      sender_(to_site_, RunAssembly::kernel),
      memory_(DatagramReceiver::batch_max * DatagramReceiver::run_bytes_max),
      run_(DatagramSender::run_packets_max),
      descriptors_{from_server_.descriptor(), control_from_server_.descriptor(), control_to_site_.descriptor()},
      servers_(servers_of(wall, band.tile)),
      varying_(wall.tile(band.tile).place.width, band.rows, packet_cut(wall, band.tile)),
      answers_(wall, site, band, !encrypted_ && wall.streaming.resend, sender_, ssrc),
      from_server_limit_(control_per_second, control_at_once),
      from_site_limit_(control_per_second, control_at_once) {
  pieces_.reserve(DatagramReceiver::batch_max);
  for (std::size_t i = 0; i < DatagramReceiver::batch_max; ++i) {
    pieces_.push_back({memory_.data() + i * DatagramReceiver::run_bytes_max, DatagramReceiver::run_bytes_max});
    targets_.emplace_back(&pieces_[i], 1);
  }
  if (!encrypted_) counted_.lost = 0;
  if (!encrypted_ && servers_of(wall, band.tile) > 1) {
    forwarded_.emplace(ResendAnswers::packets_kept(wall, site, band));
    counted_.repeated = 0;
  }
  published_.publish(counted_);
}

Wait RelayFlow::step(const Moment& now) {
  const auto runs = forward_media(now.local);
  const bool reads_control = runs == 0 || now.local >= next_control_;
  if (reads_control) {
    next_control_ = now.local + control_interval;
    forward_to_site(now.local);
    forward_to_servers(now.local);
  }
  changed_ = changed_ || runs > 0;
  if (changed_ && now.local >= next_publish_) {
    next_publish_ = now.local + relay_publish_interval;
    publish();
  }
  if (runs == batches_per_step * DatagramReceiver::batch_max) return {now.local};  // there may be more
  // The rest of a flood stays in its socket, and does not wake the thread.
  const bool flooded = from_server_limit_.spent(now.local) || from_site_limit_.spent(now.local);
  auto until = changed_ ? next_publish_ : LocalTime::max();
  if (flooded || !reads_control) until = std::min(until, next_control_);
  return {until, std::span(descriptors_).first(flooded ? 1 : descriptors_.size())};
}

// Returns the number of runs.
std::size_t RelayFlow::forward_media(LocalTime now) {
  std::size_t forwarded = 0;
  for (unsigned batch = 0; batch < batches_per_step; ++batch) {
    const auto runs = receiver_.receive(targets_, false);
    for (std::size_t i = 0; i < runs.size(); ++i)
      forward({static_cast<std::byte*>(pieces_[i].iov_base), runs[i].bytes}, runs[i], now);
    forwarded += runs.size();
    if (runs.size() < DatagramReceiver::batch_max) break;
  }
  return forwarded;
}

// A run leaves unchanged, with one call for many packets.
void RelayFlow::forward(std::span<std::byte> bytes, const ReceivedRun& run, LocalTime now) {
  std::size_t count = 0;
  const auto most = std::clamp<std::size_t>(
      DatagramSender::run_bytes_max / std::max<std::size_t>(run.datagram_bytes, 1), 1, DatagramSender::run_packets_max);
  for (std::size_t i = 0; i < run.datagrams(); ++i) {
    const auto datagram = bytes.subspan(i * run.datagram_bytes, run.bytes_of(i));
    const auto fate = take(datagram, now);
    if (fate == Fate::invalid) ++counted_.invalid;
    if (fate == Fate::repeated) ++*counted_.repeated;
    if (fate != Fate::forwarded) continue;
    run_[count++] = {{piece_of(datagram.data(), datagram.size())}, 1};
    // Only the last packet of a run may be shorter.
    if (count == most || datagram.size() != run.datagram_bytes) send(std::exchange(count, 0), run.datagram_bytes);
  }
  if (count > 0) send(count, run.datagram_bytes);
}

void RelayFlow::send(std::size_t count, std::size_t datagram_bytes) {
  const auto run = std::span<const DatagramPieces>(run_).first(count);
  unsigned sent = 0;
  if (count == 1) {
    sent = sender_.send_apart(run);
  } else {
    if (datagram_bytes != std::exchange(datagram_bytes_, datagram_bytes)) sender_.set_datagram_bytes(datagram_bytes);
    sent = sender_.send(run);
  }
  counted_.packets += sent;
  counted_.send_errors += count - sent;
  for (const auto& datagram : run.first(sent)) counted_.bytes += datagram.bytes();
}

// An encrypted packet is not looked into, and neither is parity.
RelayFlow::Fate RelayFlow::take(std::span<std::byte> datagram, LocalTime now) {
  if (datagram.size() < sizeof(wire::RtpHeader) || std::to_integer<unsigned>(datagram[0]) >> 6U != 2)
    return Fate::invalid;
  MediaPacket packet;
  if (encrypted_ || !parse_media_packet(datagram, packet).empty() || !has_our_layout(datagram)) return Fate::forwarded;
  if (packet.resent) {
    answers_.adopt(datagram, packet);
    return Fate::forwarded;
  }
  if (!is_of_stream(packet.ssrc, now)) return Fate::forwarded;
  const auto sequence = std::uint32_t{packet.sequence_upper} << 16U | packet.sequence;
  if (forwarded_ && packet.stamp && !forwarded_->add(sequence, *packet.stamp)) return Fate::repeated;
  const auto number = sequences_.empty() ? std::int64_t{sequence} : unroll<32>(sequences_.highest(), sequence);
  varying_.come(packet, number, sequences_);
  sequences_.take(number);
  answers_.keep(sequence, datagram);
  return Fate::forwarded;
}

// A node does the same: for an instant, a server that does not know that the wall was started again may send as well.
bool RelayFlow::is_of_stream(std::uint32_t ssrc, LocalTime now) {
  if (ssrc_ != ssrc) {
    if (ssrc_ && now - stream_heard_ < silence_before_change) return false;
    if (ssrc_) sequences_.begin_stream();
    varying_.forget();
    ssrc_ = ssrc;
    answers_.forget();
    if (forwarded_) forwarded_->forget();
  }
  stream_heard_ = now;
  return true;
}

// The kernel admits the servers' hosts only.
void RelayFlow::forward_to_site(LocalTime now) {
  for (unsigned i = 0; i < controls_per_step && !from_server_limit_.spent(now); ++i) {
    const auto datagram = control_from_server_.receive_now(control_);
    if (!datagram) return;
    from_server_limit_.take(now);
    changed_ = true;
    if (datagram->bytes == control_.size() || !servers_.hear(datagram->source, now)) {
      ++counted_.rtcp_refused;
      continue;
    }
    control_to_site_.tell(std::span(control_).first(datagram->bytes));
  }
}

// Reports go to both servers; so do encrypted requests, which nobody here can tell from reports.
void RelayFlow::forward_to_servers(LocalTime now) {
  for (unsigned i = 0; i < controls_per_step && !from_site_limit_.spent(now); ++i) {
    const auto datagram = control_to_site_.receive_now(control_);
    if (!datagram) return;
    from_site_limit_.take(now);
    changed_ = true;
    if (servers_.all().empty() || datagram->bytes == control_.size()) {
      ++counted_.rtcp_refused;
      continue;
    }
    const auto answered = answer(std::span<const std::byte>(control_).first(datagram->bytes), now);
    if (answered.compound.empty()) continue;
    for (const auto& server : answered.requested ? servers_.next_asked(now) : servers_.all())
      control_from_server_.send_to(server.address, answered.compound);
  }
}

RelayFlow::Answered RelayFlow::answer(std::span<const std::byte> compound, LocalTime now) {
  if (encrypted_ || !ssrc_) return {compound};
  RtcpContents contents;
  if (!parse_rtcp(compound, ssrc_, contents).empty()) {
    ++counted_.rtcp_refused;
    return {};
  }
  if (contents.nacks.empty() || !contents.receiver || !contents.receiver->block) return {compound};
  ResendAnswers::Requests requested;
  for_each_missing(contents, [&](std::uint32_t sequence) {
    if (requested.size() < requested.capacity()) requested.push_back(sequence);
  });
  std::ranges::sort(requested);
  requested.erase(std::unique(requested.begin(), requested.end()), requested.end());
  answers_.answer(requested, now, counted_);
  const auto bytes = replace_nacks(compound, contents.receiver->ssrc, *ssrc_, requested, changed_control_);
  if (bytes == 0) ++counted_.rtcp_refused;
  return {std::span<const std::byte>(changed_control_).first(bytes), true};
}

void RelayFlow::publish() {
  changed_ = false;
  counted_.receive_calls = receiver_.calls();
  counted_.send_calls = sender_.calls();
  counted_.kept_out = drops_of(ports_.from_server);
  if (!encrypted_) counted_.lost = sequences_.lost();
  published_.publish(counted_);
}

}  // namespace lw
