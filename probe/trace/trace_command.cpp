#include "probe/trace/trace_command.h"

#include "common/base/print.h"
#include "common/command_line/command_line.h"
#include "probe/call/credential_options.h"
#include "probe/trace/trace_client.h"
#include "probe/trace/trace_file.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace lw {
namespace {

struct TraceOptions {
  std::string connect = "127.0.0.1:9010";
  CredentialOptions credentials;
  std::string out;
  TraceSpan span;
  bool json = false;
};

Result<int> trace(const TraceOptions& options, const std::atomic<bool>& stop) {
  const auto server = RpcCaller::connect(options.connect, stop, options.credentials);
  if (!server) return server.error();
  const auto trace = get_trace(**server, options.span, stop);
  if (!trace) return trace.error();
  if (const auto written = write_trace(*trace, options.out); !written) return written.error();
  const auto summary = trace_summary(*trace);
  if (options.json)
    print_out("{}\n", summary.dump(2));
  else
    print_trace_summary(summary, options.out);
  return 0;
}

}  // namespace

Command trace_command(CLI::App& program) {
  auto options = std::make_shared<TraceOptions>();
  auto* app = program.add_subcommand("trace", "The life of every frame of a running wall, for Perfetto");
  begin_group(*app, "What to trace");
  app->add_option("--connect", options->connect, "The server's control plane")
      ->option_text("ADDRESS:PORT")
      ->capture_default_str();
  app->add_option("--seconds", options->span.seconds, "Seconds to trace")
      ->check(number_between(0.1, 600))
      ->option_text("SECONDS")
      ->capture_default_str();
  app->add_flag("--back", options->span.back, "Trace the most recent seconds, as far as the server still has them");
  app->add_option("--out", options->out, "Chrome trace event JSON")->required()->option_text("FILE");
  add_credential_options(*app, options->credentials);
  begin_group(*app, general_options);
  app->add_flag("--json", options->json, "Print the summary as JSON");
  set_examples(*app, {{"the next five seconds of a wall on this host", "wall-probe trace --out trace.json"},
                      {"what just happened", "wall-probe trace --back --seconds 10 --out trace.json"}});
  return {app, [options](const std::atomic<bool>& stop) { return trace(*options, stop); }};
}

}  // namespace lw
