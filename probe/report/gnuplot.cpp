#include "probe/report/gnuplot.h"

#include "common/base/printable.h"
#include "common/base/units.h"
#include "common/base/whole_number.h"
#include "probe/report/table.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>

namespace lw {
namespace {

constexpr std::chrono::seconds drawing_time_max{60};
constexpr std::size_t drawing_bytes_max = 64U << 20;

using TemporaryFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;  // unnamed; removed with its handle

TemporaryFile temporary_file() { return {std::tmpfile(), std::fclose}; }

Result<void> write_script(std::FILE* file, const std::string& script) {
  if (std::fwrite(script.data(), 1, script.size(), file) != script.size() || std::fflush(file) != 0)
    return Error{"cannot write a temporary file", "make room in /tmp, or set TMPDIR"};
  std::rewind(file);
  return {};
}

std::string content_of(std::FILE* file) {
  std::string out;
  std::rewind(file);
  std::array<char, 65'536> part{};
  while (out.size() < drawing_bytes_max) {
    const auto got = std::fread(part.data(), 1, part.size(), file);
    if (got == 0) break;
    out.append(part.data(), got);
  }
  return out;
}

// The exit status; empty if it did not end in time.
std::optional<int> wait_for(pid_t child) {
  const auto deadline = LocalClock::now() + drawing_time_max;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (LocalClock::now() > deadline) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return std::nullopt;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
  }
  return status;
}

// What gnuplot writes to its standard output.
Result<std::string> run_gnuplot(const std::string& script) {
  const auto in = temporary_file(), out = temporary_file(), log = temporary_file();
  if (!in || !out || !log) return Error{"cannot make a temporary file", "make room in /tmp"};
  if (const auto written = write_script(in.get(), script); !written) return written.error();

  posix_spawn_file_actions_t files{};
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, fileno(in.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(out.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(log.get()), STDERR_FILENO);
  std::string name = "gnuplot", settings = "--default-settings", locale = "LC_ALL=C.UTF-8";
  const std::array<char*, 3> arguments{name.data(), settings.data(), nullptr};
  const std::array<char*, 2> environment{locale.data(), nullptr};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, name.c_str(), &files, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&files);
  if (failed == ENOENT) return Error{"gnuplot, which draws the report, is not installed", "apt install gnuplot-nox"};
  if (failed != 0) return Error{std::string("cannot start gnuplot: ") + std::strerror(failed), ""};

  const auto status = wait_for(child);
  if (!status) return Error{fmt::format("gnuplot drew for more than {} s", drawing_time_max.count()), "report on less"};
  if (*status != 0) {
    const auto said = content_of(log.get());
    return Error{"gnuplot failed: " + escaped(said.substr(0, 500)), "try gnuplot-nox 5.4 or later"};
  }
  return {boost::system::in_place_value, content_of(out.get())};
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// gnuplot has only fixed colours; those that must suit light and dark pages are replaced by the text's colour.
void follow_theme(std::string& svg) {
  for (const auto* fixed : {"color=\"black\" ", "color=\"gray\" ", "color=\"white\" "}) replace_all(svg, fixed, "");
  for (const char quote : {'\'', '"'})
    for (const auto* faint : {"rgb(  4,   5,   6)", "rgb(4,5,6)"})
      replace_all(svg, fmt::format("stroke={0}{1}{0}", quote, faint),
                  fmt::format("stroke={0}currentColor{0} stroke-opacity={0}.25{0}", quote));
  for (const auto* fixed : {"rgb(  1,   2,   3)", "rgb(1,2,3)", "#010203"}) replace_all(svg, fixed, "currentColor");
}

void prefix_ids(std::string& svg, std::string_view id) {
  for (const auto* mark : {" id='", " id=\"", "href='#", "href=\"#", "url(#"})
    replace_all(svg, mark, fmt::format("{}{}-", mark, id));
}

// Removes gnuplot's names of curves, which browsers would show as tooltips.
void drop_titles(std::string& svg) {
  constexpr std::string_view begin = "<title>", end = "</title>";
  for (std::size_t at = 0; (at = svg.find(begin, at)) != std::string::npos;) {
    const auto to = svg.find(end, at);
    if (to == std::string::npos) return;
    svg.erase(at, to + end.size() - at);
  }
}

// gnuplot calls a script of its own for each text under the pointer; an SVG's title needs none.
void show_hovers(std::string& svg, std::span<const std::string> texts) {
  const std::string begin = fmt::format("<g onmousemove=\"gnuplot_svg.showHypertext(evt,'{}", hover_mark);
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = 0; (at = svg.find(begin, at)) != std::string::npos;) {
    const auto number = at + begin.size(), end = svg.find('>', number);
    if (end == std::string::npos) break;
    const auto index = whole_number<std::size_t>(std::string_view(svg).substr(number, svg.find('\'', number) - number));
    const auto text = index && *index < texts.size() ? escaped(texts[*index]) : "";
    out += svg.substr(done, at - done) + "<g class=\"hover\"><title>" + text + "</title>";
    done = at = end + 1;
  }
  svg = out + svg.substr(done);
}

// gnuplot puts white points behind those of error bars, which a dark page would show.
void drop_halos(std::string& svg) {
  constexpr std::string_view begin = "<use ", end = " color='white'/>";
  for (std::size_t at = 0; (at = svg.find(end, at)) != std::string::npos;) {
    const auto from = svg.rfind('<', at);
    if (svg.compare(from, begin.size(), begin) != 0) {
      at += end.size();
      continue;
    }
    svg.erase(from, at + end.size() - from);
    at = from;
  }
}

// Replaces gnuplot's head by one that scales, has a title, and has its own background if shown alone.
Result<Svg> with_head(const std::string& svg, std::string_view title) {
  const auto begin = svg.find("<svg"), end = svg.find("</desc>"), box = svg.find("viewBox=\"", begin);
  const auto box_end = svg.find('"', box + 9);
  if (begin == std::string::npos || end == std::string::npos || box == std::string::npos ||
      svg.find("</svg>") == std::string::npos)
    return Error{"gnuplot wrote an incomplete SVG", "try gnuplot-nox 5.4 or later"};
  return Svg{
      fmt::format("<svg {} class=\"plot\" color=\"#1b1f24\" role=\"img\" xmlns=\"http://www.w3.org/2000/svg\" "
                  "xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n<title>{}</title>\n<style>svg.plot{{background:#fff}}"
                  "@media (prefers-color-scheme:dark){{svg.plot{{color:#e3e6ea;background:#16191d}}}}"
                  "@media print{{svg.plot{{color:#000;background:#fff}}}}</style>{}",
                  svg.substr(box, box_end + 1 - box), escaped(title), svg.substr(end + 7))};
}

}  // namespace

