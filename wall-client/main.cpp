// wall-client: shows the tiles of one node.
#include "common/access/credentials.h"
#include "common/base/counted.h"
#include "common/base/guarded.h"
#include "common/base/log.h"
#include "common/base/print.h"
#include "common/clock/clock_keeper.h"
#include "common/clock/system_clock.h"
#include "common/command_line/command_line.h"
#include "common/concurrency/agent_threads.h"
#include "common/concurrency/pinned_thread.h"
#include "common/host/crash_report.h"
#include "common/host/gpu.h"
#include "common/host/nic.h"
#include "common/host/service_manager.h"
#include "common/host/topology.h"
#include "common/host/watchdog.h"
#include "common/memory/shared_pages.h"
#include "common/messages/frame_records.h"
#include "common/plan/receive_buffer_advice.h"
#include "common/wall/geometry.h"
#include "common/wall/site.h"
#include "common/wall/sound_routes.h"
#include "common/wall/wall_file.h"
#include "wall-client/control/metrics_page.h"
#include "wall-client/control/node_link.h"
#include "wall-client/display/capture/dump.h"
#include "wall-client/display/display.h"
#include "wall-client/present/presenter.h"
#include "wall-client/receive/flow_cpus.h"
#include "wall-client/receive/flow_receiver.h"
#include "wall-client/receive/receive_nap.h"
#include "wall-client/sound/sound_device.h"
#include "wall-client/sound/sound_dump.h"
#include "wall-client/sound/sound_receiver.h"

#include <spdlog/spdlog.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace lw;

struct Options {
  std::string wall_file;
  std::string node;
  std::string dump_directory;
  std::string metrics;
  CredentialOptions credentials;
  std::string log_level = "info";
  bool headless = false;
  bool vsync = false;
  std::string upload = "auto";
  std::string windows = "auto";
};

Display::Options display_options(const Options& options) {
  static const std::map<std::string, UploadPath> uploads{{"auto", UploadPath::automatic},
                                                         {"client", UploadPath::client},
                                                         {"mapped", UploadPath::mapped},
                                                         {"pinned", UploadPath::pinned},
                                                         {"driver", UploadPath::driver}};
  static const std::map<std::string, Windows> windows{
      {"auto", Windows::automatic}, {"one", Windows::one}, {"each", Windows::each}};
  return {options.vsync, uploads.at(options.upload), windows.at(options.windows)};
}

std::atomic<bool> stop_requested{false};

int fail(const Error& error) {
  print_error("wall-client: {}", error.text());
  return 1;
}

// The flows of a node, and the threads that step them.
struct NodeFlows {
  SharedPages memory;  // of the bands
  std::unique_ptr<NodeHoldings> holdings;
  std::vector<std::unique_ptr<FlowReceiver>> receivers;
  AgentThreads threads;  // last: joined before what it uses goes

  [[nodiscard]] std::vector<FlowReceiver*> all() const {
    std::vector<FlowReceiver*> flows;
    for (const auto& flow : receivers) flows.push_back(flow.get());
    return flows;
  }
};

// The sound of a node, and the thread that steps it.
struct NodeSound {
  std::unique_ptr<SoundOutput> output;
  std::unique_ptr<SoundReceiver> receiver;  // null: the node gets none, or has no output for it
  std::unique_ptr<Runner> runner;           // last: joined before what it uses goes
};

