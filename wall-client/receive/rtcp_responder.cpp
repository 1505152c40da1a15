#include "wall-client/receive/rtcp_responder.h"

#include <algorithm>
#include <utility>

namespace lw {
namespace {

// Limits the packets read by one step and in one second, so that a flood does not delay the flow. The rest stays in the
// socket. When the socket is full, the kernel drops and counts packets.
constexpr int reads_per_step_max = 64;
constexpr double reads_per_second_max = 4000;
constexpr double reads_at_once_max = 400;

// A statistics summary (RFC 3611 section 4.6) identifies its packets by 16 bits: with more packets, its end would be at
// or before its beginning. A fast flow therefore reports earlier, not only once a second.
constexpr std::int64_t summary_packets_max = 65'535;
constexpr std::int64_t summary_wanted = 49'152;

// A sender that has not reported for so long is probably gone: it reports every second.
constexpr std::chrono::milliseconds reports_missed{2500};

}  // namespace

RtcpResponder::RtcpResponder(std::vector<std::unique_ptr<DatagramPort>> ports, std::size_t senders, std::uint32_t ssrc,
                             std::string cname, ClockKeeper* clock, const StreamSource& source,
                             const std::optional<MediaKey>& key, Nanoseconds quiet)
    : ports_(std::move(ports)),
      clock_(clock),
      source_(source),
      limit_(reads_per_second_max, reads_at_once_max),
      cname_(std::move(cname)),
      ssrc_(ssrc),
      quiet_(quiet) {
  if (key) {
    sealer_.emplace(*key);
    opener_.emplace(*key);
  }
  for (const auto& port : ports_)
    for (std::size_t i = 0; i < senders; ++i) paths_.push_back({port.get()});
}

std::uint64_t RtcpResponder::refused() const {
  auto refused = refused_;
  for (const auto& port : ports_) refused += port->drops();
  return refused;
}

std::vector<int> RtcpResponder::descriptors() const {
  std::vector<int> descriptors;
  for (const auto& port : ports_)
    if (const int descriptor = port->descriptor(); descriptor >= 0) descriptors.push_back(descriptor);
  return descriptors;
}

void RtcpResponder::restart(const SequenceTracker& sequences) {
  for (auto& path : paths_) path.last_sr = 0;
  considered_ = reported_ = {};
  committed_ = {};
  accepts_for_node_ = false;
  delay_.reset();
  lost_by_others_ = sequences.lost();
  expected_before_ = sequences.expected();
  received_before_ = sequences.received();
  duplicates_before_ = sequences.duplicates();
  reported_up_to_.reset();
}

void RtcpResponder::step(const Moment& now, const SequenceTracker& sequences, std::uint32_t source_ssrc,
                         std::uint32_t jitter_rtp_units) {
  const bool summary_full = !sequences.empty() && sequences.highest() - next_to_report(sequences) >= summary_wanted;
  if (!is_due(next_, now.wall, report_interval) && !(summary_full && knows_sender())) return;
  next_ = now.wall + report_interval;
  receive_reports(source_ssrc, now.local);
  if (!knows_sender() || sequences.empty()) return;
  considered_ = now.wall;
  const bool has_news = summary_full || since_last_report(sequences).lost > 0;
  if (has_news || is_due(reported_ + (quiet_ - Nanoseconds{report_interval} / 2), now.wall, quiet_))
    send_report(now.wall, sequences, source_ssrc, jitter_rtp_units);
}

void RtcpResponder::receive_reports(std::uint32_t source_ssrc, LocalTime now) {
  for (const auto& port : ports_) {
    for (int reads = 0; reads < reads_per_step_max && !limit_.spent(now); ++reads) {
      auto datagram = port->receive_now(buffer_);
      if (!datagram) break;
      limit_.take(now);
      auto* path = path_of(*port, datagram->source, now);
      if (path == nullptr || !open(*datagram, now) || !take(*path, *datagram, source_ssrc, now)) ++refused_;
    }
  }
}

// That of the host, or one that nobody uses (any more). Null: there is none.
RtcpResponder::Path* RtcpResponder::path_of(const DatagramPort& port, const Address& sender, LocalTime now) {
  Path* unused = nullptr;
  for (auto& path : paths_) {
    if (path.port != &port) continue;
    if (path.sender && path.sender->same_host(sender)) return &path;
    if (unused == nullptr && (!path.sender || now - path.heard >= silence_before_change)) unused = &path;
  }
  return unused;
}

// False if it is encrypted with another key, or is a replay.
bool RtcpResponder::open(UdpSocket::Datagram& datagram, LocalTime now) {
  if (!opener_) return true;
  std::span<std::byte> compound(buffer_.data(), datagram.bytes);
  if (opener_->open_rtcp(compound, now) != PacketOpener::Fate::done) return false;
  datagram.bytes = compound.size();
  return true;
}

// False if it is not from the flow's sender, or not about the flow's stream.
bool RtcpResponder::take(Path& path, const UdpSocket::Datagram& datagram, std::uint32_t source_ssrc, LocalTime now) {
  if (!source_.comes_from_host(datagram.source)) return false;
  const bool known = path.sender == datagram.source;
  if (!known && path.sender && now - path.heard < silence_before_change) return false;
  RtcpContents contents;
  if (!parse_rtcp({buffer_.data(), datagram.bytes}, std::nullopt, contents).empty()) return false;
  const bool reports = contents.sender && contents.sender->ssrc == source_ssrc;
  if (reports) {
    path.sender = datagram.source;
    path.heard = now;
    heard_by_ = &path;
    path.last_sr = ntp_middle(contents.sender->time);
    path.last_sr_arrival = datagram.arrival;
    // The server learns the round trip from the answer, and uses it to decide what can still be shown everywhere.
    next_ = std::min(next_, considered_ + Nanoseconds{report_interval} / 2);
  }
  // Other contents are trusted only from a source that reports.
  if (!known) return reports;
  bool ours = reports;
  if (const auto& reply = contents.clock_reply; reply && clock_ != nullptr) {
    clock_->take_reply(RawTime{Nanoseconds{static_cast<std::int64_t>(reply->asked)}}, reply->came, reply->left,
                       datagram.system_arrival);
    ours = true;
  }
  if (contents.committed && contents.committed->source_ssrc == source_ssrc) {
    committed_ = contents.committed->ticks;
    accepts_for_node_ = contents.committed->for_node;
    ours = true;
  }
  if (contents.delay_kept && contents.delay_kept->source_ssrc == source_ssrc) {
    delay_ = contents.delay_kept->ramp;
    ours = true;
  }
  return ours;
}

// RFC 3550 appendix A.3.
RtcpResponder::Interval RtcpResponder::since_last_report(const SequenceTracker& sequences) const {
  const auto expected = sequences.expected() - expected_before_;
  const auto received = sequences.received() - received_before_;
  return {expected, expected > received ? expected - received : 0};
}

ReportBlock RtcpResponder::block_of(const Path& path, WallTime now, const SequenceTracker& sequences,
                                    std::uint32_t source_ssrc, std::uint32_t jitter) const {
  const auto [expected, lost] = since_last_report(sequences);
  ReportBlock block;
  block.source_ssrc = source_ssrc;
  block.fraction_lost =
      expected == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(std::min<std::uint64_t>(255, lost * 256 / expected));
  block.cumulative_lost =
      static_cast<std::int32_t>(std::min<std::uint64_t>(sequences.lost() - lost_by_others_, 0x7fffff));
  block.highest_sequence = static_cast<std::uint32_t>(sequences.highest());
  block.jitter = jitter;
  block.last_sr = path.last_sr;
  if (path.last_sr != 0)
    block.delay_since_last_sr =
        static_cast<std::uint32_t>((now - path.last_sr_arrival).count() * 65536 / 1'000'000'000);
  return block;
}

// Empty if 16 bits cannot identify the packets.
std::optional<StatisticsSummary> RtcpResponder::summary_of(const SequenceTracker& sequences,
                                                           std::uint32_t source_ssrc) const {
  const auto begin = next_to_report(sequences);
  const auto end = sequences.highest() + 1;
  if (end - begin > summary_packets_max) return std::nullopt;
  return StatisticsSummary{source_ssrc, static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end),
                           static_cast<std::uint32_t>(since_last_report(sequences).lost),
                           static_cast<std::uint32_t>(sequences.duplicates() - duplicates_before_)};
}

// By each path an answer to the report that came by it: the server measures both round trips, and decides by that of
// the path it hears.
void RtcpResponder::send_report(WallTime now, const SequenceTracker& sequences, std::uint32_t source_ssrc,
                                std::uint32_t jitter) {
  const auto summary = summary_of(sequences, source_ssrc);
  for (const auto& path : paths_)
    if (path.sender)
      send_by(path, sealed(encode({ssrc_, block_of(path, now, sequences, source_ssrc, jitter), summary}, cname_, false,
                                  told_)));
  reported_ = now;
  expected_before_ = sequences.expected();
  received_before_ = sequences.received();
  duplicates_before_ = sequences.duplicates();
  reported_up_to_ = sequences.highest();
}

void RtcpResponder::ask_for(std::span<const std::int64_t> missing, const Moment& now, const SequenceTracker& sequences,
                            std::uint32_t source_ssrc, std::uint32_t jitter_rtp_units) {
  if (!knows_sender()) receive_reports(source_ssrc, now.local);
  if (!knows_sender()) return;
  const auto& path = next_asked(now.local);
  const ReceiverReport report{ssrc_, block_of(path, now.wall, sequences, source_ssrc, jitter_rtp_units), std::nullopt};
  while (!missing.empty()) {
    std::size_t taken = 0;
    send_by(path, sealed(encode(report, cname_, missing, told_, taken)));
    missing = missing.subspan(taken);
  }
}

void RtcpResponder::keep_clock(std::uint32_t source_ssrc, LocalTime now) {
  if (std::exchange(clock_source_, source_ssrc) != source_ssrc) clock_->begin_anew();
  receive_reports(source_ssrc, now);
  if (!knows_sender()) return;
  if (const auto asked = clock_->next_request())
    send(encode(ssrc_, ClockRequest{static_cast<std::uint64_t>(asked->time_since_epoch().count()), source_ssrc}, cname_,
                told_));
}

void RtcpResponder::tell_held(std::uint32_t source_ssrc, const TickSet& held, bool for_node) {
  if (knows_sender()) send_by_all_paths(encode(ssrc_, SyncSubject::held, {source_ssrc, held, for_node}, cname_, told_));
}

std::optional<LocalTime> RtcpResponder::reported() const {
  std::optional<LocalTime> newest;
  for (const auto& path : paths_)
    if (path.last_sr != 0) newest = std::max(newest, std::optional(path.heard));
  return newest;
}

void RtcpResponder::tell_delay_needed(std::uint32_t source_ssrc, Nanoseconds delay) {
  const auto microseconds = std::chrono::ceil<std::chrono::microseconds>(std::max(delay, Nanoseconds{0}));
  if (knows_sender()) send_by_all_paths(encode(ssrc_, DelayNeed{source_ssrc, microseconds}, cname_, told_));
}

// With a report, so that the sender knows that its receiver is leaving.
void RtcpResponder::say_goodbye(WallTime now, const SequenceTracker& sequences, std::uint32_t source_ssrc) {
  for (const auto& path : paths_)
    if (path.sender)
      send_by(path, sealed(encode({ssrc_, block_of(path, now, sequences, source_ssrc, 0), std::nullopt}, cname_, true,
                                  told_)));
}

// Of two paths on which reports come, the other one: not one that has fallen silent.
const RtcpResponder::Path& RtcpResponder::next_asked(LocalTime now) {
  const auto alive = [&](const Path& path) { return path.sender && now - path.heard < reports_missed; };
  const bool any = std::ranges::any_of(paths_, alive);
  do asked_by_ = (asked_by_ + 1) % paths_.size();
  while (any ? !alive(paths_[asked_by_]) : !paths_[asked_by_].sender);
  return paths_[asked_by_];
}

std::span<const std::byte> RtcpResponder::sealed(std::size_t bytes) {
  const std::span<const std::byte> compound(told_.data(), bytes);
  return sealer_ ? sealer_->seal_rtcp(compound) : compound;
}

// A report that cannot be sent is dropped: the next one replaces it.
void RtcpResponder::send_by(const Path& path, std::span<const std::byte> compound) {
  if (!compound.empty()) path.port->send_to(*path.sender, compound);
}

// The server decides for all tiles by these, and the path of the last report may be cut.
void RtcpResponder::send_by_all_paths(std::size_t bytes) {
  const auto compound = sealed(bytes);
  for (const auto& path : paths_)
    if (path.sender) send_by(path, compound);
}

}  // namespace lw
