#include "probe/results/results.h"

#include "common/base/read_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>

namespace lw {
namespace {

namespace fs = std::filesystem;
constexpr const char* what_to_name = "give a directory of results";
constexpr std::size_t runs_max = 100'000;

Result<std::vector<fs::path>> json_files(const fs::path& directory) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(directory, error))
    if (entry.path().extension() == ".json" && entry.path().filename() != "experiment.json")
      files.push_back(entry.path());
  if (error) return Error{"cannot read " + directory.string() + ": " + error.message(), "check its permissions"};
  if (files.size() > runs_max)
    return Error{fmt::format("{} has more than {} results", directory.string(), runs_max), "report on parts of them"};
  std::ranges::sort(files);
  return files;
}

// Hosts of a sweep report the same facts in each run: stored once.
class SharedFacts {
public:
  void share(ProbeResult& run) {
    for (auto& host : run.hosts) {
      auto& known = by_role_[host.role];
      if (known && *known == *host.facts)
        host.facts = known;
      else
        known = host.facts;
    }
  }

private:
  std::map<std::string, std::shared_ptr<const nlohmann::json>> by_role_;
};

// A directory that is not a sweep may contain files other than results, identified by their schema: these are skipped.
bool is_something_else(const std::string& text) {
  const auto value = nlohmann::json::parse(text, nullptr, false);
  if (value.is_discarded()) return false;
  return !value.is_object() || !value.contains("schema") || !value["schema"].is_string() ||
         !value["schema"].get<std::string>().starts_with("lambdawall-result-");
}

Result<void> load_runs(Results& results, const std::vector<fs::path>& files, bool all_are_results) {
  SharedFacts facts;
  for (const auto& file : files) {
    const auto text = read_file(file, result_bytes_max, what_to_name);
    if (!text) return text.error();
    if (!all_are_results && is_something_else(*text)) continue;
    auto run = parse_result(*text, file.string());
    if (!run) return run.error();
    facts.share(*run);
    results.runs.push_back(std::move(*run));
  }
  return {};
}

void complete_axes(Results& results) {
  std::map<std::string, std::set<AxisValue>> met;
  for (const auto& run : results.runs)
    for (const auto& [key, value] : run.point) met[key].insert(value);
  auto& axes = results.experiment.axes;
  for (const auto& [key, values] : met) {
    auto axis = std::ranges::find(axes, key, &ResultAxis::key);
    if (axis == axes.end()) axis = axes.insert(axes.end(), {key, key, {}});
    for (const auto& value : values)
      if (std::ranges::find(axis->values, value) == axis->values.end()) axis->values.push_back(value);
  }
}

// The position of a run on each axis; runs without a value come first.
std::vector<std::size_t> place_of(const ProbeResult& run, const std::vector<ResultAxis>& axes) {
  std::vector<std::size_t> places;
  for (const auto& axis : axes) {
    const auto value = run.point.find(axis.key);
    places.push_back(
        value == run.point.end() ? 0 : 1 + (std::ranges::find(axis.values, value->second) - axis.values.begin()));
  }
  return places;
}

void sort_runs(Results& results) {
  std::vector<std::pair<std::vector<std::size_t>, std::size_t>> order;
  for (std::size_t i = 0; i < results.runs.size(); ++i) {
    auto place = place_of(results.runs[i], results.experiment.axes);
    place.push_back(results.runs[i].repetition);
    place.push_back(results.runs[i].run);
    order.emplace_back(std::move(place), i);
  }
  std::ranges::sort(order);
  std::vector<ProbeResult> sorted;
  sorted.reserve(order.size());
  for (const auto& [place, i] : order) sorted.push_back(std::move(results.runs[i]));
  results.runs = std::move(sorted);
}

Result<std::vector<fs::path>> files_of(const fs::path& place, bool is_directory, bool has_runs) {
  if (!is_directory) return std::vector{place};
  return json_files(has_runs ? place / "runs" : place);
}

}  // namespace

Result<Results> load_results(const fs::path& place) {
  Results results;
  results.place = place;
  std::error_code error;
  const bool is_directory = fs::is_directory(place, error), has_runs = fs::is_directory(place / "runs", error);
  const auto record_file = place / "experiment.json";
  if (is_directory && fs::exists(record_file, error)) {
    const auto text = read_file(record_file, result_bytes_max, what_to_name);
    if (!text) return text.error();
    auto record = parse_experiment_record(*text, record_file.string());
    if (!record) return record.error();
    results.experiment = std::move(*record);
    results.is_experiment = true;
  }
  const auto files = files_of(place, is_directory, has_runs);
  if (!files) return files.error();
  if (const auto loaded = load_runs(results, *files, !is_directory || has_runs); !loaded) return loaded.error();
  if (results.runs.empty())
    return Error{place.string() + " has no results",
                 "give the directory of a sweep, with runs/*.json, or one with results of wall-probe run"};
  complete_axes(results);
  sort_runs(results);
  return results;
}

std::vector<PointRuns> points_of(const Results& results) {
  std::vector<PointRuns> points;
  for (const auto& run : results.runs) {
    if (points.empty() || points.back().point != run.point) points.push_back({run.point, {}, {}});
    points.back().all.push_back(&run);
    if (run.counts()) points.back().counting.push_back(&run);
  }
  return points;
}

bool ran_in_blocks(const Results& results) {
  std::vector<const ProbeResult*> in_order;
  std::set<std::pair<Point, unsigned>> met;
  for (const auto& run : results.runs) {
    if (run.repetition == 0 || !met.emplace(run.point, run.repetition).second) return false;
    in_order.push_back(&run);
  }
  std::ranges::sort(in_order, {}, &ProbeResult::run);
  return std::ranges::is_sorted(in_order, {}, &ProbeResult::repetition);
}

std::vector<double> values_of(const PointRuns& runs, const std::string& figure) {
  std::vector<double> values;
  for (const auto* run : runs.counting)
    if (const auto found = run->figures.find(figure); found != run->figures.end()) values.push_back(found->second);
  return values;
}

const ProbeResult* median_run(const PointRuns& runs, const std::string& figure) {
  std::vector<std::pair<double, const ProbeResult*>> ranked;
  for (const auto* run : runs.counting)
    if (const auto found = run->figures.find(figure); found != run->figures.end())
      ranked.emplace_back(found->second, run);
  if (ranked.empty()) return nullptr;
  const auto middle = ranked.begin() + (ranked.size() - 1) / 2;
  std::ranges::nth_element(ranked, middle, {}, &std::pair<double, const ProbeResult*>::first);
  return middle->second;
}

}  // namespace lw
