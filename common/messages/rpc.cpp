#include "common/messages/rpc.h"

#include "common/base/json_depth.h"
#include "common/base/short_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

constexpr std::size_t name_shown_max = 80;
constexpr std::size_t id_bytes_max = 256;      // of an id that is a string, since it is returned
constexpr std::size_t words_bytes_max = 2048;  // of an error's text

bool is_short_text(const Json& value) {
  return value.is_string() && value.get_ref<const std::string&>().size() <= rpc_text_bytes_max;
}

RpcFailure invalid(const Json& id, std::string why) { return {id, rpc_code::invalid_request, std::move(why)}; }

}  // namespace

std::variant<RpcRequest, RpcResponse, RpcFailure> parse_rpc(std::string_view text) {
  if (text.size() > rpc_bytes_max) return invalid(nullptr, "the message is longer than 1 MiB");
  if (is_json_deeper_than(rpc_depth_max, text)) return invalid(nullptr, "the message is nested too deeply");
  Json message = Json::parse(text, nullptr, false);
  if (message.is_discarded()) return RpcFailure{nullptr, rpc_code::parse_error, "the message is not valid JSON"};
  if (!message.is_object()) return invalid(nullptr, "a message is one JSON object; batches are not supported");
  const Json id = message.value("id", Json());
  if (!id.is_null() && !id.is_string() && !id.is_number()) return invalid(nullptr, "id must be a string or a number");
  if (id.is_string() && id.get_ref<const std::string&>().size() > id_bytes_max)
    return invalid(nullptr, fmt::format("id is longer than {} bytes", id_bytes_max));
  if (const auto version = message.find("jsonrpc"); version == message.end() || *version != "2.0")
    return invalid(id, R"("jsonrpc" must be "2.0")");

  if (const auto error = message.find("error"); error != message.end()) {
    RpcResponse response{id, nullptr, "unknown error"};
    if (error->is_object() && error->contains("message") && (*error)["message"].is_string())
      response.error = (*error)["message"].get<std::string>();
    return response;
  }
  if (message.contains("result")) return RpcResponse{id, message["result"], std::nullopt};

  const auto method = message.find("method");
  if (method == message.end() || !method->is_string()) return invalid(id, "method must be a string");
  RpcRequest request{id, !message.contains("id"), method->get<std::string>(), Json::object()};
  if (const auto params = message.find("params"); params != message.end()) {
    if (!params->is_object()) return RpcFailure{id, rpc_code::bad_params, "params must be an object"};
    request.params = std::move(*params);
  }
  return request;
}

