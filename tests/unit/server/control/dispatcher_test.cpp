// Whatever a method does, its caller gets one answer, and no other caller is affected.
#include "server/control/dispatcher.h"

#include <spdlog/spdlog.h>

#include <catch2/catch.hpp>

#include <stdexcept>
#include <string>

namespace {

using namespace lw;

struct Group {
  int& calls;

  RpcReply count(const Json& /*params*/, const Caller& caller) const {
    ++calls;
    return Json{{"calls", calls}, {"at", caller.now.local.time_since_epoch().count()}};
  }
  RpcReply fail(const Json& /*params*/, const Caller& /*caller*/) const { throw std::runtime_error("no memory"); }
  RpcReply talk(const Json& params, const Caller& /*caller*/) const {
    return Json{{"text", std::string(params["bytes"].get<std::size_t>(), 'x')}};
  }
};

struct Methods {
  int calls = 0;
  Dispatcher dispatcher{nullptr, 1000};

  Methods() {
    spdlog::set_level(spdlog::level::off);
    const Group group{calls};
    dispatcher.offer("count", group, &Group::count);
    dispatcher.offer("fail", group, &Group::fail);
    dispatcher.offer("talk", group, &Group::talk);
  }
  Json call(const std::string& method, const Json& params = Json::object()) {
    return Json::parse(dispatcher.answer(rpc_request(7, method, params), {.now = {{}, LocalTime{Nanoseconds{42}}}}));
  }
};

}  // namespace

TEST_CASE("methods are named in the order in which they were offered, and get the caller's time") {
  Methods methods;
  CHECK(methods.dispatcher.names() == std::vector<std::string>{"count", "fail", "talk"});
  const auto reply = methods.call("count");
  CHECK(reply["id"] == 7);
  CHECK(reply["result"] == Json{{"calls", 1}, {"at", 42}});
}

TEST_CASE("a method that throws is answered with an internal error, and the next call works") {
  Methods methods;
  const auto reply = methods.call("fail");
  CHECK(reply["error"]["code"] == rpc_code::internal_error);
  CHECK(reply["error"]["message"] == "fail failed: no memory");
  CHECK(methods.call("count").contains("result"));
}

TEST_CASE("a reply that is too long is replaced by an error that gives its length") {
  Methods methods;
  CHECK(methods.call("talk", {{"bytes", 900}}).contains("result"));
  const auto reply = methods.call("talk", {{"bytes", 1000}});
  CHECK(reply["error"]["code"] == rpc_code::cannot);
  CHECK_THAT(reply["error"]["message"].get<std::string>(), Catch::Contains("more than the 1000"));
}

TEST_CASE("a notification is run and not answered; an unknown method is refused") {
  Methods methods;
  CHECK(methods.dispatcher.answer(rpc_notification("count", Json::object()), {}).empty());
  CHECK(methods.calls == 1);
  CHECK(methods.call("nothing")["error"]["code"] == rpc_code::unknown_method);
  CHECK(methods.calls == 1);
}
