// A capacity measurement from its client's side: both ends in this program on loopback, or the server's end at a
// `wall-probe serve`.
#pragma once

#include "common/access/credentials.h"
#include "common/base/result.h"
#include "common/net/address.h"
#include "probe/capacity/capacity_result.h"
#include "probe/capacity/capacity_spec.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

namespace lw {

struct CapacityPath {
  std::string to;                    // as call_probe has it; empty: both ends here
  std::optional<Address> via = {};   // a relay that passes on to the server's port
  std::optional<Address> from = {};  // address of this host
  CredentialOptions credentials = {};
};

// Blocks until it is over. What the server limits is changed in `spec`. An error: it could not be begun.
Result<CapacityOutcome> measure_capacity(CapacitySpec& spec, const CapacityPath& path, const std::atomic<bool>& stop);

// "0123456789abcdef": how both sides write a session.
std::string session_text(std::uint64_t session);
std::optional<std::uint64_t> session_of(const std::string& text);
Result<std::uint64_t> new_session();

}  // namespace lw