// To the device that the wall file names, or into the dump. A node whose device plays nothing shows its tiles all the
// same. `flow`: knows the playout delay.
Result<void> start_sound(const Wall& wall, const WallNode& node, const std::string& dump_directory,
                         const FlowReceiver& flow, NodeSound& sound) {
  const auto ours = sound_of(wall, node);
  if (!ours) return {};
  auto output = dump_directory.empty() ? open_sound_device(node.audio) : SoundDump::open(dump_directory);
  if (!output && !dump_directory.empty()) return output.error();
  if (!output) {
    spdlog::warn("this node plays no sound: {}", output.error().text());
    return {};
  }
  sound.output = std::move(*output);
  spdlog::info("sound goes to {}", sound.output->text());
  const auto key = load_media_key(wall.streaming.srtp_key_file);
  if (!key) return key.error();
  auto port = SoundReceiver::open_port(wall, *ours);
  if (!port) return Error(port.error()).in("sound");
  SoundReceiver::Ports ports{std::move(*port), [&flow] { return flow.kept_delay(); }};
  sound.receiver = std::make_unique<SoundReceiver>(wall, std::move(ports), *sound.output, *key);
  auto runner =
      Runner::start({.name = "sound", .realtime_priority = wall.streaming.realtime_priority}, {sound.receiver.get()});
  if (!runner) return runner.error();
  sound.runner = std::move(*runner);
  return {};
}

// Near the card at which the flows arrive; where it is not known, as on virtual interfaces, near the graphics card.
std::vector<int> cpus_of(const Wall& wall, const WallNode& node) {
  if (!node.cpus.empty()) return {node.cpus.begin(), node.cpus.end()};
  const auto nics = read_nics();
  const auto* nic = nic_of_address(nics, node.address);
  const auto near = nic != nullptr && nic->numa_node ? nic->numa_node : gpu_numa_node();
  const auto topology = read_topology();
  return flow_cpus(topology ? *topology : Topology{}, near, node.tiles.size() * wall.streaming.flows_per_tile);
}

// A flow that is to be started: where it runs, and the memory of its bands.
struct NewFlow {
  Band band;
  int cpu = -1;
  Pages memory;

  [[nodiscard]] std::string name() const { return "flow " + std::to_string(band.flow); }
};

// On the node's CPUs in turn. Memory is the display's if it has its own, otherwise `shared`.
Result<std::vector<NewFlow>> flows_to_start(const Wall& wall, const WallNode& node, Display& display,
                                            SharedPages& shared) {
  const auto cpus = cpus_of(wall, node);
  std::vector<NewFlow> flows;
  for (const auto& placement : node.tiles) {
    for (const auto& band : bands_of(wall, placement.tile)) {
      // Chosen by the wall's numbering, so that several nodes on one host use different cores.
      const std::size_t turn = node.cpus.empty() ? band.flow : flows.size();
      const int cpu = cpus.empty() ? -1 : cpus[turn % cpus.size()];
      const auto bytes = FlowReceiver::memory_bytes(wall, band);
      flows.push_back({band, cpu, display.band_memory(placement.tile, bytes, cpu)});
      if (flows.back().memory.data() == nullptr) shared.expect(bytes, cpu);
    }
  }
  for (auto& flow : flows) {
    if (flow.memory.data() != nullptr) continue;
    auto memory = shared.take(FlowReceiver::memory_bytes(wall, flow.band), flow.cpu);
    if (!memory) return Error(memory.error()).in(flow.name());
    flow.memory = std::move(*memory);
  }
  return flows;
}

// Flows of the same CPU share its thread.
Result<void> start_flows(const Wall& wall, const WallNode& node, const WallSite* site, BellBoard& presenter,
                         ClockKeeper* clock, Display& display, NodeFlows& flows) {
  if (const auto allowed = check_cpus(node.cpus); !allowed) return Error(allowed.error()).in("node " + node.name);
  flows.holdings = std::make_unique<NodeHoldings>(wall.sync.lost_node);
  auto added = flows_to_start(wall, node, display, flows.memory);
  if (!added) return added.error();
  std::vector<AgentThreads::Placed> placed;
  for (auto& one : *added) {
    auto ports = open_receiver_ports(wall, one.band, site);
    if (!ports) return Error(ports.error()).in(one.name());
    ports->presenter = &presenter;
    ports->holdings = flows.holdings.get();
    ports->memory = std::move(one.memory);
    auto flow = FlowReceiver::make(wall, one.band, one.cpu, std::move(*ports), placed.empty() ? clock : nullptr);
    if (!flow) return Error(flow.error()).in(one.name());
    placed.push_back({flow->get(), one.band.flow, one.cpu});
    flows.receivers.push_back(std::move(*flow));
  }
  const AgentThreads::Options options{"recv", wall.streaming.realtime_priority, {}, receive_nap(wall, placed.size())};
  return flows.threads.start(options, placed);
}

