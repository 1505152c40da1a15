// Any bytes are a message or a failure with a code, and what is written of them can be read again.
#include "common/messages/machine.h"
#include "common/messages/message.h"
#include "common/messages/rpc.h"
#include "common/messages/server_messages.h"
#include "common/messages/tile_picture.h"
#include "server/control/line_messages.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace lw;

void must(bool holds) {
  if (!holds) std::abort();
}

void read_params(const Json& object) {
  Params params(object);
  must(params.text("name").size() <= rpc_text_bytes_max);
  const auto frame = params.optional_integer("frame", 0, INT32_MAX).value_or(0);
  must(frame >= 0 && frame <= INT32_MAX);
  const auto rate = params.number("rate", -8, 8);
  must(rate >= -8 && rate <= 8);
  params.boolean("on");
  params.boolean_or("paused", false);
  params.optional_texts("names");
  params.optional_pair("tile");
  if (const auto problem = params.problem()) must(!problem->empty());
}

// A message that was checked once does not change.
void check_facts(const Json& object) {
  if (const auto machine = read_message<MachineMessage>(object))
    must(read_message<MachineMessage>(to_json(*machine)).value() == *machine);
  if (const auto hello = read_message<ServerHello>(object))
    must(read_message<ServerHello>(to_json(*hello)).value() == *hello);
  if (const auto reply = read_message<ServerHelloReply>(object))
    must(read_message<ServerHelloReply>(to_json(*reply)).value() == *reply);
  if (const auto alive = read_message<ServerAlive>(object))
    must(read_message<ServerAlive>(to_json(*alive)).value() == *alive);
  if (const auto line = read_message<LineMessage>(object)) {
    must(read_message<LineMessage>(to_json(*line)).value() == *line);
    const auto announced = from_message(*line);
    const auto tick = announced.line.first_tick() + 1'000'000;
    if (line->plays) must(announced.line.range().has(announced.line.frame(tick)));
  }
  if (const auto picture = read_message<TilePictureMessage>(object)) {
    must(picture->base64.size() <= 2 * tile_picture_bytes_max);
    must(read_message<TilePictureMessage>(to_json(*picture)).value() == *picture);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto message = parse_rpc({reinterpret_cast<const char*>(data), size});
  if (const auto* request = std::get_if<RpcRequest>(&message)) {
    must(request->params.is_object());
    read_params(request->params);
    check_facts(request->params);
    const auto again = parse_rpc(rpc_request(request->id, request->method, request->params));
    must(std::holds_alternative<RpcRequest>(again) && std::get<RpcRequest>(again).params == request->params);
  } else if (const auto* response = std::get_if<RpcResponse>(&message)) {
    if (!response->error)
      must(std::holds_alternative<RpcResponse>(parse_rpc(rpc_result(response->id, response->result))));
  } else {
    const auto& failure = std::get<RpcFailure>(message);
    must(failure.code < 0 && !failure.message.empty());
    must(std::holds_alternative<RpcResponse>(parse_rpc(rpc_failure(failure))));
  }
  return 0;
}
