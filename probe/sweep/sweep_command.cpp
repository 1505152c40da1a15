#include "probe/sweep/sweep_command.h"

#include "common/base/counted.h"
#include "common/base/print.h"
#include "common/base/read_file.h"
#include "common/base/text_table.h"
#include "common/command_line/command_line.h"
#include "common/net/address.h"
#include "probe/call/credential_options.h"
#include "probe/call/json_value.h"
#include "probe/measure/measurement.h"
#include "probe/measure/pinning.h"
#include "probe/measure/result_files.h"
#include "probe/results/results.h"
#include "probe/sweep/plan.h"
#include "probe/sweep/relay_result.h"
#include "probe/sweep/variant.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace lw {
namespace {

using nlohmann::json;

struct SweepOptions {
  CredentialOptions credentials;
  std::string file, results;
  std::vector<std::string> to;
  std::vector<std::string> settings, interleave;
  unsigned seed = 1;
  bool short_form = false, dry_run = false, even_so = false, json_lines = false;
};

std::optional<json> read_json(const std::filesystem::path& file) {
  const auto read = read_file(file, result_bytes_max, "");
  if (!read) return {};
  return json::parse(*read, nullptr, false);
}

// A directory with results of another experiment, or of this one with other settings, is not changed.
Result<void> claim(const std::filesystem::path& directory, const json& experiment) {
  std::error_code failed;
  std::filesystem::create_directories(directory / "runs", failed);
  if (failed)
    return Error{fmt::format("cannot make {}: {}", directory.string(), failed.message()), "name another directory"};
  const auto file = directory / "experiment.json";
  if (const auto there = read_json(file); there && *there != experiment)
    return Error{
        fmt::format("{} has the results of another sweep, or of this one with other settings", directory.string()),
        "name another directory, or continue with the original options"};
  return write_json_file(file, experiment);
}

// Runs that did not complete are measured again.
bool is_done(const std::filesystem::path& file) {
  const auto result = read_json(file);
  if (result && result->is_object() && result->value("complete", false)) return true;
  std::error_code none;
  std::filesystem::remove(file, none);
  return false;
}

std::string name_of(const PlannedRun& planned) {
  return fmt::format("{:05}-{}-r{}", planned.number, file_part(planned.point), planned.repetition);
}

class Sweep {
public:
  Sweep(const SweepOptions& options, const Experiment& experiment, const std::atomic<bool>& stop)
      : options_(options), experiment_(experiment), stop_(stop), on_terminal_(isatty(STDERR_FILENO) == 1) {}

  Result<int> run(const std::vector<PlannedRun>& runs) {
    const std::filesystem::path directory(options_.results);
    std::vector<const PlannedRun*> left;
    for (const auto& planned : runs)
      if (!is_done(directory / "runs" / (name_of(planned) + ".json"))) left.push_back(&planned);
    if (left.size() < runs.size())
      print_error("wall-probe: {} of {} already exist", runs.size() - left.size(), counted(runs.size(), "run"));
    for (std::size_t i = 0; i < left.size(); ++i) {
      tell(*left[i], i, left.size());
      const auto done = measure_one(*left[i]);
      if (!done) return done.error();
      if (stop_)
        return Error{fmt::format("interrupted after {} of {}", i, counted(left.size(), "run")),
                     "run the same command again to continue"};
    }
    clear_line();
    print_error("done: wall-probe report {}", options_.results);
    return 0;
  }

private:
  void tell(const PlannedRun& planned, std::size_t index, std::size_t count) const {
    const double each = planned.run.duration_s + planned.run.warm_up_s + 0.7;
    const auto left_s = static_cast<unsigned>(each * static_cast<double>(count - index));
    clear_line();
    print_to(stderr, "run {} of {}, about {}:{:02} left: {}{}", index + 1, count, left_s / 60, left_s % 60,
             file_part(planned.point), on_terminal_ ? "" : "\n");
  }
  void warn(const PlannedRun& planned, const std::string& note) const {
    clear_line();
    print_error("wall-probe: run {} does not count: {}", name_of(planned), note);
  }
  void clear_line() const {
    if (on_terminal_) print_to(stderr, "\r\x1b[K");
  }

