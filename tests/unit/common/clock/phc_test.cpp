// A PTP clock behind a fake ioctl(2) that answers like a card's driver.
#include "common/clock/phc.h"

#include <linux/ptp_clock.h>

#include <catch2/catch.hpp>

#include <cerrno>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr Nanoseconds start = 1'700'000'000s;

ptp_clock_time at(Nanoseconds time) { return {time / 1s, static_cast<__u32>((time % 1s).count()), 0}; }

// A card whose clock is ahead by `ahead`; each sample takes longer than the previous one, except for the third.
struct Card {
  Nanoseconds ahead;
  bool knows_extended = true;
  bool knows_old = true;
  unsigned asked = 0;

  static Nanoseconds window(unsigned sample) { return sample == 2 ? 400ns : 1000ns * (sample + 1); }
  // In a wide window, the time is read at its end: only the narrow window is near the truth.
  [[nodiscard]] Nanoseconds phc(Nanoseconds before, unsigned sample) const {
    return before + ahead + (sample == 2 ? window(sample) / 2 : window(sample));
  }
  int operator()(unsigned long request, void* data) {
    ++asked;
    if (request == PTP_SYS_OFFSET_EXTENDED && knows_extended) {
      auto& answer = *static_cast<ptp_sys_offset_extended*>(data);
      for (unsigned i = 0; i < answer.n_samples; ++i) {
        const auto before = start + i * 10us;
        answer.ts[i][0] = at(before);
        answer.ts[i][1] = at(phc(before, i));
        answer.ts[i][2] = at(before + window(i));
      }
      return 0;
    }
    if (request == PTP_SYS_OFFSET && knows_old) {
      auto& answer = *static_cast<ptp_sys_offset*>(data);
      auto time = start;
      for (unsigned i = 0; i < answer.n_samples; ++i) {
        answer.ts[2 * i] = at(time);
        answer.ts[2 * i + 1] = at(phc(time, i));
        time += window(i);
        answer.ts[2 * i + 2] = at(time);
      }
      return 0;
    }
    errno = ENOTTY;
    return -1;
  }
};

// Any file can be opened; what it answers is the card's.
Result<Phc> open(Card& card) {
  return Phc::open("/dev/null", [&card](int, unsigned long request, void* data) { return card(request, data); });
}

}  // namespace

TEST_CASE("a PTP clock is read from the fastest sample") {
  for (const bool extended : {true, false}) {
    for (const auto ahead : {Nanoseconds(37s + 250ns), Nanoseconds(-1500ns), Nanoseconds(0)}) {
      Card card{ahead, extended};
      const auto reading = open(card)->read();
      REQUIRE(reading.has_value());
      CHECK(reading->ahead == ahead);
      CHECK(reading->window == 400ns);
      CHECK(reading->at > start + ahead);
      CHECK(card.asked == (extended ? 1 : 2));
    }
  }
}

TEST_CASE("a device that is not a PTP clock is an error that names one") {
  Card none{0ns, false, false};
  const auto reading = open(none)->read();
  REQUIRE_FALSE(reading.has_value());
  CHECK(reading.error().text().find("/dev/null: cannot be read as a PTP clock") != std::string::npos);
  CHECK(reading.error().text().find("ethtool -T") != std::string::npos);
  CHECK_FALSE(Phc::open("/dev/null")->read().has_value());  // by the kernel's own answer
  const auto missing = Phc::open("/nowhere/ptp0");
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().text().find("/nowhere/ptp0: cannot be opened: No such file") != std::string::npos);
  CHECK(missing.error().text().find("ethtool -T") != std::string::npos);
}

TEST_CASE("samples taken while the system's clock is set back are not used") {
  const auto phc = Phc::open("/dev/null", [](int, unsigned long, void* data) {
    auto& answer = *static_cast<ptp_sys_offset_extended*>(data);
    for (unsigned i = 0; i < answer.n_samples; ++i) {
      answer.ts[i][0] = at(start);
      answer.ts[i][1] = at(start + 5us);
      answer.ts[i][2] = at(i == 3 ? start + 10us : start - 1s);
    }
    return 0;
  });
  CHECK(phc->read()->window == 10us);
  CHECK(phc->read()->ahead == 0ns);
}

TEST_CASE("a PTP clock counts in TAI or in UTC, and is close to the system's clock") {
  CHECK(phc_offset(37s + 3us, 37s) == Nanoseconds(3us));
  CHECK(phc_offset(37s - 400ms, 37s) == Nanoseconds(-400ms));
  CHECK(phc_offset(-7us, 37s) == Nanoseconds(-7us));  // in UTC
  CHECK(phc_offset(-7us, 0s) == Nanoseconds(-7us));
  CHECK_FALSE(phc_offset(37s, 0s));   // in TAI, but the kernel does not know the offset
  CHECK_FALSE(phc_offset(20s, 37s));  // in neither
  CHECK_FALSE(phc_offset(-1'700'000'000s, 37s));
}
