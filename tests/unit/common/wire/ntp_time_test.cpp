// Pins that a time is unchanged on the wire, also after NTP's seconds have wrapped in 2036.
#include "common/wire/ntp_time.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

TEST_CASE("a time of 1970 to 2104 comes back from the wire to the nanosecond") {
  constexpr Nanoseconds eras_meet = 2'085'978'496s;  // 2036-02-07 06:28:16 UTC
  for (const Nanoseconds time : {Nanoseconds{0s}, Nanoseconds{1'800'000'000'123'456'789ns}, eras_meet - 1ns, eras_meet,
                                 eras_meet + 1ns, Nanoseconds{4'233'000'000s}})
    CHECK(from_ntp(to_ntp(WallTime{time})) == WallTime{time});
}