  // In a separate process if the variant has a program, so that no build also has to wait for the other.
  Result<json> measure(const PlannedRun& planned, const Variant& variant, const Peers& peers, ResultFiles& files) {
    std::optional<Error> unwritten;
    const auto on_interval = [&](const json& interval) {
      if (unwritten) return;
      if (const auto written = files.add_interval(interval); !written) unwritten = written.error();
    };
    const auto command = fmt::format("wall-probe sweep {} --seed {}{}", options_.file, options_.seed,
                                     options_.short_form ? " --short" : "");
    if (variant.program.empty()) {
      auto result = lw::measure(planned.run, peers, files.records(), command, stop_, {on_interval});
      return unwritten ? Result<json>(*unwritten) : std::move(result);
    }
    const auto folder = std::filesystem::path(options_.results) / "variant";
    auto measured = measure_with(variant.program, planned.run, options_.to, options_.credentials, folder, stop_);
    if (!measured) return measured.error();
    for (const auto& interval : measured->intervals) on_interval(interval);
    if (unwritten) return *unwritten;
    std::error_code failed;
    if (!measured->records.empty()) std::filesystem::rename(measured->records, files.records(), failed);
    if (failed) return Error{"cannot move " + measured->records.string() + ": " + failed.message(), ""};
    std::filesystem::remove_all(folder, failed);
    measured->result["command"] = command;
    return json_value(std::move(measured->result));
  }

  Result<void> measure_one(const PlannedRun& planned) {
    const auto variant = planned.variant ? experiment_.variants[*planned.variant] : Variant();
    auto files = ResultFiles::create(options_.results, name_of(planned));
    if (!files) return files.error();
    const auto& to = variant.to.empty() ? options_.to : variant.to;
    const auto peers = find_peers(to, files->records(), stop_, options_.credentials);
    if (!peers) return peers.error();
    std::unique_ptr<Relay> relay;
    if (planned.path) {
      auto settings = *planned.path;
      settings.target = peers->front()->addresses().peer;
      auto started = Relay::start(settings);
      if (!started) return started.error();
      relay = std::move(*started);
    }
    auto result = measure(planned, variant, *peers, *files);
    if (!result) return result.error();
    (*result)["experiment"] = experiment_.name;
    (*result)["run"] = planned.number;
    (*result)["repetition"] = planned.repetition;
    (*result)["point"] = planned.point;
    if (relay) {
      const auto note = put_relay(*result, planned.path_settings, {relay->forward_counts(), relay->forward_times()},
                                  {relay->backward_counts(), relay->backward_times()});
      if (!note.empty()) warn(planned, note);
    }
    if (options_.json_lines) print_out("{}\n", result->dump());
    return files->finish(*result);
  }

