#include "server/control/announcer.h"

#include "common/access/peer_address.h"
#include "common/host/nic.h"

#include <fmt/format.h>
#include <net/if.h>
#include <poll.h>
#include <spdlog/spdlog.h>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace lw {
namespace {

constexpr auto avahi_name = "org.freedesktop.Avahi";
constexpr auto avahi_server = "org.freedesktop.Avahi.Server";
constexpr auto avahi_group = "org.freedesktop.Avahi.EntryGroup";
// avahi-common/address.h and defs.h.
constexpr int avahi_any = -1, avahi_ipv4 = 0, avahi_ipv6 = 1;
constexpr int server_running = 2;
constexpr int group_established = 2, group_collision = 3, group_failure = 4;
constexpr std::chrono::seconds bus_again_after{10};

// Of the interface with this address, so that other networks do not hear of the wall.
int interface_at(const std::string& address) {
  for (const auto& [name, own] : interface_addresses())
    if (is_same_address(own, address)) return static_cast<int>(if_nametoindex(name.c_str()));
  return avahi_any;
}

int protocol_of(const std::string& address) {
  if (is_unspecified(address)) return avahi_any;
  return address.find(':') == std::string::npos ? avahi_ipv4 : avahi_ipv6;
}

Error not_announced(const std::string& why, const std::string& fix) {
  return {"the wall is not announced: " + why, fix};
}

Error bus_error(int number) {
  return not_announced(fmt::format("cannot connect to the system bus: {}", std::strerror(-number)),
                       "install dbus and avahi-daemon, or remove announce from the wall file");
}

Error avahi_error(const sd_bus_error& error) {
  const std::string_view name = error.name;
  if (name == SD_BUS_ERROR_SERVICE_UNKNOWN || name == SD_BUS_ERROR_NAME_HAS_NO_OWNER || name == SD_BUS_ERROR_NO_REPLY ||
      name.starts_with("org.freedesktop.DBus.Error.Spawn") || name.starts_with("org.freedesktop.systemd1."))
    return not_announced("Avahi does not run", "systemctl enable --now avahi-daemon starts it");
  if (name == "org.freedesktop.Avahi.NotPermittedError")
    return not_announced("Avahi does not let programs announce services",
                         "set disable-publishing and disable-user-service-publishing to no in avahi-daemon.conf");
  return not_announced(fmt::format("Avahi: {}", error.message != nullptr ? error.message : error.name),
                       "journalctl -u avahi-daemon may have the reason");
}

bool is_collision(const sd_bus_error& error) {
  return std::string_view(error.name) == "org.freedesktop.Avahi.CollisionError";
}

}  // namespace

Announcer::Announcer(boost::asio::io_context& io, Announcement what)
    : io_(io), what_(std::move(what)), descriptor_(io), timer_(io) {}

Announcer::~Announcer() {
  if (descriptor_.is_open()) descriptor_.release();  // it is the bus's
}

void Announcer::want(bool wanted) {
  if (wanted == wanted_) return;
  wanted_ = wanted;
  if (!wanted) {
    if (!group_.empty()) spdlog::info("the wall is no longer announced");
    withdraw();
  } else if (bus_) {
    announce();
  } else {
    open();
  }
  run();
}

void Announcer::open() {
  sd_bus* bus = nullptr;
  if (const int opened = sd_bus_open_system(&bus); opened < 0) return lose(bus_error(opened));
  bus_.reset(bus);
  descriptor_.assign(sd_bus_get_fd(bus));
  listen(fmt::format("type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
                     "member='NameOwnerChanged',arg0='{}'",
                     avahi_name),
         &Announcer::on_owner);
  const auto state_of = [](std::string_view interface) {
    return fmt::format("type='signal',interface='{}',member='StateChanged'", interface);
  };
  listen(state_of(avahi_server), &Announcer::on_server_state);
  listen(state_of(avahi_group), &Announcer::on_group_state);
  announce();
}

void Announcer::lose(const Error& error) {
  report(error);
  pending_.reset();
  listeners_.clear();
  group_.clear();
  avahi_.clear();
  if (descriptor_.is_open()) descriptor_.release();
  bus_.reset();
  wait_until(std::chrono::steady_clock::now() + bus_again_after);
}

int Announcer::dispatch(sd_bus_message* message, void* listener, sd_bus_error* /*error*/) {
  const auto& [announcer, take, slot] = *static_cast<const Listener*>(listener);
  (announcer->*take)(*message);
  return 0;
}

void Announcer::listen(const std::string& match, Take take) {
  auto& listener = listeners_.emplace_back(std::make_unique<Listener>(Listener{this, take, nullptr}));
  sd_bus_slot* slot = nullptr;
  sd_bus_add_match_async(bus_.get(), &slot, match.c_str(), &Announcer::dispatch, nullptr, listener.get());
  listener->slot.reset(slot);
}

// Sends and receives what can be sent and received at once.
void Announcer::run() {
  if (!bus_) return;
  int done = 0;
  do done = sd_bus_process(bus_.get(), nullptr);
  while (done > 0);
  if (done < 0) return lose(bus_error(done));
  wait_for_bus();
}

