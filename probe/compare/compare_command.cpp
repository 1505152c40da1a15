#include "probe/compare/compare_command.h"

#include "common/base/print.h"
#include "common/command_line/command_line.h"
#include "probe/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace lw {
namespace {

struct CompareOptions {
  std::string a, b, by;
  std::vector<std::string> figures;
  bool even_so = false, json = false;
};

Error refusal(const std::vector<std::string>& unlike) {
  constexpr std::size_t named_max = 6;
  const std::vector<std::string> named(unlike.begin(), unlike.begin() + std::min(unlike.size(), named_max));
  const auto more = unlike.size() > named_max ? fmt::format(", and {} more", unlike.size() - named_max) : "";
  return {fmt::format("A and B are not comparable: {}{}", fmt::join(named, ", "), more),
          "measure both on the same host with the same load, or compare anyway with --even-so"};
}

Result<Comparison> compare_axis(const CompareOptions& options) {
  const auto results = load_results(options.a);
  if (!results) return results.error();
  return compare_by(*results, options.by, options.figures);
}

Result<Comparison> compare_sets(const CompareOptions& options) {
  auto a = load_results(options.a);
  if (!a) return a.error();
  auto b = load_results(options.b);
  if (!b) return b.error();
  // Two runs chosen by hand are compared wherever they are in their sweeps; their loads are compared
  // too.
  if (std::filesystem::is_regular_file(options.a) && std::filesystem::is_regular_file(options.b))
    for (auto* side : {&*a, &*b}) side->runs.front().point.clear();
  return compare(*a, *b, options.figures);
}

Result<int> run_comparison(const CompareOptions& options) {
  const auto comparison = options.by.empty() ? compare_sets(options) : compare_axis(options);
  if (!comparison) return comparison.error();
  if (!comparison->unlike.empty() && !options.even_so) return refusal(comparison->unlike);
  const auto text =
      options.json ? comparison_json(*comparison).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"
                   : comparison_text(*comparison);
  print_out("{}", text);
  return 0;
}

}  // namespace

Command compare_command(CLI::App& program) {
  auto options = std::make_shared<CompareOptions>();
  auto* app = program.add_subcommand(
      "compare",
      "Check whether two sets of results, or the points of a sweep, differ\n\n"
      "An exact rank test of the runs, with ties as without; p is adjusted (Holm) for all figures that are compared "
      "at once. A difference is not a failure: the exit status is 0.");
  app->add_option("A", options->a, "Results: a directory, or one result")
      ->required()
      ->check(existing_file())
      ->option_text("FILE");
  auto* other =
      app->add_option("B", options->b, "The results to compare them with")->check(existing_file())->option_text("FILE");
  app->add_option("--by", options->by,
                  "Compare the points of one sweep that differ in this axis only, within each repetition if the sweep "
                  "ran repetition by repetition")
      ->option_text("AXIS")
      ->excludes(other);
  app->add_option("--figure", options->figures,
                  "Compare only this figure, for example gbit_per_s; may be given several times")
      ->expected(1)
      ->take_all()
      ->option_text("NAME");
  app->add_flag("--force,--even-so", options->even_so, "Compare even if hosts or loads differ");
  begin_group(*app, general_options);
  app->add_flag("--json", options->json, "Print JSON, with raw and adjusted p and the coverage of intervals");
  set_examples(*app, {{"two sets of results", "wall-probe compare before after"},
                      {"the points of a sweep", "wall-probe compare results --by mtu"}});
  app->callback([options] {
    if (options->b.empty() && options->by.empty()) throw CLI::RequiredError("B or --by AXIS");
  });
  return {app, [options](const std::atomic<bool>&) { return run_comparison(*options); }};
}

}  // namespace lw
