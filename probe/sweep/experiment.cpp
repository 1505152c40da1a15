#include "probe/sweep/experiment.h"

#include "common/base/read_file.h"
#include "common/concurrency/pinned_thread.h"
#include "common/wall/toml_section.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace lw {
namespace {

constexpr std::size_t sweep_bytes_max = std::size_t{1} << 20U;

using nlohmann::json;

constexpr std::size_t values_max = 256;  // of an axis
constexpr unsigned repetitions_max = 10'000;
constexpr double capacity_max = 10'000;  // Gbit/s

json to_json(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    auto object = json::object();
    for (const auto& [key, value] : *table) object[std::string(key.str())] = to_json(value);
    return object;
  }
  if (const auto* array = node.as_array()) {
    auto list = json::array();
    for (const auto& value : *array) list.push_back(to_json(value));
    return list;
  }
  // as_ instead of value<>, which would also convert types, and 1e86 does not fit any integer.
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* whole = node.as_integer())
    return whole->get() >= 0 ? json(static_cast<std::uint64_t>(whole->get())) : json(whole->get());
  if (const auto* real = node.as_floating_point()) return real->get();
  return nullptr;  // dates
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 60 &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

class Reader {
public:
  Reader(WallFileErrors& errors, const HostChoices& host, bool short_form)
      : errors_(errors), host_(host), short_form_(short_form) {}

  Experiment read(const toml::table& document) {
    const TomlSection root(document, "the file", {"experiment", "load", "path", "axis", "plot"}, errors_);
    Experiment experiment;
    read_head(root, experiment);
    each_table(root, "load", true, [&](const toml::table& table) { experiment.loads.push_back(to_json(table)); });
    if (const auto* path = root.find("path")) {
      if (path->is_table())
        experiment.path = to_json(*path);
      else
        root_error(*path, "path is not a table", "write [path]");
    }
    each_table(root, "axis", false, [&](const toml::table& table) { experiment.axes.push_back(read_axis(table)); });
    each_table(root, "plot", false, [&](const toml::table& table) { experiment.plots.push_back(to_json(table)); });
    return experiment;
  }

private:
  void root_error(const toml::node& node, const std::string& what, const std::string& mend) {
    errors_.add(node.source().begin.line, what, mend);
  }

  template <class Take>
  void each_table(const TomlSection& root, std::string_view key, bool required, Take take) {
    const auto* list = root.find(key);
    if (list == nullptr) {
      if (required) errors_.add(1, fmt::format("[[{}]] is missing", key), "see docs/probe.md");
      return;
    }
    if (!list->is_array_of_tables())
      return root_error(*list, fmt::format("{} is not a list of tables", key), fmt::format("write [[{}]]", key));
    for (const auto& entry : *list->as_array()) take(*entry.as_table());
  }

  std::vector<std::string> texts(TomlSection& section, std::string_view key) {
    std::vector<std::string> out;
    if (const auto* list = section.array(key, false, "[\"P2.4\"]"))
      for (const auto& entry : *list) {
        if (const auto* text = entry.as_string())
          out.push_back(text->get());
        else
          section.wrong_type(key, "a list of strings", "[\"P2.4\"]");
      }
    return out;
  }

