// Which messages are JSON-RPC 2.0, which code a refusal has, and that every member of the parameters is checked.
#include "common/messages/rpc.h"

#include <catch2/catch.hpp>

#include <string>

namespace {

using namespace lw;

RpcFailure failure(std::string_view text) {
  INFO(text.substr(0, 200));
  const auto message = parse_rpc(text);
  REQUIRE(std::holds_alternative<RpcFailure>(message));
  return std::get<RpcFailure>(message);
}

RpcRequest request(std::string_view text) {
  INFO(text);
  const auto message = parse_rpc(text);
  REQUIRE(std::holds_alternative<RpcRequest>(message));
  return std::get<RpcRequest>(message);
}

}  // namespace

TEST_CASE("an unsigned integer is neither negative, nor a fraction, nor beyond its bound") {
  CHECK(whole_number(Json::parse("7")) == 7);
  CHECK(whole_number(Json(7)) == 7);  // of this program, not parsed
  CHECK(whole_number(Json::parse("7"), 7) == 7);
  CHECK(whole_number(Json(UINT64_MAX)) == UINT64_MAX);
  for (const auto* text : {"-1", "7.0", "1e86", "\"7\"", "null", "[7]", "18446744073709551616"})
    CHECK_FALSE(whole_number(Json::parse(text)).has_value());
  CHECK_FALSE(whole_number(Json::parse("8"), 7).has_value());
}

TEST_CASE("requests and notifications") {
  const auto call = request(R"({"jsonrpc":"2.0","id":7,"method":"load","params":{"name":"a"}})");
  CHECK(call.id == 7);
  CHECK_FALSE(call.notification);
  CHECK(call.method == "load");
  CHECK(call.params == Json{{"name", "a"}});

  const auto notification = request(R"({"jsonrpc":"2.0","method":"node.report"})");
  CHECK(notification.notification);
  CHECK(notification.params == Json::object());

  CHECK(request(R"({"jsonrpc":"2.0","id":"s","method":"x"})").id == "s");
  CHECK_FALSE(request(R"({"jsonrpc":"2.0","id":null,"method":"x"})").notification);
}

TEST_CASE("answers") {
  const auto good = parse_rpc(R"({"jsonrpc":"2.0","id":1,"result":[1]})");
  REQUIRE(std::holds_alternative<RpcResponse>(good));
  CHECK(std::get<RpcResponse>(good).result == Json{1});
  CHECK_FALSE(std::get<RpcResponse>(good).error);

  const auto bad = parse_rpc(R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}})");
  REQUIRE(std::holds_alternative<RpcResponse>(bad));
  CHECK(std::get<RpcResponse>(bad).error == "no");
  CHECK(std::get<RpcResponse>(parse_rpc(R"({"jsonrpc":"2.0","id":1,"error":3})")).error == "unknown error");
}

TEST_CASE("an invalid message is refused with the code of the specification") {
  CHECK(failure("").code == rpc_code::parse_error);
  CHECK(failure("{").code == rpc_code::parse_error);
  CHECK(failure("\xff\xfe").code == rpc_code::parse_error);
  CHECK(failure("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}").code == rpc_code::parse_error);
  CHECK(failure(R"({"jsonrpc":"2.0","id":1e999,"method":"x"})").code == rpc_code::parse_error);
  CHECK(failure("[]").code == rpc_code::invalid_request);
  CHECK(failure("3").code == rpc_code::invalid_request);
  CHECK(failure(R"([{"jsonrpc":"2.0","id":1,"method":"x"}])").code == rpc_code::invalid_request);
  CHECK(failure(R"({"id":1,"method":"x"})").code == rpc_code::invalid_request);
  CHECK(failure(R"({"jsonrpc":2.0,"id":1,"method":"x"})").code == rpc_code::invalid_request);
  CHECK(failure(R"({"jsonrpc":"1.0","id":1,"method":"x"})").code == rpc_code::invalid_request);
  CHECK(failure(R"({"jsonrpc":"2.0","id":1})").code == rpc_code::invalid_request);
  CHECK(failure(R"({"jsonrpc":"2.0","id":1,"method":5})").code == rpc_code::invalid_request);
  CHECK(failure(R"({"jsonrpc":"2.0","id":{},"method":"x"})").code == rpc_code::invalid_request);
  CHECK(failure(R"({"jsonrpc":"2.0","id":4,"method":"x","params":[1]})").code == rpc_code::bad_params);
  // The caller can tell which call was meant.
  CHECK(failure(R"({"jsonrpc":"2.0","id":4,"method":"x","params":[1]})").id == 4);
  CHECK(failure(R"({"id":5,"method":"x"})").id == 5);
}

