#include "ingest/host_share.h"

#include <catch2/catch.hpp>

#include "common/concurrency/pinned_thread.h"
#include "tests/support/fake_tree.h"

TEST_CASE("an import uses a share of the memory that is left, for the host and for its control groups") {
  const lw::test::FakeTree tree;
  tree.write("proc/meminfo", "MemTotal: 16000000 kB\nMemAvailable: 8000000 kB\n");
  const auto bytes = [&] { return lw::share_of_host(3, tree.root()).frame_bytes; };
  CHECK(bytes() == 8'000'000'000 / 1000 * 1024 / 8);
  tree.write("proc/self/cgroup", "0::/a.slice/b.service\n");
  tree.write("sys/fs/cgroup/a.slice/b.service/memory.max", "max");
  CHECK(bytes() == 8'000'000'000 / 1000 * 1024 / 8);
  tree.write("sys/fs/cgroup/a.slice/memory.max", "800000000");
  CHECK(bytes() == 100'000'000);
  tree.write("sys/fs/cgroup/a.slice/b.service/memory.max", "80000000");
  CHECK(bytes() == 10'000'000);
}

TEST_CASE("the number of threads is the user's, or follows from the CPUs") {
  CHECK(lw::share_of_host(5).threads == 5);
  CHECK(lw::share_of_host({}).threads == lw::allowed_cpus().size() + 2);
}

TEST_CASE("there is always room for one, and never for more than wanted") {
  const lw::HostShare share{4, 1000};
  CHECK(share.room_for(100, 8) == 8);
  CHECK(share.room_for(200, 8) == 5);
  CHECK(share.room_for(2000, 8) == 1);
  CHECK(share.room_for(0, 8) == 8);
}
