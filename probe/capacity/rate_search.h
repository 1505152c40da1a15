// The search for the highest rate that a path carries: the load rate adjustment of RFC 9097 (section 8.1, pseudo-code
// in appendix A; "type B" of ITU-T Y.1540 annex B). The receiver reports several times a second what it saw, and the
// sender takes another row of a table of rates. Pure.
#pragma once

#include "common/base/units.h"

#include <cstdint>
#include <optional>

namespace lw {

// The table of section 8.1, of bits at the IP layer: 0.5 Mbit/s, then 1 Mbit/s and steps of as much up to 1 Gbit/s,
// steps of 100 Mbit/s up to 10 Gbit/s, and of 1 Gbit/s from there on.
inline constexpr unsigned rate_row_1_gbit = 1000, rate_row_10_gbit = 1090, rate_row_last = 1480;
BitRate rate_of_row(unsigned row);
// The highest row whose rate is not above it; row 0 if none is.
unsigned row_of_rate(BitRate rate);

// Defaults: table 1 of the RFC.
struct SearchSettings {
  unsigned first_row = 0, last_row = rate_row_last;
  unsigned sequence_errors = 10;  // more in one report are congestion
  Nanoseconds delay_low{std::chrono::milliseconds{30}}, delay_high{std::chrono::milliseconds{90}};
  unsigned congested_after = 3;  // reports of congestion in a row; from then on the search takes single steps
  unsigned fast_rows = 10;       // before
};

// What one report says.
struct SearchReport {
  std::uint32_t packets = 0;                    // that came; a report of none says nothing of the path
  std::uint32_t sequence_errors = 0;            // packets that are missing, came twice, or came after later ones
  std::optional<Nanoseconds> delay_range = {};  // nothing: not measured this time; the one before holds
};

class RateSearch {
public:
  explicit RateSearch(const SearchSettings& settings) : settings_(settings), row_(settings.first_row) {}

  void take(const SearchReport& report);
  [[nodiscard]] unsigned row() const { return row_; }
  [[nodiscard]] BitRate rate() const { return rate_of_row(row_); }
  // Whether the path was found congested: the rate has been near its capacity.
  [[nodiscard]] bool congested() const { return bad_reports_ >= settings_.congested_after; }

private:
  void faster();
  void slower();

  SearchSettings settings_;
  unsigned row_;
  unsigned bad_reports_ = 0;  // the RFC's slowAdjCount
  Nanoseconds delay_range_{0};
};

}  // namespace lw
