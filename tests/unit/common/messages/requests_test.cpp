// Small requests: each is read back as it was written, and accepts nothing else.
#include "common/messages/requests.h"

#include <catch2/catch.hpp>

#include "common/messages/subscribe.h"
#include "tests/unit/common/messages/told.h"

using namespace lw;
using namespace lw::test;

TEST_CASE("small requests come back as they were written") {
  const auto comes_back = [](const auto& request) {
    using Request = std::decay_t<decltype(request)>;
    return read_message<Request>(to_json(request)).value() == request;
  };
  CHECK(comes_back(NoParams()));
  CHECK(comes_back(NameRequest{"waves"}));
  CHECK(comes_back(PageRequest{"waves"}));
  CHECK(comes_back(ImageRequest{"waves", ImageKind::thumbnails}));
  CHECK(comes_back(DescribeRequest{"waves", "Waves", {}, std::vector<std::string>{"sea"}}));
  CHECK(comes_back(SubscribeRequest{false, true, true}));
  CHECK(comes_back(TraceRequest{2.5, 100}));
  CHECK(comes_back(PicturesWanted{true}));
  CHECK(comes_back(NodeHello{"left", "0.9", 1, "render-1", 42, "boot", {}}));
  CHECK(comes_back(SubscribeReply{StateMessage(), {{1, "2026-01-31T12:00:00.123Z", {}, "a", "b", {}, {}, {}}}}));
}

TEST_CASE("a subscription without parameters gets figures and events, but no previews") {
  CHECK(read_message<SubscribeRequest>(Json::object()).value() == SubscribeRequest{true, true, false});
}

TEST_CASE("a request accepts nothing but its members") {
  CHECK(problem_of<NoParams>({{"x", 1}}) == "unknown member 'x'; this method takes none");
  CHECK(problem_of<NameRequest>({{"name", "a"}, {"x", 1}}) == "unknown member 'x'; this method takes name");
  CHECK(problem_of<ImageRequest>({{"name", "a"}, {"kind", "sound"}}) == "kind must be poster or thumbnails");
  CHECK(problem_of<TraceRequest>({{"seconds", 0}}) == "seconds must be a number from 0.001 to 3600");
}
