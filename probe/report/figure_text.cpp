#include "probe/report/figure_text.h"

#include "common/metrics/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace lw {
namespace {

struct Word {
  std::string_view suffix, text;
};

// Longer ones first: _gbit_per_s also ends with _per_s.
constexpr std::array units{Word{"gbit_per_s", "Gbit/s"},
                           Word{"gib_per_s", "GiB/s"},
                           Word{"mib_per_s", "MiB/s"},
                           Word{"s_per_gb", "s/GB"},
                           Word{"packets_per_s", "packets/s"},
                           Word{"per_s", "1/s"},
                           Word{"us", "µs"},
                           Word{"ns", "ns"},
                           Word{"ms", "ms"},
                           Word{"s", "s"},
                           Word{"bytes", "bytes"},
                           Word{"percent", "%"}};

constexpr std::array parts{Word{"p50", "median"},
                           Word{"p90", "90th percentile"},
                           Word{"p95", "95th percentile"},
                           Word{"p99", "99th percentile"},
                           Word{"p999", "99.9th percentile"},
                           Word{"min", "least"},
                           Word{"max", "largest"},
                           Word{"mean", "mean"},
                           Word{"stddev", "standard deviation"}};

struct Definition {
  std::string_view name, words, text;
};

// Names as of a run's figures; what docs/metrics.md says of the receiver's counts is in common/metrics/registry.h.
constexpr std::array definitions{
    Definition{"gbit_per_s", "throughput", "UDP payload (TCP: bytes) that came while it was measured"},
    Definition{"sent_gbit_per_s", "sent", "UDP payload (TCP: bytes) handed to the kernel while it was measured"},
    Definition{"flow_gbit_per_s", "throughput of a flow", "throughput, over the flows of a run"},
    Definition{"fairness", "fairness", "Jain's index of the flows' throughput: 1 where all have the same"},
    Definition{"loss", "loss, share", "packets expected by sequence number that did not come, of those expected"},
    Definition{"jitter_us", "jitter", "interarrival jitter, RFC 3550 section 6.4.1, of the first packets of frames"},
    Definition{"delay_us", "one-way delay", "arrival less departure (RFC 7679)"},
    Definition{"pdv_us", "packet delay variation", "delay above the least (RFC 5481), of the first packets of frames"},
    Definition{"frame_interval_us", "frame interval", "between the first packets of frames that follow each other"},
    Definition{"rtt_us", "round trip", "round-trip time of RTCP (TCP: the kernel's)"},
    Definition{"bdp_bytes", "bandwidth-delay product", "throughput times the round trip"},
    Definition{"sender_cpu_s_per_gb", "sender's CPU time", "CPU time of the sending threads by what they sent"},
    Definition{"receiver_cpu_s_per_gb", "receiver's CPU time", "CPU time of the receiving threads by what came"},
    Definition{"cpu_s_per_gb", "CPU time", "CPU time of the reading threads by what they read"},
    Definition{"read_mib_per_s", "read", "read from the directories while it was measured"},
    Definition{"message_us", "message", "from a message's first byte to its answer"},
    Definition{"blocked_us", "blocked", "after a burst, until the last of the others had ended"},
};

bool take_end(std::string_view& name, std::string_view end) {
  if (!name.ends_with(end)) return false;
  const auto rest = name.substr(0, name.size() - end.size());
  if (!rest.empty() && !rest.ends_with('_')) return false;
  name = rest.empty() ? rest : rest.substr(0, rest.size() - 1);
  return true;
}

struct Parsed {
  std::string_view base;  // with the unit
  std::string_view part;
};

Parsed parsed(std::string_view figure) {
  for (const auto& part : parts)
    if (auto base = figure; take_end(base, part.suffix) && !base.empty()) return {base, part.text};
  return {figure, {}};
}

// Names of further loads, and of one direction, begin with its name: "bursts_gbit_per_s". The longest that fits is
// meant.
const Definition* find_definition(std::string_view base) {
  const Definition* best = nullptr;
  for (const auto& known : definitions) {
    auto before = base;
    if (take_end(before, known.name) && (best == nullptr || known.name.size() > best->name.size())) best = &known;
  }
  return best;
}

// "bursts: throughput".
std::string words_of(const Definition& known, std::string_view base) {
  auto before = base;
  take_end(before, known.name);
  return before.empty() ? std::string(known.words) : std::string(before) + ": " + std::string(known.words);
}

std::optional<std::string_view> metric_help(std::string_view key) {
  const auto of = [&](const auto& metrics) -> std::optional<std::string_view> {
    const auto found = std::ranges::find(metrics, key, &Metric::key);
    return found == metrics.end() ? std::nullopt : std::optional{found->help};
  };
  const auto received = of(metrics_of<ReceiverFlowStats>);
  return received ? received : of(metrics_of<SenderFlowStats>);
}

}  // namespace

std::string figure_label(std::string_view figure) {
  const auto [base, part] = parsed(figure);
  std::string_view name = base, unit;
  for (const auto& known : units) {
    if (!take_end(name, known.suffix)) continue;
    unit = known.text;
    break;
  }
  std::string words(name);
  std::ranges::replace(words, '_', ' ');
  if (const auto* known = find_definition(base); known != nullptr) words = words_of(*known, base);
  for (const auto more : {part, unit})
    if (!more.empty()) words += (words.empty() ? "" : ", ") + std::string(more);
  return words;
}

std::string figure_definition(std::string_view figure) {
  const auto [base, part] = parsed(figure);
  if (const auto* known = find_definition(base); known != nullptr) {
    if (part.empty()) return std::string(known->text);
    return fmt::format("{} of: {}", part, known->text);
  }
  const auto help = metric_help(figure);
  return help ? std::string(*help) : "";
}

std::string figure_text(double value) { return fmt::format("{:.5g}", value); }

bool adds_up(std::string_view figure) {
  return figure.ends_with("_per_s") || figure == "packets" || figure == "bytes" || figure == "lost";
}

}  // namespace lw