// For the case that frames need decoding: on the node's CPUs, in turn.
Decoding decoding_of(const Wall& wall, const WallNode& node) {
  double pixels = 0;
  for (const auto& placement : node.tiles) {
    const auto& place = wall.tile(placement.tile).place;
    pixels += static_cast<double>(place.width) * place.height;
  }
  std::vector<int> cpus(node.cpus.begin(), node.cpus.end());
  const auto cores = cpus.empty() ? allowed_cpus().size() : cpus.size();
  return {decode_threads(pixels * wall.frame_rate.hertz(), static_cast<unsigned>(cores)), std::move(cpus)};
}

ClockStats clock_stats(const SystemClockState& system) {
  return {ClockState::system, system.error, {}, {}, {}, 0, system.phc_offset};
}

// As many as fit into a message; the rest waits.
void take_records(const std::vector<FlowReceiver*>& receivers, Presenter& presenter, NodeReading& reading) {
  const auto take_from = [&](FrameRecorder& recorder) {
    FrameRecord record;
    while (reading.records.size() < frame_records_max && recorder.take(record)) reading.records.push_back(record);
    reading.records_dropped += recorder.dropped();
  };
  for (auto* receiver : receivers) take_from(receiver->records());
  take_from(presenter.records());
}

void move_flow(NodeFlows& flows, unsigned flow, int cpu) {
  const auto found = std::ranges::find(flows.receivers, flow, &FlowReceiver::flow);
  if (found == flows.receivers.end()) return spdlog::warn("flow {} does not belong to this node", flow);
  if (const auto moved = flows.threads.move(static_cast<std::size_t>(found - flows.receivers.begin()), cpu))
    spdlog::info("flow {} was moved to CPU {}", flow, cpu);
  else
    spdlog::warn("cannot move flow {}: {}", flow, moved.error().text());
}

// Rung by the signal that ends the program, while the presenter runs.
std::atomic<Doorbell*> bell_at_end{nullptr};

void request_stop(int /*signal*/) {
  stop_requested = true;
  if (auto* bell = bell_at_end.load()) bell->ring();
}

// The control plane knows the wall's own nodes. A node of a site does not connect to it.
void watch_alone(Watchdog& watchdog, const std::stop_token& stop) {
  constexpr std::chrono::milliseconds interval{100};
  for (; !stop.stop_requested(); std::this_thread::sleep_for(interval)) watchdog.look(LocalClock::now());
}

