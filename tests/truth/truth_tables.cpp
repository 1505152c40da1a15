// Compares every figure that a path determines with paths that are completely known (known_path.h). Exit status: 0 if
// all are as accurate as documented, 1 if they are not, 2 for wrong usage.
#include "tests/truth/capture_file.h"
#include "tests/truth/path_truth.h"
#include "tests/truth/sender_run.h"
#include "tests/truth/wall_truth.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace lw;
using namespace lw::truth;

constexpr const char* usage =
    R"(usage: truth_tables FILE           also checks that FILE (docs/metrics.md) has the table of what was found
       truth_tables --write FILE   writes this table
       truth_tables --list         prints all figures of all paths: figure, path, truth, measured, allowed error
       truth_tables --seed N       other losses and delays
       truth_tables --captures DIR writes captures of some of the paths, with the truth beside them
)";
constexpr std::string_view begin_mark = "<!-- truth_tables -->\n", end_mark = "<!-- truth_tables ends -->\n";
constexpr std::uint64_t documented_seed = 1;

struct Finding {
  std::string path;
  Figure figure;
};

// One figure over all paths.
struct Row {
  std::string name;
  std::vector<Finding> findings;

  // The largest error or, if all are right, the largest value.
  [[nodiscard]] const Finding& hardest() const {
    constexpr double rounding = 1e-4;
    return *std::ranges::max_element(findings, {}, [](const Finding& finding) {
      const double error = finding.figure.error();
      return std::pair(error > rounding ? error : 0, finding.figure.truth);
    });
  }
  [[nodiscard]] double allowed() const {
    double most = 0;
    for (const auto& finding : findings) most = std::max(most, finding.figure.allowed);
    return most;
  }
  [[nodiscard]] std::ptrdiff_t paths() const {
    return std::ranges::count_if(findings, [](const Finding& finding) { return finding.figure.truth != 0; });
  }
};

std::string number(double value) {
  auto text = fmt::format("{:.3f}", value);
  if (text.ends_with(".000")) text.resize(text.size() - 4);
  return text == "-0" ? "0" : text;
}

// The key as code: "`flight_us_p50` (trace)".
std::string marked(const std::string& name) {
  const auto end = std::min(name.find_first_of(" ,"), name.size());
  return "`" + name.substr(0, end) + "`" + name.substr(end);
}

std::string table_of(const std::vector<Row>& rows) {
  std::string text = "| figure | stated error | paths | largest error | at | truth | measured |\n";
  text += "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const auto& row : rows) {
    if (row.paths() == 0) continue;
    const auto& [path, figure] = row.hardest();
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", marked(row.name),
                        row.allowed() == 0 ? "exact" : number(row.allowed()) + " " + figure.unit, row.paths(),
                        number(figure.error()), path, number(figure.truth), number(figure.measured));
  }
  return text;
}

bool add(std::vector<Row>& rows, const std::string& path, const Figure& figure, bool list) {
  auto row = std::ranges::find(rows, figure.name, &Row::name);
  if (row == rows.end()) row = rows.insert(rows.end(), {figure.name, {}});
  row->findings.push_back({path, figure});
  if (list)
    fmt::print("{}\t{}\t{}\t{}\t{}\n", figure.name, path, number(figure.truth), number(figure.measured),
               number(figure.allowed));
  if (!figure.holds())
    fmt::print("{}, {}: is {}, must be {}, error allowed {}\n", path, figure.name, number(figure.measured),
               number(figure.truth), number(figure.allowed));
  return figure.holds();
}

