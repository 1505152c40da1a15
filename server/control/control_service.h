// The server's control plane: JSON-RPC methods, notifications, /metrics and /healthz on one port. docs/protocol.md
// describes every method; tests/unit/server/control checks that it does. Runs on the caller's io_context, one thread.
#pragma once

#include "common/access/certificate.h"
#include "common/base/result.h"
#include "common/wall/wall_file.h"
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

// What `plan` answers for a visualization.
using PlanFunction = std::function<nlohmann::json(const LibraryEntry&)>;

// By what others than this host's programs are let in.
struct ControlAccess {
  std::filesystem::path state = {};  // the folder of tokens and audit log; empty: none, and nobody else is let in
  std::optional<CertificateFiles> certificate = {};
  bool trust_this_host = true;          // false: who is on loopback is treated like others; for tests
  std::vector<std::string> names = {};  // that requests may call the control port by, beside its own
};

class ControlService {
public:
  // Listens. The session is polled by this from now on; wall, library and session outlive it.
  static Result<std::unique_ptr<ControlService>> start(boost::asio::io_context& io, const Wall& wall, Library& library,
                                                       Session& session, PlanFunction plan,
                                                       const ControlAccess& access = {});
  ~ControlService();
  ControlService(const ControlService&) = delete;
  ControlService& operator=(const ControlService&) = delete;

  // For the event log; also what Session::start wants.
  void on_event(const PlayEvent& event);
  [[nodiscard]] std::vector<std::string> method_names() const;
  // Answers one message that comes from no connection; empty for a notification. For tests and fuzzing.
  std::string answer(std::string_view message);
  [[nodiscard]] std::string metrics_text() const;

private:
  class Impl;
  explicit ControlService(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace lw
