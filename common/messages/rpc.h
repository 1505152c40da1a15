// JSON-RPC 2.0 messages (jsonrpc.org/specification), without batches. Pure: text in, values out; never throws.
#pragma once

#include "common/base/json.h"
#include "common/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lw {

inline constexpr int protocol_version = 1;
inline constexpr std::size_t rpc_bytes_max = std::size_t{1} << 20U;
inline constexpr int rpc_depth_max = 32;
inline constexpr std::size_t rpc_text_bytes_max = 1024;  // of a string in params: names go into events and answers

namespace rpc_code {
inline constexpr int parse_error = -32700;
inline constexpr int invalid_request = -32600;
inline constexpr int unknown_method = -32601;
inline constexpr int bad_params = -32602;
inline constexpr int internal_error = -32603;
inline constexpr int cannot = 1;     // valid, but not possible now
inline constexpr int forbidden = 2;  // the caller's role does not allow it
}  // namespace rpc_code

struct RpcRequest {
  Json id;  // null for a notification
  bool notification = false;
  std::string method;
  Json params;  // an object
};
struct RpcResponse {
  Json id;
  Json result;                       // either this
  std::optional<std::string> error;  // or the message of an error
};
struct RpcFailure {
  Json id;  // null if it could not be read
  int code = rpc_code::cannot;
  std::string message;
};

// Parses a message; if it is invalid, returns the failure to answer with. (Fuzzed.)
std::variant<RpcRequest, RpcResponse, RpcFailure> parse_rpc(std::string_view text);

std::string rpc_request(const Json& id, std::string_view method, const Json& params);
std::string rpc_notification(std::string_view method, const Json& params);
std::string rpc_result(const Json& id, const Json& result);
std::string rpc_failure(const RpcFailure& failure);

// JSON text that is always valid UTF-8, even if a file name or an error message is not.
std::string to_text(const Json& json);

// An integer from 0 to max. (nlohmann's get<> would also convert -1 and 1e86.)
std::optional<std::uint64_t> whole_number(const Json& value, std::uint64_t max = UINT64_MAX);

// Reads the members of params one by one; finally rejects unknown members. Keeps the first problem.
class Params {
public:
  explicit Params(const Json& object) : object_(object) {}
  std::string text(const char* name);  // required, like all without "optional" or "or"
  std::optional<std::string> optional_text(const char* name);
  std::optional<std::int64_t> optional_integer(const char* name, std::int64_t min, std::int64_t max);
  std::int64_t integer(const char* name, std::int64_t min, std::int64_t max);
  double number(const char* name, double min, double max);
  bool boolean(const char* name);
  bool boolean_or(const char* name, bool otherwise);
  std::optional<std::vector<std::string>> optional_texts(const char* name);
  std::optional<double> optional_number(const char* name, double min, double max);
  std::optional<std::vector<Json>> optional_objects(const char* name);
  std::optional<std::pair<unsigned, unsigned>> optional_pair(const char* name);  // [column, row]
  // A member that the caller reads itself.
  void known(const char* name) { known_.emplace_back(name); }
  // Call after the last member: the first problem, as a text.
  [[nodiscard]] std::optional<std::string> problem();

private:
  const Json* find(const char* name, bool required);
  void fail(std::string what) {
    if (!problem_) problem_ = std::move(what);
  }
  const Json& object_;
  std::vector<std::string> known_;
  std::optional<std::string> problem_;
};

}  // namespace lw
