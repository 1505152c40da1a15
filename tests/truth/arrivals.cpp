#include "tests/truth/arrivals.h"

#include <algorithm>

namespace lw::truth {
namespace {

std::string compared(const std::string& law, std::uint64_t counted, std::uint64_t true_count) {
  return law + " (" + std::to_string(counted) + ", in truth " + std::to_string(true_count) + ")";
}

}  // namespace

void Arrivals::arrive(const SentDatagram& datagram, unsigned path, bool intact) {
  ++datagrams_;
  bytes_ += datagram.bytes.size();
  second_path_ += path;
  if (!intact) {
    ++changed_;
    return;
  }
  const auto stream = streams_.find(datagram.ssrc);
  switch (datagram.kind) {
    case SentKind::media:
      return arrive_media(datagram);
    case SentKind::parity:
      ++parity_;
      arrive_beside(parity_streams_, datagram, parity_repeated_);
      if (stream != streams_.end())
        stream->second.reached = std::max<std::int64_t>(
            stream->second.reached, static_cast<std::int32_t>(datagram.packet - stream->second.first));
      return;
    case SentKind::resend:
      ++resends_;
      arrive_beside(resend_streams_, datagram, resends_repeated_);
      return;
  }
}

std::optional<bool> Arrivals::add(Received& stream, std::int64_t number) {
  if (number < 0) return std::nullopt;  // before the stream began, for the receiver
  stream.reached = std::max(stream.reached, number);
  return stream.came.insert(number).second;
}

void Arrivals::arrive_media(const SentDatagram& datagram) {
  auto& stream = streams_[datagram.ssrc];
  if (stream.came.empty()) stream.first = datagram.packet;
  const auto number = std::int64_t{static_cast<std::int32_t>(datagram.packet - stream.first)};
  const auto highest = stream.came.empty() ? number : *stream.came.rbegin();
  const auto is_new = add(stream, number);
  if (!is_new) return;
  duplicates_ += !*is_new;
  reordered_ += *is_new && number < highest;
}

// Numbers are of 16 bits: nearest to the highest so far.
void Arrivals::arrive_beside(std::map<std::uint32_t, Received>& streams, const SentDatagram& datagram,
                             std::uint64_t& repeated) {
  auto& stream = streams[datagram.ssrc];
  if (stream.came.empty()) stream.first = datagram.number;
  const auto reached = static_cast<std::uint16_t>(stream.first + static_cast<std::uint64_t>(stream.reached));
  const auto is_new = add(stream, stream.reached + static_cast<std::int16_t>(datagram.number - reached));
  repeated += is_new == false;
}

void Arrivals::check(const ReceiverFlowStats& stats, const Expect& expect) const {
  const auto equal = [&](std::uint64_t counted, std::uint64_t true_count, const std::string& law) {
    expect(counted == true_count, compared(law, counted, true_count));
  };
  equal(stats.packets, datagrams_, "packets are the datagrams that arrived");
  equal(stats.bytes, bytes_, "bytes are those of the datagrams that arrived");
  if (stats.second_path) equal(*stats.second_path, second_path_, "second_path counts what came by the second path");
  if (std::ranges::count(drops_, 0U) == 3)
    expect(stats.kernel_drops == 0 && stats.parity_drops == 0 && stats.resend_drops == 0,
           "kernel_drops, parity_drops or resend_drops, but the socket dropped nothing");
}

void Arrivals::check_streams(const ReceiverFlowStats& stats, bool sealed, const Expect& expect) const {
  if (doubtful_) return;
  struct Totals {
    std::uint64_t arrived = 0;
    std::uint64_t expected = 0;
  };
  const auto totals = [](const std::map<std::uint32_t, Received>& streams) {
    Totals sum;
    for (const auto& [ssrc, stream] : streams) {
      sum.arrived += stream.came.size();
      sum.expected += static_cast<std::uint64_t>(stream.reached) + 1;
    }
    return sum;
  };
  const auto [arrived, expected] = totals(streams_);
  const auto equal = [&](std::uint64_t counted, std::uint64_t true_count, const std::string& law) {
    expect(counted == true_count, compared(law, counted, true_count));
  };
  equal(stats.arrived, arrived, "arrived counts the different packets that arrived");
  equal(stats.arrived + stats.lost, expected, "packets + send_errors + not_sent = arrived + lost");
  equal(stats.reordered, reordered_, "reordered counts the new packets behind the newest");
  // A changed number may make an encrypted packet look repeated or old.
  const auto of_no_use = stats.invalid + (sealed ? stats.duplicates + stats.late : 0);
  expect(of_no_use >= changed_, compared("changed packets are invalid", of_no_use, changed_));
  // A resend may bring what came.
  expect(stats.duplicates >= duplicates_, compared("duplicates are counted", stats.duplicates, duplicates_));
  const auto most = duplicates_ + resends_ + (sealed ? parity_ + changed_ : parity_repeated_);
  expect(stats.duplicates <= most, compared("duplicates are no more than came again", stats.duplicates, most));
  if (sealed) return;
  equal(stats.parity, parity_ - parity_repeated_, "parity counts the different packets that arrived of it");
  equal(stats.resent, resends_ - resends_repeated_, "resent counts the different resends that arrived");
  const auto parity = totals(parity_streams_);
  equal(stats.parity_lost, parity.expected - parity.arrived, "sender's parity + parity_errors = parity + parity_lost");
  const auto resends = totals(resend_streams_);
  equal(stats.resends_lost, resends.expected - resends.arrived,
        "sender's resent + resend_errors = resent + resends_lost");
}

}  // namespace lw::truth
