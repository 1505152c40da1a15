// wall-probe: measures hosts and paths, and makes paths bad on demand.
#include "common/base/counted.h"
#include "common/base/guarded.h"
#include "common/base/log.h"
#include "common/base/print.h"
#include "common/command_line/command_line.h"
#include "common/host/crash_report.h"
#include "probe/analyze/analyze_command.h"
#include "probe/capacity/capacity_command.h"
#include "probe/compare/compare_command.h"
#include "probe/doctor/doctor_command.h"
#include "probe/hash/hash_command.h"
#include "probe/impair/impair_command.h"
#include "probe/measure/interrupt_core.h"
#include "probe/mpcdi/mpcdi_command.h"
#include "probe/report/report_command.h"
#include "probe/run/run_command.h"
#include "probe/serve/serve_command.h"
#include "probe/stamp/stamp_command.h"
#include "probe/sweep/sweep_command.h"
#include "probe/trace/trace_command.h"

#include <csignal>
#include <cstdio>

using namespace lw;

namespace {

std::atomic<bool> stop_requested{false};

}  // namespace

int main(int argc, char** argv) {
  report_crashes("wall-probe");
  CLI::App app("Measures hosts and paths with the wall's own sender and receiver, and makes paths bad on demand.");
  app.require_subcommand(1);
  const std::vector commands{analyze_command(app), capacity_command(app), compare_command(app), doctor_command(app),
                             hash_command(app),    impair_command(app),   mpcdi_command(app),   report_command(app),
                             run_command(app),     serve_command(app),    stamp_command(app),   sweep_command(app),
                             trace_command(app)};
  set_examples(app, {{"check this host against a wall", "wall-probe doctor --wall wall.toml"},
                     {"measure this host, both sides in one program", "wall-probe run --rate 10G"},
                     {"the options of a subcommand", "wall-probe run --help"}});
  if (const auto ended = parse_command_line(app, "wall-probe", argc, argv)) return *ended;
  start_logging("wall-probe", "info");
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { stop_requested = true; });
  for (const auto& command : commands) {
    if (!command.options->parsed()) continue;
    return guarded("wall-probe", [&] {
      if (const auto restored = restore_interrupts(); !restored)
        print_error("wall-probe: {}", restored.error().text());
      else if (*restored > 0)
        print_error("wall-probe: restored {} of a measurement that was killed",
                    counted(*restored, "interrupt setting"));
      const auto done = command.run(stop_requested);
      if (done) return *done;
      print_error("wall-probe: {}", done.error().text());
      return 1;
    });
  }
  return 2;
}
