#include "probe/stamp/stamp_command.h"

#include "common/base/print.h"
#include "common/base/whole_number.h"
#include "common/command_line/command_line.h"
#include "common/messages/iso_time.h"
#include "probe/stamp/stamp_result.h"

#include <memory>
#include <random>

namespace lw {
namespace {

struct StampOptions {
  std::string to, from, key, extension_key;
  std::uint32_t packets = 100;
  double interval_ms = 100, wait_ms = 2000;
  std::size_t bytes = 0;
  unsigned dscp = 0, ecn = 0;
  bool ptp = false, plain = false, hardware_stamps = false, json = false;
};

// "10.0.0.2", "10.0.0.2:8862", "::1", "[::1]:862".
Result<Address> reflector_address(const std::string& text) {
  if (auto host = Address::parse(text, stamp_port)) return host;
  const auto parts = split_host_port(text);
  const auto port = parts ? whole_number<std::uint16_t>(parts->port) : std::nullopt;
  if (port.value_or(0) != 0)
    if (auto host = Address::parse(parts->host, *port)) return host;
  return Error{text + " is not an address", "write a numeric one, like 10.0.0.2, 10.0.0.2:8862 or [fd00::2]:862"};
}

Result<void> read_keys(const StampOptions& options, StampSenderSettings& settings) {
  if (options.key.empty() && options.extension_key.empty()) return {};
  auto key = StampKey::load(options.key.empty() ? options.extension_key : options.key);
  if (!key) return key.error();
  settings.key = std::move(*key);
  if (!options.key.empty()) settings.mode = StampMode::authenticated;
  return {};
}

Result<StampSenderSettings> settings_of(const StampOptions& options) {
  StampSenderSettings settings;
  auto to = reflector_address(options.to);
  if (!to) return to.error();
  settings.to = *to;
  if (!options.from.empty()) {
    const auto from = Address::parse(options.from, 0);
    if (!from) return from.error();
    settings.from = *from;
  }
  if (auto read = read_keys(options, settings); !read) return read.error();
  const auto time = [](double ms) { return Nanoseconds{static_cast<std::int64_t>(ms * 1e6)}; };
  settings.format = options.ptp ? StampTimeFormat::ptp : StampTimeFormat::ntp;
  settings.packets = options.packets;
  settings.interval = time(options.interval_ms);
  settings.wait = time(options.wait_ms);
  settings.bytes = options.bytes;
  settings.traffic_class = static_cast<std::uint8_t>(options.dscp << 2U | options.ecn);
  settings.extensions = !options.plain;
  settings.hardware_stamps = options.hardware_stamps;
  // A base packet is also TWAMP-Light's, where this is padding.
  std::random_device random;
  if (settings.extensions) settings.session = static_cast<std::uint16_t>(1 + random() % 0xffff);
  const auto least = stamp_packet_bytes(settings);
  const bool fits = options.bytes == 0 || options.bytes == least || options.bytes >= least + stamp_tlv_head_bytes ||
                    (options.plain && options.bytes > least);
  if (!fits)
    return Error{"--bytes " + std::to_string(options.bytes) + " is too small",
                 "these packets have " + std::to_string(least) + " bytes, or at least " +
                     std::to_string(least + stamp_tlv_head_bytes) + " with padding"};
  return settings;
}

Result<int> stamp(const StampOptions& options, const std::atomic<bool>& stop) {
  const auto settings = settings_of(options);
  if (!settings) return settings.error();
  const auto began = to_iso8601(WallClock::now());
  const auto outcome = run_stamp_session(*settings, stop);
  if (!outcome) return outcome.error();
  const auto result = stamp_result(*settings, *outcome, began);
  if (options.json)
    print_out("{}\n", nlohmann::json{{"event", "result"}, {"data", result}}.dump());
  else
    print_out("{}", stamp_text(result));
  if (outcome->exchanges.empty() && outcome->sent.packets > 0)
    return Error{"no reply from " + settings->to.text() + (outcome->refused ? ": nothing listens there" : ""),
                 "start a reflector there: wall-probe serve --stamp --allow THIS-HOST; its mode and key must be the "
                 "same, and firewalls must let the port through"};
  return 0;
}

void add_stamp_options(CLI::App& app, StampOptions& options) {
  app.add_option("REFLECTOR", options.to, "ADDRESS or ADDRESS:PORT (default port: 862)")->required();
  begin_group(app, "Packets");
  app.add_option("-B,--from", options.from, "Address of this host to send from")->option_text("ADDRESS");
  app.add_option("--count", options.packets, "How many packets")
      ->check(whole_between(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--interval-ms", options.interval_ms, "Time between packets")
      ->check(number_between(0.01, 60'000))
      ->option_text("MS")
      ->capture_default_str();
  app.add_option("--wait-ms", options.wait_ms, "Time for replies after the last packet; later ones count as lost")
      ->check(number_between(1, 60'000))
      ->option_text("MS")
      ->capture_default_str();
  app.add_option("--bytes", options.bytes, "UDP payload of each packet, with padding (default: as few as needed)")
      ->check(whole_between(44, 65'507));
  app.add_option("--dscp", options.dscp, "Traffic class of packets and replies")->check(whole_between(0, 63));
  app.add_option("--ecn", options.ecn, "Of packets: 1 and 2 let routers mark congestion instead of dropping")
      ->check(whole_between(0, 2));
  begin_group(app, "Format");
  app.add_option("--key", options.key, "Authenticated mode, with the key in this file: one line of hex digits")
      ->option_text("FILE");
  app.add_option("--extension-key", options.extension_key, "Unauthenticated mode, but sign extensions with this key")
      ->option_text("FILE")
      ->excludes("--key");
  app.add_flag("--ptp", options.ptp, "Times in PTP's format instead of NTP's");
  app.add_flag("--plain", options.plain, "Base packets without extensions, for TWAMP-Light reflectors")
      ->excludes("--extension-key");
  app.add_flag("--hardware-stamps", options.hardware_stamps,
               "Departure and arrival times by this host's network card; needs a card with a PTP clock and root");
  begin_group(app, general_options);
  app.add_flag("--json", options.json, "Print the result as JSON");
}

}  // namespace

Command stamp_command(CLI::App& program) {
  auto options = std::make_shared<StampOptions>();
  auto* app = program.add_subcommand(
      "stamp", "Measure delay, loss and reordering of both directions with a STAMP or TWAMP-Light reflector");
  add_stamp_options(*app, *options);
  set_examples(*app, {{"a hundred packets", "wall-probe stamp 192.0.2.7"}});
  return {app, [options](const std::atomic<bool>& stop) { return stamp(*options, stop); }};
}

}  // namespace lw
