// Announces a service by DNS-SD through Avahi's D-Bus interface, for as long as it is wanted: again after Avahi was
// restarted, and with another name if the name is taken. Avahi withdraws it when this object or the program ends.
// Failures are logged once, and stop nothing. Never waits for D-Bus: runs on the caller's io_context, one thread.
#pragma once

#include "common/base/result.h"
#include "server/control/announcement.h"

#include <systemd/sd-bus.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace lw {

class Announcer {
public:
  // Names that are tried if others have them.
  static constexpr unsigned names_max = 32;

  // `io` must outlive this object. Nothing is announced yet.
  Announcer(boost::asio::io_context& io, Announcement what);
  ~Announcer();
  Announcer(const Announcer&) = delete;
  Announcer& operator=(const Announcer&) = delete;

  // Announces the service from now on, or withdraws it.
  void want(bool wanted);

private:
  struct Close {
    void operator()(sd_bus* bus) const { sd_bus_close_unref(bus); }
    void operator()(sd_bus_slot* slot) const { sd_bus_slot_unref(slot); }
    void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
  };
  using Call = std::unique_ptr<sd_bus_message, Close>;
  using Take = void (Announcer::*)(sd_bus_message&);
  // Of a signal, or of the answer to a call.
  struct Listener {
    Announcer* announcer;
    Take take;
    std::unique_ptr<sd_bus_slot, Close> slot;
  };
  static int dispatch(sd_bus_message* message, void* listener, sd_bus_error* error);

  // The connection to the system bus.
  void open();
  void lose(const Error& error);
  void listen(const std::string& match, Take take);
  void run();
  void wait_for_bus();
  void wait_until(std::chrono::steady_clock::time_point time);

  // Signals.
  void on_owner(sd_bus_message& signal);
  void on_server_state(sd_bus_message& signal);
  void on_group_state(sd_bus_message& signal);

  // The steps to an announcement; each begins when Avahi has answered the one before.
  void announce();
  void on_group(sd_bus_message& reply);
  void on_added(sd_bus_message& reply);
  void on_committed(sd_bus_message& reply);
  void use_next_name();
  void withdraw();
  [[nodiscard]] Call call_to(const std::string& path, const char* interface, const char* method) const;
  void send(const Call& call, Take take);
  void report(const Error& error);

  boost::asio::io_context& io_;
  const Announcement what_;
  bool wanted_ = false;
  std::unique_ptr<sd_bus, Close> bus_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::unique_ptr<Listener> pending_;  // the call that was not answered yet
  boost::asio::posix::stream_descriptor descriptor_;
  boost::asio::steady_timer timer_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  std::string group_, avahi_;  // Avahi's object, and Avahi's own name on the bus; empty: none
  unsigned attempt_ = 1;       // the number of the name
  std::string reported_;
};

}  // namespace lw