Result<void> show(const Options& options) {
  const auto file = load_wall(options.wall_file);
  if (!file) return file.error();
  const auto view = view_of_node(*file, options.node);
  if (!view)
    return Error{"the wall file has no node '" + options.node + "'", "its nodes are " + names_of_all_nodes(*file)};
  const auto* wall = &view->wall;
  const auto* node = wall->find_node(options.node);
  Result<Credentials> credentials = Credentials{};
  if (view->site == nullptr)
    credentials =
        credentials_for(wall->coordinator().control_host, options.credentials, wall->coordinator().fingerprint);
  if (!credentials) return credentials.error();

  std::unique_ptr<FrameDump> dump;
  if (!options.dump_directory.empty()) {
    auto opened = FrameDump::open(options.dump_directory);
    if (!opened) return opened.error();
    dump = std::move(*opened);
  }
  auto display = options.headless ? Display::open_headless(*wall, *node)
                                  : Display::open_windows(*wall, *node, display_options(options));
  if (!display) return display.error();
  const auto swap_group = (*display)->swap_group();
  if (!swap_group.text.empty())
    spdlog::log(swap_group.joined ? spdlog::level::info : spdlog::level::warn, "[sync] swap_group: {}",
                swap_group.text);
  OwnClockKeeping clock_keeping;
  std::optional<ClockKeeper> clock;
  if (wall->clock == ClockSource::wall) clock.emplace(clock_keeping);
  const auto sleeper = Sleeper::make();  // the presenter's thread
  if (!sleeper) return sleeper.error();
  Doorbell bell;
  PassingBoard finished(bell);
  NodeFlows flows;
  if (const auto started = start_flows(*wall, *node, view->site, finished, clock ? &*clock : nullptr, **display, flows);
      !started)
    return started;
  NodeSound sound;
  if (const auto started = start_sound(*wall, *node, options.dump_directory, *flows.receivers.front(), sound); !started)
    return started;
  advise_receive_buffer(*wall, bands_of(*wall, node->tiles.front().tile).front(),
                        flows.receivers.front()->receive_buffer_bytes());

  if (const auto priority = wall->streaming.realtime_priority; priority > 0)
    if (const auto allowed = check_realtime(priority); !allowed) spdlog::warn(allowed.error().text());
  FrameMemory memory;
  for (const auto& flow : flows.receivers) memory.add(flow->memory());
  spdlog::info(memory.text());

  const auto receivers = flows.all();
  SystemClock system_clock(wall->phc);
  Presenter presenter(*wall, *node, receivers, **display, dump.get(), finished, std::make_unique<OwnHostClock>(),
                      decoding_of(*wall, *node));
  const auto renderer = (*display)->renderer();
  spdlog::info("node {} shows {}{}", node->name, counted(node->tiles.size(), "tile"),
               renderer.empty() ? " headless" : " with " + renderer + "; " + (*display)->ways());
  const auto read = [&](SystemClock& clock_of_thread, NodeReading& reading) {
    for (const auto* receiver : receivers) reading.flows.push_back(receiver->stats());
    reading.tiles = presenter.tile_stats();
    reading.clock = clock ? clock->stats() : clock_stats(clock_of_thread.read());
    reading.process = read_process_stats();
    if (sound.receiver) reading.sound = sound.receiver->stats();
    reading.renderer = renderer;
    reading.swap_group = swap_group.text;
  };
  std::unique_ptr<SystemClock> page_clock;  // the link's clock belongs to another thread
  std::unique_ptr<MetricsPage> page;
  if (!options.metrics.empty()) {
    page_clock = std::make_unique<SystemClock>(wall->phc);
    NodeHistograms histograms{{}, presenter.tile_histograms()};
    for (const auto* receiver : receivers)
      histograms.flows.emplace_back(wall->tile_of_flow(receiver->stats().flow), &receiver->histograms());
    auto opened = MetricsPage::open(
        options.metrics, *wall, node->name,
        [&] {
          NodeReading reading;
          read(*page_clock, reading);
          return reading;
        },
        std::move(histograms), options.credentials.state);
    if (!opened) return opened.error();
    page = std::move(*opened);
  }
  const ServiceManager manager;
  Watchdog watchdog(manager, [&] {
    auto turns = flows.threads.turns();
    turns.push_back(presenter.turns());
    bell.ring();
    return turns;
  });
  ReportedNode reported;
  reported.hello.node = node->name;
  reported.read = [&](NodeReading& reading) {
    watchdog.look(LocalClock::now());
    read(system_clock, reading);
    reading.swaps = presenter.take_swaps();
    take_records(receivers, presenter, reading);
  };
  reported.on_overlay = [&](TileIndex tile, const TileOverlay& overlay) { presenter.set_overlay(tile, overlay); };
  reported.on_fades = [&](const Fades& fades) { presenter.set_fades(fades); };
  if (sound.receiver) reported.on_sound = [&](const SoundLevel& level) { sound.receiver->set_gain(level.factor()); };
  reported.on_move = [&](unsigned flow, int cpu) { move_flow(flows, flow, cpu); };
  reported.previews = presenter.previews();
  reported.on_previews = [&] { presenter.look_for_previews(); };
  std::optional<NodeLink> link;
  std::jthread watch;
  if (view->site == nullptr)
    link.emplace(*wall, std::move(reported), std::move(*credentials));
  else
    watch = start_thread("watch", -1, [&](const std::stop_token& stop) { watch_alone(watchdog, stop); });
  manager.tell("READY=1");
  bell_at_end = &bell;
  auto shown = presenter.run(stop_requested, **sleeper);
  bell_at_end = nullptr;
  manager.tell("STOPPING=1");
  if (sound.receiver) {
    const auto stats = sound.receiver->stats();
    spdlog::info("sound: {} ms played, {} lost, {} late, {} duplicate", stats.played, stats.lost,
                 stats.late + stats.skipped, stats.duplicate);
  }
  if (shown && dump) shown = dump->close();
  return shown;
}

