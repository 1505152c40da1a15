#include "probe/report/script.h"

#include "probe/report/gnuplot.h"
#include "probe/report/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lw {

std::string Look::line() const { return fmt::format("lc rgb '{}' dt {} lw 1.6", colour, dash); }

std::string Look::faint() const { return "lc rgb '#99" + colour.substr(1) + "'"; }

namespace {

// gnuplot does not accept the extremes of a double's range as numbers, and fails if a plot has no other values.
double drawable(double value) {
  constexpr double greatest = 1e280, least = 1e-280;
  return std::abs(value) < least ? 0 : std::clamp(value, -greatest, greatest);
}

}  // namespace

Look look(std::size_t series) {
  static constexpr std::array<std::string_view, 8> colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                           "#E69F00", "#56B4E9", ink,       "#B8A800"};
  static constexpr std::array filled{7, 5, 9, 13, 11, 15};  // the one after each of them is hollow
  Look out;
  out.colour = colours[series % colours.size()];
  out.filled = filled[series % filled.size()];
  out.hollow = out.filled - 1;
  out.dash = static_cast<int>(series % 5) + 1;
  return out;
}

Script::Script(Size size) : size_(size) {
  add("set encoding utf8");
  add("set errorbars small");
  add("set key noautotitle");
  add("unset key");
  add(fmt::format("set border 3 lc rgb '{}'", ink));
  add(fmt::format("set tics nomirror textcolor rgb '{}'", ink));
  add(fmt::format("set grid ytics lc rgb '{}' lt 1 lw 0.6", faint_ink));
}

void Script::x_label(std::string_view text) {
  add(fmt::format("set xlabel {} textcolor rgb '{}'", gnuplot_text(shortened(text, 90)), ink));
}

void Script::y_label(std::string_view text) {
  add(fmt::format("set ylabel {} textcolor rgb '{}'", gnuplot_text(shortened(text)), ink));
}

// gnuplot fits the columns of names to the canvas, but starts with the first at the plot, and cuts off the last.
void Script::key(std::size_t names, std::size_t longest) {
  constexpr std::size_t beside_plot = 130, beside_name = 50, character = 10, row_height = 20;  // pixels
  const auto columns = std::max<std::size_t>((size_.width - beside_plot) / (beside_name + character * longest), 1);
  add(fmt::format("set key above left Left reverse samplen 3 textcolor rgb '{}' maxcols {}", ink, columns));
  size_.height += static_cast<unsigned>((names - 1) / columns * row_height);
}

void Script::y_from_zero(double least, double greatest) {
  if (least < 0) return;
  add(greatest > 0 ? "set yrange [0:*]" : "set yrange [0:1]");
}

void Script::categories(const std::vector<std::string>& labels, std::string_view axis) {
  constexpr std::size_t labels_max = 32, characters_in_a_row = 100;
  const auto step = (labels.size() + labels_max - 1) / labels_max;
  std::size_t characters = 0;
  std::string tics;
  for (std::size_t i = 0; i < labels.size(); i += std::max<std::size_t>(step, 1)) {
    const auto label = shortened(labels[i], 28);
    characters += label.size() + 2;
    tics += fmt::format("{}{} {}", tics.empty() ? "" : ", ", gnuplot_label(label), i);
  }
  const bool turned = axis == "x" && characters > characters_in_a_row;
  add(fmt::format("set {}tics ({}) scale 0{}", axis, tics, turned ? " rotate by 30 right" : ""));
  add(fmt::format("set {}range [-0.6:{}]", axis, static_cast<double>(labels.size()) - 0.4));
}

std::string Script::data(std::span<const Row> rows) {
  auto name = fmt::format("$d{}", blocks_++);
  head_ += name + " << END\n";
  for (const auto& row : rows) {
    for (const auto& value : row) head_ += value ? fmt::format("{} ", drawable(*value)) : "NaN ";
    head_ += '\n';
  }
  head_ += "END\n";
  return name;
}

void Script::ticks(std::string_view axis, std::span<const double> values, std::string_view unit) {
  std::string tics;
  for (const double value : values)
    tics += fmt::format("{}{} {}", tics.empty() ? "" : ", ", gnuplot_label(quantity_text(value, unit)), value);
  add(fmt::format("set {}tics ({})", axis, tics));
}

std::vector<std::string> Script::hover_texts() const {
  std::vector<std::string> texts;
  for (const auto& hover : hovers_) texts.push_back(hover.text);
  return texts;
}

// Whoever draws the script sets the terminal. The script only has the numbers of the texts to show under the pointer.
std::string Script::text() const {
  auto text = fmt::format("eval terminal_begin . '{},{}' . terminal_end\n{}", size_.width, size_.height, head_);
  auto elements = elements_;
  if (!hovers_.empty()) {
    text += "$hovers << END\n";
    for (std::size_t i = 0; i < hovers_.size(); ++i)
      text += fmt::format("{} {} {}\n", drawable(hovers_[i].x), drawable(hovers_[i].y), i);
    text += "END\n";
    elements.push_back(
        fmt::format("$hovers using 1:2:('{}' . int($3)) with labels hypertext point pt 7 ps 1.6 lc rgb '#FF{}'",
                    hover_mark, ink.substr(1)));
  }
  return text + fmt::format("plot {}\n", fmt::join(elements, ", "));
}

std::string shortened(std::string_view text, std::size_t characters_max) {
  std::size_t characters = 0, bytes = 0;
  for (; bytes < text.size(); ++bytes) {
    const bool begins_character = (static_cast<unsigned char>(text[bytes]) & 0xC0) != 0x80;
    if (begins_character && ++characters > characters_max) return std::string(text.substr(0, bytes)) + "…";
  }
  return std::string(text);
}

}  // namespace lw
