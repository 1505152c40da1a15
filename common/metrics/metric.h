// The rows of common/metrics/registry.h: the description of each figure that leaves a program, and the member from
// which it is read. is_complete() is for static assertions that no member and no source was forgotten.
#pragma once

#include "common/metrics/figure.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace lw {

enum class MetricKind : unsigned char {
  counter,       // a total since the program started
  balance,       // the same, but it may fall, because missing packets may still arrive; a gauge in Prometheus
  gauge,         // the current value
  distribution,  // a percentile, minimum or maximum of a distribution; a gauge in Prometheus
};
// Whether the figure compares the clocks of two hosts, and so is absent if their difference has no known bound.
enum class ClockBound : bool { unneeded, needed };

struct Metric {
  std::string_view key;         // in reports
  std::string_view prometheus;  // without the prefix lambdawall_; base units
  MetricKind kind;
  std::string_view unit;    // in reports
  std::string_view source;  // of the definition: an RFC with its section, another standard, or `own`
  std::string_view help;
  std::string_view definition;  // in docs/metrics.md
  ClockBound bound = ClockBound::unneeded;

  [[nodiscard]] constexpr bool counts() const { return kind == MetricKind::counter || kind == MetricKind::balance; }
  [[nodiscard]] constexpr std::string_view prometheus_type() const {
    return kind == MetricKind::counter ? "counter" : "gauge";
  }
  // Value in reports * scale = value for Prometheus.
  [[nodiscard]] constexpr double scale() const { return unit == "µs" ? 1e-6 : 1; }
};

namespace registry {

template <class Stats>
struct Row {
  Metric metric;
  Figure (*read)(const Stats&);
  const char* member;  // identifies the row
};

template <class Owner, class Value>
Owner owner_of(Value Owner::*);
template <auto member>
using Owner = decltype(owner_of(member));
template <auto member>
inline constexpr char identity{};

struct Always {
  template <class Stats>
  constexpr bool operator()(const Stats&) const {
    return true;
  }
};

// The figure of a member; absent if `condition` is false.
template <auto member, auto condition = Always{}>
constexpr Row<Owner<member>> row(const Metric& metric) {
  using Stats = Owner<member>;
  return {metric, [](const Stats& stats) { return condition(stats) ? Figure(stats.*member) : Figure(); },
          &identity<member>};
}
// The median (or 99th percentile) of a stage's times.
template <auto member>
constexpr Row<Owner<member>> median(const Metric& metric) {
  using Stats = Owner<member>;
  return {metric, [](const Stats& stats) { return Figure((stats.*member).p50); }, &identity<member>};
}
template <auto member>
constexpr Row<Owner<member>> high(const Metric& metric) {
  using Stats = Owner<member>;
  return {metric, [](const Stats& stats) { return Figure((stats.*member).p99); }, &identity<member>};
}

// The source of a figure that this project defines itself.
inline constexpr std::string_view own = "this project: docs/metrics.md";

consteval bool is_source(std::string_view source) {
  return source == own || source.starts_with("RFC ") || source.starts_with("SMPTE ST ");
}

// Members that are not figures.
template <auto... member>
constexpr std::array<const char*, sizeof...(member)> others() {
  return {&identity<member>...};
}

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
// Converts to any member type; to an optional through its value type, which would otherwise be ambiguous.
struct Anything {
  template <class T>
  requires(!is_optional<T>) operator T() const;  // NOLINT(google-explicit-constructor): never called
};

template <class Stats, class... Initializers>
consteval std::size_t count_members() {
  if constexpr (requires { Stats{Initializers{}..., Anything{}}; })
    return count_members<Stats, Initializers..., Anything>();
  else
    return sizeof...(Initializers);
}

// Specialized in registry.h for each struct of figures: `others` and `rows`.
template <class Stats>
struct Registered;

// Whether each member of the struct is either in a row or one of the others, but not both, and each row has a source.
template <class Stats>
consteval bool is_complete() {
  using Table = Registered<Stats>;
  std::array<const char*, Table::rows.size() + Table::others.size()> seen{};
  std::size_t count = 0;
  const auto add = [&](const char* member) {
    if (std::find(seen.begin(), seen.begin() + count, member) == seen.begin() + count) seen[count++] = member;
  };
  for (const auto& row : Table::rows) {
    if (!is_source(row.metric.source)) return false;
    add(row.member);
  }
  for (const auto* member : Table::others) {
    const auto before = count;
    add(member);
    if (count == before) return false;
  }
  return count == count_members<Stats>();
}

}  // namespace registry
}  // namespace lw