std::string gnuplot_text(std::string_view text) {
  std::string out = "'";
  for (const char c : printable(text, Lines::kept)) {
    if (c == '\'')
      out += "''";
    else
      out += c == '\n' || c == '\t' ? ' ' : c;
  }
  return out + "'";
}

std::string gnuplot_label(std::string_view text) {
  std::string doubled;
  for (const char c : text) doubled += c == '%' ? std::string("%%") : std::string(1, c);
  return gnuplot_text(doubled);
}

Result<Svg> draw_svg(const std::string& script, std::string_view title, std::string_view id,
                     std::span<const std::string> hovers) {
  auto drawn = run_gnuplot(
      "terminal_begin = 'set terminal svg size '\nterminal_end = \" dynamic font 'sans-serif,13' noenhanced butt\"\n" +
      script);
  if (!drawn) return drawn.error();
  follow_theme(*drawn);
  prefix_ids(*drawn, id);
  drop_titles(*drawn);
  drop_halos(*drawn);
  show_hovers(*drawn, hovers);
  return with_head(*drawn, title);
}

namespace {

// Lines of at most this many characters, broken at spaces.
std::vector<std::string> lines_of(std::string_view text, std::size_t characters) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto new_line = std::min(text.find('\n'), text.size());
    auto end = std::min(new_line, characters);
    if (end < new_line)
      if (const auto space = text.rfind(' ', end); space != std::string_view::npos && space > 0) end = space;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(
        std::min(end + (end < text.size() && (text[end] == ' ' || text[end] == '\n') ? 1 : 0), text.size()));
  }
  return lines;
}

std::string page_text(std::string_view text, double y, std::string_view font) {
  return fmt::format("set label {} at screen 0.05,{:.4f} left front font '{}'\n", gnuplot_text(text), y, font);
}

// A page's texts, with room for the plot between them.
std::string page_script(const PdfPage& page) {
  constexpr std::size_t characters = 150, lines_max = 40;
  constexpr double line_height = 0.026;
  std::string script = "reset\n" + page_text(page.title, 0.95, "sans-serif,16");
  auto lines = lines_of(page.caption, characters);
  lines.resize(std::min(lines.size(), lines_max));
  const double below = line_height * static_cast<double>(lines.size());
  double y = page.script.empty() ? 0.88 : std::min(0.03 + below, 0.4);
  for (const auto& line : lines) {
    script += page_text(line, y, "sans-serif,9");
    y -= line_height;
  }
  if (page.script.empty())
    return script + "unset border\nunset tics\nunset key\nset xrange [0:1]\nset yrange [0:1]\nplot 2 notitle\n";
  constexpr std::string_view grid_on_paper = "#d4d8dd";
  auto plot = page.script;
  replace_all(plot, faint_ink, grid_on_paper);
  const double from = std::min(0.06 + below, 0.5);
  return script + fmt::format("set origin 0,{:.4f}\nset size 1,{:.4f}\n{}", from, 0.92 - from, plot);
}

}  // namespace

// The terminal of all pages is set once: gnuplot begins another document with each.
Result<std::string> draw_pdf(std::span<const PdfPage> pages) {
  std::string script =
      "set terminal pdfcairo size 29.7cm,21cm font 'sans-serif,11' noenhanced\nterminal_begin = '# '\nterminal_end = "
      "''\n";
  for (const auto& page : pages) script += page_script(page);
  auto pdf = run_gnuplot(script);
  if (pdf && !pdf->starts_with("%PDF")) return Error{"gnuplot wrote no PDF", "try gnuplot-nox 5.4 or later"};
  return pdf;
}

}  // namespace lw