TEST_CASE("size and depth have limits") {
  const auto nested = [](int depth) {
    return R"({"jsonrpc":"2.0","id":1,"method":"x","params":{"a":)" +
           std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']') + "}}";
  };
  CHECK(request(nested(rpc_depth_max - 2)).method == "x");
  CHECK(failure(nested(rpc_depth_max - 1)).code == rpc_code::invalid_request);
  CHECK(failure(nested(400'000)).code == rpc_code::invalid_request);
  CHECK(failure(std::string(rpc_bytes_max + 1, ' ')).code == rpc_code::invalid_request);
  // Brackets within strings are no depth.
  CHECK(request(R"({"jsonrpc":"2.0","id":1,"method":"\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["})").method.size() >
        40);
}

TEST_CASE("written messages can be read again, whatever the text holds") {
  const std::string odd("a\xff\"\n\0b", 6);
  const auto call = request(rpc_request("id", "load", {{"name", odd}}));
  CHECK(call.id == "id");
  CHECK(call.params["name"].get<std::string>() == std::string("a\xef\xbf\xbd\"\n\0b", 8));
  CHECK(request(rpc_notification("stats", Json::object())).notification);
  const auto result = parse_rpc(rpc_result(3, {{"x", 1}}));
  REQUIRE(std::holds_alternative<RpcResponse>(result));
  CHECK(std::get<RpcResponse>(result).id == 3);
  const auto json = Json::parse(rpc_failure({9, rpc_code::cannot, odd}));
  CHECK(json["id"] == 9);
  CHECK(json["error"]["code"] == 1);
}

TEST_CASE("parameters of the wrong kind are named") {
  const Json object{{"text", "a"},
                    {"five", 5},
                    {"half", 0.5},
                    {"minus", -1},
                    {"huge", UINT64_MAX},
                    {"yes", true},
                    {"names", {"a", "b"}},
                    {"mixed", {"a", 1}},
                    {"tile", {1, 0}},
                    {"three", {1, 2, 3}},
                    {"negative", {-1, 0}},
                    {"nothing", nullptr},
                    {"long", std::string(rpc_text_bytes_max + 1, 'x')}};
  const auto problem = [&](auto ask) {
    Params params(object);
    ask(params);
    return params.problem().value_or("");
  };
  CHECK_THAT(problem([](Params& p) { p.text("five"); }), Catch::StartsWith("five must be a string"));
  CHECK_THAT(problem([](Params& p) { p.text("absent"); }), Catch::StartsWith("absent is missing"));
  CHECK_THAT(problem([](Params& p) { p.text("nothing"); }), Catch::StartsWith("nothing must be"));
  CHECK_THAT(problem([](Params& p) { p.text("long"); }), Catch::StartsWith("long must be a string of at most 1024"));
  CHECK_THAT(problem([](Params& p) { p.optional_text("yes"); }), Catch::StartsWith("yes must be"));
  CHECK_THAT(problem([](Params& p) { p.integer("absent", 0, 9); }), Catch::StartsWith("absent is missing"));
  for (const char* name : {"text", "half", "minus", "huge", "yes", "nothing", "tile"})
    CHECK_THAT(problem([&](Params& p) { p.integer(name, 0, 9); }),
               Catch::StartsWith(std::string(name) + " must be a whole number from 0 to 9"));
  CHECK_THAT(problem([](Params& p) { p.integer("five", 6, 9); }), Catch::StartsWith("five must be"));
  CHECK_THAT(problem([](Params& p) { p.number("five", -2, 2); }),
             Catch::StartsWith("five must be a number from -2 to 2"));
  CHECK_THAT(problem([](Params& p) { p.number("text", -2, 2); }), Catch::StartsWith("text must be a number"));
  CHECK_THAT(problem([](Params& p) { p.boolean("five"); }), Catch::StartsWith("five must be true or false"));
  CHECK_THAT(problem([](Params& p) { p.boolean("absent"); }), Catch::StartsWith("absent is missing"));
  CHECK_THAT(problem([](Params& p) { p.optional_texts("mixed"); }),
             Catch::StartsWith("mixed must be an array of strings"));
  for (const char* name : {"three", "negative", "names", "five"})
    CHECK_THAT(problem([&](Params& p) { p.optional_pair(name); }),
               Catch::StartsWith(std::string(name) + " must be [column, row]"));
}

TEST_CASE("good parameters are read, and unknown ones are refused by name") {
  const Json object{{"name", "a"}, {"frame", 5}, {"rate", 0.5}, {"on", true}, {"names", {"a", "b"}}, {"tile", {1, 2}}};
  Params params(object);
  CHECK(params.text("name") == "a");
  CHECK(params.optional_integer("frame", 0, 9) == 5);
  CHECK(params.number("rate", -8, 8) == 0.5);
  CHECK(params.boolean_or("on", false));
  CHECK_FALSE(params.boolean_or("off", false));
  CHECK(params.optional_texts("names")->size() == 2);
  CHECK_THAT(params.problem().value_or(""),
             Catch::StartsWith("unknown member 'tile'") && Catch::Contains("name, frame"));

  Params all(object);
  all.text("name");
  all.optional_integer("frame", 0, 9);
  all.number("rate", -8, 8);
  all.boolean("on");
  all.optional_texts("names");
  CHECK(all.optional_pair("tile") == std::pair{1U, 2U});
  CHECK_FALSE(all.optional_text("absent"));
  CHECK_FALSE(all.problem());

  const Json extra{{"x", 1}};
  CHECK(Params(extra).problem().value_or("") == "unknown member 'x'; this method takes none");
}
