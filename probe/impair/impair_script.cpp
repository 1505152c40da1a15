#include "probe/impair/impair_script.h"

#include "common/base/read_file.h"
#include "common/wall/toml_section.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

namespace lw {
namespace {

constexpr std::size_t script_bytes_max = std::size_t{1} << 20U;

constexpr double seconds_max = 86'400;
constexpr double delay_ms_max = 10'000;

Nanoseconds milliseconds(double ms) { return Nanoseconds{static_cast<std::int64_t>(ms * 1e6)}; }
double in_milliseconds(Nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); }

ImpairStep read_step(TomlSection section, const Impairment& base) {
  ImpairStep step{std::chrono::milliseconds{static_cast<std::int64_t>(section.real("at_s", 0, seconds_max, 0) * 1000)},
                  base};
  auto& now = step.impairment;
  const auto percent = [&](std::string_view key, double& share) {
    share = section.real(key, 0, 100, share * 100) / 100;
  };
  const auto time = [&](std::string_view key, Nanoseconds& value) {
    value = milliseconds(section.real(key, 0, delay_ms_max, in_milliseconds(value)));
  };
  percent("loss_percent", now.loss);
  now.loss_burst = section.real("loss_burst", 1, 1e6, now.loss_burst);
  time("delay_ms", now.delay);
  time("jitter_ms", now.jitter);
  if (section.find("distribution")) {
    const auto name = section.text("distribution");
    if (const auto jitter = parse_jitter(name))
      now.distribution = *jitter;
    else
      section.fail("distribution", fmt::format("distribution '{}' is unknown", name),
                   "use uniform, normal, exponential or pareto");
  }
  now.keep_order = section.flag("keep_order", now.keep_order);
  percent("duplicate_percent", now.duplicate);
  percent("corrupt_percent", now.corrupt);
  now.corrupt_bytes = static_cast<unsigned>(section.number("corrupt_bytes", {0, 65'535}, now.corrupt_bytes));
  percent("reorder_percent", now.reorder);
  now.reorder_by = static_cast<unsigned>(section.number("reorder_by", {1, 100'000}, now.reorder_by));
  const double gbit = section.real("rate_gbit", 0, 1000, now.rate ? now.rate->gbit() : 0);
  now.rate = gbit > 0 ? std::optional(BitRate::gbit(gbit)) : std::nullopt;
  time("queue_ms", now.queue);
  return step;
}

}  // namespace

std::optional<Jitter> parse_jitter(std::string_view name) {
  if (name == "uniform") return Jitter::uniform;
  if (name == "normal") return Jitter::normal;
  if (name == "exponential") return Jitter::exponential;
  if (name == "pareto") return Jitter::pareto;
  return {};
}

Result<std::vector<ImpairStep>> parse_impair_script(std::string_view toml, const std::string& name,
                                                    const Impairment& base) {
  WallFileErrors errors(name);
  std::vector<ImpairStep> steps;
  try {
    const auto document = toml::parse(toml);
    const TomlSection root(document, "the script", {"step"}, errors);
    const auto* list = root.find("step");
    if (list == nullptr || !list->is_array_of_tables())
      errors.add(1, "there is no [[step]]", "write each step under a heading [[step]], with at_s");
    else
      for (const auto& entry : *list->as_array())
        steps.push_back(
            read_step(TomlSection(*entry.as_table(), "[[step]]",
                                  {"at_s", "loss_percent", "loss_burst", "delay_ms", "jitter_ms", "distribution",
                                   "keep_order", "duplicate_percent", "corrupt_percent", "corrupt_bytes",
                                   "reorder_percent", "reorder_by", "rate_gbit", "queue_ms"},
                                  errors),
                      base));
  } catch (const toml::parse_error& error) {
    errors.add(error.source().begin.line, "not valid TOML: " + std::string(error.description()),
               "see https://toml.io for the syntax");
  }
  if (errors.first()) return *errors.first();
  std::ranges::stable_sort(steps, {}, &ImpairStep::at);
  return steps;
}

Result<std::vector<ImpairStep>> load_impair_script(const std::filesystem::path& file, const Impairment& base) {
  const auto script = read_file(file, script_bytes_max, "name a script of [[step]]s");
  return script ? parse_impair_script(*script, file.string(), base) : script.error();
}

}  // namespace lw
