// wall-server: finds visualizations, plays them, and serves the control plane.
#include "common/access/certificate.h"
#include "common/access/peer_address.h"
#include "common/access/token_commands.h"
#include "common/base/counted.h"
#include "common/base/guarded.h"
#include "common/base/log.h"
#include "common/base/print.h"
#include "common/base/whole_number.h"
#include "common/command_line/command_line.h"
#include "common/host/child_program.h"
#include "common/host/crash_report.h"
#include "common/host/state_folder.h"
#include "common/wall/geometry.h"
#include "common/wall/names.h"
#include "common/wall/wall_file.h"
#include "server/control/control_service.h"
#include "server/control/upkeep.h"
#include "server/play/library.h"
#include "server/play/session.h"
#include "server/print_plan.h"
#include "server/prometheus_targets.h"
#include "server/write_sdp.h"

#include <spdlog/spdlog.h>
#include <CLI/CLI.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using namespace lw;

struct Options {
  std::string wall_file;
  std::vector<std::filesystem::path> content;
  std::vector<std::filesystem::path> stripes;
  std::vector<std::filesystem::path> import_from;
  std::string play;
  std::string server;
  std::vector<std::string> hosts;
  std::string sdp_directory;
  std::string prometheus_targets;
  std::string state;
  std::string ca;
  std::string server_tokens;
  std::string certificate;
  std::string key;
  std::vector<std::string> names;   // of the control port
  std::vector<std::string> moving;  // addresses where it also listens
  TokenCommands tokens;
  std::string log_level = "info";
  bool resume = false;
  bool plan = false;
  bool json = false;
};

int fail(const Error& error) {
  print_error("wall-server: {}", error.text());
  return 1;
}

Result<const LibraryEntry*> find_playable(const Library& library, const std::string& name, const Wall& wall,
                                          const WallServer& self) {
  const auto* entry = library.find(name);
  if (entry == nullptr) {
    for (const auto& rejected : library.rejected())
      if (rejected.folder.filename() == name) return rejected.error;
    if (!library.missing().empty()) return library.missing().front().error;
    return Error{"no visualization '" + name + "' in the content directories",
                 "wall-ingest makes one; --content says where to look"};
  }
  if (const auto fit = fits(entry->manifest, wall, self); !fit) return Error(fit.error()).in(name);
  return entry;
}

Result<void> write_sdp_files(const Options& options, const Wall& wall, const WallServer& self, const Library& library) {
  auto format = wall.streaming.pixel_format;
  auto rate = wall.frame_rate;
  unsigned channels = 2;
  if (!options.play.empty()) {
    const auto entry = find_playable(library, options.play, wall, self);
    if (!entry) return entry.error();
    format = (*entry)->manifest.pixel_format;
    rate = (*entry)->manifest.frame_rate;
    channels = (*entry)->manifest.audio ? (*entry)->manifest.audio->channels : 0;
  }
  const auto count = write_sdp(wall, format, rate, options.sdp_directory, channels);
  if (!count) return count.error();
  print_out("{} in {}\n", counted(*count, "SDP file"), options.sdp_directory);
  return {};
}

Result<void> print_prometheus_targets(const Options& options, const Wall& wall) {
  if (options.prometheus_targets != "-") return write_prometheus_targets(wall, options.prometheus_targets);
  const auto targets = prometheus_targets(wall);
  if (!targets) return targets.error();
  print_out("{}", *targets);
  return {};
}

// The file in which what plays is saved; empty unless requested.
Result<std::filesystem::path> resume_file(const Options& options) {
  std::filesystem::path file;
  if (!options.resume) return Result<std::filesystem::path>(boost::system::in_place_value, file);
  const auto folder = state_folder(options.state);
  if (!folder) return folder.error();
  file = *folder / "resume.json";
  return Result<std::filesystem::path>(boost::system::in_place_value, file);
}

// A damaged file or missing content must not keep a wall dark that can play.
void resume_from(const std::filesystem::path& file, Session& session) {
  const auto resume = load_resume(file);
  if (!resume) return spdlog::warn("not resumed: {}", resume.error().text());
  if (!*resume) return;
  if (const auto gone_on = go_on(session, **resume); !gone_on)
    spdlog::warn("resumed in part: {}", gone_on.error().text());
  spdlog::info("resumed from {}", file.string());
}

