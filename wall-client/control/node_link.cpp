#include "wall-client/control/node_link.h"

#include "common/base/host_name.h"
#include "common/clock/kernel_clock.h"
#include "common/host/host_facts.h"
#include "common/wall/shared_settings.h"
#include "common/web/web_client.h"

#include <spdlog/spdlog.h>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <unistd.h>

#include <string>
#include <thread>
#include <utility>

namespace lw {
namespace {

namespace asio = boost::asio;

ReportedNode on_this_host(ReportedNode node, const Wall& wall) {
  node.hello = {std::move(node.hello.node), LW_VERSION, protocol_version, host_name(), getpid(), boot_id(),
                shared_settings(wall)};
  node.machine = [] { return host_json(read_host_facts({})); };
  return node;
}

}  // namespace

class NodeLink::Impl {
public:
  Impl(const Wall& wall, ReportedNode node, Credentials credentials)
      : wall_(wall),
        reporter_(wall_, on_this_host(std::move(node), wall_),
                  [this](std::string text) { client_->send(std::move(text)); }),
        timer_(io_) {
    const auto& server = wall.coordinator();
    const auto where = server.control_host + ":" + std::to_string(server.control_port);
    client_ = WebClient::connect(io_, server.control_host, server.control_port,
                                 {[this, where] {
                                    spdlog::info("connected to the server's control plane at {}", where);
                                    told_.clear();
                                    reporter_.connected();
                                  },
                                  [this](std::string_view text) { reporter_.hear(text, LocalClock::now()); },
                                  [this, where](const std::string& reason) {
                                    reporter_.lost();
                                    // Each reason is logged once: the link tries again forever.
                                    if (std::exchange(told_, reason) != reason)
                                      spdlog::warn("no control plane at {} ({}); playing continues, trying again",
                                                   where, reason);
                                  }},
                                 std::move(credentials));
    tick();
    thread_ = std::thread([this] { io_.run(); });
  }
  ~Impl() {
    io_.stop();
    thread_.join();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

private:
  void tick() {
    timer_.expires_at(reporter_.step(Moment::now()).until);
    timer_.async_wait([this](const boost::system::error_code& error) {
      if (!error) tick();
    });
  }

  const Wall wall_;
  NodeReporter reporter_;
  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_ = asio::make_work_guard(io_);
  asio::steady_timer timer_;
  std::unique_ptr<WebClient> client_;
  std::string told_;  // why the connection failed
  std::thread thread_;
};

NodeLink::NodeLink(const Wall& wall, ReportedNode node, Credentials credentials)
    : impl_(std::make_unique<Impl>(wall, std::move(node), std::move(credentials))) {}

NodeLink::~NodeLink() = default;

}  // namespace lw