std::string to_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string rpc_request(const Json& id, std::string_view method, const Json& params) {
  return to_text({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
}
std::string rpc_notification(std::string_view method, const Json& params) {
  return to_text({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
}
std::string rpc_result(const Json& id, const Json& result) {
  return to_text({{"jsonrpc", "2.0"}, {"id", id}, {"result", result}});
}
std::string rpc_failure(const RpcFailure& failure) {
  const auto words = short_text(failure.message, words_bytes_max);
  return to_text({{"jsonrpc", "2.0"}, {"id", failure.id}, {"error", {{"code", failure.code}, {"message", words}}}});
}

std::optional<std::uint64_t> whole_number(const Json& value, std::uint64_t max) {
  if (!value.is_number_integer() || (!value.is_number_unsigned() && value.get<std::int64_t>() < 0)) return std::nullopt;
  const auto number = value.get<std::uint64_t>();
  return number <= max ? std::optional(number) : std::nullopt;
}

const Json* Params::find(const char* name, bool required) {
  known_.emplace_back(name);
  if (const auto found = object_.find(name); found != object_.end()) return &*found;
  if (required) fail(std::string(name) + " is missing");
  return nullptr;
}

std::string Params::text(const char* name) {
  const auto* value = find(name, true);
  if (value == nullptr) return {};
  if (!is_short_text(*value)) {
    fail(std::string(name) + " must be a string of at most " + std::to_string(rpc_text_bytes_max) + " bytes");
    return {};
  }
  return value->get<std::string>();
}

std::optional<std::string> Params::optional_text(const char* name) {
  if (!object_.contains(name)) {
    known_.emplace_back(name);
    return std::nullopt;
  }
  return text(name);
}

std::optional<std::int64_t> Params::optional_integer(const char* name, std::int64_t min, std::int64_t max) {
  const auto* value = find(name, false);
  if (value == nullptr) return std::nullopt;
  const bool in_range = value->is_number_unsigned() ? value->get<std::uint64_t>() <= static_cast<std::uint64_t>(max) &&
                                                          std::cmp_greater_equal(value->get<std::uint64_t>(), min)
                                                    : value->is_number_integer() && value->get<std::int64_t>() >= min &&
                                                          value->get<std::int64_t>() <= max;
  if (!in_range) {
    fail(std::string(name) + " must be a whole number from " + std::to_string(min) + " to " + std::to_string(max));
    return std::nullopt;
  }
  return value->get<std::int64_t>();
}

std::int64_t Params::integer(const char* name, std::int64_t min, std::int64_t max) {
  if (!object_.contains(name)) fail(std::string(name) + " is missing");
  return optional_integer(name, min, max).value_or(0);
}

double Params::number(const char* name, double min, double max) {
  if (!object_.contains(name)) fail(std::string(name) + " is missing");
  return optional_number(name, min, max).value_or(0);
}

std::optional<double> Params::optional_number(const char* name, double min, double max) {
  const auto* value = find(name, false);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number() || !(value->get<double>() >= min && value->get<double>() <= max)) {
    fail(fmt::format("{} must be a number from {} to {}", name, min, max));
    return std::nullopt;
  }
  return value->get<double>();
}

std::optional<std::vector<Json>> Params::optional_objects(const char* name) {
  const auto* value = find(name, false);
  if (value == nullptr) return std::nullopt;
  if (!value->is_array() || !std::ranges::all_of(*value, [](const Json& entry) { return entry.is_object(); })) {
    fail(std::string(name) + " must be an array of objects");
    return std::nullopt;
  }
  return value->get<std::vector<Json>>();
}

bool Params::boolean(const char* name) {
  const auto* value = find(name, true);
  if (value != nullptr && !value->is_boolean()) fail(std::string(name) + " must be true or false");
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

bool Params::boolean_or(const char* name, bool otherwise) {
  if (object_.contains(name)) return boolean(name);
  known_.emplace_back(name);
  return otherwise;
}

std::optional<std::vector<std::string>> Params::optional_texts(const char* name) {
  const auto* value = find(name, false);
  if (value == nullptr) return std::nullopt;
  if (!value->is_array() || !std::ranges::all_of(*value, is_short_text)) {
    fail(std::string(name) + " must be an array of strings of at most " + std::to_string(rpc_text_bytes_max) +
         " bytes");
    return std::nullopt;
  }
  return value->get<std::vector<std::string>>();
}

std::optional<std::pair<unsigned, unsigned>> Params::optional_pair(const char* name) {
  const auto* value = find(name, false);
  if (value == nullptr) return std::nullopt;
  const bool fine = value->is_array() && value->size() == 2 && std::ranges::all_of(*value, [](const Json& v) {
                      return v.is_number_integer() && v >= 0 && v < 1024;
                    });
  if (!fine) {
    fail(std::string(name) + " must be [column, row]");
    return std::nullopt;
  }
  return std::pair{(*value)[0].get<unsigned>(), (*value)[1].get<unsigned>()};
}

std::optional<std::string> Params::problem() {
  if (!problem_)
    for (const auto& [key, value] : object_.items())
      if (std::ranges::find(known_, key) == known_.end()) {
        std::string takes;
        for (const auto& name : known_) takes += (takes.empty() ? "" : ", ") + name;
        fail("unknown member '" + short_text(key, name_shown_max) + "'; " +
             (takes.empty() ? "this method takes none" : "this method takes " + takes));
      }
  return problem_;
}

}  // namespace lw
