#include "common/access/access_role.h"

#include <catch2/catch.hpp>

using namespace lw;
using enum AccessRole;

TEST_CASE("each role includes the smaller ones; nodes have only their own methods") {
  for (const auto role : {view, operate, administer, node}) {
    CHECK(may(role, role));
    CHECK(may(administer, role));
    CHECK(access_role(name_of(role)) == role);
  }
  CHECK(may(operate, view));
  CHECK_FALSE(may(view, operate));
  CHECK_FALSE(may(view, administer));
  CHECK_FALSE(may(operate, administer));
  CHECK_FALSE(may(node, view));
  CHECK_FALSE(may(view, node));
  CHECK_FALSE(may(operate, node));
  CHECK_FALSE(access_role("root").has_value());
  CHECK_FALSE(access_role("").has_value());
}