  const SweepOptions& options_;
  const Experiment& experiment_;
  const std::atomic<bool>& stop_;
  const bool on_terminal_;
};

// Checks before the first run what this host could not run.
Result<void> check_pinning(const std::vector<PlannedRun>& runs, bool peer) {
  const auto addresses = peer ? SideAddresses() : SideAddresses{"127.0.0.1", "127.0.0.1", true};
  for (const auto& planned : runs)
    if (const auto pinned = pin_ends(planned.run, Role::client, addresses); !pinned)
      return Error(pinned.error()).in("at " + file_part(planned.point));
  return {};
}

void print_plan(const Experiment& experiment, const std::vector<PlannedRun>& runs,
                const std::vector<std::string>& lacking) {
  print_out("{}: {} ({})\n", experiment.name, experiment.title, fmt::format("{}", fmt::join(experiment.rows, ", ")));
  double seconds = 0;
  TextTable table({"run", "repetition", "point"}, ">><");
  for (const auto& planned : runs) {
    const bool ends_with_bursts =
        std::ranges::any_of(planned.run.loads, [](const LoadSpec& load) { return load.bursts > 0; });
    seconds += planned.run.warm_up_s + (ends_with_bursts ? 0 : planned.run.duration_s);
    table.add({fmt::format("{}", planned.number), fmt::format("{}", planned.repetition), file_part(planned.point)});
  }
  print_out("{}", table.text());
  print_out("{}, at least {:.0f} s\n", counted(runs.size(), "run"), seconds);
  for (const auto& what : lacking) print_out("needs {}\n", what);
}

Result<int> sweep(const SweepOptions& options, const std::atomic<bool>& stop) {
  auto experiment = load_experiment(options.file, options.short_form);
  if (!experiment) return experiment.error();
  for (const auto& setting : options.settings)
    if (const auto set = override_setting(*experiment, setting); !set) return set.error();
  auto variants = parse_variants(options.interleave, options.to);
  if (!variants) return variants.error();
  experiment->variants = std::move(*variants);
  const bool peer = !options.to.empty() || (!experiment->variants.empty() && !experiment->variants.front().to.empty());
  const auto lacking = missing(*experiment, peer);
  const auto runs = plan_runs(*experiment, options.seed);
  if (!runs && !(options.dry_run && !lacking.empty())) return Error(runs.error()).in(options.file);
  if (options.dry_run) {
    print_plan(*experiment, runs ? *runs : std::vector<PlannedRun>{}, lacking);
    return 0;
  }
  if (!lacking.empty() && !options.even_so)
    return Error{fmt::format("{} needs {}", options.file, fmt::join(lacking, "; ")),
                 "run it on a suitable host, or measure what is possible with --even-so"};
  if (const auto possible = check_pinning(*runs, peer); !possible) return possible.error();
  if (options.results.empty()) return Error{"--results is missing", "name a directory for the results"};
  const auto described =
      experiment_json(*experiment, options.seed, std::filesystem::path(options.file).filename().string(), runs->size());
  if (const auto claimed = claim(options.results, described); !claimed) return claimed.error();
  return Sweep(options, *experiment, stop).run(*runs);
}

}  // namespace

Command sweep_command(CLI::App& program) {
  auto options = std::make_shared<SweepOptions>();
  auto* app =
      program.add_subcommand("sweep", "Run an experiment of many runs from a file (experiments/ contains the papers')");
  app->add_option("FILE", options->file, "The sweep file, TOML")->required();
  begin_group(*app, "Runs");
  app->add_option("--results", options->results,
                  "Directory for the results; a directory with some of the runs is continued")
      ->option_text("DIR");
  app->add_option("-c,--to", options->to, "A `wall-probe serve`, or several (default: this host, on loopback)")
      ->delimiter(',')
      ->option_text("ADDRESS[:PORT][,...]");
  app->add_option("--set", options->settings, "Overrides the file in all runs; may be given several times")
      ->option_text("KEY=VALUE");
  app->add_option("--interleave", options->interleave,
                  "Measure several variants in turns, named NAME=PROGRAM (the wall-probe of another build) or "
                  "NAME=ADDRESS[,...] (hosts); once for each. Afterwards: compare DIR --by variant")
      ->option_text("NAME=WHAT");
  app->add_option("--seed", options->seed, "Seed for the order of the runs")->capture_default_str();
  app->add_flag("--short", options->short_form, "Use the file's few values and short times for a quick check");
  app->add_flag("--force,--even-so", options->even_so, "Run even if this host does not meet the requirements");
  app->add_flag("--dry-run", options->dry_run, "Print the runs and the unmet requirements");
  add_credential_options(*app, options->credentials);
  begin_group(*app, general_options);
  app->add_flag("-J,--json", options->json_lines, "Print a line of JSON for each result");
  set_examples(*app, {{"a quick check on this host", "wall-probe sweep p2-jitter.toml --short --results results"},
                      {"continue it", "wall-probe sweep p2-jitter.toml --short --results results"}});
  return {app, [options](const std::atomic<bool>& stop) { return sweep(*options, stop); }};
}

}  // namespace lw
