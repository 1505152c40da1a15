// The server's control plane: JSON-RPC methods, notifications, /metrics and /healthz on one port. docs/protocol.md
// describes every method; tests/unit/server/control checks that it does. Runs on the caller's io_context, one thread.
#pragma once

#include "common/access/certificate.h"
#include "common/base/result.h"
#include "common/wall/wall_file.h"
#include "server/control/import_job.h"
#include "server/control/server_credentials.h"
#include "server/play/library.h"
#include "server/play/session.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace lw {

// Computes the answer of the `plan` method for a visualization.
using PlanFunction = std::function<nlohmann::json(const LibraryEntry&)>;

// How clients on other hosts are authenticated.
struct ControlAccess {
  std::filesystem::path state = {};  // the folder of tokens and audit log; empty: none, only this host may connect
  std::optional<CertificateFiles> certificate = {};
  ServerCredentials to_servers = {};    // of the coordinator
  bool trust_this_host = true;          // false: clients on loopback need a token too; for tests
  std::vector<std::string> names = {};  // further host names under which requests may address the control port
  // Where it also listens: addresses that move to the server that coordinates.
  std::vector<std::pair<std::string, std::uint16_t>> moving = {};
};

class ControlService {
public:
  // Starts listening, and polls the session from now on. Wall, library and session must outlive this object.
  static Result<std::unique_ptr<ControlService>> start(boost::asio::io_context& io, const Wall& wall,
                                                       const WallServer& self, Library& library, Session& session,
                                                       PlanFunction plan, const ControlAccess& access = {},
                                                       ImportPlace imports = {});
  ~ControlService();
  ControlService(const ControlService&) = delete;
  ControlService& operator=(const ControlService&) = delete;

  // Calls `load` once this server coordinates, at once or later, unless the wall plays already.
  void when_it_begins(std::function<void()> load);
  // Adds an event to the event log; the callback that Session::start needs.
  void on_event(const PlayEvent& event);
  [[nodiscard]] std::vector<std::string> method_names() const;
  // Answers one message that did not come from a connection; empty for a notification. For tests and fuzzing.
  std::string answer(std::string_view message);
  [[nodiscard]] std::string metrics_text() const;

private:
  class Impl;
  explicit ControlService(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace lw