// On loopback the wall also plays without a folder; only the audit log is then missing.
Result<ControlAccess> access_of(const Options& options, const WallServer& self) {
  ControlAccess access;
  access.names = options.names;
  for (const auto& text : options.moving) {
    const auto parts = split_host_port(text);
    const auto port = parts ? whole_number<std::uint16_t>(parts->port).value_or(0) : std::uint16_t{0};
    if (port == 0 || !Address::parse(parts->host, port))
      return Error{"--control-address " + text + " is not a numeric address with a port",
                   "write it like 192.0.2.1:9010 or [2001:db8::1]:9010"};
    access.moving.emplace_back(parts->host, port);
  }
  access.to_servers = {options.ca, options.server_tokens, options.state};
  const auto folder = state_folder(options.state);
  if (is_loopback(self.control_host)) {
    if (folder)
      access.state = *folder;
    else
      spdlog::warn("the audit log is missing: {}", folder.error().text());
    return access;
  }
  if (!folder) return folder.error();
  access.state = *folder;
  access.certificate = CertificateFiles{options.certificate, options.key};
  if (options.certificate.empty()) {
    auto own = own_certificate(*folder);
    if (!own) return own.error();
    access.certificate = std::move(*own);
  }
  const auto fingerprint = fingerprint_of(access.certificate->certificate);
  if (!fingerprint) return fingerprint.error();
  spdlog::info("the control plane's certificate: {}", *fingerprint);
  return access;
}

// Which of the wall's servers this is.
Result<const WallServer*> find_self(const Options& options, const Wall& wall) {
  if (options.server.empty() && wall.servers.size() > 1)
    return Error{"the wall has several servers: " + names_of(wall.servers), "say which of them this is: --server NAME"};
  const auto* self = options.server.empty() ? &wall.servers.front() : wall.find_server(options.server);
  if (self == nullptr)
    return Error{"the wall file has no server '" + options.server + "'", "its servers are " + names_of(wall.servers)};
  if (self != &wall.coordinator() && (!options.play.empty() || options.resume) && options.sdp_directory.empty())
    return Error{"server " + self->name + " plays what the coordinator " + wall.coordinator().name + " says",
                 "give --play and --resume to that one"};
  return self;
}

// Where imports at an operator's request go: stripes lie on all directories that this server may read them from.
ImportPlace import_place(const Options& options, const Wall& wall, const WallServer& self) {
  ImportPlace place{options.import_from, find_program("wall-ingest"), options.wall_file};
  if (!options.content.empty()) place.out.push_back(options.content.front());
  place.out.insert(place.out.end(), options.stripes.begin(), options.stripes.end());
  if (wall.servers.size() > 1) place.server = self.name;
  place.content = options.content;
  for (const auto& directory : place.from)
    if (std::error_code error; !std::filesystem::is_directory(directory, error))
      spdlog::warn("--import-from: {} is not a directory", directory.string());
  return place;
}

Result<void> serve(const Options& options, const Wall& wall, const WallServer& self, Library& library) {
  if (!options.play.empty())
    if (const auto entry = find_playable(library, options.play, wall, self); !entry) return entry.error();
  for (const auto& rejected : library.rejected())
    spdlog::warn("{} is skipped: {}", rejected.folder.string(), rejected.error.text());
  for (const auto& missing : library.missing())
    spdlog::warn("a content directory is missing: {}", missing.error.text());

  boost::asio::io_context io{1};
  boost::asio::signal_set signals(io, SIGINT, SIGTERM);  // before anybody can see that the server is running
  ControlService* control = nullptr;
  auto session = Session::start(wall, self, library, [&control](const PlayEvent& event) {
    if (control != nullptr) control->on_event(event);
  });
  if (!session) return session.error();
  const auto access = access_of(options, self);
  if (!access) return access.error();
  auto service = ControlService::start(
      io, wall, self, library, **session, [&](const LibraryEntry& entry) { return plan_as_json(wall, self, entry); },
      *access, import_place(options, wall, self));
  if (!service) return service.error();
  control = service->get();

  spdlog::info("wall '{}'{}: {}, {}; control plane at {}:{}; {}", wall.name,
               wall.servers.size() > 1 ? ", server " + self.name : "", counted(wall.tiles_of(self).size(), "tile"),
               counted(bands_of(wall, self).size(), "flow"), self.control_host, self.control_port,
               counted(library.entries().size(), "visualization"));
  for (const auto& site : wall.sites)
    spdlog::info("site '{}': by {} {}", site.name, site.has_relay() ? "the relay" : "the group", site.address);
  spdlog::info((*session)->resources());
  const auto resume = resume_file(options);
  if (!resume) return resume.error();
  Result<void> begun;
  (*service)->when_it_begins([&] {
    if (!options.play.empty())
      begun = (*session)->load(options.play, 0, false, {});
    else if (!resume->empty())
      resume_from(*resume, **session);
    if (!begun) io.stop();
  });
  if (!begun) return begun;
  const Upkeep upkeep(io, **session, library, *resume);

  signals.async_wait([&](const boost::system::error_code&, int) { io.stop(); });
  io.run();
  if (begun) spdlog::info("ending");
  return begun;
}