void add_options(CLI::App& app, Options& options) {
  begin_group(app, "Wall");
  app.add_option("--wall", options.wall_file, "The wall file (TOML)")->option_text("FILE")->required();
  app.add_option("--node", options.node,
                 "The node in the wall file that this host is, of the wall or of one of its sites")
      ->option_text("NAME")
      ->required();
  begin_group(app, "Display");
  app.add_flag("--headless", options.headless, "Receive, reassemble and pace without a window");
  app.add_flag("--vsync", options.vsync, "Swap at the vertical retrace");
  app.add_option("--upload", options.upload,
                 "How frames get into textures; auto: measures all of these at the start, and takes the cheapest")
      ->check(one_of({"auto", "client", "mapped", "pinned", "driver"}))
      ->option_text("WAY")
      ->capture_default_str();
  app.add_option("--windows", options.windows,
                 "One window for all tiles, or one for each; auto: one if it can cover the tiles' monitors")
      ->check(one_of({"auto", "one", "each"}))
      ->option_text("NUMBER")
      ->capture_default_str();
  app.add_option(
         "--dump", options.dump_directory,
         "Save what each tile shows: DIR/tile-COLUMN-ROW/FRAME.png and DIR/shown.ndjson; and the sound that the "
         "node would play: DIR/sound.npy and DIR/sound.ndjson")
      ->option_text("DIR");
  begin_group(app, "Server on another host");
  app.add_option("--token-file", options.credentials.token_file,
                 "The token for a server on another host (default: $LAMBDAWALL_TOKEN)")
      ->option_text("FILE");
  app.add_option("--ca", options.credentials.ca,
                 "Certificates (PEM) that verify the server (default: [[server]] fingerprint, or the certificate "
                 "seen first)")
      ->option_text("FILE");
  app.add_option("--state", options.credentials.state,
                 "Folder for known servers (default: $STATE_DIRECTORY or ~/.local/state/lambdawall)")
      ->option_text("DIR");
  begin_group(app, general_options);
  app.add_option("--metrics", options.metrics,
                 "Also serve this node's figures for Prometheus at this address; off loopback with TLS and tokens")
      ->option_text("ADDRESS:PORT");
  add_log_level(app, options.log_level);
  set_examples(app, {{"the windows of a node", "wall-client --wall walls/local-2x2.toml --node left"},
                     {"receive without a display, and save what would be shown",
                      "wall-client --wall walls/local-2x2.toml --node left --headless --dump frames"}});
}

}  // namespace

int main(int argc, char** argv) {
  report_crashes("wall-client");
  Options options;
  CLI::App app(
      "Shows the tiles of one node of a wall, each with the colour and projection that the wall file gives it: "
      "calibrate "
      "with the test patterns, which go the same way (docs/operations.md, \"Colour and projectors\").");
  add_options(app, options);
  if (const auto ended = parse_command_line(app, "wall-client", argc, argv)) return *ended;
  return guarded("wall-client", [&] {
    start_logging("wall-client", options.log_level);
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, request_stop);
    const auto shown = show(options);
    return shown ? 0 : fail(shown.error());
  });
}
