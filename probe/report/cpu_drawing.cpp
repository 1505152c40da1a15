// How each CPU of a host spent the run: stacked shares, and the same as a table.
#include "probe/report/drawing.h"
#include "probe/report/gnuplot.h"
#include "probe/report/script.h"
#include "probe/report/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace lw {
namespace {

struct Kind {
  const char* name;
  double CpuShares::*share;
  std::string_view colour;
  int pattern;  // -1: solid
};

// From the bottom up; idle time stays white.
constexpr std::array kinds{
    Kind{"user", &CpuShares::user, "#0072B2", -1},     Kind{"system", &CpuShares::system, "#D55E00", 4},
    Kind{"irq", &CpuShares::irq, "#CC79A7", -1},       Kind{"softirq", &CpuShares::softirq, "#009E73", 5},
    Kind{"iowait", &CpuShares::iowait, "#E69F00", -1}, Kind{"steal", &CpuShares::steal, ink, 2}};

struct HostCpus {
  std::string role, name;
  std::map<unsigned, CpuShares> sum;
  std::map<unsigned, unsigned> runs;
};

std::vector<HostCpus> hosts_of(const PointRuns& runs) {
  std::vector<HostCpus> hosts;
  for (const auto* run : runs.counting)
    for (const auto& host : run->hosts) {
      auto found = std::ranges::find(hosts, host.role, &HostCpus::role);
      if (found == hosts.end()) found = hosts.insert(hosts.end(), {host.role, host.name, {}, {}});
      for (const auto& cpu : host.cpus) {
        ++found->runs[cpu.cpu];
        auto& sum = found->sum[cpu.cpu];
        for (const auto& kind : kinds) sum.*kind.share += cpu.*kind.share;
        sum.idle += cpu.idle;
      }
    }
  std::erase_if(hosts, [](const HostCpus& host) { return host.sum.empty(); });
  return hosts;
}

std::vector<CpuShares> means_of(const HostCpus& host) {
  std::vector<CpuShares> means;
  for (auto [number, mean] : host.sum) {
    mean.cpu = number;
    const double runs = host.runs.at(number);
    for (const auto& kind : kinds) mean.*kind.share /= runs;
    mean.idle /= runs;
    means.push_back(mean);
  }
  return means;
}

std::string script_of(const std::vector<CpuShares>& cpus) {
  Script script({.width = 860, .height = 340});
  std::vector<std::string> labels;
  labels.reserve(cpus.size());
  for (const auto& cpu : cpus) labels.push_back(std::to_string(cpu.cpu));
  script.categories(labels);
  script.x_label("CPU");
  script.y_label("share of the run, %");
  script.key(kinds);
  script.add("set yrange [0:100]\nset boxwidth 0.8");
  std::vector<Script::Row> rows;
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    Script::Row row{static_cast<double>(i)};
    double stacked = 0;
    for (const auto& kind : kinds) {
      const double below = stacked;
      stacked += cpus[i].*kind.share * 100;
      row.insert(row.end(), {below, stacked});
    }
    rows.push_back(std::move(row));
  }
  const auto data = script.data(rows);
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const auto is_met = [&](const CpuShares& cpu) { return cpu.*kinds[k].share > 0; };
    if (k > 0 && !std::ranges::any_of(cpus, is_met)) continue;  // without any, there would be no plot
    const auto fill = kinds[k].pattern < 0 ? std::string("solid 0.75") : fmt::format("pattern {}", kinds[k].pattern);
    script.plot(
        fmt::format("{0} using 1:(${1}+${2})/2:(0.4):((${2}-${1})/2) with boxxyerror fs {3} border rgb '{4}' "
                    "lc rgb '{4}' title {5}",
                    data, 2 * k + 2, 2 * k + 3, fill, kinds[k].colour, gnuplot_text(kinds[k].name)));
  }
  return script.text();
}

std::string share_text(double share) { return fmt::format("{:.6g}", share); }
std::string percent(double share) { return fmt::format("{:.1f}", share * 100); }

}  // namespace

std::vector<Drawing> cpu_drawings(const Results& results, const ResultPlot&) {
  std::vector<Drawing> drawings;
  for (const auto& runs : points_of(results))
    for (const auto& host : hosts_of(runs)) {
      if (drawings.size() >= pictures_max) return drawings;
      const auto cpus = means_of(host);
      const auto at = name_without(results, runs.point, {});
      Table data{{"cpu"}, {}}, shown{{"CPU"}, {}};
      for (const auto& kind : kinds) {
        data.heads.emplace_back(kind.name);
        shown.heads.push_back(std::string(kind.name) + " %");
      }
      data.heads.emplace_back("idle");
      shown.heads.emplace_back("idle %");
      for (const auto& cpu : cpus) {
        auto& numbers = data.rows.emplace_back(1, std::to_string(cpu.cpu));
        auto& texts = shown.rows.emplace_back(1, std::to_string(cpu.cpu));
        for (const auto& kind : kinds) {
          numbers.push_back(share_text(cpu.*kind.share));
          texts.push_back(percent(cpu.*kind.share));
        }
        numbers.push_back(share_text(cpu.idle));
        texts.push_back(percent(cpu.idle));
      }
      drawings.push_back({.title = fmt::format("{}{}{} {}", at, at.empty() ? "" : ": ", host.role, host.name),
                          .script = script_of(cpus),
                          .data = std::move(data),
                          .shown = std::move(shown),
                          .numbers_from = 1});
    }
  return drawings;
}

}  // namespace lw
