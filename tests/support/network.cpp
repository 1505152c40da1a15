#include "tests/support/network.h"

#include <algorithm>

namespace lw::truth {
namespace {

constexpr std::size_t burst_bits_max = 15;

struct Disturbance {
  std::vector<Fate>& fates;
  std::size_t media;  // datagrams before the parity
  std::size_t burst;
  Nanoseconds late;
  Random& random;

  void lose(std::size_t first, std::size_t last) {
    for (; first < std::min(last, fates.size()); ++first) fates[first].lost = true;
  }
  void lose_some(std::size_t one_in) {
    for (auto& fate : fates) fate.lost |= random.once_in(one_in);
  }
  void lose_bursts() {
    for (std::size_t first = 0; first < fates.size(); first += burst)
      if (random.once_in(4)) lose(first, first + burst);
  }
  void drop_at_socket() {
    const auto first = random.below(fates.size());
    const auto last = std::min(fates.size(), first + random.between(1, 2 * burst));
    for (auto i = first; i < last; ++i) fates[i].dropped = true;
  }
  void reorder() {
    const auto wait = std::chrono::microseconds{random.between(20, 4000)};
    for (auto& fate : fates)
      if (random.once_in(6)) fate.delay += wait;
  }
  void hold_up() {
    const auto first = random.below(fates.size());
    const auto last = random.once_in(2) ? fates.size() : first + random.between(1, burst);
    const auto wait = Nanoseconds{static_cast<std::int64_t>(random.below(static_cast<std::size_t>(late.count())))};
    for (auto i = first; i < std::min(last, fates.size()); ++i) fates[i].delay += wait;
  }
  void repeat() {
    for (auto& fate : fates)
      if (random.once_in(5)) fate.copies = static_cast<unsigned>(random.between(2, 3));
  }
  void change() {
    for (auto& fate : fates)
      if (random.once_in(8)) fate.change = random.once_in(3) ? Change::seen : Change::unseen;
  }
  void one() {
    const auto some = random.between(1, std::max<std::size_t>(1, media / 4));
    switch (random.below(13)) {
      case 0:
        return lose(0, some);
      case 1:
      case 2:
        return lose(media - std::min(media, some), media);
      case 3: {
        const auto first = random.below(media);
        return lose(first, first + some);
      }
      case 4:
        return lose_some(random.between(2, 30));
      case 5:
        return lose_bursts();
      case 6:
        return lose(0, media);
      case 7:
        return lose(media + random.below(fates.size() - media + 1), fates.size());
      case 8:
        return drop_at_socket();
      case 9:
        return reorder();
      case 10:
        return hold_up();
      case 11:
        return repeat();
      default:
        return change();
    }
  }
};

}  // namespace

std::vector<Fate> disturb(std::span<const SentDatagram> frame, std::size_t burst, Nanoseconds late, Random& random) {
  std::vector<Fate> fates(frame.size());
  const auto media = static_cast<std::size_t>(std::ranges::count(frame, SentKind::media, &SentDatagram::kind));
  Disturbance disturbance{fates, media, burst, late, random};
  for (auto count = random.between(1, 3); count > 0; --count) disturbance.one();
  return fates;
}

void change_bits(SentDatagram& datagram, bool is_proven, Random& random) {
  const auto bytes = is_proven ? datagram.bytes.size() : datagram.head_bytes;
  const auto bits = random.between(1, burst_bits_max);
  const auto first = random.below(bytes * 8 - bits);
  for (std::size_t bit = first; bit < first + bits; ++bit)
    if (bit == first || random.once_in(2)) datagram.bytes[bit / 8] ^= static_cast<std::byte>(0x80U >> (bit % 8));
}

}  // namespace lw::truth