  void read_head(const TomlSection& root, Experiment& experiment) {
    const auto* table = root.find("experiment") ? root.find("experiment")->as_table() : nullptr;
    if (table == nullptr) return errors_.add(1, "[experiment] is missing", "see docs/probe.md");
    TomlSection head(*table, "[experiment]",
                     {"name", "title", "rows", "saw", "repetitions", "duration_s", "warm_up_s", "interval_s", "needs",
                      "short_duration_s", "short_repetitions", "capacity_gbit_per_s"},
                     errors_);
    experiment.name = head.text("name");
    if (!is_name(experiment.name)) head.fail("name", "a name has a-z, 0-9 and - only", "name = \"p2-pinning\"");
    experiment.title = head.text("title");
    experiment.saw = head.text("saw", "");
    experiment.rows = texts(head, "rows");
    experiment.repetitions = static_cast<unsigned>(head.number("repetitions", {1, repetitions_max}, 6));
    experiment.capacity_gbit_per_s = head.real("capacity_gbit_per_s", 0, capacity_max, 0);
    double duration = head.real("duration_s", 0.1, 1e6, 10);
    const double short_duration = head.real("short_duration_s", 0.1, 1e6, 1);
    const auto short_repetitions = static_cast<unsigned>(head.number("short_repetitions", {1, 100}, 1));
    double warm_up = head.real("warm_up_s", 0, 3600, 1);
    double interval = head.real("interval_s", 0.01, 3600, 1);
    if (short_form_) {
      experiment.repetitions = short_repetitions;
      duration = short_duration;
      warm_up = std::min(warm_up, 0.3);
      interval = std::min(interval, duration / 5);
    }
    experiment.run = {{"duration_s", duration}, {"warm_up_s", warm_up}, {"interval_s", interval}};
    if (const auto* needs = head.find("needs")) read_needs(*needs, experiment.needs);
  }

  void read_needs(const toml::node& node, Needs& needs) {
    if (!node.is_table()) return root_error(node, "needs is not a table", "needs = { cpus = 4 }");
    TomlSection section(*node.as_table(), "needs", {"cpus", "numa_nodes", "directories", "peer", "root", "text"},
                        errors_);
    needs.cpus = static_cast<unsigned>(section.number("cpus", {0, 4096}, 0));
    needs.numa_nodes = static_cast<unsigned>(section.number("numa_nodes", {0, 1024}, 0));
    needs.directories = static_cast<unsigned>(section.number("directories", {0, 256}, 0));
    needs.peer = section.flag("peer", false);
    needs.root = section.flag("root", false);
    needs.text = section.text("text", "");
  }

  // The value of `key`: a list, or all that the host has.
  std::vector<json> choices(TomlSection& section, const std::string& key) {
    const auto& values = *section.find(key);
    std::vector<json> out;
    if (const auto* text = values.as_string()) {
      if (text->get() == "cpus")
        out.assign(host_.cpus.begin(), host_.cpus.end());
      else if (text->get() == "congestion")
        out.assign(host_.congestion_controls.begin(), host_.congestion_controls.end());
      else
        section.fail(key, fmt::format("{} = \"{}\" is unknown", key, text->get()),
                     "write a list, \"cpus\" or \"congestion\"");
      return out;
    }
    if (!values.is_array())
      section.wrong_type(key, "a list", "[1, 2, 4]");
    else
      for (const auto& value : *values.as_array()) out.push_back(to_json(value));
    return out;
  }

  Axis read_axis(const toml::table& table) {
    TomlSection section(table, "[[axis]]", {"key", "label", "values", "short", "value"}, errors_);
    Axis axis;
    axis.key = section.text("key");
    axis.label = section.text("label", axis.key);
    const std::string key = short_form_ && section.find("short") ? "short" : "values";
    if (section.find(key))
      for (auto& value : choices(section, key)) axis.values.push_back({value, {{axis.key, value}}});
    if (const auto* named = section.find("value")) {
      if (!named->is_array_of_tables())
        section.fail("value", "value is not a list of tables", "write [[axis.value]]");
      else
        for (const auto& entry : *named->as_array()) read_named(section, *entry.as_table(), axis);
    }
    if (axis.values.empty() || axis.values.size() > values_max)
      section.fail("values", fmt::format("an axis has 1 to {} values", values_max), "values = [1, 2, 4]");
    for (const auto& value : axis.values)
      if (!value.name.is_number() && !value.name.is_string())
        section.fail("values", "a value that is neither a number nor a string has no name",
                     "write it under [[axis.value]] with a name");
    return axis;
  }
  void read_named(TomlSection& section, const toml::table& table, Axis& axis) {
    AxisPoint value;
    bool in_short = true;
    for (const auto& [key, node] : table) {
      if (key.str() == "name")
        value.name = to_json(node);
      else if (key.str() == "short") {
        if (const auto* flag = node.as_boolean())
          in_short = flag->get();
        else
          section.fail("value", "short of an [[axis.value]] is neither true nor false", "short = false");
      } else
        value.settings[std::string(key.str())] = to_json(node);
    }
    if (value.name.is_null()) section.fail("value", "an [[axis.value]] has no name", "name = \"own core\"");
    if (in_short || !short_form_) axis.values.push_back(std::move(value));
  }

