// wall-control: the operator's GUI, and --call for scripts.
#include "common/base/print.h"
#include "common/command_line/command_line.h"
#include "wall-control/app/call.h"
#include "wall-control/app/main_window.h"
#include "wall-control/sessions/record_once.h"

#include <CLI/CLI.hpp>

#include <QApplication>
#include <QStyleFactory>

#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

namespace {

int run_window(int argc, char** argv, const std::string& address, const lw::Access& access, const std::string& session,
               const std::string& screenshot, double after_s) {
  QApplication app(argc, argv);
  QApplication::setApplicationName("wall-control");
  QApplication::setOrganizationName("Lambdawall");
  QApplication::setApplicationDisplayName("Lambdawall control");
  QApplication::setStyle(QStyleFactory::create("Fusion"));
  // Signals end the event loop at its next turn; a timer makes sure that there is one.
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { QCoreApplication::quit(); });
  QTimer turn;
  QObject::connect(&turn, &QTimer::timeout, [] {});
  turn.start(200);

  lw::MainWindow window;
  window.link().set_trust(access.trust);
  window.show();
  if (session.empty()) {
    window.connect_to(QString::fromStdString(address), access.token);
  } else if (const auto problem = window.player().open(QString::fromStdString(session)); !problem.isEmpty()) {
    lw::print_error("wall-control: {}", qUtf8Printable(problem));
    return 1;
  }
  int status = 0;
  if (!screenshot.empty())
    QTimer::singleShot(static_cast<int>(after_s * 1000), &window, [&] {
      if (!window.grab().save(QString::fromStdString(screenshot))) {
        lw::print_error("wall-control: cannot write {}; give --screenshot a .png that can be written", screenshot);
        status = 1;
      }
    });
  const int ended = QApplication::exec();
  return status != 0 ? status : ended;
}

}  // namespace

int main(int argc, char** argv) {
  std::string address = "127.0.0.1:9010";
  std::vector<std::string> call;
  std::string screenshot;
  double after_s = 5;
  std::string record, session;
  double record_s = 60;
  lw::AccessOptions access_options;
  CLI::App app("The operator's control of a wall. With --call: one call of the control protocol from a script.");
  app.add_option("--connect", address, "The server's control address")->option_text("HOST:PORT")->capture_default_str();
  app.add_option("--token-file", access_options.token_file,
                 "The token for a server on another machine; without it, that in LAMBDAWALL_TOKEN")
      ->option_text("FILE");
  app.add_option("--ca", access_options.ca_file,
                 "Believe only servers whose certificate this authority has signed, instead of those met before")
      ->option_text("FILE.pem");
  app.add_option("--state", access_options.state, "Where the servers met before are kept (known-servers)")
      ->option_text("DIR");
  auto* call_option =
      app.add_option("--call", call, "Call METHOD with the JSON object PARAMS, print the result, and exit")
          ->expected(1, 2)
          ->option_text("METHOD [PARAMS]");
  app.add_option("--screenshot", screenshot, "Save a picture of the window, --after SECONDS")
      ->option_text("FILE.png")
      ->excludes(call_option);
  app.add_option("--after", after_s, "When to take the screenshot")
      ->check(CLI::Range(0.0, 3600.0))
      ->capture_default_str();
  app.add_option("--record", record, "Record a session into the new folder DIR, for --seconds, without a window")
      ->option_text("DIR")
      ->excludes(call_option);
  app.add_option("--open", session, "Show the recorded session in DIR instead of a server")
      ->option_text("DIR")
      ->excludes(call_option);
  app.add_option("--seconds", record_s, "How long to record")->check(CLI::Range(0.1, 604800.0))->capture_default_str();
  if (const auto ended = lw::parse_command_line(app, "wall-control", argc, argv)) return *ended;
  const auto access = lw::access_of(access_options);
  if (!access) {
    lw::print_error("wall-control: {}", access.error().text());
    return 1;
  }
  if (!call.empty()) {
    QCoreApplication core(argc, argv);
    return lw::call_once(QString::fromStdString(address), *access, QString::fromStdString(call[0]),
                         call.size() > 1 ? QString::fromStdString(call[1]) : QString());
  }
  if (!record.empty()) {
    QCoreApplication core(argc, argv);
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { QCoreApplication::quit(); });
    return lw::record_once(QString::fromStdString(address), *access, QString::fromStdString(record), record_s);
  }
  return run_window(argc, argv, address, *access, session, screenshot, after_s);
}
