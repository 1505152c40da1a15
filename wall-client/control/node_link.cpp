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

#include <cstddef>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace lw {
namespace {

namespace asio = boost::asio;

ReportedNode on_this_host(ReportedNode node, const Wall& wall) {
  node.hello = {std::move(node.hello.node), LW_VERSION, protocol_version, host_name(), getpid(), boot_id(),
                shared_settings(wall)};
  node.machine = [] { return host_json(read_host_facts({})); };
  return node;
}

// Between two attempts with different servers.
constexpr std::chrono::milliseconds next_server_pause{200};

// Where a coordinator may be: of the wall file's coordinator and its standby, either one may coordinate.
std::vector<const WallServer*> coordinators_of(const Wall& wall) {
  std::vector<const WallServer*> servers{&wall.coordinator()};
  if (const auto* standby = wall.standby_of(wall.coordinator())) servers.push_back(standby);
  return servers;
}

}  // namespace

class NodeLink::Impl {
public:
  Impl(const Wall& wall, ReportedNode node, Credentials credentials)
      : wall_(wall),
        servers_(coordinators_of(wall_)),
        credentials_(std::move(credentials)),
        reporter_(wall_, with_refusals(on_this_host(std::move(node), wall_)),
                  [this](std::string text) { client_->send(std::move(text)); }),
        timer_(io_),
        pause_(io_) {
    connect();
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
  void connect() {
    const auto& server = *servers_[turn_];
    const auto where = server.control_host + ":" + std::to_string(server.control_port);
    client_ = WebClient::connect(io_, server.control_host, server.control_port,
                                 {[this, where] {
                                    if (std::exchange(connected_to_, where) != where)
                                      spdlog::info("connected to the server's control plane at {}", where);
                                    told_.erase(where);
                                    reporter_.connected();
                                  },
                                  [this](std::string_view text) { reporter_.hear(text, LocalClock::now()); },
                                  [this, where](const std::string& reason) {
                                    reporter_.lost();
                                    // Each reason is logged once: the link tries again forever.
                                    if (auto& told = told_[where]; std::exchange(told, reason) != reason)
                                      spdlog::warn("no control plane at {} ({}); playing continues, trying again",
                                                   where, reason);
                                    try_next_server();
                                  }},
                                 credentials_);
  }

  ReportedNode with_refusals(ReportedNode node) {
    node.on_refused = [this] { try_next_server(); };
    return node;
  }

  // Not at once: this may be called by the connection that goes.
  void try_next_server() {
    if (servers_.size() == 1 || waits_) return;
    waits_ = true;
    pause_.expires_after(next_server_pause);
    pause_.async_wait([this](const boost::system::error_code& error) {
      if (error) return;
      waits_ = false;
      turn_ = (turn_ + 1) % servers_.size();
      client_.reset();
      reporter_.lost();
      connect();
    });
  }

  void tick() {
    timer_.expires_at(reporter_.step(Moment::now()).until);
    timer_.async_wait([this](const boost::system::error_code& error) {
      if (!error) tick();
    });
  }

  const Wall wall_;
  const std::vector<const WallServer*> servers_;
  const Credentials credentials_;
  NodeReporter reporter_;
  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_ = asio::make_work_guard(io_);
  asio::steady_timer timer_;
  asio::steady_timer pause_;  // before the next server is tried
  bool waits_ = false;
  std::size_t turn_ = 0;  // in servers_
  std::unique_ptr<WebClient> client_;
  std::string connected_to_;                 // the last one
  std::map<std::string, std::string> told_;  // by server: why a connection failed
  std::thread thread_;
};

NodeLink::NodeLink(const Wall& wall, ReportedNode node, Credentials credentials)
    : impl_(std::make_unique<Impl>(wall, std::move(node), std::move(credentials))) {}

NodeLink::~NodeLink() = default;

}  // namespace lw