// Whether the document has this table; `write` updates it.
bool is_documented(const std::string& file, const std::string& table, bool write) {
  std::ifstream in(file);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto begin = text.find(begin_mark), end = text.find(end_mark);
  if (begin == std::string::npos || end == std::string::npos || begin > end) {
    fmt::print(stderr, "truth_tables: {} lacks the marks {} and {}; write them where the table belongs\n", file,
               begin_mark.substr(0, begin_mark.size() - 1), end_mark.substr(0, end_mark.size() - 1));
    return false;
  }
  const auto from = begin + begin_mark.size();
  if (text.substr(from, end - from) == table) return true;
  if (write) {
    text.replace(from, end - from, table);
    return static_cast<bool>(std::ofstream(file) << text << std::flush);
  }
  fmt::print(stderr, "truth_tables: the table of {} is not what was found; run truth_tables --write {}\n", file, file);
  return false;
}

bool check_tables(std::uint64_t seed, bool list, const std::optional<std::string>& file, bool write) {
  std::vector<Row> rows;
  bool all_hold = true;
  std::size_t played = 0;
  const auto take = [&](const std::string& path, const std::vector<Figure>& figures) {
    ++played;
    for (const auto& figure : figures) all_hold = add(rows, path, figure, list) && all_hold;
  };
  for (const auto& path : known_paths(seed)) take(path.name, figures_of(path, run_over(path)));
  for (const auto& chosen : sender_cases(seed)) take(chosen.name, figures_of(chosen));
  for (const auto& chosen : skew_cases(seed)) take(chosen.name, figures_of(chosen));
  fmt::print("{} figures on {} paths: {}\n", rows.size(), played,
             all_hold ? "all are as true as stated" : "not all are as true as stated");
  return all_hold && (!file || is_documented(*file, table_of(rows), write));
}

// One stream whose packets show everything that happened to it, with a clock that is right or drifts.
bool is_captured(const KnownPath& path) {
  if (path.two_ways || path.plays() || path.discards || path.intruders || path.sender_late != Nanoseconds{0} ||
      path.recovery != Recovery::none || path.drop_per_mille > 0)
    return false;
  return path.clock_offset == Nanoseconds{0} && (path.clock_drift_ppm == 0 || path.loss_per_mille == 100);
}

bool write_captures(const std::filesystem::path& directory) {
  auto truths = nlohmann::json::array();
  for (const auto& path : known_paths(documented_seed)) {
    if (!is_captured(path)) continue;
    const auto name = fmt::format("{}.pcap", path.seed);
    CaptureFile capture(directory / name);
    const auto run =
        run_over(path, [&](WallTime time, std::span<const std::byte> datagram) { capture.add(time, datagram); });
    if (!capture.finish()) return false;
    auto truth = nlohmann::json::object();
    for (const auto& figure : figures_of(path, run)) truth[figure.name] = figure.truth;
    truths.push_back(
        {{"file", name}, {"path", path.name}, {"packets_per_frame", run.flight.packets}, {"truth", truth}});
  }
  return static_cast<bool>(std::ofstream(directory / "truth.json") << truths.dump(2) << std::flush);
}

}  // namespace

int main(int count, char** arguments) {
  spdlog::set_level(spdlog::level::off);
  const std::vector<std::string> words(arguments + 1, arguments + count);
  const auto is = [&](std::string_view flag) { return !words.empty() && words[0] == flag; };
  if (words.size() == 1 && is("--list")) return check_tables(documented_seed, true, {}, false) ? 0 : 1;
  if (words.size() == 1 && !words[0].starts_with("-"))
    return check_tables(documented_seed, false, words[0], false) ? 0 : 1;
  if (words.size() == 2 && is("--write")) return check_tables(documented_seed, false, words[1], true) ? 0 : 1;
  if (words.size() == 2 && is("--captures")) return write_captures(words[1]) ? 0 : 1;
  std::uint64_t seed = 0;
  if (words.size() == 2 && is("--seed")) {
    const auto* end = words[1].data() + words[1].size();
    if (std::from_chars(words[1].data(), end, seed).ptr == end) return check_tables(seed, false, {}, false) ? 0 : 1;
  }
  fmt::print(stderr, "{}", usage);
  return 2;
}
