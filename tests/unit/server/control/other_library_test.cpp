// The library of another server arrives in pages, is replaced at once, and is bounded.
#include "server/control/other_library.h"

#include "common/messages/message.h"

#include <catch2/catch.hpp>

#include <chrono>

using namespace lw;
using namespace std::chrono_literals;

namespace {

struct Known {
  OtherLibrary library;
  LocalTime now{1s};

  // The name after which it asks; nothing if it does not ask.
  std::optional<std::string> asks() {
    const auto question = library.take_question(now);
    return question ? std::optional(question->after.value_or("from the start")) : std::nullopt;
  }
  bool answer(std::uint64_t revision, const std::vector<std::string>& names, bool more = false) {
    ServerLibraryReply reply{revision, {}, more};
    for (const auto& name : names) reply.visualizations.push_back({name, "d", true, {}});
    return library.take_answer({"library", to_json(reply), {}}, now);
  }
  bool fails() { return library.take_answer({"library", {}, "unknown method"}, now); }
  [[nodiscard]] bool has(std::string_view name) const { return library.find(name) != nullptr; }
};

}  // namespace

TEST_CASE("a server is asked for its library once for each revision, and not before it knows it") {
  Known b;
  CHECK(b.asks() == std::nullopt);
  b.library.hear(0);
  CHECK(b.asks() == std::nullopt);
  b.library.hear(1);
  CHECK(b.asks() == "from the start");
  CHECK(b.asks() == std::nullopt);  // until it has answered
  CHECK_FALSE(b.library.known());
  CHECK(b.answer(1, {"film"}));
  CHECK(b.library.known());
  CHECK(b.has("film"));
  CHECK_FALSE(b.has("fil"));
  CHECK_FALSE(b.has("films"));
  b.library.hear(1);
  CHECK(b.asks() == std::nullopt);
  b.library.hear(2);
  CHECK(b.asks() == "from the start");
  CHECK_FALSE(b.answer(2, {"film"}));  // the same list
}

TEST_CASE("pages become a list when the last one has arrived") {
  Known b;
  b.library.hear(4);
  CHECK(b.asks() == "from the start");
  CHECK_FALSE(b.answer(4, {"a", "b"}, true));
  CHECK_FALSE(b.library.known());
  CHECK(b.asks() == "b");
  CHECK(b.answer(4, {"c"}));
  CHECK(b.library.entries().size() == 3);
  CHECK(b.library.complete());
}

TEST_CASE("what does not continue the list begins it again, a while later") {
  struct Case {
    std::uint64_t revision;
    std::vector<std::string> names;
    bool more;
  };
  for (const auto& [revision, names, more] : {Case{5, {"c"}, false}, Case{4, {"b"}, false}, Case{4, {"d", "c"}, false},
                                              Case{4, {}, true}, Case{4, {"c", "c"}, false}, Case{0, {"c"}, false}}) {
    Known b;
    b.library.hear(4);
    CHECK(b.asks() == "from the start");
    CHECK_FALSE(b.answer(4, {"a", "b"}, true));
    CHECK(b.asks() == "b");
    CHECK_FALSE(b.answer(revision, names, more));
    CHECK_FALSE(b.library.known());
    CHECK(b.asks() == std::nullopt);
    b.now += 3s;
    CHECK(b.asks() == "from the start");
  }
}

TEST_CASE("a server that cannot answer is asked again after a while, and what was known stays") {
  Known b;
  b.library.hear(1);
  b.asks();
  b.answer(1, {"film"});
  b.library.hear(2);
  b.asks();
  CHECK_FALSE(b.fails());
  CHECK(b.has("film"));
  CHECK(b.asks() == std::nullopt);
  b.now += 3s;
  CHECK(b.asks() == "from the start");
}

TEST_CASE("an answer to no question is ignored, and so are members of the wrong kind") {
  Known b;
  CHECK_FALSE(b.answer(1, {"film"}));
  CHECK_FALSE(b.library.known());
  b.library.hear(1);
  b.asks();
  CHECK_FALSE(b.library.take_answer({"library", Json{{"revision", 1}, {"visualizations", 7}}, {}}, b.now));
  CHECK_FALSE(b.library.known());
}

TEST_CASE("of a library without end, the first entries are kept") {
  Known b;
  b.library.hear(1);
  std::size_t given = 0;
  while (b.asks()) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < ServerLibraryReply::entries_max; ++i)
      names.push_back("v" + std::to_string(1'000'000 + given++));
    REQUIRE(given <= OtherLibrary::entries_max + names.size());
    b.answer(1, names, true);
  }
  CHECK(b.library.known());
  CHECK(b.library.entries().size() == OtherLibrary::entries_max);
  CHECK_FALSE(b.library.complete());
  CHECK(b.has("v1000000"));
}
