// One run of the truth test: a receiver that takes some frames of a stream through a network that follows the seed, on
// virtual time, against the law:
//
//   A band handed to the presenter as complete equals what was sent, byte for byte, as long as the presenter has it.
//   So does each row of another band that is marked as present. Nothing else is handed over. The ledger balances.
//
// A receiver that shows nothing must not pass: a frame whose packets all arrived in time is complete.
#pragma once

#include "common/metrics/flow_stats.h"
#include "common/pixel/pixel_format.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace lw::truth {

// The settings that are tested in all combinations.
struct Combination {
  bool resend = false;
  unsigned fec = 0;  // FecUse
  bool two_paths = false;
  bool sealed = false;
  bool large_datagrams = false;
  unsigned format = 0;  // PixelFormat
  bool coalesced = false;

  static constexpr unsigned count = 2 * 3 * 2 * 2 * 2 * all_pixel_formats.size() * 2;
  static Combination number(unsigned number);
  [[nodiscard]] std::string text() const;
};

struct Outcome {
  std::string broken;  // the law; empty: it held
  std::uint64_t patterns = 0;
  std::uint64_t whole = 0;
  std::uint64_t incomplete = 0;
  std::uint64_t undisturbed = 0;  // frames that had to be complete, and were
  ReceiverFlowStats stats;
  std::uint64_t digest = 0;  // of everything handed over and counted
};

// Plays session `number` of the seed, with `patterns` disturbed frames. `key_file`: the key of encrypted streams.
// `by_kernel`: the kernel's own sockets coalesce and scatter.
Outcome play_session(std::uint64_t seed, std::uint64_t number, unsigned patterns, const std::filesystem::path& key_file,
                     bool by_kernel);

}  // namespace lw::truth
