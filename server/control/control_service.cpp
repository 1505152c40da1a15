#include "server/control/control_service.h"

#include "common/access/certificate.h"
#include "common/access/peer_address.h"
#include "common/base/host_name.h"
#include "common/metrics/exposition.h"
#include "common/web/web_server.h"
#include "server/control/announcer.h"
#include "server/control/control_plane.h"
#include "server/control/reply_limits.h"
#include "server/control/server_links.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>

#include <algorithm>
#include <functional>
#include <memory>

namespace lw {

namespace asio = boost::asio;

// The control plane with its sockets, stepped by a timer.
class ControlService::Impl {
public:
  Impl(boost::asio::io_context& io, const Wall& wall, const WallServer& self, Library& library, Session& session,
       const PlanFunction& plan, const ControlAccess& access, ImportPlace imports)
      : io_(io),
        wall_(wall),
        self_(self),
        to_servers_(access.to_servers),
        plane_(wall, self, library, session, plan, access.state, std::move(imports)),
        timer_(io) {
    plane_.encode_by([this, &io](std::function<void()> work, std::function<void()> done) {
      asio::post(encoder_, [work = std::move(work), done = std::move(done), &io, alive = std::weak_ptr<bool>(alive_)] {
        work();
        asio::post(io, [done, alive] {
          if (!alive.expired()) done();
        });
      });
    });
    step_at(LocalClock::now());
  }
  Result<void> listen(boost::asio::io_context& io, const WebSecurity& security);
  [[nodiscard]] ControlPlane& plane() { return plane_; }
  void when_it_begins(std::function<void()> load) {
    when_anew_ = std::move(load);
    look_at_role();
  }

private:
  [[nodiscard]] std::pair<std::string, std::uint16_t> outside(const WebSecurity& security) const;
  Result<void> name_tablet_page(const std::string& host, std::uint16_t port, const WebSecurity& security);
  void prepare_announcement(const std::string& host, std::uint16_t port);
  void step_at(LocalTime time);
  void look_at_role();

