// Events are read as they were written. Unknown parts of an event do not hide its text.
#include "common/messages/event.h"

#include <catch2/catch.hpp>

#include "tests/unit/common/messages/told.h"

using namespace lw;
using namespace lw::test;

namespace {

const EventMessage full{
    12, "2026-01-31T12:00:00.123Z", Severity::warning, "node-lost", "node left has gone", "left", GridCell{1, 0}, 3};

}  // namespace

TEST_CASE("an event is read back as it was written") {
  CHECK(read_message<EventMessage>(to_json(full)).value() == full);
  const EventMessage least{1, full.time, Severity::info, "stopped", "stopped", {}, {}, {}};
  CHECK(read_message<EventMessage>(to_json(least)).value() == least);
  CHECK(to_json(least).size() == 5);
}

TEST_CASE("an unknown severity or place does not hide the event") {
  auto json = to_json(full);
  json["severity"] = "catastrophe";
  json["tile"] = "top left";
  json["flow"] = -1;
  const auto read = read_message<EventMessage>(json);
  REQUIRE(read.has_value());
  CHECK(read->severity == Severity::info);
  CHECK(!read->tile);
  CHECK(!read->flow);
  CHECK(read->text == full.text);
}

TEST_CASE("an event has a time and a text") {
  CHECK(problem_without<EventMessage>(to_json(full), "/time") == "time is missing");
  CHECK(problem_with<EventMessage>(to_json(full), "/text", 5) == "text must be a string of at most 65536 bytes");
}