Result<void> run_token_commands(const Options& options) {
  const auto folder = state_folder(options.state);
  if (!folder) return folder.error();
  const auto out = run(options.tokens, *folder, options.certificate);
  if (!out) return out.error();
  print_out("{}", *out);
  return {};
}

Result<void> run(const Options& options) {
  if (options.tokens.any()) return run_token_commands(options);
  const auto wall = load_wall(options.wall_file);
  if (!wall) return wall.error();
  if (!options.prometheus_targets.empty()) return print_prometheus_targets(options, *wall);
  Library library(options.content, options.stripes);
  library.scan();
  // A missing directory is used as soon as it is back; if all are missing, they may be misspelt.
  if (const auto& missing = library.missing(); !missing.empty() && missing.size() == options.content.size())
    return Error{missing.front().error.what, "correct --content, or mount its disk"};
  if (options.plan) return print_plan(*wall, library, {options.server, options.play, options.hosts, options.json});
  const auto self = find_self(options, *wall);
  if (!self) return self.error();
  if (!options.sdp_directory.empty()) return write_sdp_files(options, *wall, **self, library);
  return serve(options, *wall, **self, library);
}

void add_play_options(CLI::App& app, Options& options) {
  begin_group(app, "Content");
  app.add_option("--content", options.content, "Directories with visualizations, separated by commas")
      ->delimiter(',')
      ->option_text("DIR[,DIR...]");
  app.add_option("--stripes", options.stripes,
                 "Directories in which visualizations may have stripes besides the content directories, separated by "
                 "commas (default: any, for those without an id)")
      ->delimiter(',')
      ->option_text("DIR[,DIR...]");
  app.add_option(
         "--import-from", options.import_from,
         "Let administrators import media that is below these directories, by wall-ingest on this host, into the "
         "first content directory and those of --stripes (default: none)")
      ->delimiter(',')
      ->option_text("DIR[,DIR...]");
  app.add_option("--play", options.play, "Play this visualization at once")->option_text("NAME");
  app.add_flag(
      "--resume", options.resume,
      "Save what is playing in the folder of --state, and resume it at the next start (unless --play is given)");
}

void add_plan_options(CLI::App& app, Options& options) {
  begin_group(app, "Instead of serving: print or write, and exit");
  auto* plan = app.add_flag("--plan", options.plan,
                            "Print what each visualization (or the one of --play) needs of each server (or the one of "
                            "--server) and what its host has");
  app.add_option(
         "--host", options.hosts,
         "With --plan: the facts about a server's host, as wall-probe doctor --json prints them there (default: "
         "this host). FILE alone counts for all servers that are not named; repeatable")
      ->option_text("[SERVER=]FILE")
      ->needs(plan);
  app.add_flag("--json", options.json, "With --plan: as JSON")->needs(plan);
  auto* sdp = app.add_option("--sdp", options.sdp_directory, "Write an SDP file for each flow into DIR")
                  ->option_text("DIR")
                  ->excludes(plan);
  app.add_option("--prometheus-targets", options.prometheus_targets,
                 "Write the addresses of the wall's servers into FILE (or - for standard output), for Prometheus' "
                 "file_sd_configs")
      ->option_text("FILE")
      ->excludes(plan)
      ->excludes(sdp);
}

