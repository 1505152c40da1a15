// What a bad path does to a packet: loses it (at random or in bursts), delays it, lets it wait for a slow link, sends
// it twice, changes it, lets others overtake it. Pure and seeded: the same packets at the same times meet the same
// fate. Used by `wall-probe impair` and by tests.
//
// Models: of losses common/fec/path_loss.h, of jitter Jitter.
#pragma once

#include "common/base/units.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>

namespace lw {

enum class Jitter : std::uint8_t {
  uniform,      // delay +- jitter, evenly
  normal,       // mean delay, standard deviation jitter; never below 0
  exponential,  // delay + exponential of mean jitter
  pareto,       // delay + Lomax of shape 3 and mean jitter: rarely, but then much later
};

struct Impairment {
  double loss = 0;        // 0 to 1, of packets
  double loss_burst = 1;  // mean packets of a loss; 1: each by itself
  Nanoseconds delay{0};
  Nanoseconds jitter{0};
  Jitter distribution = Jitter::normal;
  bool keep_order = true;                            // jitter lets no packet overtake another
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
  ImpairedPath(const Impairment& impairment, std::uint64_t seed) : impairment_(impairment), random_(seed) {}

  // From the next packet on; the link's queue and a burst of losses go on.
  void change(const Impairment& impairment) { impairment_ = impairment; }
  // Of a packet that arrives at `now`. In the order of arrival.
  Fate take(std::size_t bytes, LocalTime now);

private:
  bool happens(double probability);
  bool is_lost();
  Nanoseconds wait_on_path();

  Impairment impairment_;
  std::mt19937_64 random_;
  bool in_loss_ = false;
  LocalTime link_free_{};
  LocalTime newest_departure_{};
};

}  // namespace lw
