#include "probe/sweep/variant.h"

#include "common/base/read_file.h"
#include "common/base/units.h"
#include "probe/measure/result_files.h"
#include "probe/results/results.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sstream>
#include <thread>

namespace lw {
namespace {

using nlohmann::json;
using std::filesystem::path;

constexpr std::size_t variants_max = 16;
constexpr std::size_t said_max = std::size_t{1} << 16U;
constexpr std::chrono::seconds end_within{30};  // after an interruption

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

Result<Variant> parse_variant(const std::string& text, const std::vector<std::string>& to) {
  const auto equals = text.find('=');
  Variant variant;
  variant.name = text.substr(0, equals);
  const auto what = equals == std::string::npos ? std::string() : text.substr(equals + 1);
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
  if (variant.name.empty() || variant.name.size() > 40 ||
      variant.name.find_first_not_of(letters) != std::string::npos || what.empty())
    return Error{"--interleave " + text + " is not a variant", "write NAME=PATH of a wall-probe, or NAME=ADDRESS"};
  if (what.find('/') == std::string::npos) {
    variant.to = split_at_commas(what);
    if (!to.empty())
      return Error{"--interleave " + text + " names a host, and so does --to", "name hosts in one of them"};
    return variant;
  }
  variant.program = std::filesystem::absolute(what);
  if (std::filesystem::is_directory(variant.program) || access(variant.program.c_str(), X_OK) != 0)
    return Error{what + " is not an executable program", "name the wall-probe of a build, like old/bin/wall-probe"};
  return variant;
}

struct Output {
  path out, errors;
};

Result<pid_t> start_program(const std::vector<std::string>& words, const Output& to) {
  posix_spawn_file_actions_t files{};
  posix_spawn_file_actions_init(&files);
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, to.out.c_str(), flags, 0644);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, to.errors.c_str(), flags, 0644);
  auto owned = words;
  std::vector<char*> arguments;
  for (auto& word : owned) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawn(&child, arguments.front(), &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed != 0)
    return Error{fmt::format("cannot start {}: {}", words.front(), std::strerror(failed)), "name a wall-probe"};
  return child;
}

// Returns its exit status. Passes an interruption on, and waits for the results so far.
int wait_for_end(pid_t child, const std::atomic<bool>& stop) {
  int status = 0;
  std::optional<LocalTime> interrupted;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (stop && !interrupted) {
      interrupted = LocalClock::now();
      kill(child, SIGTERM);  // in a background shell, SIGINT would be ignored
    }
    if (interrupted && LocalClock::now() > *interrupted + end_within) kill(child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  return status;
}

std::string last_line(const path& file) {
  const auto read = read_file(file, said_max, "");
  std::string last = "it printed nothing";
  if (!read) return last;
  std::istringstream in(*read);
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) last = line;
  return last;
}

Result<std::vector<json>> read_intervals(const path& file) {
  const auto read = read_file(file, result_bytes_max, "");
  if (!read) return read.error();
  std::vector<json> intervals;
  std::istringstream in(*read);
  for (std::string line; std::getline(in, line);) {
    auto interval = json::parse(line, nullptr, false);
    if (interval.is_object()) intervals.push_back(std::move(interval));
  }
  return intervals;
}

}  // namespace

Result<std::vector<Variant>> parse_variants(const std::vector<std::string>& texts, const std::vector<std::string>& to) {
  std::vector<Variant> variants;
  for (const auto& text : texts) {
    auto variant = parse_variant(text, to);
    if (!variant) return variant.error();
    if (std::ranges::find(variants, variant->name, &Variant::name) != variants.end())
      return Error{"two variants are called " + variant->name, "give each its own name"};
    if (!variants.empty() && variants.front().program.empty() != variant->program.empty())
      return Error{"--interleave takes builds or hosts, not both", "interleave one kind"};
    variants.push_back(std::move(*variant));
  }
  if (variants.size() == 1 || variants.size() > variants_max)
    return Error{fmt::format("--interleave takes 2 to {} variants", variants_max),
                 "name each with its own --interleave"};
  return variants;
}

Result<MeasuredElsewhere> measure_with(const path& program, const RunSpec& run, const std::vector<std::string>& to,
                                       const CredentialOptions& credentials, const path& folder,
                                       const std::atomic<bool>& stop) {
  std::error_code failed;
  std::filesystem::remove_all(folder, failed);
  std::filesystem::create_directories(folder, failed);
  const auto spec = folder / "spec.json";
  if (const auto written = write_json_file(spec, to_json(run)); !written) return written.error();
  std::vector<std::string> words{program, "run", "--file", spec, "--results", folder};
  for (const auto& [option, value] : {std::pair{"--token-file", credentials.token_file},
                                      std::pair{"--ca", credentials.ca}, std::pair{"--state", credentials.state}})
    if (!value.empty()) words.insert(words.end(), {option, value});
  for (const auto& host : to) words.insert(words.end(), {"--to", host});
  const Output output{folder / "stdout", folder / "stderr"};
  const auto child = start_program(words, output);
  if (!child) return child.error();
  const int status = wait_for_end(*child, stop);
  const auto name = folder / "runs" / "run.json";
  const auto read = read_file(name, result_bytes_max, "");
  auto result = read ? json::parse(*read, nullptr, false) : json();
  if (!result.is_object() || !result.contains("figures"))
    return Error{fmt::format("{} measured nothing (status {}): {}", program.string(), status, last_line(output.errors)),
                 "run it by hand: " + fmt::format("{} run --file {}", program.string(), spec.string())};
  auto intervals = read_intervals(folder / "runs" / "run.ndjson");
  if (!intervals) return intervals.error();
  const auto records = folder / "runs" / "run-records";
  return MeasuredElsewhere{std::move(result), std::move(*intervals),
                           std::filesystem::exists(records, failed) ? records : path()};
}

}  // namespace lw
