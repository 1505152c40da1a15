// What a bad path does to a packet: loses it (at random or in bursts), delays it, lets it wait for a slow link, sends
// it twice, changes it, lets others overtake it. Pure and seeded: the same packets at the same times meet the same
// fate. Which packets are lost, copied or changed depends only on their number. Used by `wall-probe impair` and by
// tests.
//
// Models: of losses common/fec/path_loss.h, of jitter JitterLaw: with the order kept as a WanderingDelay, else a draw
// for each packet. A delay that would be below 0 is 0: then its distribution is cut there, and its mean is higher.
#pragma once

#include "common/base/units.h"
#include "probe/impair/bottleneck.h"
#include "probe/impair/wandering_delay.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>

namespace lw {

struct Impairment {
  double loss = 0;        // 0 to 1, of packets
  double loss_burst = 1;  // mean packets of a loss; 1: each by itself
  Nanoseconds delay{0};
  Nanoseconds jitter{0};
  Jitter distribution = Jitter::normal;
  bool keep_order = true;                            // no packet overtakes another
  double duplicate = 0;                              // share of packets that come twice
  double corrupt = 0;                                // share of packets with one bit changed,
  unsigned corrupt_bytes = 0;                        // among their first bytes; 0: anywhere
  double reorder = 0;                                // share of packets that are held back,
  unsigned reorder_by = 8;                           // until so many others have gone by
  std::optional<BitRate> rate;                       // of the path, UDP payload
  Nanoseconds queue{std::chrono::milliseconds{50}};  // the longest wait for it; what would wait longer is dropped
};

struct Fate {
  enum class Kind : std::uint8_t { passes, lost, queue_full };
  Kind kind = Kind::passes;
  LocalTime departure{};
  bool twice = false;
  std::optional<std::uint64_t> flipped_bit;  // number in the packet
  unsigned overtaken_by = 0;                 // packets
};

class ImpairedPath {
public:
  // `shared`: the link of several paths, which outlives them; null: the path has its own.
  ImpairedPath(const Impairment& impairment, std::uint64_t seed, Bottleneck* shared = nullptr)
      : impairment_(impairment), random_(seed), delay_random_(~seed), shared_(shared) {}

  // From the next packet on; the link's queue and a burst of losses go on. Where the delay shrinks, packets that keep
  // their order wait for those that are under way.
  void change(const Impairment& impairment) { impairment_ = impairment; }
  // Of a packet that arrives at `now`. In the order of arrival.
  Fate take(std::size_t bytes, LocalTime now);

private:
  bool happens(double probability);
  bool is_lost();
  Nanoseconds wait_on_path(LocalTime entry);

  Impairment impairment_;
  std::mt19937_64 random_;        // for what depends on the packet's number
  std::mt19937_64 delay_random_;  // for what also depends on its time
  WanderingDelay wandering_;
  bool in_loss_ = false;
  Bottleneck own_;
  Bottleneck* shared_;
  LocalTime newest_departure_{};
};

}  // namespace lw
