// The law: whatever is lost and reordered, arrived + lost = what was sent, from the first packet that arrived to the
// newest, if the packets say how many came before their frames. Numbers of no packet are never missing.
#include "common/metrics/varying_frames.h"

#include "tests/support/network.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <vector>

using namespace lw;

namespace {

constexpr unsigned width = 90, rows = 40;
constexpr PacketCut cut{600, PacketLayout::in_rows};
constexpr auto format = PixelFormat::lossless;

struct Sent {
  std::int64_t sequence = 0;
  std::int64_t packet = 0;  // of the stream
  unsigned frame = 0;
  FrameStamp stamp;
  wire::RowHeader row;
};

// Frames of random lengths.
class Sender {
public:
  Sender(std::int64_t first, bool counts, truth::Random& random) : next_(first), counts_(counts), random_(random) {}

  std::vector<Sent> frame() {
    const auto numbers = templates_.packets().size();
    const auto packets = random_.between(1, random_.once_in(4) ? numbers : 1 + numbers / 4);
    FrameStamp stamp;
    stamp.frame = frame_;
    stamp.used = templates_.packets()[packets - 1].pixel_offset + 16;
    stamp.packets_before = counts_ ? static_cast<std::uint32_t>(packets_ + 1) : 0;
    std::vector<Sent> sent;
    for (std::size_t i = 0; i < packets; ++i) {
      Sent one{next_ + static_cast<std::int64_t>(i), packets_++, frame_, stamp, {}};
      const auto& packet = templates_.packets()[i];
      std::memcpy(&one.row, templates_.header(packet) + wire::before_rows(format), sizeof(one.row));
      sent.push_back(one);
    }
    next_ += static_cast<std::int64_t>(numbers);
    ++frame_;
    return sent;
  }

private:
  PacketTemplates templates_ = PacketTemplates::lay_out(format, width, rows, cut, 1).value();
  std::int64_t next_;
  std::int64_t packets_ = 0;
  unsigned frame_ = 0;
  const bool counts_;
  truth::Random& random_;
};

class Receiver {
public:
  void take(const Sent& sent) {
    MediaPacket packet;
    packet.payload_type = info(format).payload_type;
    packet.stamp = sent.stamp;
    packet.rows = {&sent.row, 1};
    varying_.come(packet, sent.sequence, sequences_);
    sequences_.take(sent.sequence);
  }
  void take_parity_of(const std::vector<Sent>& frame) {
    ParityPacket packet;
    packet.packets = static_cast<std::uint32_t>(frame.size());
    packet.varies = true;
    varying_.come(packet, frame.front().sequence, sequences_);
    sequences_.know_sent(frame.back().sequence);
  }
  SequenceTracker& sequences() { return sequences_; }
  [[nodiscard]] std::int64_t missed() const { return missed_; }

private:
  SequenceTracker sequences_;
  std::int64_t missed_ = -1;
  VaryingFrames varying_{width, rows, cut, [this](std::int64_t last) { missed_ = std::max(missed_, last); }};
};

}  // namespace

TEST_CASE("what was not sent is not lost, and what was lost is counted") {
  truth::Random random(GENERATE(range(1U, 40U)));
  Sender sender(static_cast<std::int64_t>(random.below(1000)), true, random);
  const bool has_parity = GENERATE(false, true);
  Receiver receiver;
  std::optional<std::int64_t> first;
  std::int64_t newest = -1, arrived = 0;
  bool exact = true;  // not while the newest is known only by parity, which does not say how many came before
  for (int i = 0; i < 120; ++i) {
    auto frame = sender.frame();
    const bool outage = random.once_in(6);
    const auto loss = random.between(2, 12);
    for (const auto& sent : frame) {
      if (first && (outage || random.once_in(loss))) continue;
      receiver.take(sent);
      if (!first) first = sent.packet;
      newest = sent.packet;
      ++arrived;
      exact = true;
    }
    if (!first) continue;
    if (has_parity && random.once_in(2)) {
      receiver.take_parity_of(frame);
      exact = exact && newest >= frame.front().packet;
      newest = frame.back().packet;
    }
    CAPTURE(i, *first, newest, arrived);
    REQUIRE(receiver.sequences().received() == static_cast<std::uint64_t>(arrived));
    if (!exact) continue;
    REQUIRE(receiver.sequences().expected() == static_cast<std::uint64_t>(newest - *first + 1));
    REQUIRE(receiver.sequences().settled_lost() <= receiver.sequences().lost());
  }
}

TEST_CASE("frames that come late, or in another order, are accounted for as well") {
  truth::Random random(GENERATE(range(1U, 40U)));
  Sender sender(5, true, random);
  Receiver receiver;
  std::set<std::int64_t> came;
  std::vector<Sent> waiting;
  std::int64_t newest = 0;
  for (const auto& sent : sender.frame()) receiver.take(sent), came.insert(sent.packet), newest = sent.packet;
  for (int i = 0; i < 60; ++i) {
    for (const auto& sent : sender.frame())
      if (!random.once_in(8)) waiting.push_back(sent);
    // Up to some frames together, in any order of these.
    if (!random.once_in(3)) continue;
    for (std::size_t swaps = random.below(2 * waiting.size() + 1); swaps > 0; --swaps)
      std::swap(waiting[random.below(waiting.size())], waiting[random.below(waiting.size())]);
    for (const auto& sent : waiting)
      receiver.take(sent), came.insert(sent.packet), newest = std::max(newest, sent.packet);
    waiting.clear();
    CAPTURE(i);
    REQUIRE(receiver.sequences().received() == came.size());
    REQUIRE(receiver.sequences().expected() == static_cast<std::uint64_t>(newest + 1));
  }
}

TEST_CASE("a long outage costs neither time nor exactness") {
  truth::Random random(3);
  Sender sender(0, true, random);
  Receiver receiver;
  std::int64_t arrived = 0, newest = 0;
  for (const auto frames : {1, 40, 5000}) {
    for (int i = 0; i < frames; ++i) sender.frame();
    for (const auto& sent : sender.frame()) receiver.take(sent), ++arrived, newest = sent.packet;
  }
  CHECK(receiver.sequences().received() == static_cast<std::uint64_t>(arrived));
  CHECK(receiver.sequences().lost() > 10'000);
  CHECK(receiver.sequences().expected() <= static_cast<std::uint64_t>(newest + 1));
}

TEST_CASE("without the number of packets before, lost frames are as long as the next one") {
  truth::Random random(4);
  Sender sender(0, false, random);
  Receiver receiver;
  const auto begin = sender.frame();
  for (const auto& sent : begin) receiver.take(sent);
  sender.frame();
  sender.frame();
  const auto end = sender.frame();
  for (const auto& sent : end) receiver.take(sent);
  CHECK(receiver.sequences().lost() == 2 * end.size());
}

TEST_CASE("only numbers of packets are requested") {
  truth::Random random(5);
  Sender sender(0, true, random);
  Receiver receiver;
  const auto begin = sender.frame();
  const auto lost = sender.frame(), end = sender.frame();
  receiver.take(begin.front());
  receiver.take(end.front());
  auto& sequences = receiver.sequences();
  CHECK(receiver.missed() == lost.back().sequence);
  for (auto number = begin.front().sequence; number < end.front().sequence; ++number) {
    const auto is_of = [&](const Sent& sent) { return sent.sequence == number; };
    const bool was_sent = std::ranges::any_of(begin, is_of) || std::ranges::any_of(lost, is_of);
    REQUIRE(sequences.is_missing(number) == (was_sent && number != begin.front().sequence));
  }
}
