#include "probe/mpcdi/wall_text.h"

#include "common/base/printable.h"
#include "common/base/short_text.h"
#include "probe/mpcdi/id_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

constexpr std::size_t name_bytes_max = 64;  // of tiles, nodes and walls

bool is_digit_or_letter(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Of what stands in a comment or in quotes.
std::string plain(std::string_view text, std::size_t bytes_max) {
  auto shown = printable(short_text(text, bytes_max), Lines::escaped, bytes_max);
  std::ranges::replace_if(
      shown, [](char c) { return c == '"' || c == '\\'; }, '\'');
  return shown;
}

void add_tile(std::string& text, const ImportedProjector& projector) {
  const auto& place = projector.place;
  text += fmt::format(
      "\n# Region {}, a projector of {} x {} pixels.\n[[tile]]\nname = \"{}\"\nx = {}\ny = {}\nwidth = {}\nheight = "
      "{}\n"
      "projector = true\n",
      plain(projector.region, 80), projector.columns, projector.rows, projector.tile, place.x, place.y, place.width,
      place.height);
}

void add_shown(std::string& text, const ImportedProjector& projector, std::size_t monitor) {
  text += fmt::format("\n[[node.tiles]]\ntile = \"{}\"\nmonitor = {}\n", projector.tile, monitor);
  if (!projector.warp.empty()) text += fmt::format("warp = \"{}\"\n", projector.warp);
  if (!projector.blend.empty()) text += fmt::format("blend = \"{}\"\n", projector.blend);
  if (!projector.blend.empty() || !projector.black.empty())
    text += fmt::format("blend_gamma = {:.4g}\n", projector.blend_gamma);
  if (!projector.black.empty()) text += fmt::format("black_lift = \"{}\"\n", projector.black);
}

}  // namespace

std::string name_of_id(std::string_view id, std::vector<std::string>& used) {
  constexpr std::size_t with_number = name_bytes_max - 8;  // "-512"
  std::string name(id.substr(0, with_number));
  std::ranges::replace_if(
      name, [](char c) { return !is_digit_or_letter(c) && c != '-' && c != '_'; }, '-');
  if (name.empty() || !is_digit_or_letter(name.front()) || lower_case(name) == "checksums") name.insert(0, "p");
  const auto is_used = [&used](const std::string& wanted) { return std::ranges::count(used, lower_case(wanted)) > 0; };
  auto unique = name;
  for (unsigned number = 2; is_used(unique); ++number) unique = fmt::format("{}-{}", name, number);
  used.push_back(lower_case(unique));
  return unique;
}

std::string wall_text(std::string_view source, std::string_view version, const std::vector<ImportedNode>& nodes) {
  auto text = fmt::format(
      "# Projectors of {}, MPCDI {}, written by wall-probe mpcdi. Edit what MPCDI does not say: the frame rate, all\n"
      "# addresses, and which monitor of its node each projector is (identify in wall-control shows each tile's "
      "name).\n\n"
      "[wall]\nname = \"{}\"\nframe_rate = 60  # edit: as the content has\n",
      plain(source, 120), plain(version, 16), plain(source, name_bytes_max));
  for (const auto& node : nodes)
    for (const auto& projector : node.projectors) add_tile(text, projector);
  unsigned host = 10;
  for (const auto& node : nodes) {
    ++host;
    text +=
        fmt::format("\n[[node]]\nname = \"{}\"\naddress = \"10.0.{}.{}\"  # edit: of the host with these projectors\n",
                    node.name, host / 250, host % 250);
    for (std::size_t i = 0; i < node.projectors.size(); ++i) add_shown(text, node.projectors[i], i);
  }
  return text + "\n[[server]]\nname = \"server\"\ninterfaces = [\"10.0.0.10\"]  # edit: of the host that sends\n";
}

}  // namespace lw
