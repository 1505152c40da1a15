// Files that several programs change at the same time: no change is lost, and a program that is killed in the middle
// leaves the file before or after its change. Real processes, with seeds; nothing is judged by time.
#include "common/access/private_file.h"

#include "common/access/certificate.h"
#include "common/access/known_servers.h"
#include "common/access/tokens.h"
#include "common/base/file_lock.h"
#include "common/base/fingerprint.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <functional>
#include <random>
#include <thread>

using namespace lw;
using lw::test::TemporaryFolder;

namespace {

// Runs `work` in this many processes that start together. Returns how many of them failed.
int failures_of(int processes, const std::function<bool(int index)>& work) {
  std::array<int, 2> gate{};
  REQUIRE(::pipe(gate.data()) == 0);
  std::vector<pid_t> children;
  for (int i = 0; i < processes; ++i) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      ::close(gate[1]);
      char none = 0;
      [[maybe_unused]] const auto opened = ::read(gate[0], &none, 1);  // until the gate is closed
      ::_exit(work(i) ? 0 : 1);
    }
    children.push_back(child);
  }
  ::close(gate[0]);
  ::close(gate[1]);
  int failed = 0;
  for (const auto child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    failed += status != 0;
  }
  return failed;
}

bool has_token(const std::vector<Token>& tokens, const std::string& name) {
  return std::ranges::find(tokens, name, &Token::name) != tokens.end();
}

}  // namespace

TEST_CASE("tokens that several programs add and remove at the same time are all added and removed") {
  const TemporaryFolder folder;
  const auto file = folder.path / "tokens.json";
  constexpr int processes = 6, each = 4;
  for (int i = 0; i < processes; ++i)
    REQUIRE(add_token(file, "leaver-" + std::to_string(i), AccessRole::administer).has_value());
  const auto joiner = [](int process, int n) { return "joiner-" + std::to_string(process) + "-" + std::to_string(n); };
  CHECK(failures_of(processes, [&](int i) {
          std::mt19937 random(static_cast<unsigned>(i));
          for (int n = 0; n < each; ++n) {
            if (n == static_cast<int>(random() % each) && has_token(load_tokens(file).value(), joiner(i, n)))
              return false;
            if (!add_token(file, joiner(i, n), AccessRole::view)) return false;
          }
          return remove_token(file, "leaver-" + std::to_string(i)).has_value();
        }) == 0);
  const auto tokens = load_tokens(file).value();
  CHECK(tokens.size() == processes * each);
  for (int i = 0; i < processes; ++i) {
    CHECK_FALSE(has_token(tokens, "leaver-" + std::to_string(i)));
    for (int n = 0; n < each; ++n) CHECK(has_token(tokens, joiner(i, n)));
  }
  CHECK(folder.mode("tokens.json.lock") == 0600);
}

TEST_CASE("servers that several programs add at the same time are all stored, each with one certificate") {
  const TemporaryFolder folder;
  const auto file = folder.path / "known-servers";
  const auto print = [](int i) {
    return std::string(fingerprint_prefix) + std::string(64, static_cast<char>('0' + i));
  };
  constexpr int processes = 8;
  const int refused = failures_of(processes, [&](int i) {
    return remember_server(file, "10.0.0." + std::to_string(i) + ":9010", print(i)).has_value() &&
           remember_server(file, "10.0.1.1:9010", print(i)).has_value();
  });
  CHECK(refused == processes - 1);  // one certificate was the first for 10.0.1.1
  CHECK(std::ranges::count(folder.read("known-servers"), '\n') == processes + 1);
  for (int i = 0; i < processes; ++i)
    CHECK(known_fingerprint(file, "10.0.0." + std::to_string(i) + ":9010").value() == print(i));
}

TEST_CASE("programs that start together create one certificate with one key") {
  for (int round = 0; round < 5; ++round) {
    const TemporaryFolder folder;
    CHECK(failures_of(4, [&](int) { return own_certificate(folder.path).has_value(); }) == 0);
    const auto before = folder.read("control.crt") + folder.read("control.key");
    REQUIRE(own_certificate(folder.path).has_value());
    CHECK(folder.read("control.crt") + folder.read("control.key") == before);
  }
}

TEST_CASE("a program that is killed while it changes a file leaves the old one or the new one, and no lock") {
  std::mt19937 random(19);
  const TemporaryFolder folder;
  const auto file = folder.path / "tokens.json";
  REQUIRE(add_token(file, "stays", AccessRole::administer).has_value());
  for (int round = 0; round < 30; ++round) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0)
      for (;;) {
        [[maybe_unused]] const auto added = add_token(file, "comes", AccessRole::view);
        [[maybe_unused]] const auto removed = remove_token(file, "comes");
      }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 8000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const auto tokens = load_tokens(file);
    REQUIRE(tokens.has_value());
    CHECK(has_token(*tokens, "stays"));
    CHECK(tokens->size() - (has_token(*tokens, "comes") ? 1 : 0) == 1);
    CHECK(FileLock::take(file, std::chrono::milliseconds{0}).has_value());
  }
}

TEST_CASE("a held lock is waited for, and then reported by name") {
  const TemporaryFolder folder;
  const auto file = folder.path / "tokens.json";
  {
    const auto held = FileLock::take(file);
    REQUIRE(held.has_value());
    const auto refused = FileLock::take(file, std::chrono::milliseconds{20});
    REQUIRE_FALSE(refused.has_value());
    CHECK_THAT(refused.error().text(), Catch::Contains("has been changing") && Catch::Contains("tokens.json.lock"));
  }
  CHECK(FileLock::take(file, std::chrono::milliseconds{0}).has_value());
  CHECK_THAT(FileLock::take(folder.path / "none" / "file").error().text(), Catch::Contains("cannot write"));
}

TEST_CASE("a change that is refused, or changes nothing, leaves the file alone") {
  const TemporaryFolder folder;
  folder.write("file", "old");
  const auto file = folder.path / "file";
  CHECK_FALSE(change_private_file(file, [](const auto&) -> Result<std::optional<std::string>> {
                return Error{"no", "never"};
              }).has_value());
  CHECK(change_private_file(file, [](const auto& text) -> Result<std::optional<std::string>> {
          CHECK(text == "old");
          return std::optional<std::string>();
        }).has_value());
  CHECK(folder.read("file") == "old");
}
