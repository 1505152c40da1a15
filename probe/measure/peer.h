// The other side of a measurement, as seen from the client: in this program, or a `wall-probe serve` elsewhere. Calls
// block, and fail if the peer does not respond for too long. One thread.
#pragma once

#include "common/access/credentials.h"
#include "common/base/result.h"
#include "probe/loads/load.h"
#include "probe/measure/run_side.h"

#include <nlohmann/json.hpp>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace lw {

class Peer {
public:
  virtual ~Peer() = default;
  // Addresses of both sides, as seen from the client.
  [[nodiscard]] virtual SideAddresses addresses() const = 0;
  [[nodiscard]] virtual bool same_program() const { return false; }
  virtual Result<void> prepare(const RunSpec& run) = 0;
  virtual Result<void> start() = 0;
  virtual Result<nlohmann::json> progress() = 0;
  virtual Result<void> stop_sending() = 0;
  virtual Result<nlohmann::json> finish() = 0;
};

using Peers = std::vector<std::unique_ptr<Peer>>;

// Connects to each of `where` (see call_probe); if empty, both sides are in this program, on loopback.
Result<Peers> find_peers(const std::vector<std::string>& where, const std::filesystem::path& records,
                         const std::atomic<bool>& stop, const CredentialOptions& credentials);

}  // namespace lw