  WallFileErrors& errors_;
  const HostChoices& host_;
  const bool short_form_;
};

}  // namespace

HostChoices host_choices() {
  HostChoices choices;
  for (const int cpu : allowed_cpus()) choices.cpus.push_back(static_cast<unsigned>(cpu));
  std::ifstream in("/proc/sys/net/ipv4/tcp_available_congestion_control");
  for (std::string name; in >> name;) choices.congestion_controls.push_back(name);
  return choices;
}

Result<Experiment> parse_experiment(std::string_view text, const std::string& name, const HostChoices& host,
                                    bool short_form) {
  WallFileErrors errors(name);
  Experiment experiment;
  try {
    const auto document = toml::parse(text);
    experiment = Reader(errors, host, short_form).read(document);
  } catch (const toml::parse_error& error) {
    errors.add(error.source().begin.line, "invalid TOML: " + std::string(error.description()),
               "see https://toml.io for the syntax");
  }
  if (errors.first()) return *errors.first();
  return experiment;
}

Result<Experiment> load_experiment(const std::filesystem::path& file, bool short_form) {
  const auto sweep = read_file(file, sweep_bytes_max, "name a sweep file, like experiments/p2-pinning.toml");
  return sweep ? parse_experiment(*sweep, file.string(), host_choices(), short_form) : sweep.error();
}

Result<void> override_setting(Experiment& experiment, const std::string& setting) {
  const auto equals = setting.find('=');
  if (equals == 0 || equals == std::string::npos)
    return Error{"--set " + setting + " has no effect", "write KEY=VALUE, like --set flows=4"};
  const auto key = setting.substr(0, equals);
  const auto text = setting.substr(equals + 1);
  auto value = json::parse(text, nullptr, false);
  if (value.is_discarded()) value = text;
  if (key == "repetitions") {
    if (!value.is_number_unsigned() || value == 0 || value > repetitions_max)
      return Error{"--set repetitions=" + text + " is out of range", fmt::format("use 1 to {}", repetitions_max)};
    experiment.repetitions = value.get<unsigned>();
    return {};
  }
  if (key == "capacity_gbit_per_s") {
    if (!value.is_number() || value <= 0 || value > capacity_max)
      return Error{"--set capacity_gbit_per_s=" + text + " is out of range",
                   fmt::format("use a number up to {}", capacity_max)};
    experiment.capacity_gbit_per_s = value.get<double>();
    return {};
  }
  if (experiment.run.contains(key)) {
    experiment.run[key] = value;
    return {};
  }
  const auto axis = std::ranges::find(experiment.axes, key, &Axis::key);
  if (axis != experiment.axes.end()) {
    axis->values.clear();
    // A setting that is a list itself has one value in ["a", "b"], and two in [["a"], ["a", "b"]].
    const bool takes_lists = key == "directories" || key == "from";
    const bool several = value.is_array() && !value.empty() && (!takes_lists || value.front().is_array());
    for (const auto& one : several ? value : json::array({value}))
      axis->values.push_back({one.is_structured() ? json(one.dump()) : one, {{key, one}}});
    return {};
  }
  if (key.starts_with("path."))
    experiment.path[key.substr(5)] = value;
  else
    setting_of(experiment.loads, key) = value;
  return {};
}

json& setting_of(std::vector<json>& loads, const std::string& key) {
  for (auto& load : loads) {
    const auto named = load.find("name");  // a name that is not a string is rejected when the load is parsed
    const auto name = named != load.end() && named->is_string() ? named->get<std::string>() : "main";
    if (key.starts_with(name + ".")) return load[key.substr(name.size() + 1)];
  }
  return loads.front()[key];
}

}  // namespace lw
