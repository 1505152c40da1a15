// wall-bench: one measurement of the data path, as a line of JSON. scripts/bench runs it in turns with other tools.
#include "bench/bare_pair.h"
#include "bench/decode_load.h"
#include "bench/fec_load.h"
#include "bench/flow_load.h"
#include "bench/read_load.h"
#include "bench/spacing_load.h"
#include "bench/upload_load.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

namespace {

int report(const lw::Result<lw::bench::Report>& result) {
  if (!result) {
    std::fprintf(stderr, "wall-bench: %s\n", result.error().text().c_str());
    return 1;
  }
  std::printf("%s\n", result->figures.dump().c_str());
  std::fflush(stdout);
  return 0;
}

// Prints a line about the setup, then a line of figures for each "GBIT SECONDS" line of input. Setting up takes longer
// than a measurement, and others are to be measured in between.
template <class Rig>
int serve(const lw::Result<std::unique_ptr<Rig>>& rig) {
  if (!rig) return report(rig.error());
  int status = report((*rig)->facts());
  for (std::string line; status == 0 && std::getline(std::cin, line);) {
    double gbit = 0, seconds = 0;
    if (!(std::istringstream(line) >> gbit >> seconds) || gbit < 0 || seconds <= 0 || seconds > 3600)
      return report(lw::Error{"not a measurement: " + line, "write GBIT SECONDS"});
    status = report((*rig)->measure(gbit, std::chrono::milliseconds{static_cast<std::int64_t>(seconds * 1000)}));
  }
  return status;
}

void add_seconds(CLI::App& app, std::chrono::milliseconds& duration) {
  app.add_option_function<double>(
         "--seconds",
         [&](double seconds) { duration = std::chrono::milliseconds{static_cast<std::int64_t>(seconds * 1000)}; })
      ->check(CLI::Range(0.1, 3600.0));
}

void add_flow_options(CLI::App& app, lw::bench::FlowLoad& load) {
  app.add_option("--from", load.sender_address, "Source address of the packets")->capture_default_str();
  app.add_option("--to", load.receiver_address, "Destination address of the packets")->capture_default_str();
  app.add_option("--gbit", load.gbit_per_s, "Total rate of all flows")->check(CLI::Range(0.01, 1000.0));
  app.add_option("--datagram", load.datagram_bytes, "UDP payload, bytes")->check(CLI::Range(548, 9188));
  static const std::map<std::string, lw::bench::Cut> cuts{
      {"rows", lw::bench::Cut::rows}, {"slots", lw::bench::Cut::slots}, {"stored", lw::bench::Cut::stored}};
  app.add_option("--cut", load.cut, "How frames are cut into packets; stored: they lie as slots")
      ->transform(CLI::CheckedTransformer(cuts));
  app.add_option("--burst", load.burst_packets, "Maximum number of packets per system call")->check(CLI::Range(1, 64));
  app.add_option("--width", load.width, "Width of a band in pixels")->check(CLI::Range(2, 16384));
  app.add_option("--rows", load.rows)->check(CLI::Range(1, 16384));
  app.add_flag("--zero-copy", load.zero_copy, "Send from the frames' memory if that costs less CPU time");
  app.add_option("--srtp-key", load.srtp_key_file, "Encrypt the packets with the key in this file");
  app.add_option("--pace", load.pace_fraction, "Share of the frame interval")->check(CLI::Range(0.1, 1.0));
  app.add_option("--sender-cpus", load.sender_cpus)->delimiter(',');
  app.add_option("--receiver-cpus", load.receiver_cpus)->delimiter(',');
  add_seconds(app, load.duration);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace lw::bench;
  CLI::App app("One measurement of the data path, as a line of JSON. scripts/bench runs it together with other tools.");
  app.set_version_flag("--version", std::string("wall-bench ") + LW_VERSION);
  app.require_subcommand(1);

  FlowLoad load;
  auto& flow = *app.add_subcommand("flow", "Our sender and receiver, from memory or disks to frame buffers");
  add_flow_options(flow, load);
  flow.add_option("--flows", load.flows)->check(CLI::Range(1, 64))->capture_default_str();
  flow.add_option_function<unsigned>("--busy-poll-us",
                                     [&](unsigned us) { load.busy_poll = std::chrono::microseconds{us}; })
      ->check(CLI::Range(0, 1000));
  bool serves = false;
  flow.add_flag("--serve", serves, "Run a measurement for each line GBIT SECONDS on standard input");
  flow.add_option("--port", load.port, "Port of the first flow")->check(CLI::Range(11024, 65000));
  flow.add_flag("--defaults", load.defaults, "Use a wall file's defaults for resends, parity, bursts and pacing");
  flow.add_option("--store", load.store,
                  "Send the frames of this visualization, which has one tile of --width and --rows");
  flow.add_option("--side", load.side, "Side of this process: both, sender or receiver")
      ->transform(CLI::Transformer(
          std::map<std::string, Side>{{"both", Side::both}, {"sender", Side::sender}, {"receiver", Side::receiver}}));
  flow.add_option("--measure", load.measured, "counts, all or packets")
      ->transform(CLI::Transformer(std::map<std::string, Measured>{
          {"counts", Measured::counts}, {"all", Measured::all}, {"packets", Measured::packets}}));
  flow.add_option("--assemble", load.assemble, "auto, kernel or user")
      ->transform(CLI::Transformer(std::map<std::string, lw::RunAssembly>{
          {"auto", lw::RunAssembly::automatic}, {"kernel", lw::RunAssembly::kernel}, {"user", lw::RunAssembly::user}}));

  SpacingLoad paced;
  auto& spacing = *app.add_subcommand("spacing", "Packet spacing of a flow, by ST 2110-21");
  paced.flow.width = 1920;
  paced.flow.rows = 1080;
  paced.flow.pace_fraction = 1080.0 / 1125;  // gapped, as a camera sends
  add_flow_options(spacing, paced.flow);
  spacing.add_option_function<unsigned>("--spin-us", [&](unsigned us) { paced.spin = std::chrono::microseconds{us}; })
      ->check(CLI::Range(0, 1000));

  BarePair pair;
  auto& bare = *app.add_subcommand("bare", "The bare kernel: UDP_SEGMENT to UDP_GRO, into a frame area");
  bare.add_option("--address", pair.address)->capture_default_str();
  bare.add_option("--gbit", pair.gbit_per_s, "0: as fast as possible")->check(CLI::Range(0.0, 1000.0));
  bare.add_flag("--serve", serves, "Run a measurement for each line GBIT SECONDS on standard input");
  bare.add_option("--buffers-for", pair.buffers_for_gbit_per_s,
                  "Size the receive buffer for a flow of this rate, Gbit/s")
      ->check(CLI::Range(0.0, 1000.0));
  bare.add_option("--source-bytes", pair.source_bytes)->check(CLI::Range(std::size_t{1} << 20U, std::size_t{1} << 36U));
  bare.add_option("--area-bytes", pair.area_bytes)->check(CLI::Range(std::size_t{1} << 20U, std::size_t{1} << 36U));
  bare.add_option("--datagram", pair.datagram_bytes)->check(CLI::Range(548, 9188));
  bare.add_option("--sender-cpu", pair.sender_cpu);
  bare.add_option("--receiver-cpu", pair.receiver_cpu);
  add_seconds(bare, pair.duration);

  ReadLoad read;
  auto& disk = *app.add_subcommand("read", "Read a visualization from its stripes into frame buffers");
  disk.add_option("store", read.store, "The visualization's folder")->required();
  disk.add_option_function<unsigned>("--block-kib",
                                     [&](unsigned kib) { read.settings.block_bytes = std::size_t{kib} << 10U; })
      ->check(CLI::Range(4, 65536));
  disk.add_option("--depth", read.settings.depth, "Concurrent blocks on each stripe")->check(CLI::Range(1, 256));
  disk.add_option("--frames", read.frames_under_way, "Concurrent frames")->check(CLI::Range(1, 64));
  disk.add_flag("--sqpoll", read.settings.kernel_polls, "A kernel thread submits the reads");
  disk.add_option("--cpu", read.cpu);
  add_seconds(disk, read.duration);

  UploadLoad uploaded;
  auto& upload = *app.add_subcommand("upload", "Frames from band buffers into textures, with each way of uploading");
  upload.add_option("--tiles", uploaded.tiles)->check(CLI::Range(1, 16));
  upload.add_option("--width", uploaded.width)->check(CLI::Range(2, 16384));
  upload.add_option("--height", uploaded.height)->check(CLI::Range(2, 16384));
  upload.add_option("--fps", uploaded.fps, "0: as fast as possible")->check(CLI::Range(0.0, 1000.0));
  upload.add_option("--slots", uploaded.slot_bytes, "Bytes of the packet slots in which the frames lie; 0: in rows")
      ->check(CLI::Range(0, 8960));
  upload.add_option("--rounds", uploaded.rounds, "Times that each way is measured")->check(CLI::Range(1, 100));
  add_seconds(upload, uploaded.duration);

  FecLoad parity;
  auto& fec = *app.add_subcommand("fec", "Forward error correction: its rate, and the losses it recovers");
  fec.add_option("--data", parity.strength.data, "Packets per group")->check(CLI::Range(1, 200));
  fec.add_option("--parity", parity.strength.parity)->check(CLI::Range(1, 50));
  fec.add_option("--packets", parity.path_packets, "Packets per frame on the path")->check(CLI::Range(1, 100'000));
  fec.add_option("--path-frames", parity.path_frames, "Frames on the simulated path")->check(CLI::Range(1, 10'000'000));
  fec.add_option_function<double>("--loss-percent", [&](double percent) { parity.path.loss = percent / 100; })
      ->check(CLI::Range(0.0, 50.0));
  fec.add_option("--loss-burst", parity.path.burst)->check(CLI::Range(1.0, 1000.0));

  DecodeLoad decoded;
  auto& decode = *app.add_subcommand("decode", "Frames of lossless: how fast a core decodes them, and their size");
  decode.add_option("store", decoded.store, "Folder of a visualization of one flow per tile")->required();
  decode.add_option("--rounds", decoded.rounds, "Of which the fastest counts")->check(CLI::Range(1, 100));

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& parse_error) {
    return app.exit(parse_error) == 0 ? 0 : 2;
  }
  if (serves) return flow ? serve(FlowRig::start(load)) : serve(BareRig::start(pair));
  return report(flow      ? run(load)
                : spacing ? run(paced)
                : bare    ? run(pair)
                : fec     ? run(parity)
                : upload  ? run(uploaded)
                : decode  ? run(decoded)
                          : run(read));
}