  boost::asio::io_context& io_;
  const Wall& wall_;
  const WallServer& self_;
  const ServerCredentials to_servers_;
  ControlPlane plane_;
  std::function<void()> when_anew_;
  std::optional<ServerLinks> links_;
  boost::asio::steady_timer timer_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  asio::thread_pool encoder_{1};  // of tables of figures; joined before the plane goes
  std::unique_ptr<WebServer> server_;
  std::optional<Announcer> announcer_;  // last: goes first
};

// The address that other hosts reach, if there is one.
std::pair<std::string, std::uint16_t> ControlService::Impl::outside(const WebSecurity& security) const {
  std::pair<std::string, std::uint16_t> place{self_.control_host, self_.control_port};
  for (const auto& moving : security.moving)
    if (is_loopback(place.first)) place = moving;
  return place;
}

Result<void> ControlService::Impl::name_tablet_page(const std::string& host, std::uint16_t port,
                                                    const WebSecurity& security) {
  std::string fingerprint;
  if (security.certificate) {
    auto found = fingerprint_of(security.certificate->certificate);
    if (!found) return found.error();
    fingerprint = std::move(*found);
  }
  auto name = is_unspecified(host) ? host_name() : host;
  if (name.find(':') != std::string::npos) name = "[" + name + "]";
  const auto* const scheme = security.certificate ? "https" : "http";
  plane_.tablet().set_place(fmt::format("{}://{}:{}/tablet", scheme, name, port), std::move(fingerprint));
  return {};
}

void ControlService::Impl::prepare_announcement(const std::string& host, std::uint16_t port) {
  if (!wall_.announce) return;
  if (is_loopback(host))
    return spdlog::warn(
        "the wall is not announced: its control port accepts programs on this host only; set control to another "
        "address, or remove announce from the wall file");
  announcer_.emplace(io_, announcement_of(wall_, host, port));
}

Result<void> ControlService::Impl::listen(boost::asio::io_context& io, const WebSecurity& security) {
  const auto [host, port] = outside(security);
  auto* const gate = plane_.gate();
  if (!is_loopback(host) && !(security.certificate && gate != nullptr))
    return Error{"the control plane would listen on " + host + " without encryption or authentication",
                 "give it a folder for certificate and tokens with --state"};
  if (const auto named = name_tablet_page(host, port, security); !named) return named.error();
  WebHandlers handlers;
  handlers.opened = [this](WebPeer& peer) { plane_.opened(peer); };
  handlers.message = [this](WebPeer& peer, std::string_view text) {
    if (auto reply = plane_.answer(text, {Moment::now(), &peer}); !reply.empty()) peer.send(std::move(reply));
  };
  handlers.closed = [this](WebPeer& peer) { plane_.closed(peer, Moment::now()); };
  handlers.get = [this](std::string_view path) -> HttpReply {
    if (TabletPage::has(path)) return plane_.tablet().get(path);
    if (path == "/metrics") return {200, std::string(exposition_type), plane_.metrics_text()};
    if (path == "/healthz") return {200, "text/plain; charset=utf-8", "ok\n"};
    if (path == "/coordinates")
      return plane_.coordination().coordinates() ? HttpReply{200, "text/plain; charset=utf-8", "yes\n"}
                                                 : HttpReply{503, "text/plain; charset=utf-8", "no\n"};
    return {404, "text/plain; charset=utf-8",
            "this port serves /tablet, /metrics, /healthz and JSON-RPC 2.0 over WebSocket\n"};
  };
  handlers.admit = [this](const WebRequest& request) { return plane_.tablet().admit(request, LocalClock::now()); };
  handlers.post = [this](const WebRequest& request, std::string_view body) {
    return plane_.tablet().post(request, body, LocalClock::now());
  };
  WebLimits limits;
  limits.unread_bytes = std::max(limits.unread_bytes, queued_bytes_max(wall_));
  auto server = WebServer::listen(io, self_.control_host, self_.control_port, std::move(handlers), limits, security);
  if (!server) return server.error();
  server_ = std::move(*server);
  prepare_announcement(host, port);
  return {};
}

// Connects to the other servers where that is needed, lets the program load what is to play first, and announces the
// wall while this server coordinates it.
void ControlService::Impl::look_at_role() {
  auto& coordination = plane_.coordination();
  if (!links_ && coordination.needs_links()) links_.emplace(io_, wall_, self_, coordination, to_servers_);
  if (when_anew_ && coordination.coordinates())
    if (const auto load = std::exchange(when_anew_, nullptr); coordination.begins_anew()) load();
  if (announcer_) announcer_->want(coordination.coordinates());
}

void ControlService::Impl::step_at(LocalTime time) {
  timer_.expires_at(time);
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    // Evenly, but never in a burst after a stall.
    const auto now = Moment::now();
    const auto interval = plane_.step(now).until - now.local;
    look_at_role();
    step_at(std::max(timer_.expiry() + interval, LocalTime{LocalClock::now()}));
  });
}

ControlService::ControlService(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ControlService::~ControlService() = default;

Result<std::unique_ptr<ControlService>> ControlService::start(boost::asio::io_context& io, const Wall& wall,
                                                              const WallServer& self, Library& library,
                                                              Session& session, PlanFunction plan,
                                                              const ControlAccess& access, ImportPlace imports) {
  auto impl = std::make_unique<Impl>(io, wall, self, library, session, plan, access, std::move(imports));
  const WebSecurity security{access.certificate, access.trust_this_host, access.names,
                             ", or name it with wall-server --control-name", access.moving};
  if (const auto listening = impl->listen(io, security); !listening) return listening.error();
  return std::unique_ptr<ControlService>(new ControlService(std::move(impl)));
}

void ControlService::when_it_begins(std::function<void()> load) { impl_->when_it_begins(std::move(load)); }
void ControlService::on_event(const PlayEvent& event) { impl_->plane().on_event(event, Moment::now()); }
std::vector<std::string> ControlService::method_names() const { return impl_->plane().method_names(); }
std::string ControlService::answer(std::string_view message) {
  return impl_->plane().answer(message, {.now = Moment::now()});
}
std::string ControlService::metrics_text() const { return impl_->plane().metrics_text(); }

}  // namespace lw
