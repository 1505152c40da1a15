// Arbitrary data sent to the control port, in the clear or as the beginning of TLS: every connection ends once the peer
// has sent everything, whatever was opened is closed, and no handler is called for peers that were not admitted.
#include "common/messages/rpc.h"
#include "common/web/web_server.h"

#include <unistd.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string_view>
#include <variant>

namespace {

using namespace lw;
namespace asio = boost::asio;
using tcp = asio::ip::tcp;

constexpr std::size_t input_bytes_max = 65'536;
constexpr std::chrono::seconds patience{5};

void must(bool holds) {
  if (!holds) std::abort();
}

class Port {
public:
  Port() {
    for (; !server_; ++port_) {
      WebHandlers handlers;
      handlers.opened = [this](WebPeer&) { ++open_; };
      handlers.message = [](WebPeer& peer, std::string_view text) {
        if (const auto message = parse_rpc(text); const auto* failure = std::get_if<RpcFailure>(&message))
          peer.send(rpc_failure(*failure));
      };
      handlers.closed = [this](WebPeer&) { --open_; };
      handlers.get = [](std::string_view path) {
        return HttpReply{path == "/healthz" ? 200U : 404U, "text/plain", "x"};
      };
      handlers.post = [](const WebRequest& request, std::string_view body) {
        must(request.from_page && body.size() <= WebLimits().body_bytes);
        return HttpReply{204, "text/plain", ""};
      };
      if (auto listening = WebServer::listen(io_, "127.0.0.1", port_, std::move(handlers)))
        server_ = std::move(*listening);
    }
    --port_;
  }

  void say(const std::uint8_t* bytes, std::size_t count) {
    tcp::socket client(io_);
    client.connect({asio::ip::make_address("127.0.0.1"), port_});
    client.set_option(asio::socket_base::linger(true, 0));  // thousands of closed connections would take all ports
    boost::system::error_code refused;
    asio::write(client, asio::buffer(bytes, count), refused);
    client.shutdown(tcp::socket::shutdown_send, refused);
    bool ended = false;
    std::array<char, 4096> answer{};
    std::function<void()> read = [&] {
      client.async_read_some(asio::buffer(answer), [&](boost::system::error_code error, std::size_t) {
        if (error)
          ended = true;
        else
          read();
      });
    };
    read();
    const auto until = std::chrono::steady_clock::now() + patience;
    while (!ended && std::chrono::steady_clock::now() < until) io_.run_one_for(patience);
    must(ended);
    while (io_.poll() > 0) {
    }
    must(open_ == 0);
  }

private:
  asio::io_context io_;
  std::uint16_t port_ = static_cast<std::uint16_t>(20'000 + getpid() % 10'000);
  int open_ = 0;
  std::unique_ptr<WebServer> server_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Port port;
  if (size <= input_bytes_max) port.say(data, size);
  return 0;
}
