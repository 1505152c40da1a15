// What a bad path does to packets: loses them (at random or in bursts), delays them, queues them for a slow link,
// duplicates, changes or reorders them. Pure and seeded: the same packets at the same times have the same fate.
// Which packets are lost, duplicated or changed depends only on their number. Used by `wall-probe impair` and by
// tests.
//
// Models: common/fec/path_loss.h for losses; JitterLaw for jitter, as a WanderingDelay if the order is kept, else as a
// draw for each packet. A delay below 0 becomes 0, which cuts its distribution there and raises its mean.
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
  double loss_burst = 1;  // mean number of packets lost in a row; 1: independent losses
  Nanoseconds delay{0};
  Nanoseconds jitter{0};
  Jitter distribution = Jitter::normal;
  bool keep_order = true;                            // no packet overtakes another
  double duplicate = 0;                              // share of packets that are duplicated
  double corrupt = 0;                                // share of packets with one bit changed
  unsigned corrupt_bytes = 0;                        // the changed bit is in the first bytes; 0: anywhere
  double reorder = 0;                                // share of packets that are delayed
  unsigned reorder_by = 8;                           // until this many others have passed
  std::optional<BitRate> rate;                       // of the path, UDP payload
  Nanoseconds queue{std::chrono::milliseconds{50}};  // the longest wait for the link; packets are dropped beyond it
};

struct Fate {
  enum class Kind : std::uint8_t { passes, lost, queue_full };
  Kind kind = Kind::passes;
  LocalTime departure{};
  bool twice = false;
  std::optional<std::uint64_t> flipped_bit;  // index in the packet
  unsigned overtaken_by = 0;                 // number of packets
};

class ImpairedPath {
public:
  // `shared`: the link of several paths, which must outlive them; null: the path has its own.
  ImpairedPath(const Impairment& impairment, std::uint64_t seed, Bottleneck* shared = nullptr)
      : impairment_(impairment), random_(seed), delay_random_(~seed), shared_(shared) {}

  // Takes effect with the next packet; the link's queue and a burst of losses continue. If the delay shrinks, packets
  // that keep their order wait for earlier ones.
  void change(const Impairment& impairment) { impairment_ = impairment; }
  // The fate of a packet that arrives at `now`. Call in order of arrival.
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
