// What `wall-probe serve` does for a client at most, whoever that is.
#pragma once

#include "common/base/result.h"
#include "common/host/nic.h"
#include "probe/loads/load.h"

#include <vector>

namespace lw {

struct ServeLimits {
  double gbit_per_s = 0;  // that this host sends, of all loads together
  bool given = false;     // by --max-gbit-per-s; else it is the link's, which nothing on this host passes
  double seconds = 3600;  // of a measurement, its warm-up included
};

// That of the fastest interface; 100 Gbit/s where none tells its own, as many virtual ones do not.
double link_gbit_per_s(const std::vector<Nic>& nics);

// An error names the limit and its option. `same_host`: the client is a program of this host.
Result<void> check_limits(const RunSpec& run, const ServeLimits& limits, bool same_host);

}  // namespace lw
