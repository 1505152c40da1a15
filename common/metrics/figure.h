// One figure that a program reports: a whole number, a real number, or absent because it was not measured.
#pragma once

#include "common/base/units.h"

#include <concepts>
#include <cstdint>
#include <optional>
#include <variant>

namespace lw {

class Figure {
public:
  constexpr Figure() = default;  // absent
  template <std::unsigned_integral Whole>
  constexpr Figure(Whole value) : value_(std::uint64_t{value}) {}
  constexpr Figure(double value) : value_(value) {}
  // Times are in microseconds.
  constexpr Figure(Nanoseconds time) : value_(static_cast<double>(time.count()) / 1000) {}
  template <class T>
  constexpr Figure(const std::optional<T>& value) : Figure(value ? Figure(*value) : Figure()) {}

  [[nodiscard]] constexpr bool measured() const { return value_.index() != 0; }
  [[nodiscard]] constexpr std::optional<double> number() const {
    if (const auto* whole = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value_)) return *real;
    return std::nullopt;
  }
  // Empty also if it is not an integer.
  [[nodiscard]] constexpr std::optional<std::uint64_t> whole() const {
    const auto* whole = std::get_if<std::uint64_t>(&value_);
    return whole != nullptr ? std::optional(*whole) : std::nullopt;
  }
  constexpr bool operator==(const Figure&) const = default;

private:
  std::variant<std::monostate, std::uint64_t, double> value_;
};

}  // namespace lw