void add_control_options(CLI::App& app, Options& options) {
  begin_group(app, "Control port");
  app.add_option(
         "--control-address", options.moving,
         "Accept operators and nodes also at these addresses, even while this host does not have them: addresses "
         "that move to the server that coordinates")
      ->delimiter(',')
      ->option_text("ADDRESS:PORT[,...]");
  app.add_option("--control-name", options.names,
                 "Host names accepted in requests to the control port, besides this host's, its addresses and the "
                 "certificate's (wall.example.org,*.lab.example.org)")
      ->delimiter(',')
      ->option_text("NAME[,NAME...]");
  auto* certificate = app.add_option("--certificate", options.certificate,
                                     "Certificate for TLS, PEM (default: generated at the first start off loopback)")
                          ->option_text("FILE");
  app.add_option("--key", options.key, "Private key of the certificate, PEM")->option_text("FILE")->needs(certificate);
  app.add_option("--ca", options.ca, "Certificates (PEM) to verify the wall's other servers with")->option_text("FILE");
  app.add_option("--server-tokens", options.server_tokens,
                 "Of the coordinator: a folder with the token that each other server made for it, in a file with that "
                 "server's name")
      ->option_text("DIR");
}

void add_token_options(CLI::App& app, Options& options, CLI::Option& wall) {
  begin_group(app, "Instead of serving: manage access, and exit");
  const auto needs_no_wall = [&wall](const std::string& /*given*/) { wall.required(false); };
  auto* role =
      app.add_option("--role", options.tokens.role,
                     "With --add-token: view, operate, administer or server; or node, for the node of that name")
          ->check(one_of({"view", "operate", "administer", "node", "server"}))
          ->option_text("ROLE");
  app.add_option("--add-token", options.tokens.add,
                 "Create a token for a client on another host, and print it this once")
      ->option_text("NAME")
      ->needs(role)
      ->each(needs_no_wall);
  app.add_option("--remove-token", options.tokens.remove, "Revoke the token with this name")
      ->option_text("NAME")
      ->each(needs_no_wall);
  app.add_flag("--tokens", options.tokens.list, "List tokens with their roles")->each(needs_no_wall);
  app.add_flag("--fingerprint", options.tokens.fingerprint, "Print the certificate's fingerprint")->each(needs_no_wall);
}

void add_options(CLI::App& app, Options& options) {
  begin_group(app, "Wall");
  auto* wall = app.add_option("--wall", options.wall_file, "The wall file (TOML)")->option_text("FILE")->required();
  app.add_option("--server", options.server, "Which of the wall file's servers this is, if it has several")
      ->option_text("NAME");
  add_play_options(app, options);
  add_control_options(app, options);
  app.add_option("--state", options.state,
                 "Folder for certificate, tokens, audit log and what was playing (default: $STATE_DIRECTORY or "
                 "~/.local/state/lambdawall)")
      ->option_text("DIR");
  add_plan_options(app, options);
  add_token_options(app, options, *wall);
  add_log_level(app, options.log_level);
  set_examples(app, {{"serve the visualizations in a folder", "wall-server --wall wall.toml --content /srv/lambdawall"},
                     {"play one at once", "wall-server --wall wall.toml --content /srv/lambdawall --play film"},
                     {"what they need, and whether this host has it",
                      "wall-server --wall wall.toml --content /srv/lambdawall --plan"},
                     {"a token for an operator on another host", "wall-server --add-token desk --role operate"}});
  app.final_callback([&options] {
    if (!options.certificate.empty() && options.key.empty() && !options.tokens.any()) throw CLI::RequiredError("--key");
  });
}

}  // namespace

int main(int argc, char** argv) {
  report_crashes("wall-server");
  Options options;
  CLI::App app("Serves visualizations to a wall: finds them, plays them, and is controlled over JSON-RPC.");
  add_options(app, options);
  if (const auto ended = parse_command_line(app, "wall-server", argc, argv)) return *ended;
  return guarded("wall-server", [&] {
    start_logging("wall-server", options.log_level);
    const auto done = run(options);
    return done ? 0 : fail(done.error());
  });
}
