// Previews of the tiles: nodes are asked for them only while an operator wants them; a preview is passed on to these
// operators if it is of the node's own tile, valid, and not too frequent.
#include "common/messages/message.h"
#include "common/messages/tile_picture.h"

#include <catch2/catch.hpp>

#include <memory>
#include <string>

#include "tests/unit/server/control/service_fixture.h"

namespace {

using namespace lw;
using lw::test::Operator;
using lw::test::pump;
using lw::test::Service;
using namespace std::chrono_literals;

Json picture_of(unsigned column, unsigned frame, std::size_t bytes = 40) {
  std::string png("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\xc0\0\0\0\x78", 24);
  png.resize(std::max(png.size(), bytes), 'x');
  return to_json(tile_picture({column, 0}, frame, png));
}

unsigned pictures_in(const std::deque<Json>& messages) {
  unsigned count = 0;
  for (const auto& message : messages) count += message["method"] == "picture";
  return count;
}

}  // namespace

TEST_CASE("nodes are asked for previews while an operator wants them") {
  Service service;
  const auto left = service.open_node("left");
  auto desk = service.open();
  desk->call("subscribe");
  for (const auto& message : left->listen(100ms)) CHECK(message["method"] == "node.pattern");
  desk->call("subscribe", {{"pictures", true}});
  CHECK(left->wait_for("node.pictures") == Json{{"on", true}});
  const auto right = service.open_node("right");
  CHECK(right->wait_for("node.pictures") == Json{{"on", true}});
  const auto other = service.open();
  other->call("subscribe", {{"pictures", true}});
  other->call("subscribe", {{"pictures", false}});
  CHECK(left->listen(50ms).empty());  // the first still wants them
  desk.reset();
  CHECK(left->wait_for("node.pictures") == Json{{"on", false}});
  CHECK(right->wait_for("node.pictures") == Json{{"on", false}});
}

TEST_CASE("a preview goes to those who want it") {
  Service service;
  const auto left = service.open_node("left");
  const auto plain = service.open();
  plain->call("subscribe");
  const auto desk = service.open();
  CHECK(left->call("node.picture", picture_of(0, 1)).contains("result"));  // nobody wants it: dropped
  desk->call("subscribe", {{"pictures", true}, {"stats", false}});
  CHECK(pictures_in(desk->listen(50ms)) == 0);
  left->notify("node.picture", picture_of(0, 2));
  CHECK(desk->wait_for("picture") == picture_of(0, 2));
  CHECK(pictures_in(plain->listen(50ms)) == 0);
}

TEST_CASE("previews of other nodes' tiles, invalid ones and too many are not passed on") {
  Service service;
  const auto stranger = service.open();
  CHECK(stranger->call("node.picture", picture_of(0, 1))["error"]["code"] == rpc_code::cannot);
  const auto left = service.open_node("left");
  const auto desk = service.open();
  desk->call("subscribe", {{"pictures", true}, {"stats", false}});
  for (const auto& bad :
       {picture_of(1, 1), picture_of(2, 1), Json{{"tile", {0, 0}}}, picture_of(0, 1, tile_picture_bytes_max + 1)})
    CHECK(left->call("node.picture", bad)["error"]["code"] == rpc_code::bad_params);
  for (unsigned frame = 0; frame < 20; ++frame) left->notify("node.picture", picture_of(0, frame));
  const auto passed = pictures_in(desk->listen(60ms));
  CHECK(passed >= 1);
  CHECK(passed < 20);
}
