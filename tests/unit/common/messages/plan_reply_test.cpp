// A plan's verdict and findings are read from the answer, which has more.
#include "common/messages/plan_reply.h"

#include <catch2/catch.hpp>

#include "tests/unit/common/messages/told.h"

using namespace lw;
using namespace lw::test;

namespace {

PlanReply tight() {
  return {"two",
          "waves",
          Verdict::limited,
          {{Verdict::ok, "cores", "2", "4", {}},
           {Verdict::limited, "interface eth0", "0.90 Gbit/s", "1.00 Gbit/s", "use a faster one"}}};
}

}  // namespace

TEST_CASE("a plan is read as it was written") {
  const auto json = to_json(tight());
  CHECK(read_message<PlanReply>(json).value() == tight());
  CHECK(json["verdict"] == "limited");
  CHECK(json["findings"][0] == Json{{"verdict", "ok"}, {"what", "cores"}, {"needed", "2"}, {"have", "4"}});
}

TEST_CASE("needs and host in a plan are skipped, and its errors are named") {
  auto json = to_json(tight());
  json["host"] = {{"name", "gpu1"}};
  json["needs"] = {{"open_files", 40}};
  CHECK(read_message<PlanReply>(json).value() == tight());
  CHECK(problem_without<PlanReply>(json, "/verdict") == "verdict is missing");
  CHECK(problem_with<PlanReply>(json, "/findings/1/verdict", "bad") ==
        "findings, number 2: verdict must be ok, limited or impossible");
}
