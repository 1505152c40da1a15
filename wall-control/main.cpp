// wall-control: the operator's GUI, and --call for scripts.
#include "common/base/print.h"
#include "common/command_line/command_line.h"
#include "wall-control/app/call.h"
#include "wall-control/app/main_window.h"
#include "wall-control/sessions/record_once.h"
#include "wall-control/ui/language.h"

#include <CLI/CLI.hpp>

#include <QApplication>
#include <QIcon>
#include <QLoggingCategory>
#include <QStyleFactory>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr const char* server_here = "127.0.0.1:9010";
constexpr int answer_within_s = 10;  // for a screenshot

std::atomic<bool> end_wanted = false;  // by a signal

struct Options {
  std::string address;
  lw::AccessOptions access;
  std::vector<std::string> call;
  std::string screenshot;
  double after_s = 5;
  std::string record;
  double record_s = 60;
  std::string session;
};

void add_options(CLI::App& app, Options& options) {
  lw::begin_group(app, "Server");
  app.add_option("--connect", options.address,
                 "The server's control address; without it, the window begins with the walls that it knows, and --call "
                 "and --record ask " +
                     std::string(server_here))
      ->option_text("HOST:PORT");
  app.add_option("--token-file", options.access.token_file,
                 "The token for a server on another host (default: $LAMBDAWALL_TOKEN)")
      ->option_text("FILE");
  app.add_option("--ca", options.access.ca_file,
                 "Accept only servers whose certificate this authority has signed, instead of those met before")
      ->option_text("FILE.pem");
  app.add_option("--state", options.access.state, "Folder for the servers met before (known-servers)")
      ->option_text("DIR");
  lw::begin_group(app, "Instead of a window");
  auto* call =
      app.add_option("--call", options.call, "Call METHOD with the JSON object PARAMS, print the result, and exit")
          ->expected(1, 2)
          ->option_text("METHOD [PARAMS]");
  app.add_option("--record", options.record, "Record a session into the new folder DIR, for --seconds")
      ->option_text("DIR")
      ->excludes(call);
  app.add_option("--seconds", options.record_s, "How long to record")
      ->check(lw::number_between(0.1, 604800))
      ->option_text("SECONDS")
      ->capture_default_str();
  lw::begin_group(app, "Window");
  app.add_option("--open", options.session, "Show the recorded session in DIR instead of a server")
      ->option_text("DIR")
      ->excludes(call);
  app.add_option("--screenshot", options.screenshot, "Save a screenshot of the window, --after SECONDS, and exit")
      ->option_text("FILE.png")
      ->excludes(call);
  app.add_option(
         "--after", options.after_s,
         "When to take the screenshot: so long after the server has answered, for which it has 10 s, or after the "
         "start if there is none")
      ->check(lw::number_between(0, 3600))
      ->option_text("SECONDS")
      ->capture_default_str();
  lw::set_examples(app,
                   {{"the window, to choose a wall", "wall-control"},
                    {"for a server on another host", "wall-control --connect wall.example.org:9010 --token-file token"},
                    {"play a visualization from a script", "wall-control --call load '{\"name\": \"film\"}'"},
                    {"look at a recorded session", "wall-control --open session"}});
}

// Qt ends a program that finds no display with abort(), after several lines.
void report_no_display(QtMsgType type, const QMessageLogContext& context, const QString& message) {
  if (type == QtFatalMsg) {
    lw::print_error(
        "wall-control: no display to open a window on; set DISPLAY or WAYLAND_DISPLAY, start it with xvfb-run, or use "
        "--call or --record");
    std::_Exit(1);
  }
  if (!QByteArray(context.category).startsWith("qt.qpa")) lw::print_error("{}", qUtf8Printable(message));
}

// Ends the event loop with the exit status.
void save_screenshot(lw::MainWindow& window, const std::string& file, int status) {
  if (!window.grab().save(QString::fromStdString(file))) {
    lw::print_error("wall-control: cannot write {}; give --screenshot a .png that can be written", file);
    status = 1;
  }
  QCoreApplication::exit(status);
}

// Of a server that does not answer, what there is.
void plan_screenshot(lw::MainWindow& window, const Options& options) {
  const auto save_later = [&window, &options] {
    QTimer::singleShot(static_cast<int>(options.after_s * 1000), &window,
                       [&window, &options] { save_screenshot(window, options.screenshot, 0); });
  };
  if (options.address.empty() || !options.session.empty()) return save_later();
  auto* patience = new QTimer(&window);
  patience->setSingleShot(true);
  QObject::connect(patience, &QTimer::timeout, &window, [&window, &options] {
    lw::print_error("wall-control: not connected to {} after {} s ({}); the screenshot shows the window without a wall",
                    options.address, answer_within_s, window.link().state_text().toStdString());
    save_screenshot(window, options.screenshot, 1);
  });
  QObject::connect(&window.link(), &lw::ControlLink::ready, patience, [patience, save_later] {
    if (!patience->isActive()) return;
    patience->stop();
    save_later();
  });
  patience->start(answer_within_s * 1000);
}

int run_window(int argc, char** argv, const Options& options, const lw::Access& access) {
  qInstallMessageHandler(report_no_display);
  QApplication app(argc, argv);
  qInstallMessageHandler(nullptr);
  QApplication::setApplicationName("wall-control");
  QApplication::setOrganizationName("Lambdawall");
  QApplication::setApplicationDisplayName("Lambdawall control");
  QApplication::setDesktopFileName("lambdawall-control");
  QApplication::setWindowIcon(QIcon::fromTheme("lambdawall-control"));
  QApplication::setStyle(QStyleFactory::create("Fusion"));
  lw::use_language(lw::chosen_language());
  lw::MainWindow window;
  // quit() would ask whether to end the demo wall.
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { end_wanted = true; });
  QTimer turn;
  QObject::connect(&turn, &QTimer::timeout, &window, [&window] {
    if (end_wanted) window.end();
  });
  turn.start(200);
  window.link().set_trust(access.trust);
  window.show();
  if (!options.screenshot.empty()) plan_screenshot(window, options);
  if (options.session.empty()) {
    if (!options.address.empty()) window.connect_to(QString::fromStdString(options.address), access.token);
  } else if (const auto problem = window.player().open(QString::fromStdString(options.session)); !problem.isEmpty()) {
    lw::print_error("wall-control: {}", qUtf8Printable(problem));
    return 1;
  }
  return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("The operator's control of a wall. With --call: one call of the control protocol from a script.");
  add_options(app, options);
  if (const auto ended = lw::parse_command_line(app, "wall-control", argc, argv)) return *ended;
  const auto access = lw::access_of(options.access);
  if (!access) {
    lw::print_error("wall-control: {}", access.error().text());
    return 1;
  }
  const auto address = QString::fromStdString(options.address.empty() ? server_here : options.address);
  if (!options.call.empty()) {
    QCoreApplication core(argc, argv);
    return lw::call_once(address, *access, QString::fromStdString(options.call[0]),
                         options.call.size() > 1 ? QString::fromStdString(options.call[1]) : QString());
  }
  if (!options.record.empty()) {
    QCoreApplication core(argc, argv);
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { QCoreApplication::quit(); });
    return lw::record_once(address, *access, QString::fromStdString(options.record), options.record_s);
  }
  return run_window(argc, argv, options, *access);
}
