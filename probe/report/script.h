// A gnuplot script under construction: one plot, with its data inline.
#pragma once

#include "probe/results/axis_value.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lw {

// How the series of a plot differ: by colour (Okabe and Ito's colour-blind-safe palette), shape and dash.
struct Look {
  std::string colour;          // "#RRGGBB"
  int filled = 7, hollow = 6;  // gnuplot's point types
  int dash = 1;

  [[nodiscard]] std::string line() const;   // gnuplot's options for a line with this look
  [[nodiscard]] std::string faint() const;  // for a translucent colour
};
Look look(std::size_t series);

// Names of series and categories may have any length, but the canvas is limited.
std::string shortened(std::string_view text, std::size_t characters_max = 56);

class Script {
public:
  struct Size {
    unsigned width = 860, height = 420;
  };
  explicit Script(Size size);

  void add(std::string_view line) { head_ += std::string(line) + "\n"; }
  void x_label(std::string_view text);
  void y_label(std::string_view text);
  // The names of all series, above the plot. The canvas grows with their rows.
  template <class Named>
  void key(const Named& all) {
    std::size_t longest = 0;
    for (const auto& each : all) longest = std::max(longest, shortened(each.name).size());
    key(std::size(all), longest);
  }
  // Starts the axis at 0 if no value is negative.
  void y_from_zero(double least, double greatest);
  // Labels these values of an axis, each with the unit that suits it ("10 ms"), or without one.
  void ticks(std::string_view axis, std::span<const double> values, std::string_view unit);
  // A label under each of 0, 1, 2...; skips some if there are many.
  void categories(const std::vector<std::string>& labels, std::string_view axis = "x");

  // Adds a block of numbers and returns its name for `plot`. Missing values are not drawn.
  using Row = std::vector<std::optional<double>>;
  std::string data(std::span<const Row> rows);
  void plot(const std::string& element) { elements_.push_back(element); }
  // A text that the reader sees with the pointer at this place; may be from outside.
  void hover(double x, double y, std::string text) { hovers_.push_back({x, y, std::move(text)}); }
  [[nodiscard]] std::vector<std::string> hover_texts() const;

  [[nodiscard]] bool empty() const { return elements_.empty(); }
  [[nodiscard]] std::string text() const;

private:
  struct Hover {
    double x, y;
    std::string text;
  };
  void key(std::size_t names, std::size_t longest);

  Size size_;
  std::string head_;
  std::vector<std::string> elements_;
  std::vector<Hover> hovers_;
  unsigned blocks_ = 0;
};

}  // namespace lw
