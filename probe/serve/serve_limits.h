// The limits of `wall-probe serve` for every client.
#pragma once

#include "common/base/result.h"
#include "common/host/nic.h"
#include "probe/capacity/capacity_spec.h"
#include "probe/loads/load.h"

#include <vector>

namespace lw {

struct ServeLimits {
  double gbit_per_s = 0;  // sent by this host, all loads together
  bool given = false;     // by --max-gbit-per-s; false: the rate of the link, which packets within this host do not use
  double seconds = 3600;  // of a measurement, including its warm-up
  bool udt = false;       // whether UDT's library runs for clients on other hosts
};

// The rate of the fastest interface; 100 Gbit/s if none reports its rate, as with many virtual ones.
double link_gbit_per_s(const std::vector<Nic>& nics);

// An error names the limit and its option. `same_host`: the client is a program on this host.
Result<void> check_limits(const RunSpec& run, const ServeLimits& limits, bool same_host);
// A search that would send more ends where this host does.
Result<void> limit_capacity(CapacitySpec& spec, const ServeLimits& limits, bool same_host);

}  // namespace lw
