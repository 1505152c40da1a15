// A TCP client for tests with just enough HTTP and WebSocket (RFC 6455), which can also do it wrongly: it does not use
// the library under test. Never blocks; `pump` runs the server's io_context while it waits.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lw::test {

// Runs the io_context until `done`; false after `limit`, which is for what never comes: a busy machine is slow.
inline bool pump(boost::asio::io_context& io, const std::function<bool()>& done,
                 std::chrono::milliseconds limit = std::chrono::seconds(60)) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!done()) {
    if (std::chrono::steady_clock::now() > end) return false;
    io.restart();
    io.run_one_for(std::chrono::milliseconds(5));
  }
  return true;
}

inline void pump_for(boost::asio::io_context& io, std::chrono::milliseconds time) {
  pump(
      io, [] { return false; }, time);
}

// An unused loopback port.
inline std::uint16_t free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  REQUIRE(::bind(fd, reinterpret_cast<sockaddr*>(&address), length) == 0);
  REQUIRE(::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) == 0);
  ::close(fd);
  return ntohs(address.sin_port);
}

class RawClient {
public:
  RawClient(boost::asio::io_context& io, std::uint16_t port, int receive_buffer = 0)
      : io_(io), fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_buffer > 0) ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof(receive_buffer));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0);  // the backlog takes it
  }
  ~RawClient() { ::close(fd_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  // Writes everything while the server runs; false if the server has closed the connection.
  bool write(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && errno != EAGAIN) return false;
      if (sent > 0)
        bytes.remove_prefix(static_cast<std::size_t>(sent));
      else
        pump_for(io_, std::chrono::milliseconds(1));
    }
    return true;
  }

  // Takes in what has arrived.
  void take() {
    std::array<char, 65536> chunk;
    for (;;) {
      const auto got = ::recv(fd_, chunk.data(), chunk.size(), MSG_DONTWAIT);
      if (got > 0) {
        buffer.append(chunk.data(), static_cast<std::size_t>(got));
        continue;
      }
      if (got == 0 || (errno != EAGAIN && errno != EINTR)) closed_ = true;
      return;
    }
  }
  bool closed() {
    take();
    return closed_;
  }
  bool closes(std::chrono::milliseconds limit = std::chrono::seconds(60)) {
    return pump(
        io_, [this] { return closed(); }, limit);
  }

  // The server's answer, until it closes.
  std::string exchange(std::string_view request) {
    write(request);
    REQUIRE(closes());
    return buffer;
  }

  // Upgrades to a WebSocket; returns the answer's first line.
  std::string upgrade(std::string_view more_headers = "", const std::string& host = "localhost") {
    write("GET / HTTP/1.1\r\nHost: " + host +
          "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: "
          "dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" +
          std::string(more_headers) + "\r\n");
    std::size_t end = std::string::npos;
    REQUIRE(pump(io_, [&] {
      take();
      return (end = buffer.find("\r\n\r\n")) != std::string::npos;
    }));
    const auto line = buffer.substr(0, buffer.find('\r'));
    buffer.erase(0, end + 4);
    return line;
  }

  // A masked frame, as a client sends them.
  bool send_frame(std::string_view payload, unsigned opcode = 1) {
    std::string frame{static_cast<char>(0x80U | opcode)};
    if (payload.size() < 126) {
      frame += static_cast<char>(0x80U | payload.size());
    } else {
      const unsigned bytes = payload.size() < 65536 ? 2 : 8;
      frame += static_cast<char>(0x80U | (bytes == 2 ? 126U : 127U));
      for (unsigned i = bytes; i-- > 0;) frame += static_cast<char>(payload.size() >> (8 * i) & 0xFFU);
    }
    constexpr std::array<char, 4> mask{0x12, 0x34, 0x56, 0x78};
    frame.append(mask.data(), mask.size());
    for (std::size_t i = 0; i < payload.size(); ++i) frame += static_cast<char>(payload[i] ^ mask[i % 4]);
    return write(frame);
  }

  struct Frame {
    unsigned opcode = 0;
    std::string payload;
  };
  // The next frame, if it has arrived completely.
  std::optional<Frame> next_frame() {
    take();
    if (buffer.size() < 2) return std::nullopt;
    const auto byte = [this](std::size_t i) { return static_cast<unsigned char>(buffer[i]); };
    std::uint64_t size = byte(1) & 0x7FU;
    std::size_t head = 2;
    if (size >= 126) {
      const std::size_t bytes = size == 126 ? 2 : 8;
      if (buffer.size() < 2 + bytes) return std::nullopt;
      size = 0;
      for (std::size_t i = 0; i < bytes; ++i) size = size << 8U | byte(2 + i);
      head += bytes;
    }
    if (buffer.size() < head + size) return std::nullopt;
    Frame frame{byte(0) & 0x0FU, buffer.substr(head, size)};
    buffer.erase(0, head + size);
    return frame;
  }
  // The next text message; fails the test if none comes.
  std::string message() {
    std::optional<Frame> frame;
    REQUIRE(pump(io_, [&] { return (frame = next_frame()) && frame->opcode == 1; }));
    return frame->payload;
  }

  std::string buffer;

private:
  boost::asio::io_context& io_;
  int fd_;
  bool closed_ = false;
};

}  // namespace lw::test
