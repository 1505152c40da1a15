// Where a container or a unit's sandbox does not let us ask the kernel about its clock.
#include "common/clock/kernel_clock.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <cstddef>
#include <functional>
#include <iterator>

namespace {

bool refuse_adjtimex() {
  constexpr unsigned number = offsetof(seccomp_data, nr);
  sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_adjtime, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_adjtimex, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{std::size(steps), steps};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// In its own process, since a refusal is permanent.
bool in_child(const std::function<bool()>& holds) {
  const pid_t child = fork();
  if (child == 0) _exit(holds() ? 0 : 1);
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("without permission to ask about the clock its error is unknown, not 0") {
  CHECK(in_child([] { return refuse_adjtimex() && !lw::system_clock_error(); }));
  CHECK(in_child([] { return refuse_adjtimex() && lw::tai_less_utc() == std::chrono::seconds(0); }));
}
