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
      if (stream != streams_.end())
        stream->second.reached = std::max<std::int64_t>(
            stream->second.reached, static_cast<std::int32_t>(datagram.sequence - stream->second.first));
      return;
    case SentKind::resend:
      ++resends_;
      return;
  }
}

void Arrivals::arrive_media(const SentDatagram& datagram) {
  auto& stream = streams_[datagram.ssrc];
  if (stream.came.empty()) stream.first = datagram.sequence;
  const auto number = std::int64_t{static_cast<std::int32_t>(datagram.sequence - stream.first)};
  if (number < 0) return;  // for the receiver, before the stream began
  const auto highest = stream.came.empty() ? number : *stream.came.rbegin();
  if (!stream.came.insert(number).second)
    ++duplicates_;
  else if (number < highest)
    ++reordered_;
  stream.reached = std::max(stream.reached, number);
}

void Arrivals::check(const ReceiverFlowStats& stats, const Expect& expect) const {
  const auto equal = [&](std::uint64_t counted, std::uint64_t true_count, const std::string& law) {
    expect(counted == true_count, compared(law, counted, true_count));
  };
  equal(stats.packets, datagrams_, "packets are the datagrams that arrived");
  equal(stats.bytes, bytes_, "bytes are those of the datagrams that arrived");
  if (stats.second_path) equal(*stats.second_path, second_path_, "second_path counts what came by the second path");
  expect(drops_ > 0 || stats.kernel_drops == 0, "kernel_drops, but the socket dropped nothing");
}

void Arrivals::check_streams(const ReceiverFlowStats& stats, bool sealed, const Expect& expect) const {
  if (doubtful_) return;
  std::uint64_t arrived = 0;
  std::uint64_t expected = 0;
  for (const auto& [ssrc, stream] : streams_) {
    arrived += stream.came.size();
    expected += static_cast<std::uint64_t>(stream.reached) + 1;
  }
  const auto equal = [&](std::uint64_t counted, std::uint64_t true_count, const std::string& law) {
    expect(counted == true_count, compared(law, counted, true_count));
  };
  equal(stats.arrived, arrived, "arrived counts the different packets that arrived");
  equal(stats.arrived + stats.lost, expected, "packets + send_errors = arrived + lost");
  equal(stats.reordered, reordered_, "reordered counts the new packets behind the newest");
  // A changed number may make an encrypted packet look repeated or old.
  const auto of_no_use = stats.invalid + (sealed ? stats.duplicates + stats.late : 0);
  expect(of_no_use >= changed_, compared("changed packets are invalid", of_no_use, changed_));
  // Resends and, if encrypted, parity may repeat what has arrived.
  expect(stats.duplicates >= duplicates_, compared("duplicates are counted", stats.duplicates, duplicates_));
  const auto most = duplicates_ + resends_ + (sealed ? parity_ + changed_ : 0);
  expect(stats.duplicates <= most, compared("duplicates are no more than came again", stats.duplicates, most));
  if (sealed) return;
  equal(stats.parity, parity_, "parity counts what arrived of it");
  equal(stats.resent, resends_, "resent counts the resends that arrived");
}

}  // namespace lw::truth
