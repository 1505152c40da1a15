// The other side of a measurement, as the client's side talks to it: in this program, or a `wall-probe serve`
// elsewhere. Calls block, and end with an error when the peer says nothing for too long. One thread.
#pragma once

#include "common/base/result.h"
#include "common/control/credentials.h"
#include "probe/run/load.h"
#include "probe/run/run_side.h"

#include <nlohmann/json.hpp>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>

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

// Both sides in this program, by way of `address`.
std::unique_ptr<Peer> local_peer(const std::string& address, const std::filesystem::path& records);
// `where`: as call_probe has it.
Result<std::unique_ptr<Peer>> connect_peer(const std::string& where, const std::atomic<bool>& stop,
                                           const CredentialOptions& credentials);

}  // namespace lw
