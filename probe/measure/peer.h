// The other side of a measurement, as the client's side talks to it: in this program, or a `wall-probe serve`
// elsewhere. Calls block, and end with an error when the peer says nothing for too long. One thread.
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
  // Of both sides, as the client sees them.
  [[nodiscard]] virtual SideAddresses addresses() const = 0;
  [[nodiscard]] virtual bool same_program() const { return false; }
  virtual Result<void> prepare(const RunSpec& run) = 0;
  virtual Result<void> start() = 0;
  virtual Result<nlohmann::json> progress() = 0;
  virtual Result<void> stop_sending() = 0;
  virtual Result<nlohmann::json> finish() = 0;
};

using Peers = std::vector<std::unique_ptr<Peer>>;

// Each of `where`, as call_probe has it; of none, both sides in this program, on loopback.
Result<Peers> find_peers(const std::vector<std::string>& where, const std::filesystem::path& records,
                         const std::atomic<bool>& stop, const CredentialOptions& credentials);

}  // namespace lw
