#include "probe/report/report_command.h"

#include "common/base/print.h"
#include "common/command_line/command_line.h"
#include "probe/report/report.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

namespace lw {
namespace {

struct ReportOptions {
  std::string directory, out;
  bool pdf = false;
  bool json = false;
};

Result<int> report(const ReportOptions& options, const std::atomic<bool>& stop) {
  const auto results = load_results(options.directory);
  if (!results) return results.error();
  const auto out =
      options.out.empty() ? std::filesystem::path(options.directory) / "report" : std::filesystem::path(options.out);
  const auto report = write_report(*results, out, options.pdf, stop);
  if (!report) return report.error();
  const auto text = options.json
                        ? report_json(*results, *report).dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
                        : report->page.string();
  print_out("{}\n", text);
  return 0;
}

}  // namespace

Command report_command(CLI::App& program) {
  auto options = std::make_shared<ReportOptions>();
  auto* app = program.add_subcommand("report", "The results of a sweep as a page with plots (SVG) and numbers (CSV)");
  app->add_option("DIR", options->directory, "Results: of a sweep, or single ones")
      ->required()
      ->check(existing_folder());
  app->add_option("--out", options->out, "Where to write it (default: DIR/report)")->option_text("FOLDER");
  app->add_flag("--pdf", options->pdf, "Also write report.pdf: a page for each plot, to print or to pass on");
  begin_group(*app, general_options);
  app->add_flag("--json", options->json, "Print what was written, and all medians, as JSON");
  set_examples(*app, {{"a page with the plots of a sweep", "wall-probe report results"},
                      {"the same, and as PDF", "wall-probe report results --pdf"}});
  return {app, [options](const std::atomic<bool>& stop) { return report(*options, stop); }};
}

}  // namespace lw
