// Small requests of operators and nodes about the library, measurements and hosts.
#pragma once

#include "common/messages/rules.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace lw {

// For methods without params.
struct NoParams {
  static constexpr bool closed = true;
  static void members(auto& /*request*/, auto& /*visit*/) {}
  bool operator==(const NoParams&) const = default;
};

// plan, delete
struct NameRequest {
  std::string name;

  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) { visit("name", request.name); }
  bool operator==(const NameRequest&) const = default;
};

// list, machines: the page that follows this name; absent: the first page.
struct PageRequest {
  std::optional<std::string> after;

  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) { visit("after", request.after); }
  bool operator==(const PageRequest&) const = default;
};

enum class ImageKind : std::uint8_t { poster, thumbnails };

struct ImageRequest {
  std::string name;
  ImageKind kind = ImageKind::poster;

  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) {
    visit("name", request.name);
    visit("kind", request.kind, Names{"poster", "thumbnails"});
  }
  bool operator==(const ImageRequest&) const = default;
};

// Absent members stay unchanged.
struct DescribeRequest {
  std::string name;
  std::optional<std::string> title, description;
  std::optional<std::vector<std::string>> tags;

  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) {
    visit("name", request.name);
    visit("title", request.title);
    visit("description", request.description);
    visit("tags", request.tags);
  }
  bool operator==(const DescribeRequest&) const = default;
};

struct TraceRequest {
  std::optional<double> seconds;       // the newest records
  std::optional<std::uint64_t> after;  // records from this number on

  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) {
    visit("seconds", request.seconds, Within{0.001, 3600});
    visit("after", request.after);
  }
  bool operator==(const TraceRequest&) const = default;
};

// `node.pictures`: whether a node should send previews of its tiles.
struct PicturesWanted {
  bool on = false;

  static constexpr bool closed = true;
  static void members(auto& message, auto& visit) { visit("on", message.on); }
  bool operator==(const PicturesWanted&) const = default;
};

// node.hello: the first message of a node.
struct NodeHello {
  std::string node;
  std::string version;
  int protocol = 0;
  std::string host;
  std::int64_t pid = 0;
  std::optional<std::string> boot;      // of its host: equal to the server's on the same host
  std::optional<std::string> settings;  // of its wall file: those that server and nodes must share

  static constexpr bool closed = true;
  static void members(auto& hello, auto& visit) {
    visit("node", hello.node);
    visit("version", hello.version);
    visit("protocol", hello.protocol, Whole{0, 1'000'000});
    visit("host", hello.host);
    visit("pid", hello.pid, Whole{0, std::numeric_limits<std::int32_t>::max()});
    visit("boot", hello.boot);
    visit("settings", hello.settings);
  }
  bool operator==(const NodeHello&) const = default;
};

}  // namespace lw
