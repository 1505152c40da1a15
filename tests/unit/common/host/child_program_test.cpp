// A child's lines arrive complete and in order, its end with its status, and it never outlives this program's interest.
#include "common/host/child_program.h"

#include <signal.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace lw;

struct Run {
  std::vector<std::string> output, errors;
  int status = -1;
};

std::optional<int> step(ChildProgram& child, Run& run) {
  return child.step([&](std::string_view line) { run.output.emplace_back(line); },
                    [&](std::string_view line) { run.errors.emplace_back(line); });
}

Run run_to_end(const std::string& script) {
  auto child = ChildProgram::start("/bin/sh", {"-c", script}).value();
  Run run;
  for (;;) {
    if (const auto ended = step(child, run)) {
      run.status = *ended;
      return run;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
}

}  // namespace

TEST_CASE("lines of output and errors arrive, the last one without its end, and the exit status") {
  const auto run = run_to_end("echo one; echo bad >&2; echo two; printf three; exit 7");
  CHECK(run.output == std::vector<std::string>{"one", "two", "three"});
  CHECK(run.errors == std::vector<std::string>{"bad"});
  CHECK(WIFEXITED(run.status));
  CHECK(WEXITSTATUS(run.status) == 7);
}

TEST_CASE("much output arrives, and lines without end are cut") {
  const auto run = run_to_end(
      "i=0; while [ $i -lt 3000 ]; do echo line $i of many that fill the pipe; i=$((i+1)); done; "
      "head -c 200000 /dev/zero | tr '\\0' x; echo; echo last");
  REQUIRE(run.output.size() == 3002);
  CHECK(run.output[2999] == "line 2999 of many that fill the pipe");
  CHECK(run.output[3000] == std::string(ChildProgram::line_bytes_usual, 'x'));
  CHECK(run.output[3001] == "last");
}

TEST_CASE("arguments are not read by a shell") {
  auto child = ChildProgram::start("/bin/echo", {"$HOME; `id`", "a b"}).value();
  Run run;
  while (!step(child, run)) std::this_thread::sleep_for(std::chrono::milliseconds{5});
  CHECK(run.output == std::vector<std::string>{"$HOME; `id` a b"});
}

TEST_CASE("a child gets no file of this program but its pipes") {
  const std::ifstream open_file("/proc/self/status");
  const auto run = run_to_end("ls /proc/self/fd | wc -l");
  CHECK(run.output == std::vector<std::string>{"4"});  // three, and the folder that ls reads
}

TEST_CASE("a child that is asked to end ends; one that does not listen is ended") {
  auto child = ChildProgram::start("/bin/sleep", {"1000"}).value();
  Run run;
  CHECK_FALSE(step(child, run));
  child.ask_to_end();
  std::optional<int> status;
  while (!(status = step(child, run))) std::this_thread::sleep_for(std::chrono::milliseconds{5});
  CHECK(WIFSIGNALED(*status));
  CHECK(WTERMSIG(*status) == SIGTERM);
  pid_t stubborn = 0;
  {
    auto other = ChildProgram::start("/bin/sh", {"-c", "trap '' TERM; echo $$; while :; do sleep 0.05; done"}).value();
    while (run.output.empty()) step(other, run);
    stubborn = std::stoi(run.output.front());
  }
  CHECK(::kill(stubborn, 0) != 0);
}

TEST_CASE("a program that does not exist is an error that names it") {
  const auto child = ChildProgram::start("/no/such/program", {});
  REQUIRE_FALSE(child.has_value());
  CHECK(child.error().what.find("/no/such/program") != std::string::npos);
}

TEST_CASE("programs are found in the PATH") {
  CHECK(find_program("sh").ends_with("/sh"));
  CHECK(find_program("no-such-program-anywhere").empty());
}