void Announcer::wait_for_bus() {
  const auto events = sd_bus_get_events(bus_.get());
  const auto go_on = [this, alive = std::weak_ptr<bool>(alive_)](const boost::system::error_code& error) {
    if (!error && !alive.expired()) run();
  };
  descriptor_.cancel();
  descriptor_.async_wait(boost::asio::posix::stream_descriptor::wait_read, go_on);
  if ((events & POLLOUT) != 0) descriptor_.async_wait(boost::asio::posix::stream_descriptor::wait_write, go_on);
  // Of the call that waits longest for its answer, by the same clock.
  std::uint64_t until = 0;
  if (sd_bus_get_timeout(bus_.get(), &until) < 0 || until == UINT64_MAX) return void(timer_.cancel());
  wait_until(std::chrono::steady_clock::time_point(std::chrono::microseconds{until}));
}

void Announcer::wait_until(std::chrono::steady_clock::time_point time) {
  timer_.expires_at(time);
  timer_.async_wait([this, alive = std::weak_ptr<bool>(alive_)](const boost::system::error_code& error) {
    if (error || alive.expired()) return;
    if (!bus_ && wanted_) open();
    run();
  });
}

void Announcer::on_owner(sd_bus_message& signal) {
  const char *name = nullptr, *before = nullptr, *now = nullptr;
  if (sd_bus_message_read(&signal, "sss", &name, &before, &now) < 0) return;
  withdraw();
  if (*now != '\0') return announce();
  if (wanted_) report(not_announced("Avahi has ended", "it is announced again when Avahi runs"));
}

// While Avahi looks for the host's name, what was announced under the former one is wrong.
void Announcer::on_server_state(sd_bus_message& signal) {
  int state = 0;
  if (avahi_ != sd_bus_message_get_sender(&signal) || sd_bus_message_read(&signal, "i", &state) < 0) return;
  withdraw();
  if (state == server_running) announce();
}

void Announcer::on_group_state(sd_bus_message& signal) {
  int state = 0;
  const char* reason = nullptr;
  if (avahi_ != sd_bus_message_get_sender(&signal) || group_ != sd_bus_message_get_path(&signal) ||
      sd_bus_message_read(&signal, "is", &state, &reason) < 0)
    return;
  if (state == group_collision) return use_next_name();
  if (state == group_failure) return report(not_announced(fmt::format("Avahi: {}", reason), "restart avahi-daemon"));
  if (state != group_established) return;
  reported_.clear();
  spdlog::info("the wall is announced as '{}' ({}, port {})", service_name(what_.name, attempt_), Announcement::type,
               what_.port);
}

void Announcer::announce() {
  if (!wanted_) return;
  attempt_ = 1;
  send(call_to("/", avahi_server, "EntryGroupNew"), &Announcer::on_group);
}

void Announcer::on_group(sd_bus_message& reply) {
  if (const auto* error = sd_bus_message_get_error(&reply)) return report(avahi_error(*error));
  const char* path = nullptr;
  if (sd_bus_message_read(&reply, "o", &path) < 0) return;
  group_ = path;
  avahi_ = sd_bus_message_get_sender(&reply);
  const auto call = call_to(group_, avahi_group, "AddService");
  // Interface, protocol, flags, name, type, domain, host, port; empty: Avahi's own.
  sd_bus_message_append(call.get(), "iiussssq", interface_at(what_.at), protocol_of(what_.at), 0U,
                        service_name(what_.name, attempt_).c_str(), Announcement::type, "", "", what_.port);
  sd_bus_message_open_container(call.get(), 'a', "ay");
  for (const auto& entry : what_.txt) sd_bus_message_append_array(call.get(), 'y', entry.data(), entry.size());
  sd_bus_message_close_container(call.get());
  send(call, &Announcer::on_added);
}

void Announcer::on_added(sd_bus_message& reply) {
  if (const auto* error = sd_bus_message_get_error(&reply))
    return is_collision(*error) ? use_next_name() : report(avahi_error(*error));
  send(call_to(group_, avahi_group, "Commit"), &Announcer::on_committed);
}

void Announcer::on_committed(sd_bus_message& reply) {
  if (const auto* error = sd_bus_message_get_error(&reply)) report(avahi_error(*error));
}

void Announcer::use_next_name() {
  withdraw();
  if (++attempt_ > names_max)
    return report(not_announced(fmt::format("other services have the name '{}' and those after it", what_.name),
                                "give the wall another name"));
  send(call_to("/", avahi_server, "EntryGroupNew"), &Announcer::on_group);
}

// An answer that comes later is not read.
void Announcer::withdraw() {
  pending_.reset();
  if (!group_.empty()) sd_bus_send(bus_.get(), call_to(group_, avahi_group, "Free").get(), nullptr);
  group_.clear();
}

Announcer::Call Announcer::call_to(const std::string& path, const char* interface, const char* method) const {
  // A group belongs to the Avahi that made it; a call by the service's name would start another one.
  const auto* const to = path == group_ ? avahi_.c_str() : avahi_name;
  sd_bus_message* call = nullptr;
  sd_bus_message_new_method_call(bus_.get(), &call, to, path.c_str(), interface, method);
  return Call(call);
}

void Announcer::send(const Call& call, Take take) {
  auto listener = std::make_unique<Listener>(Listener{this, take, nullptr});
  sd_bus_slot* slot = nullptr;
  sd_bus_call_async(bus_.get(), &slot, call.get(), &Announcer::dispatch, listener.get(), 0);
  listener->slot.reset(slot);
  pending_ = std::move(listener);
}

void Announcer::report(const Error& error) {
  auto text = error.text();
  if (text == reported_) return;
  spdlog::warn(text);
  reported_ = std::move(text);
}

}  // namespace lw
